"""The real encoder tells a sentence's own source from its neighbours."""

from __future__ import annotations

from reasoning.encoders import load_encoder
from reasoning.evidence import Claim
from reasoning.verify import verify_claims
from reasoning.verify.likeness import cosines, list_rivals
from tests.unit.verify.sources import passage

TEXT = "Amputation is rarely used when a sarcoma grows in a leg. Sarcomas are often treated with surgery."
SENTENCE = "Losing the limb is seldom necessary."


def test_likeness_names_the_right_sentence() -> None:
    item = passage(TEXT, title="Sarcoma")
    own, other = TEXT.split(". ")[0] + ".", TEXT.split(". ")[1]
    claims = [
        Claim(SENTENCE, (("a", own),)),
        Claim("An operation is one way to treat these tumors.", (("a", own),)),
    ]
    texts, sources = list_rivals(claims, [item])
    likeness = cosines(texts, sources, load_encoder("minilm").encode_sentences([*texts, *sources]))
    assert likeness[SENTENCE, own] > likeness[SENTENCE, other]
    assert all(-1.001 <= value <= 1.001 for value in likeness.values())
    found = verify_claims(claims, [item], likeness=likeness)
    assert [claim.text for claim in found.claims] == [SENTENCE]
    assert found.rejected[0].claim == claims[1].text
