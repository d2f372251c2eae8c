"""Text with inline markup (case F07)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from reasoning.retrieval.reading.markup import element_text, fold

MML = 'xmlns:m="http://www.w3.org/1998/Math/MathML"'


def text_of(inside: str) -> str:
    return element_text(etree.fromstring(f"<t {MML}>{inside}</t>", etree.XMLParser(resolve_entities=False)))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("30 x 10<sup>9</sup>/L", "30 x 10^9/L"),
        ("10<sup>-3</sup> mol", "10^-3 mol"),
        ("10<sup>−</sup><sup>3</sup> mol", "10^−3 mol"),
        ("2 g/m<sup>2</sup> given", "2 g/m^2 given"),
        ("m<sup>2 </sup>given", "m^2 given"),
        ("10<sup>9</sup>5", "10^(9)5"),
        ("10<sup>1/2</sup>", "10^(1/2)"),
        ("H<sub>2</sub>O, HbA<sub>1c</sub>, C<sub>max</sub>, T<sub>1/2</sub>", "H2O, HbA1c, Cmax, T1/2"),
        ("log<sub>10</sub>5 and 3<sub>2</sub>", "log_(10)5 and 3_2"),
        ("CD4<sup>+</sup>, Ca<sup>2+</sup>, SO<sub>4</sub><sup>2-</sup>", "CD4+, Ca2+, SO4^2-"),
        ("5<sup>−</sup>7", "5^(−)7"),
        ("the 1<sup>st</sup> GeneReviews<sup>®</sup>", "the 1st GeneReviews®"),
        ("<sup>99m</sup>Tc", "^99mTc"),
        ("0.05<sup>a</sup>", "0.05^a"),
        ("<i>H. <b>pylori</b></i> gone<i/>.", "H. pylori gone."),
        ("one\n   two\u00a0three", "one two three"),
        ("<!-- no --><?no no?>yes", "yes"),
        ("P&lt;sup&gt;2&lt;/sup&gt; &lt;i&gt;x&lt;/i&gt; &amp;gt; 5 but 3 &lt; 4", "P^2 x > 5 but 3 < 4"),
        ("e\u0301tude", "étude"),
    ],
)
def test_inline_markup(inside: str, expected: str) -> None:
    assert text_of(inside) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (
            "<m:msubsup><m:mi>η</m:mi><m:mi>p</m:mi><m:mn>2</m:mn></m:msubsup><m:mo>=</m:mo>"
            "<m:mn>0.14</m:mn>",
            "η_p^2 = 0.14",
        ),
        ("<m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac>", "1/2"),
        (
            "<m:mfrac><m:mrow><m:mi>a</m:mi><m:mo>+</m:mo><m:mn>1</m:mn></m:mrow><m:mi>b</m:mi></m:mfrac>",
            "(a + 1)/b",
        ),
        (
            "<m:msup><m:mrow><m:mi>a</m:mi><m:mo>-</m:mo><m:mi>b</m:mi></m:mrow><m:mn>2</m:mn></m:msup>",
            "(a - b)^2",
        ),
        ("<m:mn>2</m:mn><m:mn>3</m:mn>", "2 3"),
        ("<m:mn>2</m:mn><m:mo>\u2062</m:mo><m:mi>x</m:mi>", "2x"),
        ("<m:mi>x</m:mi><m:mo>=</m:mo><m:mo>−</m:mo><m:mn>1</m:mn>", "x = −1"),
        ("<m:mi>sin</m:mi><m:mi>x</m:mi>", "sin x"),
        ("<m:msqrt><m:mi>a</m:mi><m:mo>+</m:mo><m:mi>b</m:mi></m:msqrt>", "√(a + b)"),
        ("<m:mroot><m:mi>x</m:mi><m:mn>3</m:mn></m:mroot>", "x^(1/3)"),
        ("<m:mover><m:mi>x</m:mi><m:mo>¯</m:mo></m:mover>", "x\u0304"),
        (
            "<m:munderover><m:mo>∑</m:mo><m:mrow><m:mi>i</m:mi><m:mo>=</m:mo><m:mn>1</m:mn></m:mrow>"
            "<m:mi>n</m:mi></m:munderover>",
            "∑_(i = 1)^n",
        ),
        (
            "<m:mmultiscripts><m:mi>Tc</m:mi><m:mprescripts/><m:none/><m:mrow><m:mn>99</m:mn>"
            "<m:mi>m</m:mi></m:mrow></m:mmultiscripts>",
            "^99mTc",
        ),
        ('<m:mfenced open="[" close="]"><m:mi>a</m:mi><m:mi>b</m:mi></m:mfenced>', "[a, b]"),
        (
            "<m:mtable><m:mtr><m:mtd><m:mn>1</m:mn></m:mtd><m:mtd><m:mn>2</m:mn></m:mtd></m:mtr></m:mtable>",
            "[1, 2]",
        ),
        (
            "<m:semantics><m:mi>x</m:mi><m:annotation>\\documentclass x</m:annotation></m:semantics>",
            "x",
        ),
    ],
)
def test_a_formula_is_one_readable_line(formula: str, expected: str) -> None:
    spread = f"\n <m:math>\n  {formula}\n </m:math>\n"
    assert text_of(f"before {spread} after") == f"before {expected} after"


def test_a_formula_does_not_merge_with_a_number_beside_it() -> None:
    assert text_of("3<m:math><m:mn>5</m:mn></m:math>7") == "3 5 7"


def test_entities_are_named_or_left_but_never_resolved() -> None:
    entities = '<!ENTITY evil SYSTEM "file:///etc/passwd"><!ENTITY big "BIG">'
    doctype = f'<!DOCTYPE t SYSTEM "https://dtd.invalid/t.dtd" [{entities}]>'
    parser = etree.XMLParser(resolve_entities=False)
    element = etree.fromstring(f"{doctype}<t>&beta; &evil; &big;</t>", parser)
    assert element_text(element) == "β &evil; &big;"


_TAGS = st.sampled_from(["i", "b", "u", "sup", "sub", "unknown"])
_TEXT = st.text(alphabet="ab5.9, ηé+-/(2%", max_size=6)


@st.composite
def _trees(draw: st.DrawFn, depth: int = 3) -> str:
    parts = [draw(_TEXT)]
    for _ in range(draw(st.integers(0, 3)) if depth else 0):
        tag = draw(_TAGS)
        parts.append(f"<{tag}>{draw(_trees(depth=depth - 1))}</{tag}>{draw(_TEXT)}")
    return "".join(parts)


def _signs(text: str) -> str:
    return "".join(sign for sign in text if not sign.isspace() and sign not in "^_()")


@given(_trees())
def test_no_text_is_lost_and_none_is_added(inside: str) -> None:
    element = etree.fromstring(f"<t>{inside}</t>")
    assert _signs(element_text(element)) == _signs("".join(element.itertext()))


@given(
    st.text(alphabet="0123456789", min_size=1, max_size=3),
    st.text(alphabet="0123456789", min_size=1, max_size=3),
)
def test_a_raised_number_never_lengthens_the_one_before_or_after(base: str, power: str) -> None:
    text = text_of(f"{base}<sup>{power}</sup>{base}")
    assert text == f"{base}^({power}){base}"


@given(st.text(max_size=30))
def test_folded_text_is_one_clean_line(text: str) -> None:
    assert not set(fold(text)) & {"\n", "\r", "\t", "\0", "\u2028", "\ufeff"}
