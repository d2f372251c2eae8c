"""Every value that SEMA-RAG's roles go by, in one place (methods.md 3); an arm of a measurement is a preset.

`FAITHFUL` keeps to the paper where it gives a value, `PRODUCT` to what serves people best. Temperatures are
those of the prompts (1.0 for interpreter and explorer, 0.0 for the arbiter). The trace and the report of an
answer hold the preset's name and all of its values.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from reasoning.grounding.gate import LEAST_SIMILARITY
from reasoning.llm.prompts import load_prompt

PROMPTS = {
    "interpret": "interpret.v1",
    "explore": "explore.v1",
    "adjudicate": "adjudicate.v1",
    "conclude": "conclude.v1",
    "conclude_in_words": "conclude_in_words.v1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Values of one run. Without a role its arm is that of methods.md 3.7."""

    name: str
    # Roles
    interpreter: bool = True  # off: the question itself is schema and first query
    explorer: bool = True  # off: one round, one query, nobody judges
    arbiter: bool = True  # off: one call answers from the evidence, there is no report
    retrieves: bool = True  # off: the question alone; a proposal, never an answer
    # Rounds (methods.md 3.2)
    width: int = 3  # m, follow-ups of a round
    rounds: int = 2  # T_max, the first one counted
    stops: bool = True  # off: sufficiency ends nothing, the rounds are fixed
    repeats: float = 0.95  # cosine from which a follow-up repeats a query
    early_exit: bool = False  # what a definition asks ends with the first round, where sources agree
    # Retrieval (methods.md 3.3)
    per_query: int = 16  # k, passages of each query
    per_article: int | None = None  # passages of one article, of each query and in all
    lexical_weight: float = 0.0  # of words beside vectors; 0 is dense search alone
    least_similarity: float = 0.0  # relevance floor of a snippet, where no reranker judges
    literature: bool = False  # whether PubMed is asked where the gap wants studies
    # Sufficiency (methods.md 3.6)
    matrix: bool = False  # the best option must be ahead by a document of its own
    facets: bool = False  # of free text: everything that is asked must be spoken to
    # Reading; our choice
    weighed: int = 16  # passages whose sentences are weighed for each option
    sentences: int | None = None  # of a snippet, that a model reads; those nearest to the query

    def effective(self) -> dict[str, object]:
        """All values, and the temperature of each role."""
        return asdict(self) | {
            "temperatures": {step: load_prompt(name).temperature for step, name in PROMPTS.items()}
        }


FAITHFUL = Preset(name="faithful")
PRODUCT = Preset(
    name="product",
    early_exit=True,
    per_article=4,
    lexical_weight=0.6,  # as everywhere in the product
    least_similarity=0.75 * LEAST_SIMILARITY,  # a story is never as near to a passage as a question
    literature=True,
    matrix=True,
    facets=True,
)
