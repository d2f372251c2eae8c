"""The starter graph: its own check passes, and it is large enough (issue 3, point 6)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from storage.facts import relations, starter_facts

ROOT = Path(__file__).resolve().parents[2]


def test_the_check_finds_no_fault():
    run = subprocess.run(
        [sys.executable, "-m", "bot.starter_graph"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(starter_facts())} facts, 0 faults" in run.stdout


def test_it_is_large_enough_and_uses_its_relations():
    assert len({fact.triple for fact in starter_facts()}) >= 800
    one_is_enough = {"can_check_disease", "need_medical_test"}
    foreign = {
        "treats",
        "treated_by",
        "palliates",
        "palliated_by",
        "co_occurs_with",
        "localizes",
        "may_cause",
    }
    foreign |= {"raises_risk_of", "contraindicated_in", "used_off_label_for", "lacks_symptom"}
    own = {name for name, relation in relations().items() if relation.language == "en"} - foreign
    unused = own - {fact.relation for fact in starter_facts()} - one_is_enough
    assert not unused
