"""Red-flag signs in a text, each with its status: does it happen, is it asked about, is it past?

The order of the questions is the order of `_find_status`; triage.py says what they mean. Cue names are those of
the lexicons. Each cue counts inside its clause, except: a condition ("if ...") holds to the end of its sentence,
a past tense holds until something present, a circumstance ("I am pregnant") holds a few sentences long.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from reasoning.safety.patterns import Matcher
from reasoning.safety.red_flags import Kind, Lexicon

_SENTENCE = re.compile(r"(?:[^.!?。！？;；\n]|\.(?=\d)){1,400}(?:[^\s.!?。！？;；]{0,40})[.!?。！？;；]*")
_NEAR = 4  # sentences: reach of a circumstance or of a past
_WHOLE = 40  # sentences: up to here a text is read as one message, beyond as a document
_PERSON_REACH = {False: 32, True: 20}  # characters from a person to what the person has
_NEGATION_REACH = {False: 60, True: 12}


class Status(StrEnum):
    NOW = "now"
    GENERAL = "general"
    SIGNS_ASKED = "signs asked"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Sign:
    group: str
    kind: Kind
    words: str
    status: Status


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str  # rewritten, idioms blanked
    affirmed: str  # the same with phrases blanked that only look like a negation
    question: bool
    starts: tuple[int, ...]  # of clauses, ascending

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The clauses that [start, end) touches, as one span."""
        after = bisect_left(self.starts, end)
        left = self.starts[bisect_right(self.starts, start) - 1]
        return left, self.starts[after] if after < len(self.starts) else len(self.text)


    def asks(self, clause: tuple[int, int], lexicon: Lexicon) -> bool:
        """Whether this clause of a question is what is asked."""
        return self.question and (clause[1] == len(self.text) or lexicon.asks(self.text[slice(*clause)]))


def read_signs(folded: str, lexicon: Lexicon) -> list[Sign]:
    """Every sign that is not negated, in order. `folded` is NFKC and lower case."""
    text = lexicon.simplify(folded)
    hot = lexicon.find_hot(text)
    if not hot:
        return []
    raw = [match[0] for match in _SENTENCE.finditer(text)]
    awake = [i for i, sentence in enumerate(raw) if any(word in sentence for word in hot)]
    whole = range(len(raw)) if len(raw) <= _WHOLE else ()
    needed = sorted({j for i in awake for j in range(max(0, i - _NEAR), min(len(raw), i + 2))} | set(whole))
    sentences = {i: _prepare(raw[i], lexicon) for i in needed}
    vignette = any(lexicon.has("vignette", sentences[i].text) for i in whole)
    signs = [sign for i in awake for sign in _read_sentence(i, sentences, lexicon, vignette)]
    return signs if vignette else _settle(signs, [sentences[i] for i in whole], lexicon)


def _prepare(raw: str, lexicon: Lexicon) -> _Sentence:
    text = _blank(lexicon.cues["idiom"], lexicon.rewrite(raw))
    question = raw.rstrip().endswith(("?", "？")) or lexicon.asks(text)
    starts = {0} | {match.start() for match in lexicon.cues["clause"].finditer(text)}
    return _Sentence(text, _blank(lexicon.cues["pseudo_negation"], text), question, tuple(sorted(starts)))


def _blank(cue: re.Pattern[str], text: str) -> str:
    """Replace by as many underscores, so that positions stay; a leading blank stays too."""
    return cue.sub(lambda m: m[0][: m[0].startswith(" ")] + "_" * (len(m[0]) - m[0].startswith(" ")), text)


def _read_sentence(
    i: int, sentences: dict[int, _Sentence], lexicon: Lexicon, vignette: bool
) -> Iterator[Sign]:
    sentence = sentences[i]
    before = [sentences[j] for j in range(i - _NEAR, i) if j in sentences]
    around = [*before, sentence, *(sentences[j] for j in (i + 1,) if j in sentences)]
    for code in sorted(lexicon.wake_groups(sentence.text)):
        kinds = lexicon.groups[code]
        for kind, matcher in kinds.items():
            if kind == "given" or (kind == "then" and not _is_given(kinds["given"], around, lexicon)):
                continue
            for spans in matcher.find(sentence.text):
                span = spans[0][0], spans[-1][1]
                if _is_broken(spans, sentence, lexicon):
                    continue
                status = _find_status(span, code, kind, sentence, before, lexicon, vignette)
                if status:
                    yield Sign(code, kind, sentence.text[slice(*span)].strip(), status)
                if status is Status.NOW:
                    break


def _is_given(given: Matcher, around: Sequence[_Sentence], lexicon: Lexicon) -> bool:
    return any(
        not _is_negated(spans[0], s.clause(*spans[0]), s, lexicon) for s in around for spans in given.find(s.text)
    )


def _is_broken(spans: tuple[tuple[int, int], ...], sentence: _Sentence, lexicon: Lexicon) -> bool:
    """A negation between the parts of a set: "my chest is fine, no pain"."""
    return any(
        lexicon.has("negation", sentence.affirmed[a:b]) or lexicon.has("negation_close", sentence.affirmed[a:b])
        for a, b in ((left[1], right[0]) for left, right in pairwise(spans))
    )


def _find_status(
    span: tuple[int, int],
    code: str,
    kind: Kind,
    sentence: _Sentence,
    before: list[_Sentence],
    lexicon: Lexicon,
    vignette: bool,
) -> Status | None:
    start, end = span
    clause = sentence.clause(start, end)
    here = sentence.text[slice(*clause)]
    if _is_negated(span, clause, sentence, lexicon):
        return None
    now = lexicon.has("now", here)
    past = _is_past(span, clause, sentence, before, lexicon, now and kind != "condition")
    if kind == "intent":
        if lexicon.has("accident", here):
            return None
        return Status.PAST if past else Status.GENERAL if vignette else Status.NOW
    asked = Status.SIGNS_ASKED if lexicon.has("signs", sentence.text) else Status.GENERAL
    if vignette or _is_supposed(end, clause, sentence, lexicon):
        return asked
    if past:
        return Status.PAST
    ascribed = _is_ascribed(span, clause, sentence, lexicon, kind)
    acute = now or lexicon.has("acute", here)
    rest = sentence.text[clause[0] :]
    effort = code in lexicon.with_effort and lexicon.has("effort", here)
    if (effort or lexicon.has("chronic", here)) and not lexicon.has("now", rest) and not lexicon.has("acute", rest):
        return asked
    general = lexicon.has("general", here)
    if kind == "condition":
        return Status.NOW if (now or ascribed) and not (general and not (now and ascribed)) else asked
    if ascribed:
        return Status.NOW
    if general:
        return asked
    if kind == "symptom" and sentence.asks(clause, lexicon) and not acute:
        return asked
    return Status.NOW


def _is_negated(span: tuple[int, int], clause: tuple[int, int], sentence: _Sentence, lexicon: Lexicon) -> bool:
    """A negation before it in the clause; over a comma only in a list that ends in "or"."""
    text, start = sentence.affirmed, span[0]
    stop = start if lexicon.joined else start + 1
    left = max(clause[0], start - _NEGATION_REACH[lexicon.joined])
    if any(m.end() == start for m in lexicon.cues["negation_close"].finditer(text, left, stop)):
        return True
    for cue in lexicon.cues["negation"].finditer(text, left, stop):
        between = text[cue.end() : start]
        listed = lexicon.has("more", text[cue.end() : clause[1]])
        if ("," not in between and "，" not in between) or listed:
            return True
    return False


def _is_past(
    span: tuple[int, int], clause: tuple[int, int], sentence: _Sentence, before: list[_Sentence], lexicon: Lexicon, now: bool
) -> bool:
    after = sentence.text[span[1] : sentence.clause(clause[0], min(clause[1] + 1, len(sentence.text)))[1]]
    if lexicon.has("gone", after):
        return True
    here = sentence.text[slice(*clause)]
    if now:
        return False
    if lexicon.has("past", here):
        return True
    if lexicon.has("present", here):
        return False
    earlier = [s.text[a:b] for s in before for a, b in _split(s)]
    earlier += [sentence.text[a:b] for a, b in _split(sentence) if b <= clause[0]]
    for text in reversed(earlier):
        if lexicon.has("now", text):
            return False
        if lexicon.has("past", text):
            return True
    return False


def _split(sentence: _Sentence) -> Iterator[tuple[int, int]]:
    yield from zip(sentence.starts, (*sentence.starts[1:], len(sentence.text)), strict=True)


def _is_supposed(end: int, clause: tuple[int, int], sentence: _Sentence, lexicon: Lexicon) -> bool:
    """An "if" earlier in the sentence, or a request for instruction in the clause."""
    supposed = _blank(lexicon.cues["indirect"], sentence.text[:end] + " ")
    return lexicon.has("hypothetical", supposed) or lexicon.has("instruction", sentence.text[slice(*clause)])


def _is_ascribed(
    span: tuple[int, int], clause: tuple[int, int], sentence: _Sentence, lexicon: Lexicon, kind: Kind
) -> bool:
    """A person who has it stands close before it, with nothing between that makes it a topic."""
    text, start = sentence.text, span[0]
    stop = start if lexicon.joined else start + 1
    left = max(clause[0], start - _PERSON_REACH[lexicon.joined])
    if kind == "condition" and lexicon.joined:  # a particle after it, or a word before it, says that it happens
        return lexicon.has("suspect", text[slice(*clause)])
    for name in ("suspect",) if kind == "condition" else ("person", "owner"):
        for cue in lexicon.cues[name].finditer(text, left, stop):
            if not lexicon.has("not_mine", text[cue.end() : start] + " "):
                return True
    return False


def _settle(signs: list[Sign], whole: list[_Sentence], lexicon: Lexicon) -> list[Sign]:
    """"What are the signs ...? It is happening to me now": what was asked about happens."""
    if not signs or any(sign.status is Status.NOW for sign in signs):
        return signs
    happening = any(
        lexicon.has("happening", s.text)
        and not lexicon.has("not_happening", s.text)
        and not _is_supposed(len(s.text), (0, len(s.text)), s, lexicon)
        for s in whole
    )
    if not happening:
        return signs
    return [replace(s, status=Status.NOW) if s.status in (Status.GENERAL, Status.SIGNS_ASKED) else s for s in signs]
