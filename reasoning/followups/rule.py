"""The rule of the step: how a message goes on with the talk (architecture 2, step 3; our choice of forms).

alone        it has its own subject, or there is nothing to carry
courtesy     thanks or a greeting
correction   "no, 15", "I meant the child": put into the last question
ellipsis     "what about ibuprofen?": the last question with what is like it replaced, or added
bare         "why?": behind the last question
led          a pronoun, or no subject: the name in its place, or behind the names that the talk was about
told         a statement without a subject: before the last question
"""

from __future__ import annotations

from functools import lru_cache

from reasoning.followups import forms
from reasoning.followups.cues import LANGUAGES, is_courtesy, is_switch
from reasoning.followups.moves import Done, correct, go_on
from reasoning.followups.privacy import Parts, part_question
from reasoning.followups.topics import Topic, base_for, join, next_topic, stated
from reasoning.followups.turns import LONGEST, MOST_TURNS, Carried, Earlier, Standalone, trace_back

_REPEATING = ("correction", "ellipsis", "bare", "told")


def complete_by_rule(earlier: tuple[Earlier, ...], message: str, language: str, person: str) -> Standalone:
    """Pure. In a language without cues every message stands alone."""
    topics = topics_of(earlier)
    topic = topics[-1] if topics else None
    done = _complete(topic, message, language, person)
    if topic is None or done.question == message:
        return Standalone(message, done.form)
    base = base_for(topic, person)
    names = [(forms.name_in(one, language), one.text) for one in base.names]
    names += [(told, told) for told in base.told]
    carried = [pair for pair in names if pair[0] in done.question and pair[0] not in message]
    back = trace_back(carried, earlier, person)
    if base.asked and done.form in _REPEATING:
        back = (Carried(base.asked, topic.turn), *back)
    return Standalone(done.question, done.form, back)


@lru_cache(maxsize=32)  # rule, prompt and check read the same talk
def topics_of(earlier: tuple[Earlier, ...]) -> tuple[Topic | None, ...]:
    """What the talk is about behind each of its last turns, completed one after the other."""
    topics: list[Topic | None] = []
    topic: Topic | None = None
    skipped = max(0, len(earlier) - MOST_TURNS)
    for n, turn in enumerate(earlier[skipped:], start=skipped):
        done = _complete(topic, turn.text[:LONGEST].strip(), turn.language, turn.person)
        if done.form != "courtesy":
            topic = next_topic(topic, n, turn, done.parts, carries=done.form != "alone")
            if turn.standalone:
                topic = stated(topic, turn.standalone[:LONGEST])
        topics.append(topic)
    return tuple(topics)


def _complete(topic: Topic | None, message: str, language: str, person: str) -> Done:
    parts = part_question(message, language)
    alone = Done("alone", message, parts)
    if language not in LANGUAGES:
        return alone
    if is_courtesy(message, language):
        return Done("courtesy", message, parts)
    if topic is None or len(message) > LONGEST or is_switch(message, language):
        return alone
    base = base_for(topic, person)
    done = correct(base, message, language) or go_on(base, message, parts, language) or alone
    if done.form == "alone" and not topic.asked and base.told:  # so far they only told of themselves
        return Done(
            "told", join((*base.told, message), language), Parts((*base.told, *parts.told), parts.asked)
        )
    return done
