"""Only what was retrieved may be linked to (issue 3.5; OWASP LLM 10; chat.md 6)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from reasoning.safety.folding import fold, without_invisible

# Ends of bare names that a chat client or a browser may take for a domain: generic ones, those reserved for
# examples, and all of two letters except what stands at the end of abbreviations ("et.al").
_GENERIC = """com|org|net|info|biz|edu|gov|mil|int|io|ai|app|dev|xyz|site|online|shop|store|top|click|link|
  live|news|blog|club|icu|vip|work|life|today|world|health|care|doctor|clinic|pharmacy|hospital|dental|zip|mov|page|
  cloud|tech|web|name|pro|mobi|asia|cat|jobs|tel|travel|museum|example|test|invalid|localhost|onion|local|internal|arpa"""
_DOT = r"(?:\[\.\]|\(\.\)|\[dot\]|\(dot\)|。|\.)"
_REST = r"""[^\s<>"'`，。；、！？」》】]*"""
_LINK = re.compile(
    rf"""
    (?P<markdown>!?\[(?P<shown>[^\[\]\n]{{0,300}})\]\(\s*<?(?P<target>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)
        [^()\n]{{0,300}}\))
  | (?:\b[a-z][a-z0-9+.-]{{1,20}}:// | \b(?:mailto|javascript|vbscript|tel|sms|tg|slack|skype):(?=\S)
        | \bdata:[a-z]+/ | (?<![\w.:])//(?=[\w-]+\.) | (?<![\w.-])www\.(?=\w)){_REST}
  | [\w.+%-]{{1,64}}@(?:[\w-]{{1,63}}\.){{1,6}}\w{{2,}}
  | (?<![\w.-])[a-z0-9][\w-]{{0,62}}(?:{_DOT}[\w-]{{1,63}}){{0,6}}{_DOT}
        (?:{_GENERIC})(?![\w-])(?:[:/?\#]{_REST})?
  | (?<![\w.-])(?:[\w-]{{1,63}}\.){{1,6}}(?:[a-z]{{2}}|xn--[\w-]+)(?::\d+)?/(?=\w){_REST}
  | (?<![\w.-])(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?::\d+|/[a-z]){_REST}
  | (?P<short>(?<![\w.-])[a-z0-9][\w-]{{2,62}}\.(?!(?:al|am|pm|iv|po)\b)(?P<country>[a-z]{{2}})(?![\w.-]))
  | (?<![\w@./])@[a-z_]\w{{2,40}}
  | <[!@\#][^<>\n]{{1,100}}>
    """.replace("{_GENERIC}", _GENERIC),
    re.VERBOSE,
)
_TRAILING = ".,;:!?'\")]}>…。，；：！？）】」》*_"
_DEEPEST = 50  # our choice: links within links beyond this are an attack, and nothing of the text is shown


def is_foreign_link(text: str, allowed_urls: Collection[str]) -> bool:
    """Whether the text holds an address or handle that is not, character by character, one of the allowed."""
    return next(_foreign(without_invisible(text), allowed_urls), None) is not None


def find_foreign_links(text: str, allowed_urls: Collection[str]) -> list[tuple[int, int]]:
    """Where such addresses and handles stand in the text as it is: [start, end), in order."""
    return [(start, end) for start, end, _ in _foreign(text, allowed_urls)]


def without_foreign_links(text: str, allowed_urls: Collection[str]) -> str:
    """The text without such addresses; of a markdown link the shown words stay. Idempotent; never raises.

    URLs, e-mail addresses, bare domains, @handles and mentions count; also spelled with look-alikes, or with
    `[.]` for the dot. Numbers, doses, gene names and abbreviations do not.
    """
    text = without_invisible(text)
    for _ in range(_DEEPEST):
        parts: list[str] = []
        position = 0
        for start, end, shown in _foreign(text, allowed_urls):
            parts += [text[position:start], shown]
            position = end
        if not parts:
            return text
        text = re.sub(r"(?<=\S) {2,}(?=\S)", " ", "".join([*parts, text[position:]]))
    return ""


def _foreign(text: str, allowed: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Start, end and what stays instead, in order."""
    folded = fold(text)
    for match in _LINK.finditer(folded.text):
        start, end = folded.span(match)
        if match["markdown"]:
            if folded.read(match, "target") not in allowed:
                yield start, end, folded.read(match, "shown")
            continue
        if match["country"] and folded.read(match, "country").istitle():
            continue  # "pain.In": a blank was lost
        link = text[start:end]
        while link not in allowed and link[-1:] and link[-1] in _TRAILING and link[0] != "<":
            link = link[:-1]
        if link and link not in allowed:
            yield start, start + len(link), ""
