"""What an exam question asks of its options: which is true, which is not, or yes, no and maybe.

Words of English and Chinese exams; a stem in another language asks which option fits (our choice).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from reasoning.retrieval.segmentation import split_sentences
from reasoning.routing import Option

_ENOUGH = 12.0  # weight of a story's words that a source names: all of a usual question's; our choice
_BEFORE = 2  # sentences before the one that asks, from which a stem is a story
Verdict = str  # "yes", "no" or "maybe"

_EXCEPT = re.compile(r"\bexcept(?:ion|ions)?\b", re.IGNORECASE)
_LEAST = re.compile(r"\bleast\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|false|incorrect|untrue|wrong)\b|\b\w+n't\b", re.IGNORECASE)
_NO_NEGATION = re.compile(
    r"\bwhether or not\b|\bif not\b|\bnot only\b|\bnot yet\b|\bat least\b"
    r"|\bfalse[- ](?:positive|negative)s?\b|\bwhy\b.*|\bbecause\b.*|\bbut not\b.*|\bhas not been\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(
    r"\b(?:which|what|all|following|options?|statements?|true|correct)\b|^\W*(?:not|false|incorrect)\b",
    re.IGNORECASE,
)
# 不正确的是, 错误的是, 除外: what does not hold. 不明原因 and the like are names.
_NOT_ZH = re.compile(
    r"(?:不|未|非)(?:正确|恰当|合适|适当|适宜|适合|妥|符合|属于|包括|会|能|宜|应|需|可能|支持|推荐|常见|是)"
    r"|错误|有误|不对|(?:除外|例外)(?:的|\W|$)|除.{1,12}外|最不|无关"
)
_NO_NEGATION_ZH = re.compile(
    r"不仅|不但|非常|是不是|能不能|会不会|可不可以|除外诊断|不能除外|不除外|不明原因"
)
_ASKS_WHICH_ZH = re.compile(
    r"哪|何|下列|以下|下述|[是为有]\s*(?:[(（:：?？]|$)|的[是为]|除外|例外|[(（]\s*[)）]"
)
_ALL = re.compile(
    r"\b(?:all|any|each) (?:of )?(?:the |these )?(?:above|options?|following)\b|^\W*all\W*$"
    r"|^\W*(?:(?:以上|上述|前述)(?:各项|选项|情况|因素)?(?:都|均|全|皆)(?:是|对|正确|可|有|包括|属于)|(?:都|均|全)(?:是|对|正确)\W*$)",
    re.I,
)
_NONE = re.compile(
    r"\b(?:none|neither) (?:of )?(?:the |these )?(?:above|options?|following)\b|^\W*(?:none|neither)\W*$"
    r"|^\W*(?:(?:以上|上述|前述)(?:各项|选项|情况|因素)?(?:都|均|全|皆)?(?:不|非|无)|(?:都|均)不(?:是|对|正确)\W*$)",
    re.I,
)
_EACH = re.compile(
    r"^\W*(?:both\s+)?\(?([A-Ja-j1-9])\)?\W*(?:(?:,|、|and|&|\+|和|与|及)\W*\(?([A-Ja-j1-9])\)?\W*)+"
    r"(?:都对|均对|都是|均是|正确)?\W*$"
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_LABEL = re.compile(r"(?<![A-Za-z0-9])[A-Ja-j1-9](?![A-Za-z0-9])")
_VERDICTS: dict[str, Verdict] = {
    **dict.fromkeys(("yes", "true", "是", "对", "sí", "ja", "oui"), "yes"),
    **dict.fromkeys(("no", "false", "否", "不是", "不", "错", "nein", "non"), "no"),
    **dict.fromkeys(
        ("maybe", "unsure", "uncertain", "unclear", "not sure", "possibly", "也许", "可能", "不确定"), "maybe"
    ),
}


@dataclass(frozen=True, slots=True)
class Exam:
    """`asked` is the sentence of the stem that asks; `negated` where it wants what does not hold.

    `story` where somebody is told of first; then `subject`, what a sentence is compared with, is all of it,
    and a weight of `enough` of its words is all that a source need name.

    `verdicts` has the verdict of each label where all options are verdicts; `joined` the labels that an
    option stands for ("all of the above", "A and C"); `none` the label of "none of the above".
    """

    asked: str
    subject: str
    story: bool
    enough: float
    negated: bool
    verdicts: dict[str, Verdict]
    joined: dict[str, tuple[str, ...]]
    none: str | None

    def plain(self, options: Sequence[Option]) -> list[Option]:
        """The options that say something themselves."""
        return [one for one in options if one.label not in self.joined and one.label != self.none]


@lru_cache(maxsize=256)
def read_exam(stem: str, options: tuple[Option, ...], original: str = "") -> Exam:
    """What is asked of these options; pure. `original` is the stem that `stem` was translated from."""
    asked = asked_sentence(stem)
    story = is_story(stem)
    verdicts = {one.label: _VERDICTS.get(one.text.strip(" .。").lower(), "") for one in options}
    joined = {one.label: _members(one, options) for one in options}
    none = next((one.label for one in options if _NONE.search(one.text)), None)
    return Exam(
        asked,
        stem if story else asked,
        story,
        enough_of(stem),
        is_negated(asked_sentence(original) if original else asked),
        verdicts if all(verdicts.values()) and {"yes", "no"} <= set(verdicts.values()) else {},
        {label: members for label, members in joined.items() if len(members) > 1},
        none,
    )


def is_story(stem: str) -> bool:
    """Whether somebody is told of before something is asked."""
    return len(_pieces(stem)) > _BEFORE


def enough_of(stem: str) -> float:
    """The weight of its words that is all that a source need name: no source names all that a story tells."""
    return _ENOUGH if is_story(stem) else inf


def asked_sentence(stem: str) -> str:
    """The last sentence that asks; of a story only that says what the options answer."""
    pieces = _pieces(stem)
    asking = [piece for piece in pieces if piece.endswith(("?", "？", ":", "："))]
    return (asking or pieces or [stem])[-1]


def _pieces(stem: str) -> list[str]:
    """Sentences with a letter in them."""
    pieces = (stem[span.start : span.end].strip() for span in split_sentences(stem))
    return [piece for piece in pieces if any(map(str.isalpha, piece))]


def is_negated(asked: str) -> bool:
    """Whether what does not hold is wanted; "false, except" wants what does."""
    text = _NO_NEGATION.sub(" ", asked)
    if _CJK.search(asked):
        chinese = _NO_NEGATION_ZH.sub(" ", text)
        return bool(_NOT_ZH.search(chinese) and _ASKS_WHICH_ZH.search(chinese))
    excepted = bool(_EXCEPT.search(text))
    denied = bool(_LEAST.search(text) or (_NOT.search(text) and _ASKS_WHICH.search(text)))
    return excepted != denied


def _members(option: Option, options: Sequence[Option]) -> tuple[str, ...]:
    others = tuple(one.label for one in options if one != option)
    if _ALL.search(option.text):
        return others
    if not _EACH.match(option.text):
        return ()
    named = [label.upper() for label in _LABEL.findall(option.text)]
    return tuple(label for label in named if label in others) if set(named) <= set(others) else ()
