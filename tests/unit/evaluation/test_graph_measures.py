"""What `carecite eval graph` counts, on a graph of a few lines."""

from __future__ import annotations

from dataclasses import replace

import networkx
import numpy as np
import pytest

from reasoning.evaluation.graph import ALONE, GIVEN, Item
from reasoning.evaluation.graph_arms import Documents
from reasoning.evaluation.graph_judge import Judgement, Winner, summarise_judgements
from reasoning.evaluation.graph_mindmap import find_paths, nearest_names, rank_by_lines, shortest_paths
from reasoning.evaluation.graph_report import HALF, demands, summarise
from reasoning.evaluation.graph_set import KnownGraph
from reasoning.retrieval.bm25 import Texts
from reasoning.retrieval.graphs import Draft
from storage.corpus.graph import GraphLabel
from storage.corpus.graph.naming import fold_entity

FACTS = """
Gripe|has_symptom|Fever
Gripe|has_symptom|Cough
Ague|has_symptom|Fever
Ague|need_medication|Bark
Croup|has_symptom|Cough
Croup|has_symptom|Hoarseness
Dropsy|has_symptom|Swelling
Bark|possible_cure_disease|Ague
"""


def known(lines: str = FACTS) -> KnownGraph:
    draft = Draft(GraphLabel("tiny"))
    for line in lines.strip().splitlines():
        head, relation, tail = line.split("|")
        for end in (head, tail):
            draft.add_entity(fold_entity(end), end)
        draft.add_fact(fold_entity(head), relation, fold_entity(tail))
    return KnownGraph(draft.finish())


def item(arm: str, rank: int | None, number: int = 1, **fields: object) -> Item:
    made = Item(
        graph="tiny",
        style=GIVEN,
        id=f"i{number}",
        arm=arm,
        variant="",
        model=None,
        version="v",
        held_out=False,
        linked=1,
        reached=rank is not None,
        rank=rank,
        handed_over=False,
        calls=0,
        by="rule",
        seconds=0.0,
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def test_overlap_counts_what_is_touched_and_breaks_ties_by_name():
    assert known().overlap(["fever", "cough"]) == ["gripe", "ague", "croup"]
    assert known().overlap(["cough"]) == ["croup", "gripe"]


def test_a_disease_that_is_named_touches_itself():
    assert known().overlap(["croup", "fever"]) == ["ague", "croup", "gripe"]
    assert known().overlap(["bark"]) == ["ague"], "by any relation"
    assert known().overlap(["nothing known"]) == []


def test_the_ceiling_is_one_hop_or_the_entity_itself():
    graph = known()
    assert graph.reaches(["fever"], frozenset({"ague"}))
    assert graph.reaches(["ague"], frozenset({"ague"}))
    assert not graph.reaches(["fever"], frozenset({"croup"})), "two hops away"
    assert not graph.reaches(["unheard of"], frozenset({"ague"}))


def test_diseases_come_in_the_order_of_the_file():
    assert known().diseases == ["gripe", "ague", "croup", "dropsy"]


def test_a_mention_takes_the_second_best_name_where_the_best_is_taken():
    names = np.eye(3, dtype=np.float32)
    near = np.array([[0.9, 0.5, 0], [0.8, 0.6, 0.1], [0, 0, -1]], dtype=np.float32)
    assert nearest_names(near, names) == [0, 1, 2], "the last one without any threshold"
    assert nearest_names(near[:0], names) == []


def test_shortest_paths_are_those_of_networkx():
    rng = np.random.default_rng(7)
    lines = {f"d{a}|has_symptom|s{b}" for a, b in rng.integers(0, 25, (60, 2))}
    graph = known("\n".join(sorted(lines)))
    other = networkx.Graph((head, tail) for head, tails in graph.joined.items() for tail in tails)
    names, compared = sorted(graph.joined), 0
    for start, end in ((str(a), str(b)) for a, b in rng.choice(names, (60, 2)) if a != b):
        try:
            paths = {tuple(path) for path in networkx.all_shortest_paths(other, start, end)}
        except networkx.NetworkXNoPath:
            paths = set()
        wanted = {path for path in paths if len(path) <= 6}
        assert set(shortest_paths(start, end, graph)) == wanted, (start, end)
        compared += bool(wanted)
    assert compared > 30


def test_paths_are_chained_and_five_in_all():
    star = "\n".join(f"D{n}|has_symptom|{sign}" for n in range(9) for sign in ("A", "B", "C"))
    paths = find_paths(["a", "b", "c"], known(star))
    assert paths == [("a", f"d{n}", "b") for n in range(5)]


def test_mindmap_ranks_by_how_many_lines_name_a_disease():
    assert rank_by_lines(["fever", "cough"], known())[0] == "gripe", "the path and both neighbourhoods"
    assert rank_by_lines([], known()) == []
    assert "dropsy" not in rank_by_lines(["fever", "cough"], known())


def test_documents_are_ranked_by_words_and_by_likeness():
    texts = ["fever with chills", "a barking cough"]
    documents = Documents(["ague", "croup"], Texts(texts), np.eye(2, dtype=np.float32))
    assert documents.by_words("the child has a cough") == ["croup", "ague"]
    assert documents.by_words("nothing of this") == ["ague", "croup"], "ties by name"
    assert documents.by_likeness(np.array([0.1, 0.2], dtype=np.float32)) == ["croup", "ague"]


def test_rows_hold_hits_and_paired_differences():
    mine = [item("mirage", 1, n) for n in range(8)] + [item("mirage", 11 if n else None, 8 + n) for n in (0,)]
    theirs = [item("overlap", 2, n) for n in range(9)]
    rows = {row["arm"]: row for row in summarise([*theirs, *mine])}
    assert rows["mirage"]["metrics"]["hit@1"] == pytest.approx(8 / 9, abs=1e-4)
    assert rows["overlap"]["metrics"]["mrr"] == 0.5
    assert rows["mirage"]["metrics"]["hit@1 minus overlap"] == pytest.approx(8 / 9, abs=1e-4)
    assert rows["mirage"]["metrics"]["hit@10 minus overlap"] == pytest.approx(-1 / 9, abs=1e-4)
    assert rows["mirage"]["metrics"]["hit@1 p against overlap"] == pytest.approx(2 / 2**8, abs=1e-4)
    low, high = rows["mirage"]["ci"]["hit@1 minus overlap"]
    assert 0 < low < 8 / 9 < high <= 1


def test_the_demand_needs_both_figures_and_the_interval():
    def met(mine: list[int | None], theirs: list[int | None]) -> list[bool]:
        pairs = [("mirage", mine), ("overlap", theirs)]
        items = [item(arm, rank, n) for arm, ranks in pairs for n, rank in enumerate(ranks)]
        return [demand.met for demand in demands(summarise(items))]

    assert met([1] * 9, [2] * 9) == [True]
    assert met([1] * 8 + [None], [2] * 9) == [False], "Hit@10 fell"
    assert met([2] * 9, [2] * 9) == [False], "Hit@1 is no better"
    assert met([1] + [2] * 8, [2] * 9) == [False], "its interval holds 0"


def test_halves_and_settings_are_rows_of_their_own():
    items = [item("mirage", 1, 1), item("mirage", 2, 2, held_out=True)]
    items += [item("mirage", 3, 1, variant="N_q 1"), item("mirage", None, 1, style=ALONE, linked=0)]
    rows = {row["style"]: row for row in summarise(items)}
    assert set(rows) == {GIVEN, f"{GIVEN}{HALF}", f"{GIVEN}, N_q 1", ALONE}
    assert rows[f"{GIVEN}{HALF}"]["metrics"]["hit@1"] == 0
    assert rows[ALONE]["metrics"]["linked"] == 0


@pytest.mark.parametrize(
    ("winners", "winner"),
    [(("one", "one"), "one"), (("one", "other"), "tie"), (("tie", "other"), "tie"), (("tie", "tie"), "tie")],
)
def test_an_arm_wins_in_both_orders_or_not_at_all(winners: tuple[Winner, Winner], winner: Winner):
    assert Judgement("tiny", "i1", "mirage", "overlap", 1, "m", winners).winner == winner


def test_judgements_are_counted_and_failures_left_out():
    given: list[tuple[Winner | None, Winner | None]] = [
        ("one", "one"),
        ("other", "other"),
        ("one", "other"),
        ("tie", "tie"),
        (None, "one"),
    ]
    made = [Judgement("tiny", f"i{n}", "mirage", "overlap", 1, "m", each) for n, each in enumerate(given)]
    (row,) = summarise_judgements(made)
    assert (row["n"], row["failed"]) == (4, 1)
    assert row["metrics"] == {"win": 0.25, "tie": 0.5, "lose": 0.25, "agreement": 0.75}
