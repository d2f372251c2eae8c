"""Only addresses of retrieved sources stay, to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasoning.safety.injection import is_foreign_link, without_foreign_links

ALLOWED = ("https://pubmed.ncbi.nlm.nih.gov/123/", "https://medlineplus.gov/druginfo/meds/a696005.html")
FOREIGN = """https://evil.example/cure
http://evil.example
hxxps://evil[.]example/a
//evil.example/x
www.evil.example
evil.example
EVIL.COM
evil.ru
sub.evil.co/path
ｅｖｉｌ．ｃｏｍ
mailto:a@evil.example
a.b@evil.example
javascript:alert(1)
data:text/html;base64,AAAA
https://pubmed.ncbi.nlm.nih.gov/123/?leak=1
https://pubmed.ncbi.nlm.nih.gov/1234/
https://pubmed.ncbi.nlm.nih.gov.evil.example/123/
pubmed.ncbi.nlm.nih.gov
@evil_bot
<@U012ABCDEF>
<!channel>
ftp://10.0.0.1/x
10.0.0.1:8080/x
ev\u200bil.example
tg://resolve?domain=evil
https://evil。example/a""".splitlines()
CLINICAL = """Take 0.5 mg b.i.d., e.g. with food, i.e. at 8 p.m. (Smith et al.).
p.Val600Glu, c.35delG, NM_000059.3, IL-2.In most, pain.In some, E.coli, H. pylori, EC 3.4.21.4
1.5-2.5 mg/kg/day, 10.5%, 3.14, Fig.2, vs. placebo, U.S. adults, No.5, 24/7, A/B, 2:1, +/- 3
血压140/90。每天500毫克。""".splitlines()


@pytest.mark.parametrize("link", FOREIGN)
def test_foreign_addresses_are_seen_and_removed(link: str) -> None:
    text = f"Read {link}, then rest."
    assert is_foreign_link(text, ALLOWED)
    cleaned = without_foreign_links(text, ALLOWED)
    assert "evil" not in cleaned
    assert cleaned.startswith("Read")
    assert cleaned.endswith("then rest.")
    assert not is_foreign_link(cleaned, ALLOWED)


@pytest.mark.parametrize("url", ALLOWED)
def test_retrieved_addresses_stay(url: str) -> None:
    for text in (f"See {url}.", f"See ({url}), then rest.", f"[source]({url}) says so"):
        assert not is_foreign_link(text, ALLOWED)
        assert without_foreign_links(text, ALLOWED) == text


@pytest.mark.parametrize("text", CLINICAL)
def test_medicine_is_no_link(text: str) -> None:
    assert not is_foreign_link(text, ())
    assert without_foreign_links(text, ()) == text


def test_a_markdown_link_keeps_its_words() -> None:
    assert without_foreign_links("Ask [your doctor](https://evil.example/a(b)).", ()) == "Ask your doctor."
    assert without_foreign_links("![x](http://evil.example)", ()) == "x"


PIECES = [*FOREIGN, *ALLOWED, "[", "](", ")", "!", " ", "evil", ".", "example", "http", "://", "@", "<", ">"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join))
def test_nothing_foreign_is_left_and_nothing_raises(text: str) -> None:
    cleaned = without_foreign_links(text, ALLOWED)
    assert not is_foreign_link(cleaned, ALLOWED)
    assert without_foreign_links(cleaned, ALLOWED) == cleaned


def test_links_within_links_end() -> None:
    assert "evil" not in without_foreign_links("[" * 200 + "a" + "](http://evil.example)" * 200, ())
