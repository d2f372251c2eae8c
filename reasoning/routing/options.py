"""The options of an exam question: lettered, numbered, bulleted, or a list of yes, no and maybe.

A run of labels counts from the first one on (A, B; 1, 2; ①, ②), at least two, all marked alike, each followed
by some text. Of several questions pasted at once the first is read, and the others are counted. Letters speak
for themselves, unless they name a kind ("blood type A. Blood type B."). Numbers and bullets are as often a
list of complaints or of questions, so they count only after a stem that asks, and if no item asks itself (our
choice).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

_MOST = 10
_LONGEST_ITEM = 200  # characters of a numbered or bulleted option
_STEM = 400  # characters before a list in which it is asked for
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_STEMS = "甲乙丙丁戊己"
_BEFORE = r"(?:^|(?<=[\s,;:?!.。，；：？！、)\]）】*_|])|(?<=[㐀-鿿])|(?<=options )|(?<=option ))"
_LETTERS = r"[A-JＡ-Ｊ]"
_STYLES: dict[str, re.Pattern[str]] = {
    "A.": re.compile(rf"{_BEFORE}({_LETTERS})[.．](?!\w\.)"),
    "A)": re.compile(rf"{_BEFORE}({_LETTERS})[*_]*[)）]"),
    "(A)": re.compile(rf"[(（\[【]({_LETTERS})[)）\]】]"),
    "A:": re.compile(rf"{_BEFORE}({_LETTERS})[*_]*[:：](?!\d)"),
    "A、": re.compile(rf"{_BEFORE}({_LETTERS})[、，](?=\S)"),
    "A -": re.compile(rf"(?m:^)[ \t]*({_LETTERS})[ \t]*[-–—=|/][ \t]*(?=\S)"),
    "A": re.compile(r"(?m:^)[ \t]*([A-J])(?:[ \t]+|\t)(?=\S)"),
    "a)": re.compile(rf"{_BEFORE}([a-j])[)）]"),
    "(a)": re.compile(r"[(（\[]([a-j])[)）\]]"),
    "a.": re.compile(r"(?m:^)[ \t]*([a-j])[.．:][ \t]*(?=\S)"),
    "甲": re.compile(rf"{_BEFORE}([{_STEMS}])[.．、:：)）]"),
    "(1)": re.compile(r"[(（\[](\d{1,2})[)）\]]"),
    "1)": re.compile(rf"{_BEFORE}(\d{{1,2}})[)）]"),
    "1.": re.compile(rf"{_BEFORE}(\d{{1,2}})[.．、](?!\d)"),
    "①": re.compile(f"([{_CIRCLED}])"),
    "-": re.compile(r"(?m:^)[ \t]*([-*•·●▪◦‣–])[ \t]+(?=\S)"),
}
_NUMBERED = ("(1)", "1)", "1.", "①", "-")
_NAMES_A_KIND = re.compile(
    r"(?:(?<![A-Za-z])(?:vitamins?|hepatitis|grades?|types?|groups?|stages?|class|influenza|flu|strep|protein"
    r"|streptococcus|factor"
    r"|haemophilia|hemophilia|plans?|part|phase|section|figure|fig|table|level|cohort|arm|team|ward|room|unit|schedule"
    r"|category|immunoglobulin|ig)|甲型|乙型|维生素|型|级|期|组|因子)[ \t]*[*_(]*\Z",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|\b(?:which|what|who|where|following|except|most likely|choose|select|options?|choices?)\b"
    r"|\b(?:answers?|best|is|are)\b"
    r"|下列|以下|哪|何|选项|正确|错误|不是|是[(（]|[:：]\s*$|[(（]\s*[)）]",
    re.IGNORECASE,
)
_ASKS_LAST = re.compile(r"[是为有]\s*$")
_ITEM_ASKS = re.compile(r"[?？]|\b(?:I|my|me|we|i'm|I've)\b")
_TELLS = re.compile(r"\b(?:I|my|our|we)\b", re.IGNORECASE)  # a stem that asks nothing tells of oneself
_TRIPLE = re.compile(
    r"\byes\b[\s,;/|\-*•.)]*(?:or\s+)?\bno\b[\s,;/|\-*•.)]*(?:or\s+)?\b(maybe|unsure|uncertain|not sure)\b",
    re.IGNORECASE,
)
_TRIPLE_ZH = re.compile(r"是[、/，,\s]+(?:否|不是|不)[、/，,\s]*(?:或|或者)?[、/，,\s]*(也许|可能|不确定)")
_NEXT_STEM = (  # where the next question begins behind the last option of this one, the surest sign first
    re.compile(r"\s(?=(?:Q(?:uestion)?[ \t]*)?\d{1,2}[.)、．:：](?!\d))", re.IGNORECASE),
    re.compile(r"(?<=[.;。；])\s*(?=\S)"),
    re.compile(r"\s(?=(?:[A-Z]\w* )?(?:Which|What|Who|Where|When|How|Why|which|what)\b)"),
    re.compile(r"(?=下列|以下|关于|患者)"),
)
_NUMBER = re.compile(r"\A[ \t\n]*(?:Q(?:uestion)?[ \t]*)?\d{1,2}[ \t]*[.)、．:：](?!\d)[ \t]*", re.IGNORECASE)
_HEADING = re.compile(  # what only announces the list
    r"(?:(?<=[\n.?？!。])|\A)[ \t]*"
    r"(?:(?:answer |response )?(?:options|choices)|选项|备选答案|可选答案"
    r"|(?:please )?(?:answer|reply)(?: with)?)[ \t]*[:：]?\Z",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?:^|[\n.?？!。])[ \t]*(?:answer |response )?(?:options|choices|选项|备选答案|可选答案)"
    r"[ \t]*[:：][ \t]*([^\n]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Option:
    """`label` as it will be answered with: A, 1, yes."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Parted:
    """`stem` is what is asked, without the list of options and its labels; `further` counts questions with
    options of their own that stand behind it."""

    stem: str
    options: tuple[Option, ...] = ()
    further: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """Options, where their list begins and ends, and how many lists of their kind follow."""

    options: tuple[Option, ...] = ()
    start: int = 0
    end: int = 0
    further: int = 0


_NONE = _Found()


def find_options(text: str) -> tuple[Option, ...]:
    """The options a question offers, in order; empty where it offers none. Linear in the text."""
    return _find(text).options


def part_options(text: str) -> Parted:
    """Stem and options apart: options never enter a query (methods.md 1.7). A list alone is its own stem."""
    found = _find(text)
    if not found.options:
        return Parted(text)
    before, after = text[: found.start].rstrip(" \t\n([（【"), text[found.end :].lstrip(" \t\n)]）】.,;:：")
    if found.further:
        before, after = _NUMBER.sub("", before), ""  # what is behind belongs to the other questions
    stem = " ".join(part for part in (_HEADING.sub("", before), after) if part).strip()
    return Parted(stem if any(map(str.isalpha, stem)) else text, found.options, found.further)


def _find(text: str) -> _Found:
    best = _NONE
    for style, pattern in _STYLES.items():
        run = _first_run(text, style, pattern)
        if len(run.options) > len(best.options):
            best = run
    return best if best.options else _find_words(text)


def _first_run(text: str, style: str, pattern: re.Pattern[str]) -> _Found:
    """The longest run of labels that begins with the first and leaves none out; of several that are about as
    long and each stand behind a question, the first."""
    runs: list[list[re.Match[str]]] = []
    for match in pattern.finditer(text):
        place = _place(match.group(1), style, len(runs[-1]) if runs else 0)
        if runs and place == len(runs[-1]) and text[runs[-1][-1].end() : match.start()].strip(" \t\n.,;*_"):
            runs[-1].append(match)
        elif place == 0:
            runs.append([match])
    least = 3 if style == "A" else 2
    runs = [run for run in runs if least <= len(run) <= _MOST and not _names_kinds(text, run)]
    longest = max(map(len, runs), default=0)
    asked = [run for run in runs if len(run) >= longest - 1 and _stands_behind_a_question(text, run, runs)]
    if len(asked) > 1 and style != "-":
        found = _read_run(text, asked[0], style, asked[1][0].start())
        if found.options:
            return replace(found, further=len(asked) - 1)
    for run in sorted(runs, key=len, reverse=True):
        found = _read_run(text, run, style, len(text))
        if found.options:
            return found
    return _NONE


def _stands_behind_a_question(
    text: str, run: Sequence[re.Match[str]], runs: Sequence[Sequence[re.Match[str]]]
) -> bool:
    """Whether something is asked between the list before this one and this one."""
    start = run[0].start()
    ends = [other[-1].end() for other in runs if other[-1].end() <= start]
    between = text[max(ends, default=0) : start]
    return bool(_ASKS.search(between) or _ASKS_LAST.search(between))


def _read_run(text: str, run: Sequence[re.Match[str]], style: str, until: int) -> _Found:
    """The options of a run whose last one ends before `until`; none where it offers no choice."""
    options, start = tuple(_read(text, run, style, until)), run[0].start()
    if len(options) == len(run) and _is_choice(text[max(0, start - _STEM) : start], options, style):
        end = text.index(options[-1].text, run[-1].end()) + len(options[-1].text)
        return _Found(options, start, end)
    return _NONE


def _names_kinds(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Whether most labels are part of a name: vitamin A, vitamin B."""
    named = [_NAMES_A_KIND.search(text, max(0, match.start() - 24), match.start()) for match in run]
    return 2 * sum(map(bool, named)) > len(run)


def _place(label: str, style: str, expected: int) -> int:
    """0 for the first label of its kind, 1 for the second, ...; bullets are always the next."""
    if style == "-":
        return expected
    if label.isdigit() and label not in _CIRCLED:
        return int(label) - 1
    for kind in (_CIRCLED, _STEMS, "ＡＢＣＤＥＦＧＨＩＪ", "abcdefghij"):
        if label in kind:
            return kind.index(label)
    return ord(label) - ord("A")


def _read(text: str, run: Sequence[re.Match[str]], style: str, until: int) -> Iterator[Option]:
    ends = [*(match.start() for match in run[1:]), until]
    for number, (match, end) in enumerate(zip(run, ends, strict=True), start=1):
        label = match.group(1)
        if style in _NUMBERED:
            label = str(number)
        elif "Ａ" <= label <= "Ｊ":
            label = chr(ord(label) - ord("Ａ") + ord("A"))
        body = text[match.end() : end].strip(" \t\n;,*_[(（【；，")
        if number == len(run):
            apart = "\n" if "\n" in text[run[-2].start() : match.start()] else "\n\n"
            body = body.split(apart, 1)[0].strip()  # what follows the list is no part of its last item
            if until < len(text):
                body = _before_next_stem(body)
        if body:
            yield Option(label.upper(), body)


def _before_next_stem(body: str) -> str:
    """The last option without the question that follows on the same line."""
    for sign in _NEXT_STEM:
        if (found := sign.search(body)) and body[: found.start()].strip():
            return body[: found.start()].strip(" \t\n;,*_[(（【；，")
    return body


def _is_choice(stem: str, options: Sequence[Option], style: str) -> bool:
    if style not in _NUMBERED:
        return True
    return (
        _ASKS.search(stem) is not None
        and (re.search("[?？]", stem) is not None or not _TELLS.search(stem))
        and all(len(option.text) <= _LONGEST_ITEM for option in options[:-1])
        and not any(_ITEM_ASKS.search(option.text) for option in options)
    )


def _find_words(text: str) -> _Found:
    """A list without labels: yes, no and maybe, or what follows the word "Options:"."""
    if triple := _TRIPLE.search(text):
        words = ("yes", "no", triple.group(1).lower())
        return _Found(tuple(Option(word, word) for word in words), triple.start(), triple.end())
    if triple := _TRIPLE_ZH.search(text):
        words = ("是", "否", triple.group(1))
        return _Found(tuple(Option(word, word) for word in words), triple.start(), triple.end())
    if listed := _LISTED.search(text):
        items = [
            item.strip(" .。")
            for item in re.split(r"[;；|/]|[,，、](?:\s*(?:or|and)\s+)?|\bor\b", listed.group(1))
        ]
        items = [item for item in items if item]
        if 2 <= len(items) <= _MOST:
            options = tuple(Option(str(number), item) for number, item in enumerate(items, start=1))
            return _Found(options, listed.start(), listed.end())
    return _NONE
