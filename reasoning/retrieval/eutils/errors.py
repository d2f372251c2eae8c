"""Why E-utilities gave no usable reply (cases F01, F02).

EutilsError
├── Transient        (retryable)
│   ├── RateLimited      429, 503 with a wait, or no turn within the question's time
│   ├── BackendFailed    5xx, or an error element that says so, whatever the status
│   ├── BrokenReply      a web page, an empty or torn body, another document than asked for
│   └── NoConnection     refused, unreachable, or silent until the time was up
├── NotAsked         the host failed a moment ago, or the question's time for NCBI is spent
└── Refused          the request itself is at fault: the same one would fail again
"""

from __future__ import annotations

from config.errors import CareciteError


class EutilsError(CareciteError):
    """E-utilities gave no usable reply."""

    code = "failed"  # opens the reason that a reply or a log line gives
    remedy = "`carecite doctor` asks E-utilities whether it can be reached."


class Transient(EutilsError):
    """E-utilities did not answer this time."""

    retryable = True


class RateLimited(Transient):
    """E-utilities asks to wait."""

    code = "rate_limited"
    remedy = "Set CARECITE_NCBI_API_KEY, or lower CARECITE_EUTILS_PER_SECOND where several programs ask."

    def __init__(self, detail: str | None = None, *, wait: float | None = None) -> None:
        """`wait` in seconds, as the server asks; None where it does not."""
        super().__init__(detail)
        self.wait = wait


class BackendFailed(Transient):
    """E-utilities failed on its own side."""

    code = "backend_failed"


class BrokenReply(Transient):
    """The reply of E-utilities cannot be used."""

    code = "broken_reply"


class NoConnection(Transient):
    """E-utilities cannot be reached."""

    code = "unreachable"

    def __init__(self, detail: str | None = None, *, at_once: bool = False) -> None:
        """`at_once`: nobody is there, so that asking again at once is no use."""
        super().__init__(detail)
        self.at_once = at_once


class NotAsked(EutilsError):
    """E-utilities was not asked."""

    code = "not_asked"


class Refused(EutilsError):
    """E-utilities refuses the request."""

    code = "refused"
    remedy = "Nothing needs doing: a request with this fault is not sent again."
