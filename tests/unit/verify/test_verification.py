"""Ids, quotes and standing; the model's verdict on top; without one the rules' stands."""

from __future__ import annotations

import json

import pytest

from reasoning.evidence import Claim
from reasoning.llm import Budget, Gateway, RulesOnly
from reasoning.trace import Trace
from reasoning.verify import Supported, resolve_all, verify, verify_claims
from reasoning.verify.typography import locate
from tests.emulators.model import Chat, ModelServer, refuse
from tests.unit.verify.sources import passage

TEXT = "Iron tablets may cause constipation. Tea can reduce the body’s uptake of iron – by half or more."
ITEM = passage(TEXT)
PLAIN = Claim("Iron pills can make you constipated.", (("a", "Iron tablets may cause constipation."),))
TEA = Claim("With tea the body can take up less iron.", (("a", "Tea can reduce the body’s uptake of iron"),))


@pytest.mark.parametrize(
    ("support", "reason"),
    [
        ((), "cites nothing"),
        ((("b", "Iron tablets"),), "not retrieved"),
        ((("a", "Iron tablets cause constipation."),), "not in the source"),
        ((("a", "iron tablets may cause constipation."),), "not in the source"),
        ((("a", "   "),), "not in the source"),
    ],
)
def test_what_is_no_quote(support: tuple[tuple[str, str], ...], reason: str) -> None:
    found = verify_claims([Claim("Iron tablets may cause constipation.", support)], [ITEM])
    assert not found.claims
    assert reason in found.rejected[0].reason


def test_retracted_records_support_nothing() -> None:
    found = verify_claims([PLAIN], [passage(TEXT, standing="retracted")])
    assert "retracted" in found.rejected[0].reason


def test_the_stored_span_is_kept() -> None:
    retyped = "Tea can reduce the  body's uptake of iron - by half"
    found = resolve_all([Claim("Tea.", (("a", retyped),))], [ITEM])
    assert found.claims[0].support == (("a", "Tea can reduce the body’s uptake of iron – by half"),)
    assert all(quote in TEXT for claim in found.claims for _, quote in claim.support)


def test_letters_and_digits_are_never_levelled() -> None:
    assert locate("5 mg", "take 50 mg or 5 mg") == (14, 18)
    assert locate("Dose", "a dose") is None
    assert locate("soft­hyphen", "a softhyphen") == (2, 12)


async def ask(claims: list[Claim], reply: object) -> tuple[Supported, ModelServer]:
    server = ModelServer([Chat(json.dumps(reply))])
    with server:
        gateway = Gateway(server.endpoint(timeout=2.0, deadline=6.0))
        try:
            return await verify(claims, [ITEM], gateway, Budget(), Trace()), server
        finally:
            await gateway.aclose()


async def test_what_a_model_finds_contradicted_or_missing_goes() -> None:
    verdicts = [{"n": 1, "verdict": "supported"}, {"n": 2, "verdict": "not_stated"}]
    found, server = await ask([PLAIN, TEA], {"verdicts": verdicts})
    assert [claim.text for claim in found.claims] == [PLAIN.text]
    assert [(one.claim, one.by) for one in found.rejected] == [(TEA.text, "model")]
    assert len(server.asked) == 1
    assert TEA.text in server.asked[0].text


async def test_what_the_rules_reject_is_not_asked_and_never_comes_back() -> None:
    wrong = Claim("Iron pills do not make you constipated.", PLAIN.support)
    found, server = await ask([PLAIN, wrong], {"verdicts": [{"n": 1, "verdict": "supported"}]})
    assert [claim.text for claim in found.claims] == [PLAIN.text]
    assert [(one.claim, one.by) for one in found.rejected] == [(wrong.text, "rule")]
    assert wrong.text not in server.asked[0].text


async def test_quotes_that_stand_for_themselves_are_not_asked_about() -> None:
    quote = "Iron tablets may cause constipation."
    found, server = await ask([Claim(quote, (("a", quote),))], {"verdicts": []})
    assert len(found.claims) == 1
    assert not server.asked


async def test_a_failing_model_leaves_the_rules_verdict() -> None:
    with ModelServer([refuse(500, "broken")]) as server:
        gateway = Gateway(server.endpoint(timeout=1.0, deadline=2.0))
        try:
            found = await verify([PLAIN], [ITEM], gateway, Budget(), Trace())
        finally:
            await gateway.aclose()
    assert found == verify_claims([PLAIN], [ITEM])


async def test_a_reply_that_skips_a_sentence_is_no_verdict() -> None:
    found, _ = await ask([PLAIN, TEA], {"verdicts": [{"n": 1, "verdict": "contradicted"}]})
    assert len(found.claims) == 2


async def test_without_a_model_the_rules_decide() -> None:
    found = await verify([PLAIN], [ITEM], RulesOnly(), Budget(), Trace())
    assert found == verify_claims([PLAIN], [ITEM])
