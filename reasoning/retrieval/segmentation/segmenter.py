"""From articles to passages: count, embed what must be embedded, break, check (methods.md 1.6).

A unit that fits one passage is never embedded; of all others each sentence is embedded once, in one call for
the whole batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from reasoning.retrieval.segmentation.drafts import Cut, Draft, Work
from reasoning.retrieval.segmentation.encoder import SentenceEncoder, count_all, encode_all
from reasoning.retrieval.segmentation.errors import LimitTooSmall
from reasoning.retrieval.segmentation.lexicon import opens_with_anaphor
from reasoning.retrieval.segmentation.long_sentences import cut_long
from reasoning.retrieval.segmentation.overlaps import choose_overlaps
from reasoning.retrieval.segmentation.sentences import Span
from reasoning.retrieval.segmentation.seos import SeosParams, breaks_at, similarities
from reasoning.retrieval.segmentation.trace import Segmentation
from storage.documents import Article, Passage, SectionKind

_DEFAULT = SeosParams()


def segment(article: Article, encoder: SentenceEncoder, params: SeosParams = _DEFAULT) -> list[Passage]:
    """Passages of one article, see `segment_many`."""
    return segment_many([article], encoder, params)[0]


def segment_many(
    articles: Sequence[Article], encoder: SentenceEncoder, params: SeosParams = _DEFAULT
) -> list[list[Passage]]:
    """One list an article, empty where it has no text.

    No passage is longer than `params.b_max` by the encoder's count of its whole text; own ranges, laid end to
    end, are `units.document_text(article)`. Raises CountMismatch, VectorsUnusable, LimitTooSmall.
    """
    return [list(each.passages) for each in segment_traced(articles, encoder, params)]


def segment_traced(
    articles: Sequence[Article], encoder: SentenceEncoder, params: SeosParams = _DEFAULT
) -> list[Segmentation]:
    """`segment_many` with what was measured and chosen on the way."""
    works = [Work.begin(article) for article in articles]
    cuts = [cut for work in works for cut in work.cuts]
    for cut, tokens in zip(cuts, count_all(encoder, [cut.text for cut in cuts]), strict=True):
        cut.drafts = [Draft(cut.unit.start, (Span(cut.unit.start, cut.unit.end),), tokens)]
    long = [cut for cut in cuts if cut.drafts[0].tokens > params.b_max]
    _find_sentences(long, encoder, params)
    _compare_sentences(long, encoder, params)
    for work in works:
        _break(work, params)
    _draft_passages(long, encoder, params)
    return [work.finish(params) for work in works]


def _find_sentences(cuts: Sequence[Cut], encoder: SentenceEncoder, params: SeosParams) -> None:
    found = [cut.unit.sentences(cut.document) for cut in cuts]
    lengths = iter(
        count_all(
            encoder,
            [cut.document[slice(*span)] for cut, spans in zip(cuts, found, strict=True) for span in spans],
        )
    )
    for cut, spans in zip(cuts, found, strict=True):
        for span in spans:
            tokens = next(lengths)
            if tokens <= params.b_max:
                cut.spans.append(span)
                cut.tokens.append(tokens)
                continue
            pieces = _cut_sentence(cut, span, encoder, params)
            cut.spans += pieces
            cut.tokens += count_all(encoder, [cut.document[slice(*piece)] for piece in pieces])
            cut.sentences_cut += 1


def _cut_sentence(cut: Cut, span: Span, encoder: SentenceEncoder, params: SeosParams) -> list[Span]:
    """A label before the sentence stays with its first piece, so that no passage is a label alone."""
    part = cut.unit.part_at(span.start)
    text_start = part.text_start if part.start == span.start else span.start
    room = params.b_max - count_all(encoder, [cut.document[span.start : text_start]])[0]
    if room < params.b_max / 2:
        text_start, room = span.start, params.b_max
    pieces = cut_long(cut.document, Span(text_start, span.end), lambda texts: count_all(encoder, texts), room)
    return [Span(span.start, pieces[0].end), *pieces[1:]]


def _compare_sentences(cuts: Sequence[Cut], encoder: SentenceEncoder, params: SeosParams) -> None:
    """Embed what has meaning to compare: not rows, not a lone sentence; equal texts once."""
    told = [cut for cut in cuts if cut.unit.kind is not SectionKind.TABLE and len(cut.spans) > 1]
    rows: dict[str, int] = {}
    for cut in told:
        for place in range(len(cut.spans)):
            sentence = cut.sentence(place)
            if sentence not in rows:
                rows[sentence] = len(rows)
                cut.embedded += len(sentence)
    if not rows:
        return
    vectors = encode_all(encoder, list(rows))
    for cut in told:
        cut.sims = similarities(
            vectors[[rows[cut.sentence(place)] for place in range(len(cut.spans))]], params.w
        )


def _break(work: Work, params: SeosParams) -> None:
    """Overlaps are ranked over all gaps of the document that were measured."""
    ranked = sorted(sim for cut in work.cuts for sim in cut.sims or ())
    for cut in work.cuts:
        cut.breaks = breaks_at(cut.tokens, cut.sims, params)
        anaphors = [opens_with_anaphor(cut.sentence(place)) for place in range(len(cut.spans))]
        cut.overlaps = choose_overlaps(cut.breaks, cut.tokens, ranked, anaphors, params)


def _draft_passages(cuts: Sequence[Cut], encoder: SentenceEncoder, params: SeosParams) -> None:
    """Passages by the breaks, counted whole; what is above the limit even so is shortened until it is not."""
    for cut in cuts:
        ends = [0, *(each.gap + 1 for each in cut.breaks), len(cut.spans)]
        carried = [0, *(each.sentences for each in cut.overlaps)]
        cut.drafts = [
            Draft(cut.spans[first - carry].start, tuple(cut.spans[first:last]))
            for carry, (first, last) in zip(carried, pairwise(ends), strict=True)
        ]
    pending = list(cuts)
    while pending:
        lengths = iter(
            count_all(
                encoder,
                [cut.document[each.start : each.own[-1].end] for cut in pending for each in cut.drafts],
            )
        )
        again: list[Cut] = []
        for cut in pending:
            cut.drafts = [replace(each, tokens=next(lengths)) for each in cut.drafts]
            over = sum(each.tokens > params.b_max for each in cut.drafts)
            if over:
                cut.shortened += over
                cut.drafts = [
                    part
                    for each in cut.drafts
                    for part in (
                        [each] if each.tokens <= params.b_max else _shorten(cut, each, encoder, params)
                    )
                ]
                again.append(cut)
        pending = again


def _shorten(cut: Cut, draft: Draft, encoder: SentenceEncoder, params: SeosParams) -> list[Draft]:
    """Nothing carried; else two halves; else pieces of the one sentence."""
    if draft.start < draft.own[0].start:
        return [Draft(draft.own[0].start, draft.own)]
    if len(draft.own) > 1:
        middle = len(draft.own) // 2
        return [Draft(own[0].start, own) for own in (draft.own[:middle], draft.own[middle:])]
    pieces = cut_long(cut.document, draft.own[0], lambda texts: count_all(encoder, texts), params.b_max)
    if len(pieces) == 1:
        raise LimitTooSmall(f"{draft.tokens} tokens, at most {params.b_max} are allowed.")
    return [Draft(piece.start, (piece,)) for piece in pieces]
