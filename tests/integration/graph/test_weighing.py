"""What ties entities to a question: counted in the graph, compared by stored vectors."""

from __future__ import annotations

import numpy as np
import pytest

from reasoning.encoders import Encoder
from reasoning.retrieval.graphs import embed_names
from storage.graph import Weight
from tests.integration.graph.conftest import Load

LINES = [
    "gripe|has_symptom|fever",
    "gripe|has_symptom|cough",
    "gripe|has_symptom|sore throat",
    "gripe|has_symptom|itching toes",
    "ague|has_symptom|fever",
    "ague|need_medication|bark",
    "dropsy|lacks_symptom|fever",
]
QUESTION = "I have a fever, I cough, and my throat is sore."


@pytest.fixture
async def ids(load: Load) -> dict[str, int]:
    graph = await load(*LINES)
    names = {end for line in LINES for end in line.split("|")[::2]}
    return {name: found[0].entity.id for name, found in (await graph.find_names(names)).items()}


async def test_touch_counts_entities_it_is_or_is_joined_to(load: Load, ids: dict[str, int]):
    graph = await load(*LINES)
    about = [ids["fever"], ids["cough"], ids["ague"]]
    weights = await graph.weigh(ids.values(), about=about)
    touch = {name: weights[key].touch for name, key in ids.items()}
    assert touch["gripe"] == 2
    assert touch["ague"] == 2, "itself, and fever"
    assert touch["bark"] == 1
    assert touch["sore throat"] == 0
    assert {(one.likeness, one.signs) for one in weights.values()} == {(None, None)}, "nothing was asked"


async def test_signs_are_the_likest_three_by_the_encoder(load: Load, ids: dict[str, int], minilm: Encoder):
    graph = await load(*LINES)
    query = minilm.encode_query(QUESTION).vector
    assert {one.signs for one in (await graph.weigh(ids.values(), vector=query)).values()} == {None}
    async for _ in embed_names(graph, minilm):
        pass
    weights = await graph.weigh(ids.values(), vector=query)
    near = {name: float(minilm.encode_query(name).vector @ query) for name in ids}
    for name, key in ids.items():
        assert weights[key].likeness == pytest.approx(near[name], abs=2e-3), name
    best = sorted((near[name] for name in ("fever", "cough", "sore throat", "itching toes")), reverse=True)[
        :3
    ]
    assert weights[ids["gripe"]].signs == pytest.approx(float(np.mean(best)), abs=2e-3)
    assert weights[ids["ague"]].signs == pytest.approx(near["fever"], abs=2e-3)
    assert weights[ids["dropsy"]].signs is None, "what it lacks is no sign of it"
    assert weights[ids["bark"]].signs is None


async def test_nothing_and_unknown_ids(load: Load, ids: dict[str, int]):
    graph = await load(*LINES)
    assert await graph.weigh([]) == {}
    assert await graph.weigh([10**9], about=[ids["fever"]]) == {10**9: Weight()}
