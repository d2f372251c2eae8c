"""What was retrieved, and every name in it, is data (issue 3.5; methods 6, row 17; OWASP LLM 01 and 10).

On the way into a prompt:  fence(without_instructions(text), source)
On the way out of a model: without_foreign_links(text, urls of the retrieved sources)

`neutralise` takes from a text what a model could take for a turn, a call or a place to send things to;
`fence` does that too, so a text in a fence is neutral. Clinical text passes unchanged.
"""

from __future__ import annotations

import hashlib
import re

from reasoning.safety.folding import Folded, fold, replace, without_invisible
from reasoning.safety.instructions import OMITTED, is_instruction, without_instructions
from reasoning.safety.links import is_foreign_link, without_foreign_links

__all__ = [
    "OMITTED",
    "fence",
    "is_foreign_link",
    "is_instruction",
    "neutralise",
    "without_foreign_links",
    "without_instructions",
]

_PASSES = 6  # our choice: tokens hidden in tokens deeper than this are nobody's accident

_LT, _GT = r"(?:<|&lt;|&\#0*60;|&\#x0*3c;)", r"(?:>|&gt;|&\#0*62;|&\#x0*3e;)"
_TURN = r"""system|user|assistant|human|developer|tools?|functions?|think|thinking|thought|bos|eos|
  pad|unk|instructions?|prompt|documents?|sources?|evidence|context|passages?|search|information|answer|results?|query|
  message|observation|action|output|response|s|start_of_turn|end_of_turn|fim_\w+|begin_\w+|end_\w+|tool_\w+|function_\w+|
  search_\w+|untrusted\w*|invoke|parameter|im_start|im_end|antml:\w+"""
_HTML = r"""img|script|iframe|style|link|meta|object|embed|form|input|button|svg|video|audio|picture|base|
  html|body|head|area|frame|frameset|applet|template|portal|textarea"""
_TARGET = r"(?:[a-z][a-z0-9+.-]{1,20}:|//|www\.|[/?\#.]|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})"

_TOKEN = re.compile(
    rf"""
    (?P<turn>
        {_LT}\s*\|[\w\s.:/@-]{{1,80}}\|\s*{_GT}    # <|im_start|>, <|begin_search_query|>, <|eot_id|>
      | {_LT}{_LT}\s*/?[^<>\n]{{1,80}}{_GT}{_GT}    # <<SYS>>, and anybody's fence
      | {_LT}\s*/?\s*(?:{_TURN})(?:\s*/?|\s[^<>\n]{{0,200}}=[^<>\n]{{0,200}}|=[^<>\n]{{0,80}})\s*{_GT}
      | \[\s*/?\s*(?:inst|sys|system_prompt|tool_calls?|available_tools|tool_results|
            system|assistant|user|source)\s*\]
      | \#{{2,6}}\s*(?:new\s+)?(?:instructions?|response|input|system|human|user|assistant|prompt|task)\s*:
    )
  | (?P<html>
        <!--(?:[^-]|-(?!->)){{0,2000}}(?:-->)?
      | {_LT}/?(?:{_HTML})(?:\s*/?|\s[^<>\n]{{0,2000}}|/[^<>\n]{{0,2000}})\s*{_GT}
      | {_LT}\s*(?:img|script|iframe|object|embed|link|a)\s+(?:\w+\s*=\s*)[^<>\n]{{0,2000}}>? | </a>
      | <[!@\#][^<>\n]{{1,100}}>                              # <!channel>, <@U012>
      | \b(?:java|vb)script\s*:
      | \bdata:[a-z]+/[a-z0-9.+-]+[;,]\S*
    )
  | !?\[(?P<shown>[^\[\]\n]{{0,300}})\]
      \(\s*<?{_TARGET}[^()\n]{{0,2000}}(?:\([^()\n]{{0,200}}\)[^()\n]{{0,500}})?\)
  | <(?:https?|mailto|tel):[^<>|\s]{{1,2000}}\|(?P<named>[^<>\n]{{0,300}})>
  | (?:^|(?<=\n))[ \t]*\[[^\[\]\n]{{1,100}}\]:[ \t]*<?{_TARGET}\S*[^\n]*
  | (?P<role>
        (?:^|(?<=[\n.!?。！？…\]"]))[\s>\#*_="'(\[-]{{0,20}}
        (?:system|assistant|user|human|developer|ai|chatgpt|系统|助手|助理|用户|人类|sistema|asistente|usuario|
           assistent|assistante?|utilisateur|benutzer)
        [\s*_"'\])]{{0,6}}
    )(?P<colon>:)
    """,
    re.VERBOSE,
)


def neutralise(text: str) -> str:
    """The text without control tokens, role marks, tool calls, hidden addresses, and the invisible.

    Idempotent; never raises. What a link showed stays, its address goes; `Human:` loses its colon. All other
    characters stay as they are, so a quote without such marks is still a verbatim span of its source.
    """
    text = without_invisible(text)
    for _ in range(_PASSES):
        cleaned = replace(_TOKEN, text, _plain)
        if cleaned == text:
            return text
        text = cleaned
    return "".join(" " if set(fold(character).text) & set("<>&[]:#") else character for character in text)


def _plain(match: re.Match[str], folded: Folded) -> str:
    """What stays of a token: what a link shows, a role's name; for the rest one blank."""
    if match["role"]:
        return f"{folded.read(match, 'role')} "
    return folded.read(match, "shown") or folded.read(match, "named") or " "


def fence(text: str, source: str) -> str:
    """The neutral text between two lines that it cannot contain: their key is made from the text itself.

    Deterministic, so that a prompt can be found again in the replay cache. Of `source` only letters, digits
    and `.:_-` are printed.
    """
    inside = neutralise(text)
    name = re.sub(r"[^\w.:-]+", "_", source)[:80]
    key, seed = "", f"{name}\n{inside}"
    while not key or key in inside:
        seed += "\n"
        key = hashlib.sha256(seed.encode("utf-8", "replace")).hexdigest()[:16]
    return f"<<source {name} {key}>>\n{inside}\n<<end of {name} {key}>>"
