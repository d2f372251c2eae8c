import pytest

from reasoning.encoders.questions import shorten_question
from reasoning.encoders.tokens import Tokens

STORY = "A woman of 34 has had a rash for two weeks. " + "She noted the day of each change in a diary. " * 10


def test_a_question_that_fits_is_left_alone(tokens: Tokens) -> None:
    short = shorten_question(" Is aspirin safe? ", 64, tokens)
    assert (short.kept, short.shortened, short.dropped) == ("Is aspirin safe?", False, "")


def test_the_question_at_the_end_of_a_vignette_is_kept_and_the_loss_is_told(tokens: Tokens) -> None:
    short = shorten_question(STORY + "Which cream helps vs. placebo?", 40, tokens)
    assert short.kept.startswith("A woman of 34 has had a rash")
    assert short.kept.endswith(" Which cream helps vs. placebo?")
    assert tokens.count(short.kept) <= 40
    assert short.shortened
    assert "diary" in short.dropped
    assert short.dropped_tokens == tokens.count(short.dropped)


def test_nothing_is_lost_unreported(tokens: Tokens) -> None:
    text = STORY + "Which cream helps? Thanks for your time."
    short = shorten_question(text, 40, tokens)
    assert short.kept.endswith("Which cream helps?")
    assert sorted((short.kept + " " + short.dropped).split()) == sorted(text.split())


def test_a_text_that_asks_nothing_keeps_its_start(tokens: Tokens) -> None:
    short = shorten_question(STORY, 20, tokens)
    assert STORY.startswith(short.kept)
    assert 15 <= tokens.count(short.kept) <= 20


def test_of_one_endless_question_the_end_is_kept(tokens: Tokens) -> None:
    short = shorten_question(
        "In a man who " + "coughs and " * 60 + "sneezes, which test comes first?", 20, tokens
    )
    assert short.kept.endswith("sneezes, which test comes first?")
    assert 15 <= tokens.count(short.kept) <= 20


@pytest.mark.parametrize("ask", ["哪种药物有效？", "Was hilft am besten?"])
def test_other_languages(tokens: Tokens, ask: str) -> None:
    filler = "患者两周前出现皮疹。" if "？" in ask else "Seit Wochen juckt es sehr. "
    short = shorten_question(filler * 20 + ask, 40, tokens)
    assert short.kept.endswith(ask)
    assert short.kept.startswith(filler[:8])
    assert tokens.count(short.kept) <= 40
