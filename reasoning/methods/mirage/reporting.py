"""What the method reports beside the answer: claims and chains, with every value that bounded them (2.8)."""

from __future__ import annotations

from collections.abc import Sequence

from reasoning.evidence import Claim
from reasoning.linking.types import Link
from reasoning.methods.mirage.candidates import Candidate
from reasoning.methods.mirage.claims import GraphClaim
from reasoning.methods.mirage.decomposing import Part, RejectedPart
from reasoning.methods.mirage.presets import Preset
from reasoning.methods.mirage.statements import Statement, is_tellable
from reasoning.methods.mirage.synthesis import Synthesis
from reasoning.methods.mirage.turns import say_fact
from reasoning.methods.mirage.workspace import Chain
from storage.graph import GraphFact

MOST_CLAIMS = 40  # listed; the rest is counted


def report_links(links: Sequence[Link]) -> list[dict[str, object]]:
    return [
        {
            "text": link.text,
            "entity": link.entity.name if link.entity else None,
            "graph": link.entity.graph if link.entity else None,
            "by": link.by,
            "score": round(link.score, 3),
            "margin": round(link.margin, 3),
            "runners_up": [[one.name, round(one.score, 3)] for one in link.runners_up[:3]],
        }
        for link in links
    ]


def report_asked(links: Sequence[Link]) -> list[list[str]]:
    """The names of each entity of the question, in all its graphs, each once."""
    named = [(link.entity, *link.twins) for link in links if link.entity]
    return [list({entity.name.casefold(): entity.name for entity in entities}.values()) for entities in named]


def report_chain(chain: Chain) -> dict[str, object]:
    """Its state as methods.md 2.3 has it; facts by id, listed once in the report's `facts`."""
    return {
        "subq_id": chain.id,
        "text": chain.part,
        "status": chain.status,
        "turns": chain.turns,
        "searches": [
            {
                "query": block.query.text,
                "mode": block.mode,
                "matches": [link.entity.name for link in block.matches if link.entity],
                "evidence_ids": [fact.id for fact in block.facts],
                "paths": [[fact.id for fact in path.facts] for path in block.paths],
                "cut": dict(block.cut),
                "error": block.error,
            }
            for block in chain.blocks
        ],
        "answer": chain.answer,
        "cited": list(chain.cited),
        "tokens": chain.tokens,
        "by": chain.by,
        "reason": chain.reason,
    }


def report_claim(claim: GraphClaim) -> dict[str, object]:
    backing = claim.backing
    return {
        "type": claim.type,
        "subject": claim.subject,
        "value": claim.value,
        "polarity": claim.polarity,
        "facts": list(claim.facts),
        "support": {
            "chains": sorted(backing.chains),
            "relations": sorted(backing.relations),
            "touched": len(backing.touched),
            "likeness": round(backing.likeness, 2),
        },
    }


def report_fact(fact: GraphFact) -> dict[str, object]:
    return {
        "head": fact.head.name,
        "relation": fact.relation,
        "tail": fact.tail.name,
        "sources": list(fact.sources),
        "graph": fact.graph,
        "version": fact.version,
        "text": say_fact(fact),
    }


def report_synthesis(
    synthesis: Synthesis,
    statements: Sequence[Statement],
    claims: Sequence[Claim],
    eids: Sequence[str],
    candidates: Sequence[Candidate],
) -> dict[str, object]:
    """Claims with decisions, candidates for a diagnosis, and which facts each proposed sentence rests on."""
    resolution = synthesis.resolution
    facts_of = {
        eid: [fact.id for fact in statement.facts] for eid, statement in zip(eids, statements, strict=True)
    }
    used = {fact.id for statement in statements for fact in statement.facts}
    used |= {each for claim in resolution.kept[:MOST_CLAIMS] for each in claim.facts}
    used |= {each for lost in resolution.rejected for each in lost.claim.facts}
    used |= {fact.id for path in synthesis.paths for fact in path.facts if is_tellable(fact)}
    return {
        "facts_found": len(synthesis.facts),
        "claims": [report_claim(claim) for claim in resolution.kept[:MOST_CLAIMS]],
        "claims_kept": len(resolution.kept),
        "rejected": [
            report_claim(lost.claim) | {"conflict": lost.kind, "reason": lost.reason}
            for lost in resolution.rejected
        ],
        "uncertain": [[one.words, other.words, kind] for one, other, kind in resolution.uncertain],
        "unsupported": [{"claim": words, "reason": reason} for words, reason in synthesis.unsupported],
        "candidates": [[one.entity.name, len(one.touched)] for one in candidates],
        "sentences": [
            {
                "text": claim.text,
                "facts": [each for eid, _ in claim.support for each in facts_of.get(eid, [])],
            }
            for claim in claims
        ],
        "facts": {str(each): report_fact(synthesis.facts[each]) for each in sorted(used)},
    }


def report_parts(parts: Sequence[Part], rejected: Sequence[RejectedPart]) -> dict[str, object]:
    return {
        "parts": [{"id": part.id, "text": part.text, "entities": list(part.entities)} for part in parts],
        "rejected_parts": [{"text": part.text, "reason": part.reason} for part in rejected],
    }


def report_preset(preset: Preset) -> dict[str, object]:
    return {"preset": preset.name, "parameters": preset.effective()}
