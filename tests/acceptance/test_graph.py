"""`carecite graph`: a person looks at the starter graph, imports one, and is misled by nothing missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.facts import starter_facts
from tests.program import Call, Outcome, Program, says_sorry

NEVER = ("not linked", "no connection", "does not cause", "unrelated", "not related")  # case F22
TRIPLES = """\
head\trelation\ttail\tsource
Hiccup_fever\thas_symptom\tHiccups\tPMID:11
Hiccups\tpossible_disease\tHiccup_fever\tPMID:12
Hiccup_fever\tneed_medication\tPeppermint_oil
Peppermint_oil\tconfuses\tHiccups
nan\thas_symptom\tHiccups
Night_hiccups\tis_a\tHiccups
Hiccups\tis_a\tNight_hiccups
"""


@pytest.fixture(scope="module")
def own(carecite: Program) -> dict[str, str]:
    """Settings for a corpus of this module's own."""
    return {"CARECITE_CORPUS_URL": carecite.copy_database("corpus", "test_graph")}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "hiccups_triples.tsv"
    path.write_text(TRIPLES)
    return path


@pytest.fixture(scope="module")
def imported(carecite: Program, own: dict[str, str], file: Path) -> Outcome:
    """What the real program says."""
    return carecite.run("graph", "import", str(file), **own)


def test_the_starter_graph_is_there_after_the_first_question(carecite: Program) -> None:
    of_it = "JOIN graphs g ON g.id = e.graph_id WHERE g.name = 'starter'"
    facts = f"SELECT count(*) FROM facts f JOIN entities e ON e.id = f.head_id {of_it}"
    assert carecite.query("corpus", facts) == len({fact.triple for fact in starter_facts()})
    names = "entity_names n LEFT JOIN embedding_minilm_names v ON v.name_id = n.id"
    missing = (
        f"SELECT count(*) FROM {names} JOIN entities e ON e.id = n.entity_id {of_it} AND v.name_id IS NULL"
    )
    assert carecite.query("corpus", missing) == 0


def test_facts_of_an_entity_are_worded_and_sourced(call: Call) -> None:
    outcome = call("graph", "show", "Fever", "--limit", "2")
    assert outcome.code == 0, outcome.err
    assert "fever (symptom)" in outcome.out
    assert "fever can be a sign of …" in outcome.out
    assert "lib-" in outcome.out
    shown = call("graph", "show", "fever", "--json", "--limit", "2").json()
    assert shown["outcome"] == "found"
    for group in shown["groups"]:
        assert len(group["facts"]) + group["cut"] == group["total"]
        for fact in group["facts"]:
            assert {"head", "relation", "tail", "sources", "version"} <= set(fact)


def test_an_import_says_what_it_took_and_what_not(imported: Outcome) -> None:
    assert imported.code == 0, imported.err
    assert imported.out.startswith(
        "hiccups: stored. 4 entities, 4 facts (1 of them listed from both ends), 4 names"
    )
    assert "left out, 1: the head is `nan`" in imported.out
    assert "left out, 1: closes a ring of is_a" in imported.out


@pytest.mark.usefixtures("imported")
def test_again_there_is_nothing_to_do(call: Call, own: dict[str, str], file: Path) -> None:
    again = call("graph", "import", str(file), **own)
    assert "hiccups: here already, nothing to do." in again.out
    report = call("graph", "import", str(file), "--json", **own).json()
    assert (report["stored"], report["embedded"], report["inverses"]) == (False, 0, 1)
    assert report["refused"] == {"the head is `nan`": 1, "closes a ring of is_a": 1}


def test_a_dry_run_needs_no_database(call_alone: Call, file: Path) -> None:
    outcome = call_alone("graph", "import", str(file), "--dry-run")
    assert outcome.code == 0, outcome.err
    assert outcome.out.startswith("hiccups: checked, nothing written. 4 entities, 4 facts")


@pytest.mark.usefixtures("imported")
def test_paths_are_read_in_their_true_direction(call: Call, own: dict[str, str]) -> None:
    outcome = call("graph", "path", "night hiccups", "peppermint oil", **own)
    assert outcome.code == 0, outcome.err
    lines = [line.strip("├└─ ") for line in outcome.out.splitlines()]
    assert lines[0].startswith("1. Night hiccups – Hiccups – Peppermint oil")
    assert lines[1].startswith("Night hiccups is a kind of Hiccups")
    assert lines[2].startswith("Peppermint oil -[confuses]-> Hiccups")
    found = call("graph", "path", "Hiccups", "Peppermint oil", "--json", **own).json()
    assert (found["outcome"], found["searched"], len(found["paths"])) == ("found", 1, 1)


@pytest.mark.usefixtures("imported")
def test_what_is_not_found_is_no_evidence(call: Call, own: dict[str, str]) -> None:
    for words, begins in (
        (
            ("path", "night hiccups", "peppermint oil", "--hops", "1"),
            "The graphs have no path of up to 1 facts",
        ),
        (("path", "hiccup fever", "zolvendramab"), "No graph knows 'zolvendramab'."),
        (("show", "hicups"), "No graph knows 'hicups'. Names like it: "),
        (("path", "hiccups", "HICCUPS"), "hiccups and HICCUPS are one entity here: Hiccups."),
        (("show", "fever", "--graph", "hiccups"), "No graph knows 'fever'."),
    ):
        outcome = call("graph", *words, **own)
        assert outcome.code == 0, outcome.err
        assert outcome.out.startswith(begins), outcome.out
        assert not any(word in outcome.out for word in NEVER)


def test_bad_usage(call_alone: Call, tmp_path: Path) -> None:
    for words in (
        ("import", str(tmp_path / "gone.tsv")),
        ("import", str(tmp_path)),
        ("import",),
        ("import", __file__),
        ("import", __file__, "--format", "rdf"),
        ("import", __file__, "--format", "tsv", "--name", "starter"),
    ):
        outcome = call_alone("graph", *words)
        assert (outcome.code, outcome.out) == (2, ""), outcome
        assert "Traceback" not in outcome.err
    empty = tmp_path / "empty.tsv"
    empty.write_text("nothing\n")
    outcome = call_alone("graph", "import", str(empty))
    assert outcome.code == 2
    assert "left out, 1: 1 columns, not 3 or 4" in outcome.out
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{")
    says_sorry(call_alone("graph", "import", str(damaged)), 2, "is no JSON")
