"""Question and passage read together by one model: slower than vectors, a better order (methods.md 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasoning.encoders.batches import plan_batches
from reasoning.encoders.errors import BadScore, CountMismatch, TextTooLong
from reasoning.encoders.interface import ShortQuestion, TitledText
from reasoning.encoders.questions import shorten_question
from reasoning.encoders.tokens import Tokens
from storage.text import clean_text

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

CROSS_ENCODER = "MedCPT-Cross-Encoder"
WINDOW = 512  # question, title and text together
QUESTION_TOKENS = 64  # as the query tower; training capped it at 32
TITLE_TOKENS = 64
_BATCH_TOKENS = 2048


class CrossScorer:
    """Scores pairs [question, "title. text"]. Blocking, and not for two threads at once."""

    def __init__(self, model: CrossEncoder) -> None:
        self._model = model
        self._tokens = Tokens(model.tokenizer.backend_tokenizer)
        self._special: int = model.tokenizer.num_special_tokens_to_add(pair=True)

    def shorten_question(self, question: str) -> ShortQuestion:
        """What `score` would read of it."""
        return shorten_question(clean_text(question), QUESTION_TOKENS, self._tokens)

    def score(self, question: str, passages: Sequence[TitledText]) -> list[float]:
        """Raw logits in the order given: about +7 for a match, -8 to -16 else; no probabilities.

        Where all does not fit, the title gives way and the text never. A text cut for MedCPT always fits.
        Raises TextTooLong, BadScore, CountMismatch.
        """
        import numpy as np
        import torch

        asked, texts = self._lay_out(question, passages)
        scores = np.full(len(texts), np.nan)
        for batch in plan_batches(self._lengths(asked, texts), _BATCH_TOKENS):
            logits = self._model.predict(
                [(asked, texts[at]) for at in batch],
                batch_size=len(batch),
                activation_fn=torch.nn.Identity(),  # the default squeezes one logit through a sigmoid
                show_progress_bar=False,
            )
            if len(logits) != len(batch):
                raise CountMismatch(len(batch), len(logits))
            scores[batch] = logits
        if bad := np.flatnonzero(~np.isfinite(scores)).tolist():
            raise BadScore(bad)
        return [float(score) for score in scores]

    def measure(self, question: str, passages: Sequence[TitledText]) -> list[int]:
        """Lengths of the pairs in tokens, as the window counts them. Raises TextTooLong."""
        return self._lengths(*self._lay_out(question, passages))

    def _lengths(self, asked: str, texts: Sequence[str]) -> list[int]:
        fixed = self._special + self._tokens.count(asked)
        return [fixed + length for length in self._tokens.count_all(texts)]

    def _lay_out(self, question: str, passages: Sequence[TitledText]) -> tuple[str, list[str]]:
        asked = self.shorten_question(question).kept
        room = WINDOW - self._special - self._tokens.count(asked)
        texts = [clean_text(text) for _, text in passages]
        lengths = self._tokens.count_all(texts)
        if over := [at for at, length in enumerate(lengths) if length > room]:
            raise TextTooLong(over, [lengths[at] for at in over], room)
        laid_out = []
        for (title, _), text, length in zip(passages, texts, lengths, strict=True):
            cleaned = clean_text(title).strip()
            kept = self._tokens.head(cleaned, min(TITLE_TOKENS, room - length - 1)).rstrip()
            stop = "" if kept.endswith((".", "?", "!")) else "."
            laid_out.append(f"{kept}{stop} {text}" if kept else text)
        return asked, laid_out
