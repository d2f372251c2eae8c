"""What came back: the document that was asked for, or one of our errors (case F02, methods.md 5.2).

The body is looked at before the status: limits and failures have been told with status 200 too.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from reasoning.llm.failures import read_retry_after
from reasoning.retrieval.eutils.errors import BackendFailed, BrokenReply, EutilsError, RateLimited, Refused
from reasoning.retrieval.eutils.wording import title_of

_HEAD = 65_536  # bytes that are looked at; errors are short
_TAIL = 4_096
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
_ERROR = re.compile(rb"<ERROR>(.*?)</ERROR>", re.DOTALL)  # in small letters it is about one of many
_OF_LIMIT = re.compile(r"rate limit|too many requests", re.IGNORECASE)
_OF_REQUEST = re.compile(  # said with "Search Backend failed" too, and true of the same request for ever
    r"outside the allowed range|cannot be larger than|retstart|out of range|too (?:long|large|many)",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"backend failed|time(?:d|-)? ?out|temporar|unavailable|try (?:again|later)|overload|busy|internal"
    r"|server error|connect|exception|maintenance|failed to",
    re.IGNORECASE,
)
_AGAIN = {408, 425}


def classify(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    roots: Collection[str],
    say: Callable[[str], str],
) -> EutilsError | None:
    """None where the body is a whole document with one of these root elements, and no error in it.

    `headers` by lower-case name; `say` makes a server's words fit to be told.
    """
    head = body[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    said = _error_words(head)
    wait = read_retry_after(headers)
    if status == 429 or _OF_LIMIT.search(said) or (status == 503 and wait is not None):
        return RateLimited(say(said) or f"Status {status}.", wait=wait)
    if status >= 300:
        return _explain_status(status, say(said or title_of(head.decode("utf-8", "replace"))))
    if not head:
        return BrokenReply("It is empty.")
    root = _root_of(head)
    if said:
        return _explain_words(said, say)
    if root in roots:
        return None if _is_whole(body, root) else BrokenReply("The document breaks off.")
    if root.lower() == "html" or "html" in headers.get("content-type", "").lower():
        return BrokenReply(f"A web page came back: {say(title_of(head.decode('utf-8', 'replace')))}")
    return BrokenReply(f"The document is a <{say(root)}>." if root else "It is no XML.")


def _explain_status(status: int, told: str) -> EutilsError:
    detail = f"Status {status}. {told}".strip()
    if status >= 500 or status in _AGAIN:
        return BackendFailed(detail)
    if status < 400:  # a sign-in page of the network; a key is not carried to another address
        return BrokenReply(f"It leads to another address. Status {status}.")
    return Refused(detail)


def _explain_words(said: str, say: Callable[[str], str]) -> EutilsError:
    """The verdict on the words of an error element; what is not known to pass by itself does not."""
    if _OF_REQUEST.search(said):
        return Refused(say(said))
    return BackendFailed(say(said)) if _PASSING.search(said) else Refused(say(said))


def _error_words(head: bytes) -> str:
    """What an `<ERROR>` element or an error object says, empty where there is none (methods.md 5.2)."""
    if head[:1] in (b"{", b"["):
        try:
            return _words_in(json.loads(head, strict=False))  # a raw line break inside of ERROR is common
        except (ValueError, RecursionError):
            return ""
    found = _ERROR.search(head)
    return html.unescape(found.group(1).decode("utf-8", "replace")).strip() if found else ""


def _words_in(value: Any) -> str:
    if not isinstance(value, Mapping):
        return ""
    for name in ("error", "ERROR"):
        if isinstance(said := value.get(name), str) and said.strip():
            return said.strip()
    return next((said for inner in value.values() if (said := _words_in(inner))), "")


def _root_of(head: bytes) -> str:
    found = _ROOT.search(_COMMENT.sub(b"", head)) if head.startswith(b"<") else None
    return found.group(1).decode("ascii", "replace") if found else ""


def _is_whole(body: bytes, root: str) -> bool:
    """Whether the root element is closed at the end; a torn body ends anywhere."""
    tail = _COMMENT.sub(b"", body[-_TAIL:]).rstrip()
    name = rb"(?:[A-Za-z_][\w.-]*:)?" + re.escape(root.encode())
    return bool(re.search(rb"</" + name + rb"\s*>\Z|<" + name + rb"[^<>]*/>\Z", tail))
