"""What makes vectors comparable: the identity of the encoder that made them (case F21).

Lives in storage because each index keeps the manifest of its encoder; nothing here loads a model.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Literal, NamedTuple

Distance = Literal["cosine", "inner_product"]
Dtype = Literal["float32", "bfloat16"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderManifest:
    """One encoder, or a pair of towers that share a space.

    Lengths are in the encoder's own tokens, special tokens included. `revision` is the start of the SHA-256
    of the weight files and empty where they are not at hand (a shipped manifest before loading).
    """

    name: str
    revision: str
    dimensions: int
    pooling: str  # mean, cls, ...
    query_max_tokens: int
    passage_max_tokens: int
    distance: Distance
    normalised: bool  # whether vectors have length 1
    dtype: Dtype  # of the weights; vectors are float32 always
    title_pair: bool  # True: [title, text] as a token pair; False: "title", line break, "text"
    title_max_tokens: int = 64
    query_prefix: str = ""
    passage_prefix: str = ""
    table: str

    def fingerprint(self) -> str:
        """16 hexadecimal digits over all that shapes a vector; where it is stored does not count.

        The dtype counts (our choice): bfloat16 weights turn vectors by a cosine of up to 0.002.
        """
        shape = {field: value for field, value in asdict(self).items() if field != "table"}
        return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()[:16]

    def matches(self, other: EncoderManifest) -> bool:
        """Whether vectors of both may be compared."""
        return self.fingerprint() == other.fingerprint()


class PassageBudget(NamedTuple):
    """Sizes of a passage in tokens, without title and special tokens (methods.md 1.6: Bmax and B)."""

    limit: int
    target: int


def passage_budget(manifest: EncoderManifest, special_tokens: int) -> PassageBudget:
    """Bmax = window - special tokens - title cap, B = 0.8 Bmax (methods.md 1.6).

    `special_tokens` are those the encoder adds to one passage, prefix included. Raises ValueError where the
    window leaves nothing for the text.
    """
    limit = manifest.passage_max_tokens - special_tokens - manifest.title_max_tokens
    if limit < 1:
        raise ValueError(
            f"{manifest.name}: a window of {manifest.passage_max_tokens} tokens leaves no room for text"
        )
    return PassageBudget(limit, max(1, limit * 4 // 5))


MINILM = EncoderManifest(
    name="minilm",
    revision="53aa51172d14",
    dimensions=384,
    pooling="mean",
    query_max_tokens=256,
    passage_max_tokens=256,
    distance="cosine",
    normalised=True,
    dtype="float32",
    title_pair=False,
    table="embedding_minilm",
)

MEDCPT = EncoderManifest(  # methods.md section 4
    name="medcpt",
    revision="",
    dimensions=768,
    pooling="cls",
    query_max_tokens=64,
    passage_max_tokens=512,
    distance="inner_product",
    normalised=False,
    dtype="float32",
    title_pair=True,
    table="embedding_medcpt",
)


def with_weights(manifest: EncoderManifest, revision: str, dtype: Dtype) -> EncoderManifest:
    """The manifest of a loaded model."""
    return replace(manifest, revision=revision, dtype=dtype)
