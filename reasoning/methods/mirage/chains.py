"""One chain: reason and search in turns until it finishes (methods.md 2.3)."""

from __future__ import annotations

from dataclasses import replace

from reasoning.evidence import Tools
from reasoning.methods.mirage.decomposing import Part
from reasoning.methods.mirage.looking import Block, Looking, distinct
from reasoning.methods.mirage.results import strip_results
from reasoning.methods.mirage.turns import (
    TURN,
    Finish,
    PastTurn,
    TurnInputs,
    fit_turn,
    take_turn,
)
from reasoning.methods.mirage.workspace import Chain, Workspace


async def run_chain(part: Part, looking: Looking, tools: Tools, board: Workspace) -> Chain:
    """The chain at its end, always completed; `tools` has a trace of its own. Raises StorageError.

    Where the turns are used up the rule finishes with the facts at hand, so that a chain that never ends by
    itself ends.
    """
    preset, past = looking.preset, list[PastTurn]()
    chain = Chain(part.id, part.text, status="retrieving", by="rule")
    while True:
        inputs = TurnInputs(
            question=looking.question.text,
            part=part.text,
            language=looking.question.language,
            entities=part.entities,
            past=tuple(past),
            facts=chain.facts,
            left=max(0, preset.searches - sum(block.searched for block in chain.blocks)),
        )
        if chain.turns < preset.turns:
            fitted = fit_turn(inputs, preset.chain_tokens) if tools.llm.available else inputs
            result = await tools.llm.run(TURN, fitted, tools.budget, tools.trace)
            turn, by, spent = result.value, result.by, result.usage.tokens
        else:
            turn, by, spent = take_turn(replace(inputs, left=0)), "rule", 0
            chain = replace(chain, reason="it used up its turns, and the rule ended it")
        chain = replace(
            chain,
            turns=chain.turns + 1,
            tokens=chain.tokens + spent,
            by="model" if by == "model" else chain.by,
        )
        action = turn.action
        if isinstance(action, Finish):
            cited = tuple(chain.facts[n - 1].id for n in action.facts)
            board.add(part.id, "finish", by=by, facts=list(cited))
            return replace(chain, status="completed", answer=action.answer, cited=cited)
        with tools.trace.span("look_up", query=action.query.text) as span:
            block = await looking.look_up(action.query, chain.blocks)
            span.note(**describe(block))
        chain = replace(
            chain,
            blocks=(*chain.blocks, block),
            facts=distinct((*chain.facts, *block.facts)),
        )
        board.add(part.id, "search", by=by, query=action.query.text, error=block.error)
        numbers = {fact.id: n for n, fact in enumerate(chain.facts, start=1)}
        shown = tuple(numbers[fact.id] for fact in block.facts)
        past.append(PastTurn(strip_results(turn.reasoning), block, shown))


def describe(block: Block) -> dict[str, object]:
    """What a reader of the trace must know of a look-up (methods.md 2.8)."""
    return {
        "mode": block.mode,
        "error": block.error,
        "facts": [fact.id for fact in block.facts],
        "paths": [[fact.id for fact in path.facts] for path in block.paths],
        "cut": dict(block.cut),
        "matches": [
            {
                "text": link.text,
                "entity": link.entity.name if link.entity else None,
                "by": link.by,
                "score": round(link.score, 3),
                "margin": round(link.margin, 3),
                "others": [(other.name, round(other.score, 3)) for other in link.runners_up[:3]],
            }
            for link in block.matches
        ],
    }
