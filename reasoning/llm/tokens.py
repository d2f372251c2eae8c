"""How many tokens a text will be, without the model's own tokenizer (case F23).

A prompt must be measured before it is sent, and carecite knows no tokenizer of the endpoint. Our choice: a
letter of Latin script counts 1/3.5 of a token, one of other alphabets 1/2, one of Chinese, Japanese and
Korean 1. That overstates most text; the counts that the server reports then correct it, per server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]")
_OTHER = re.compile(r"[^\x00-\u024f]")
_LATIN, _ALPHABET = 3.5, 2.0  # characters a token
_PER_MESSAGE = 8  # tokens that a chat template puts around a message
_TYPICAL = 0.8  # of the count above, for plain English and the tokenizers in use; before any is reported
_BOUNDS = (0.4, 2.0)
_CUT = 0.6  # of what is typical: less than any text of one server differs from another
_SHORT = 256  # tokens; below that a count says nothing


def rough_tokens(*texts: str) -> float:
    """Tokens of a prompt made of these messages, on the high side."""
    total = 0.0
    for text in texts:
        cjk = len(_CJK.findall(text))
        other = len(_OTHER.findall(text)) - cjk
        total += cjk + other / _ALPHABET + (len(text) - cjk - other) / _LATIN + _PER_MESSAGE
    return total


@dataclass(slots=True)
class TokenMeasure:
    """Corrected by what one server reports: `high` errs on the safe side, `typical` is the running mean."""

    high: float = 1.0
    typical: float = _TYPICAL

    def tokens(self, *texts: str) -> int:
        """What these messages will count as, at most; for a check before sending."""
        return int(rough_tokens(*texts) * self.high) + 1

    def learn(self, texts: tuple[str, ...], counted: int) -> None:
        """Take in how many tokens the server counted for these messages."""
        rough = rough_tokens(*texts)
        if counted <= 0 or rough < _SHORT:
            return
        ratio = min(max(counted / rough, _BOUNDS[0]), _BOUNDS[1])
        self.high = max(1.1 * ratio, 0.9 * self.high + 0.1 * ratio)
        self.typical = 0.8 * self.typical + 0.2 * ratio

    def looks_cut(self, texts: tuple[str, ...], counted: int) -> bool:
        """Whether the server read markedly less than was sent."""
        rough = rough_tokens(*texts)
        return 0 < counted < _CUT * self.typical * rough and rough >= _SHORT
