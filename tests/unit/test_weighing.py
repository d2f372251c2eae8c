"""The weights behind the patterns: what they raise, what they lower, and what they never touch."""

from __future__ import annotations

import math

import pytest

from reasoning.safety.triage import ALARMS, Level, doubt, fold, read_level, triage
from reasoning.safety.weighing import BUCKETS, hash_parts, load_table, shift_of, weigh
from tests.red_flag_messages import read_messages

UNSEEN = [m for m in read_messages("red_flag_messages_3.jsonl") if m.half == "even"]


def test_they_raise_alarms_that_no_pattern_has_words_for_and_say_so():
    raised = [m for m in UNSEEN if m.is_danger and read_level(fold(m.text)) in (Level.NONE, Level.URGENT)]
    found = [triage(m.text, m.language) for m in raised]
    assert len(raised) >= 20
    alarms = [one for one in found if one.level in ALARMS]
    assert len(alarms) >= 0.9 * len(raised)
    assert all(one.matched[-1].startswith("unclear: weight ") and one.message for one in alarms)


def test_they_lower_an_emergency_to_urgent_and_no_further():
    lowered = [
        triage(m.text, m.language)
        for m in UNSEEN
        if read_level(fold(m.text)) is Level.EMERGENCY and triage(m.text).level not in ALARMS
    ]
    assert lowered
    assert all(one.level is Level.URGENT and one.message for one in lowered)


def test_an_exam_is_not_raised():
    vignette = (
        "A 64-year-old man is brought to the emergency department because of crushing chest pain. "
        "Which of the following is the most likely diagnosis?"
    )
    assert triage(vignette).level in (Level.NONE, Level.URGENT)


def test_self_harm_is_lowered_less_easily_than_an_emergency():
    told = [m for m in UNSEEN if m.is_danger and read_level(fold(m.text)) is Level.SELF_HARM]
    assert told
    assert all(triage(m.text).level is Level.SELF_HARM for m in told)
    assert shift_of(Level.SELF_HARM) >= shift_of(Level.EMERGENCY) + 1


def test_tablets_taken_to_die_get_the_reply_to_self_harm():
    text = "j'ai avalé deux boites de doliprane pour mourir, personne le sait"
    assert triage(text).level is Level.SELF_HARM
    assert triage("I swallowed all my tablets an hour ago because I can't go on").level is Level.SELF_HARM


@pytest.mark.parametrize("text", ["pain in my left knee", "Kopfschmerzen und Fieber", "孩子发烧咳嗽还拉肚子"])
def test_a_short_text_that_no_pattern_knows_is_raised_only_for_much(text: str):
    assert doubt(fold(text), Level.NONE) > 0
    assert triage(text).level is Level.NONE
    assert triage("mi bebé no respira").level is Level.EMERGENCY


def test_a_long_text_and_what_happens_now_stay_what_the_patterns_made_of_them():
    calm = "The garden is lovely, we had tea and cake with the neighbours. " * 10
    assert triage("I have chest pain. " + calm).level is Level.EMERGENCY
    asked = "What are the signs of a stroke? This is happening to my father now."
    assert triage(asked).level is Level.EMERGENCY


@pytest.mark.parametrize("text", ["", "?!", "👍", "   "])
def test_a_text_without_a_word_weighs_as_little_as_can_be(text: str):
    assert weigh(text).danger == -math.inf
    assert triage(text).level is Level.NONE


def test_parts_are_found_once_within_the_table_and_without_marks():
    phrases, fragments = hash_parts("he is cold, he is grey!")
    assert (phrases, fragments) == hash_parts("he is cold he is grey")
    assert len(set(phrases)) == len(phrases)
    assert all(0 <= place < BUCKETS for place in phrases + fragments)
    assert load_table().parts.shape == (2, 2, BUCKETS)


def test_a_language_may_change_within_a_message():
    assert triage("hola, he is not breathing and ganz blau im Gesicht").level is Level.EMERGENCY
