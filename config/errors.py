"""The one root of all errors of ours. Each package derives its own base from it and draws its tree.

The first line of a class's docstring is what the person reads; `remedy` says what to do.
"""

from __future__ import annotations

BAD_USAGE, UNREACHABLE = 2, 3  # exit codes of the command line


class CareciteError(Exception):
    """Something did not work."""

    retryable = False
    remedy = "Run `carecite doctor`."
    exit_code = UNREACHABLE

    def __init__(self, detail: str | None = None, *, remedy: str | None = None) -> None:
        message = (self.__doc__ or "").strip().splitlines()[0]
        super().__init__(f"{message} {detail}".strip() if detail else message)
        if remedy:
            self.remedy = remedy
