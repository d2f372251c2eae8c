"""How the Bot API says no, and its unit of length."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """`error_code`, `description` and `parameters` of a reply that is not ok."""

    description: str
    code: int = 400
    retry_after: int | None = None
    migrate_to: int | None = None


class Refused(Exception):
    """What was sent is refused."""

    def __init__(self, refusal: Refusal | str) -> None:
        self.refusal = Refusal(refusal) if isinstance(refusal, str) else refusal
        super().__init__(self.refusal.description)


class Unparsable(Refused):
    """The markup is wrong; the text is what follows "can't parse entities: "."""

    def __init__(self, words: str) -> None:
        super().__init__(f"Bad Request: can't parse entities: {words}")


def utf16_length(text: str) -> int:
    """Length as Telegram counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
