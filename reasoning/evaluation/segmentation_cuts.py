"""Ways to cut the same articles, made comparable in size.

Each arm but SEOS has one number left free, which is turned until its mean chunk is as long as SEOS's. Only
SEOS and fixed windows can repeat text, so tokens that are stored are made equal in two ways: SEOS without
overlap beside the arms that have none, and fixed windows with as much overlap as SEOS has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from reasoning.encoders import Encoder
from reasoning.encoders.interface import Vectors
from reasoning.evaluation.segmentation_peers import Split, chonkie, langchain, llamaindex
from reasoning.evaluation.segmentation_ruler import Ruler
from reasoning.evaluation.segmentation_set import MarkedArticle, Range
from reasoning.retrieval.segmentation import SeosParams, segment_many

ARMS = ("seos", "fixed", "langchain", "llamaindex", "chonkie")
GROUPS = ("published", "equal mean", "equal stored")
_TURNS = 9  # halvings of the range of a free number
_PUBLISHED = (0, 32, 128)  # overlaps of windows of 512 tokens in the paper


@dataclass(frozen=True, slots=True)
class Cut:
    """Chunks of all articles in their order; `against` names the arm that its figures are compared with."""

    group: str
    arm: str
    chunks: tuple[tuple[Range, ...], ...]
    mean: float  # tokens a chunk, repeated ones included
    stored: float  # tokens stored for each token of text
    against: str | None = None


Say = Callable[[str], None]


class Workbench:
    """Articles with their rulers, and the encoder all arms share."""

    def __init__(self, articles: Sequence[MarkedArticle], encoder: Encoder) -> None:
        self.articles, self.encoder = articles, encoder
        self.rulers = [Ruler(each.text, encoder.count_tokens) for each in articles]
        self.room = encoder.manifest.passage_max_tokens - encoder.special_tokens(pair=False)

    def cut(self, group: str, arm: str, chunks: Sequence[Sequence[Range]], against: str | None) -> Cut:
        sizes = [ruler.tokens(chunk) for ruler, own in zip(self.rulers, chunks, strict=True) for chunk in own]
        total = sum(ruler.total for ruler in self.rulers)
        kept = tuple(tuple(own) for own in chunks)
        return Cut(group, arm, kept, sum(sizes) / len(sizes), sum(sizes) / total, against)

    def seos(self, params: SeosParams) -> list[list[Range]]:
        cut = segment_many([each.article for each in self.articles], self.encoder, params)
        return [[(each.start, each.end) for each in passages] for passages in cut]

    def fixed(self, size: float, overlap: float = 0.0) -> list[list[Range]]:
        return [ruler.windows(round(size), round(overlap)) for ruler in self.rulers]

    def split_at(self, make: Callable[[float], Split], number: float) -> list[list[Range]]:
        split = make(number)
        return [split(each.text) for each in self.articles]

    def tune(
        self, make: Callable[[float], list[list[Range]]], low: float, high: float, mean: float
    ) -> list[list[Range]]:
        """Chunks whose mean length is nearest `mean`; a larger number makes longer ones."""
        best: tuple[float, list[list[Range]]] | None = None
        for _ in range(_TURNS):
            middle = (low + high) / 2
            chunks = make(middle)
            found = self.cut("", "", chunks, None).mean
            if best is None or abs(found - mean) < best[0]:
                best = (abs(found - mean), chunks)
            low, high = (middle, high) if found < mean else (low, middle)
        assert best
        return best[1]


def product_params(encoder: Encoder) -> SeosParams:
    """What the corpus is cut with for this encoder."""
    limit, target = encoder.budget
    return SeosParams(b_max=limit, b=target)


def make_cuts(
    bench: Workbench, arms: Sequence[str], groups: Sequence[str], params: SeosParams, say: Say
) -> list[Cut]:
    """Every arm in every group of comparison; SEOS itself is in each."""
    shipped = bench.seos(params)
    seos = bench.cut("", "seos", shipped, None)
    found: list[Cut] = []
    if "published" in groups:
        found.append(replace(seos, group="published"))
        if "fixed" in arms:
            window = bench.encoder.manifest.passage_max_tokens
            for published in _PUBLISHED:
                overlap = round(published * window / 512)
                chunks = bench.fixed(bench.room, overlap)
                found.append(bench.cut("published", f"fixed {window}/{overlap}", chunks, "seos"))
    if "equal mean" in groups:
        found.append(replace(seos, group="equal mean"))
        found += _tuned(bench, arms, "equal mean", seos, say)
    if "equal stored" in groups:
        once = bench.cut("equal stored", "seos, no overlap", bench.seos(replace(params, o_max=0)), None)
        found += [once, *_tuned(bench, arms, "equal stored", once, say), replace(seos, group="equal stored")]
        if "fixed" in arms:
            repeated = 1 - 1 / seos.stored  # of each chunk
            chunks = bench.tune(lambda size: bench.fixed(size, size * repeated), 8, bench.room, seos.mean)
            found.append(bench.cut("equal stored", "fixed, overlapping", chunks, "seos"))
    return found


def _tuned(bench: Workbench, arms: Sequence[str], group: str, like: Cut, say: Say) -> list[Cut]:
    """The other arms with chunks as long as those of `like`, which repeat nothing."""
    count = bench.encoder.count_tokens

    def embed(texts: Sequence[str]) -> Vectors:
        """Blanks change no vector; without them what two libraries join alike is embedded once."""
        return bench.encoder.encode_sentences([" ".join(text.split()) for text in texts])

    peers: dict[str, Callable[[float], Split]] = {
        "langchain": partial(langchain, embed),
        "llamaindex": partial(llamaindex, embed),
        "chonkie": lambda number: chonkie(embed, count, bench.room, 1 - number),
    }
    found = []
    for arm in arms:
        if arm == "fixed":
            chunks = bench.tune(bench.fixed, 8, 2 * bench.room, like.mean)
        elif arm in peers:
            # chonkie's threshold is a share between 0 and 1, the others' a percentile
            low, high = (0.005, 0.995) if arm == "chonkie" else (1.0, 99.0)
            chunks = bench.tune(partial(bench.split_at, peers[arm]), low, high, like.mean)
        else:
            continue
        found.append(bench.cut(group, arm, chunks, like.arm))
        say(f"{group}: {arm} cuts {found[-1].mean:.0f} tokens a chunk, {like.arm} {like.mean:.0f}.")
    return found
