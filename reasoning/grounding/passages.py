"""The evidence as it is given to the answer step: passages and their sentences, each with a number.

The model cites "2.3", the third sentence of the second passage, so that what it rests on is a verbatim span
of a stored passage by construction (our choice; a small model cannot be trusted to copy a quote).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reasoning.evidence import Evidence
from reasoning.retrieval.segmentation import split_sentences
from reasoning.safety.injection import plain_name, which_instruct


@dataclass(frozen=True, slots=True)
class NumberedSentence:
    """`text` is a verbatim span of the passage; the label it stands under is no part of it."""

    ref: str
    text: str
    label: str | None


@dataclass(frozen=True, slots=True)
class GivenPassage:
    """One passage of the prompt; `n` counts from 1 in the order of the ranking."""

    n: int
    evidence: Evidence
    sentences: tuple[NumberedSentence, ...]

    @property
    def title(self) -> str:
        """As it may be shown: an instruction or address in it is none of its words."""
        return plain_name(self.evidence.source.article.title)

    @property
    def heading(self) -> str:
        """Title, place, year and kind: what a reader weighs a source by."""
        article = self.evidence.source.article
        kinds = ", ".join(kind.name for kind in article.publication_types[:2])
        parts = (self.title.rstrip("."), article.container, article.year, kinds)
        return " | ".join(str(part) for part in parts if part)

    @property
    def texts(self) -> list[str]:
        """What the rule compares with the question: the sentences, and the headings they stand under."""
        title = self.title
        headings = [f"{title}: {sentence.label}" if sentence.label else title for sentence in self.sentences]
        return [*(sentence.text for sentence in self.sentences), *headings]

    @property
    def numbered(self) -> str:
        """A line a sentence, its number in front; a label where it changes."""
        lines, label = [], None
        for sentence in self.sentences:
            if sentence.label and sentence.label != label:
                lines.append(f"({sentence.label})")
            label = sentence.label
            lines.append(f"[{sentence.ref}] {' '.join(sentence.text.split())}")
        return "\n".join(lines)


def number_passages(evidence: Sequence[Evidence]) -> tuple[GivenPassage, ...]:
    """Passages with at least one sentence; a record without text supports nothing (case F28)."""
    given: list[GivenPassage] = []
    for item in evidence:
        n = len(given) + 1
        sentences = tuple(
            NumberedSentence(f"{n}.{place}", text, label)
            for place, (label, text) in enumerate(labelled_sentences(item), start=1)
        )
        if sentences:
            given.append(GivenPassage(n, item, sentences))
    return tuple(given)


def spans_of(passages: Sequence[GivenPassage]) -> dict[str, tuple[str, str]]:
    """Number of a sentence -> the span it is: (eid, verbatim text)."""
    return {s.ref: (given.evidence.eid, s.text) for given in passages for s in given.sentences}


def labelled_sentences(item: Evidence) -> list[tuple[str | None, str]]:
    """Sentences with the label they stand under; instructions to a reader of ours are none (issue 3.5)."""
    label = item.source.passage.section
    pairs: list[tuple[str | None, str]] = []
    pieces = [item.text[span.start : span.end] for span in split_sentences(item.text)]
    for piece, instructs in zip(pieces, which_instruct(pieces), strict=True):
        sentence = piece.strip()
        for name in item.source.labels:
            opening = re.match(re.escape(name) + r"\s*[:：\n]\s*", sentence) if name else None
            if opening:
                label, sentence = name, sentence[opening.end() :]
                break
        if sentence and not instructs:
            pairs.append((label, sentence))
    return pairs
