"""What each arm of `carecite eval graph` would tell, for a judge that compares two of them."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.evaluation.graph_arms import Bench, Ranking
from reasoning.evaluation.graph_set import KnownGraph
from reasoning.llm import Budget
from reasoning.methods.mirage import PRODUCT
from reasoning.methods.mirage.exploring import Explored
from reasoning.methods.mirage.turns import say_fact
from reasoning.methods.mirage.workspace import Chain
from reasoning.methods.mirage.writing import WRITE, WriteInputs
from reasoning.trace import Trace

NAMED = 3  # diseases that a bare ranking tells
NOTHING = "The graph says nothing about this."


async def tell(arm: str, ranking: Ranking, bench: Bench) -> str:
    """With synthesis its statements, worded as in the product; without it the chains' answers one after the
    other; of a bare ranking its first diseases."""
    explored = ranking.explored
    if explored is None:
        return tell_names(ranking.names, bench.known)
    if arm in ("no_synthesis", "neither"):
        return " ".join(map(_tell_chain, explored.chains)) or NOTHING
    if not explored.statements:
        return tell_names(ranking.names, bench.known)
    return await _write(explored, bench)


def tell_names(names: Sequence[str], graph: KnownGraph) -> str:
    first = [graph.names[name] for name in names[:NAMED]]
    return f"This could be a sign of: {', '.join(first)}." if first else NOTHING


def _tell_chain(chain: Chain) -> str:
    cited = set(chain.cited)
    facts = [fact for fact in chain.facts if fact.id in cited][: PRODUCT.statements]
    return chain.answer or " ".join(f"{say_fact(fact)}." for fact in facts)


async def _write(explored: Explored, bench: Bench) -> str:
    question = explored.looking.question
    inputs = WriteInputs(question.text, question.language, explored.statements)
    written = await bench.llm.run(WRITE, inputs, Budget(bench.limits), Trace())
    return " ".join(one.text for part in written.value.paragraphs for one in part.sentences)
