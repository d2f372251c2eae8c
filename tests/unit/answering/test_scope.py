"""Which answers say that they are general information."""

from __future__ import annotations

import pytest

from reasoning.scope import find_kinds, needs_scope

ASKED = [
    ("en", "What is the usual dose of amoxicillin?", ["dosing"]),
    ("en", "How much ibuprofen is safe?", ["dosing"]),
    ("en", "How often should I take it?", ["dosing"]),
    ("en", "Is paracetamol safe while breastfeeding?", ["pregnancy"]),
    ("en", "Does a fever in a 3-year-old need treatment?", ["child"]),
    ("en", "What helps my daughter with asthma?", ["child"]),
    ("en", "Can ibuprofen be taken with warfarin?", ["interaction"]),
    ("en", "ibuprofen and warfarin", ["interaction"]),
    ("en", "What dose of amoxicillin do children get?", ["dosing", "child"]),
    ("es", "¿Cuánto paracetamol puedo tomar en el embarazo?", ["dosing", "pregnancy"]),
    ("es", "¿Se puede mezclar alcohol y antibióticos?", ["interaction"]),
    ("es", "¿Qué ayuda a un niño con asma?", ["child"]),
    ("de", "Welche Dosis ist üblich?", ["dosing"]),
    ("de", "Ist das in der Schwangerschaft gefährlich?", ["pregnancy"]),
    ("de", "Mein Sohn hat Asthma, was hilft?", ["child"]),
    ("de", "Darf man Ibuprofen zusammen mit Alkohol nehmen?", ["interaction"]),
    ("fr", "Quelle est la posologie ?", ["dosing"]),
    ("fr", "Est-ce dangereux pour une femme enceinte ?", ["pregnancy"]),
    ("fr", "Que faire pour un enfant asthmatique ?", ["child"]),
    ("fr", "Peut-on en prendre en même temps que l'aspirine ?", ["interaction"]),
    ("zh", "阿莫西林的剂量是多少？", ["dosing"]),
    ("zh", "孕妇可以吃布洛芬吗？", ["pregnancy"]),
    ("zh", "5岁发烧怎么办？", ["child"]),
    ("zh", "这两种药可以一起吃吗？", ["interaction"]),
]
PLAIN = [
    ("en", "What are the symptoms of gout?"),
    ("en", "What kind of disease is psoriasis?"),
    ("en", "How many people have asthma?"),
    ("en", "Is a 45-year-old too young for screening?"),
    ("en", "What is the treatment of shingles?"),
    ("en", "Do minor injuries in a nursing home need a doctor?"),
    ("es", "¿Cuáles son los síntomas de la gota?"),
    ("de", "Wie viele Menschen haben Gicht?"),
    ("fr", "Combien de temps dure la goutte ?"),
    ("zh", "痛风有什么症状？"),
    ("zh", "65岁以上要做筛查吗？"),
]


@pytest.mark.parametrize(("language", "question", "kinds"), ASKED)
def test_delicate_questions(language: str, question: str, kinds: list[str]) -> None:
    assert find_kinds(question, language) == kinds
    assert needs_scope(question, [], language)


@pytest.mark.parametrize(("language", "question"), PLAIN)
def test_plain_questions(language: str, question: str) -> None:
    assert find_kinds(question, language) == []
    assert not needs_scope(question, ["Rest helps."], language)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Adults take 500 mg twice a day.", True),
        ("成人每次500毫克。", True),
        ("The target is below 100 mg/dL.", False),
        ("They lost 5 kg in 3 months.", False),
    ],
)
def test_a_dose_in_the_answer(said: str, names: bool) -> None:
    assert needs_scope("What is gout?", [said], "en") == names


def test_a_language_without_words_gets_the_sentence_always() -> None:
    assert needs_scope("Cos'è la gotta?", [], "it")
