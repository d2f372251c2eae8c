"""What the rest of the house may ask of an encoder."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from storage.encoders import EncoderManifest, PassageBudget

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Vectors: TypeAlias = "npt.NDArray[np.float32]"  # quoted: numpy is imported by those who compute
Role = Literal["query", "passage", "sentence"]
TitledText = tuple[str, str]  # title (may be empty), text


@dataclass(frozen=True, slots=True)
class ShortQuestion:
    """A question as the encoder reads it, and what had to go (case F16)."""

    kept: str
    dropped: str = ""
    dropped_tokens: int = 0

    @property
    def shortened(self) -> bool:
        return self.dropped_tokens > 0


@dataclass(frozen=True, slots=True, eq=False)
class QueryVector:
    vector: Vectors  # [dimensions]
    question: ShortQuestion


@dataclass(frozen=True, slots=True)
class RoleCount:
    """Work of one role: texts and characters that went through the model, texts found in a cache."""

    texts: int = 0
    characters: int = 0
    hits: int = 0


class Counts:
    """What an encoder did since it was loaded; the cost report of segmentation reads it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._roles: dict[Role, RoleCount] = {}

    def of(self, role: Role) -> RoleCount:
        return self._roles.get(role, RoleCount())

    def add(self, role: Role, *, texts: int = 0, characters: int = 0, hits: int = 0) -> None:
        with self._lock:
            old = self.of(role)
            self._roles[role] = RoleCount(old.texts + texts, old.characters + characters, old.hits + hits)

    @property
    def encoded(self) -> int:
        return sum(count.texts for count in self._roles.values())

    @property
    def characters_encoded(self) -> int:
        return sum(count.characters for count in self._roles.values())

    @property
    def hits(self) -> int:
        return sum(count.hits for count in self._roles.values())


class Encoder(Protocol):
    """Text to float32 vectors. Blocking: in a server use it through `AsyncEncoder`.

    All texts are cleaned first, as they are before storing (case F20). Positions in errors count from 0.
    """

    @property
    def manifest(self) -> EncoderManifest: ...

    @property
    def counts(self) -> Counts: ...

    @property
    def budget(self) -> PassageBudget:
        """How long a passage may be and should be, for the chunker."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Lengths by the passage tower's tokenizer, without special tokens."""
        ...

    def special_tokens(self, pair: bool) -> int:
        """How many tokens the model adds to one text, or to a pair."""
        ...

    def measure_passages(self, passages: Sequence[TitledText]) -> list[int]:
        """Lengths as the window counts them. Raises TextTooLong."""
        ...

    def encode_passages(self, passages: Sequence[TitledText]) -> Vectors:
        """[n, dimensions]; the title is capped, the text never.

        Raises TextTooLong, BadVector, CountMismatch.
        """
        ...

    def encode_sentences(self, texts: Sequence[str]) -> Vectors:
        """[n, dimensions] from the passage tower, without title; a text longer than the window is split and
        its parts averaged by length. Raises BadVector, CountMismatch."""
        ...

    def shorten_question(self, text: str) -> ShortQuestion:
        """What `encode_queries` would read of it."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> list[QueryVector]:
        """One per text. Raises BadVector, CountMismatch."""
        ...

    def encode_query(self, text: str) -> QueryVector: ...
