"""Red-flag signs in a text, each with its status: does it happen, is it asked about, is it past?

The order of the questions is the order of `_find_status`; triage.py says what they mean. Cue names are those
of the lexicons. Each cue counts inside its clause, except: a condition ("if ...") holds to the end of its
sentence, a past tense holds until something present, a circumstance ("I am pregnant") a few sentences long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice, pairwise

from reasoning.safety.patterns import Matcher
from reasoning.safety.red_flags import Kind, Lexicon
from reasoning.safety.sentences import Sentence, Span, cut_sentences

_NEAR = 4  # sentences: reach of a circumstance or of a past
_MOST = 12  # matches of one pattern set that are looked at in one sentence
_PERSON_REACH = {False: 32, True: 20}  # characters from a person to what the person has
_NEGATION_REACH = {False: 60, True: 12}
# cues for a story without a recognised sign: any of the first speaks against an alarm, of the second for it
_CALMING = (
    *("harmless", "general", "past", "chronic", "gone", "instruction", "hypothetical"),
    *("vignette", "lesson", "idiom", "effort"),
)
_PRESSING = ("now", "acute", "person", "owner")
# groups whose words alone say too little
_VAGUE = frozenset({"infant_fever", "meningitis", "sepsis", "severe_pain", "worst_headache", "burn"})


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


def read_signs(folded: str, lexicon: Lexicon) -> list[Sign]:
    """Every sign that is not negated, in order. `folded` is NFKC and lower case."""
    text = lexicon.simplify(folded)
    hot = lexicon.find_hot(text)
    if not hot:
        return []
    sentences = [Sentence(raw, lexicon) for raw in cut_sentences(text)]
    signs = [sign for i in range(len(sentences)) for sign in _read_sentence(i, sentences, lexicon, hot)]
    if all(sign.status is not Status.NOW for sign in signs) and _sounds_alarming(sentences, lexicon, hot):
        return [*signs, Sign("unclear", "event", sentences[0].text.strip(), Status.NOW)]
    if not signs:
        return signs
    if _has("vignette", sentences):
        return [replace(sign, status=Status.GENERAL) for sign in signs]
    if _is_lesson(sentences):  # intents stay: method questions come wrapped
        return [sign if sign.kind == "intent" else replace(sign, status=Status.GENERAL) for sign in signs]
    return _settle(signs, sentences)


def has_cue(cue: str, folded: str, lexicon: Lexicon) -> bool:
    """Whether a cue of the lexicon stands anywhere in a folded text."""
    return _has(cue, [Sentence(raw, lexicon) for raw in cut_sentences(lexicon.simplify(folded))])


def _has(cue: str, sentences: Sequence[Sentence]) -> bool:
    return any(s.has(cue, s.whole) for s in sentences)


def _is_lesson(sentences: Sequence[Sentence]) -> bool:
    """An exam, a novel, a poster; study or curiosity. Neither hides what is told of one's own people: of now,
    or in the second frame at any time."""
    cues = {
        cue for s in sentences for cue in ("lesson", "study", "now", "acute", "told") if s.has(cue, s.whole)
    }
    if "lesson" in cues and not {"told", "now"} <= cues:
        return True
    return "study" in cues and cues.isdisjoint(("now", "acute", "told"))


def _read_sentence(i: int, sentences: Sequence[Sentence], lexicon: Lexicon, hot: set[str]) -> Iterator[Sign]:
    sentence, before = sentences[i], sentences[max(0, i - _NEAR) : i]
    around = [*before, *sentences[i : i + 2]]
    for code in sorted(lexicon.wake_groups(sentence.text, hot)):
        kinds = lexicon.groups[code]
        for kind, matcher in kinds.items():
            if kind == "given" or (kind == "then" and not _is_given(kinds["given"], around, lexicon)):
                continue
            for spans in islice(matcher.find(sentence.text), _MOST):
                status = _find_status(spans, code, kind, sentence, before, lexicon)
                if status:
                    yield Sign(code, kind, sentence.text[spans[0][0] : spans[-1][1]].strip(), status)
                if status is Status.NOW:
                    break


def _sounds_alarming(sentences: Sequence[Sentence], lexicon: Lexicon, hot: set[str]) -> bool:
    """A story for which the patterns have no words: something grave, of somebody or now, in words of a group
    that says enough, and no sign that it is harmless. A question is one, unless it is about now."""
    if any(s.is_question and not s.has("now", s.whole) for s in sentences):
        return False
    if any(lexicon.has("negation", s.affirmed) for s in sentences):
        return False
    cues = {cue for s in sentences for cue in (*_CALMING, *_PRESSING, "grave") if s.has(cue, s.whole)}
    if "grave" not in cues or cues.isdisjoint(_PRESSING) or not cues.isdisjoint(_CALMING):
        return False
    return any(lexicon.wake_groups(s.text, hot) - _VAGUE for s in sentences)


def _is_given(given: Matcher, around: Sequence[Sentence], lexicon: Lexicon) -> bool:
    return any(
        not _is_negated(spans[0], s.find_clause(*spans[0]), s, lexicon)
        for s in around
        for spans in islice(given.find(s.text), _MOST)
    )


def _find_status(
    spans: tuple[Span, ...],
    code: str,
    kind: Kind,
    sentence: Sentence,
    before: Sequence[Sentence],
    lexicon: Lexicon,
) -> Status | None:
    """None where the sign is negated. Intents ask for less: see triage.py."""
    span = start, end = spans[0][0], spans[-1][1]
    clause = sentence.find_clause(start, end)
    if _is_broken(spans, sentence, lexicon) or _is_negated(span, clause, sentence, lexicon):
        return None
    now = sentence.has("now", clause)
    lasting = code in lexicon.transient and sentence.has("now", sentence.whole)
    past = _is_past(span, clause, sentence, before, now=now and kind != "condition", lasting=lasting)
    if kind == "intent":
        if sentence.has("accident", clause):
            return None
        return Status.PAST if past else Status.NOW
    asked = Status.SIGNS_ASKED if sentence.has("signs", sentence.whole) else Status.GENERAL
    if sentence.supposed_from <= end or sentence.has("instruction", clause):
        return asked
    if past:
        return Status.PAST
    rest = clause[0], len(sentence.text)
    recurring = sentence.has("chronic", clause) or (
        code in lexicon.with_effort and sentence.has("effort", clause)
    )
    if recurring and not sentence.has("now", rest) and not sentence.has("acute", rest):
        return asked
    ascribed = _is_ascribed(start, clause, kind, sentence, lexicon)
    general = sentence.has("general", clause)
    if kind == "condition":
        happens = now and ascribed if general else now or ascribed
        return Status.NOW if happens else asked
    if ascribed:
        return Status.NOW
    if general:
        return asked
    if kind == "symptom" and sentence.asks(clause) and not now and not sentence.has("acute", clause):
        return asked
    return Status.NOW


def _is_broken(spans: tuple[Span, ...], sentence: Sentence, lexicon: Lexicon) -> bool:
    """A negation between the parts of a set: "my chest is fine, no pain"."""
    gaps = [sentence.affirmed[left[1] : right[0]] for left, right in pairwise(spans)]
    return any(lexicon.has("negation", gap) or lexicon.has("negation_close", gap) for gap in gaps)


def _is_negated(span: Span, clause: Span, sentence: Sentence, lexicon: Lexicon) -> bool:
    """A negation before it in the clause; over a comma only in a list that ends in "or"."""
    text, start = sentence.affirmed, span[0]
    stop = start if lexicon.joined else start + 1
    left = max(clause[0], start - _NEGATION_REACH[lexicon.joined])
    if any(m.end() == start for m in lexicon.cues["negation_close"].finditer(text, left, stop)):
        return True
    for cue in lexicon.cues["negation"].finditer(text, left, stop):
        if "," not in text[cue.end() : start] or lexicon.has("more", text[cue.end() : clause[1]]):
            return True
    return False


def _is_past(
    span: Span, clause: Span, sentence: Sentence, before: Sequence[Sentence], *, now: bool, lasting: bool
) -> bool:
    following = sentence.find_clause(clause[0], min(clause[1] + 1, len(sentence.text)))[1]
    if not lasting and sentence.has("gone", (span[1], following)):
        return True
    if now:
        return False
    if sentence.has("past", clause):
        return True
    if sentence.has("present", clause):
        return False
    for earlier in (sentence, *reversed(before)):
        for part in earlier.list_clauses(clause[0] if earlier is sentence else len(earlier.text)):
            if earlier.has("now", part):
                return False
            if earlier.has("past", part):
                return True
    return False


def _is_ascribed(start: int, clause: Span, kind: Kind, sentence: Sentence, lexicon: Lexicon) -> bool:
    """A person who has it stands close before it, with nothing between that makes it a topic."""
    if (
        kind == "condition" and lexicon.joined
    ):  # a particle after it, or a word before it, says that it happens
        return sentence.has("suspect", clause)
    text = sentence.text
    stop = start if lexicon.joined else start + 1
    left = max(clause[0], start - _PERSON_REACH[lexicon.joined])
    return any(
        not lexicon.has("not_mine", text[cue.end() : start])
        for name in (("suspect",) if kind == "condition" else ("person", "owner"))
        for cue in lexicon.cues[name].finditer(text, left, stop)
    )


def _settle(signs: list[Sign], sentences: Sequence[Sentence]) -> list[Sign]:
    """Settle what was only asked about: in "What are the signs ...? It is happening to me now" it happens."""
    if any(sign.status is Status.NOW for sign in signs):
        return signs
    if _has("back", sentences):  # "... years ago, and now it is back"
        return [
            replace(sign, status=Status.NOW) if sign.kind in ("event", "symptom") else sign for sign in signs
        ]
    happening = any(
        s.has("happening", s.whole)
        and not s.has("not_happening", s.whole)
        and s.supposed_from > len(s.text)
        and not s.has("instruction", s.whole)
        for s in sentences
    )
    if not happening:
        return signs
    return [sign if sign.status is Status.PAST else replace(sign, status=Status.NOW) for sign in signs]
