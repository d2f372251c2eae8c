"""Marks by which a model tells turns, calls and links from text (chat templates, methods of search by token).

The pattern reads folded text. Groups: `turn` and `role` begin somebody's turn, `html` could load or send;
`shown` and `named` are the words that a link shows.
"""

from __future__ import annotations

import re

from reasoning.safety.folding import fold, without_invisible

_LT, _GT = r"(?:<|&lt;|&\#0*60;|&\#x0*3c;)", r"(?:>|&gt;|&\#0*62;|&\#x0*3e;)"
_TURN = r"""system|user|assistant|human|developer|tools?|functions?|think|thinking|thought|bos|eos|
  pad|unk|instructions?|prompt|documents?|sources?|evidence|context|passages?|search|information|answer|results?|query|
  message|observation|action|output|response|s|start_of_turn|end_of_turn|fim_\w+|begin_\w+|end_\w+|tool_\w+|function_\w+|
  search_\w+|untrusted\w*|invoke|parameter|im_start|im_end|antml:\w+"""
_HTML = r"""img|script|iframe|style|link|meta|object|embed|form|input|button|svg|video|audio|picture|base|
  html|body|head|area|frame|frameset|applet|template|portal|textarea"""
_TARGET = r"(?:[a-z][a-z0-9+.-]{1,20}:|//|www\.|[/?\#.]|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,})"

TOKEN = re.compile(
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
        <!--(?:(?:[^-]|-(?!->)){{0,2000}}-->)?
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


def opens_turn(text: str) -> bool:
    """Whether a mark in the text begins or ends somebody's turn."""
    found = TOKEN.finditer(fold(without_invisible(text)).text)
    return any(match["turn"] or match["role"] for match in found)
