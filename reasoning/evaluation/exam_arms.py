"""The ways of answering an exam question that are measured; a further method of the product is one by itself.

question_only    no retrieval, the answer alone
cot              no retrieval, reasoning first
single_rag       one retrieval with the raw stem, the choice from its passages: no rewriting, no gate
fixed3           three rounds of three queries whatever was found (`exam_rounds`)
sema_rag         the whole method; -I, -E and -A without a role, m1 to m3 and T1 to T4 with other bounds,
                 unread without retrieval (`exam_variants`)
cometa           the whole method, gate and verification included; where it says nothing it is forced apart
mirage           the same over the Chinese graph, of Chinese questions alone
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reasoning.evaluation.exam import Arm, Attempt
from reasoning.evaluation.exam_rounds import fixed_rounds
from reasoning.evaluation.exam_variants import vary
from reasoning.evaluation.exam_ways import Way, by_method, cot, question_only, single_rag
from reasoning.evidence import Method, Question, Tools
from reasoning.graph import GraphSearch
from reasoning.linking.types import Linker
from reasoning.literature import Literature
from reasoning.llm import Budget, LanguageModel, Limits
from reasoning.methods.sema_rag import PRODUCT, Preset, answer_with
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.retrieval.reranking import Reranker
from reasoning.trace import Trace

PASSAGES = 5  # of single_rag and of each query of fixed3, as many as CoMeta reads
GRAPH_LANGUAGE = "zh"  # of the graph that mirage is measured on
_PLAIN = ("question_only", "cot", "single_rag", "fixed3")


def list_arms(methods: Mapping[str, Method]) -> list[str]:
    """Names of the arms; the methods of the product are arms under theirs."""
    return list(dict.fromkeys([*_PLAIN, *vary(PRODUCT), *map(_name, methods)]))


def _name(method: str) -> str:
    return method.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Bench:
    """What arms work with; each question has tools of its own, and what it took is counted. `graph` and
    `linker` go together; `preset` is that of SEMA-RAG's arms, and bounds the passages of all plain ones."""

    retrieval: HybridRetrieval
    doors: Callable[[Question], Sequence[Literature]]
    reranker: Reranker | None
    llm: LanguageModel
    limits: Limits
    preset: Preset = PRODUCT
    graph: GraphSearch | None = None
    linker: Linker | None = None

    def arms(self, names: Sequence[str], methods: Mapping[str, Method]) -> dict[str, Arm]:
        """The arms of these names, in their order; those of one preset are one arm."""
        passages = min(PASSAGES, self.preset.per_query)
        known = {
            "question_only": self._arm(question_only, retrieves=False),
            "cot": self._arm(cot, retrieves=False),
            "single_rag": self._arm(single_rag(passages)),
            "fixed3": self._arm(fixed_rounds(passages)),
        }
        known |= {_name(name): self._arm(by_method(method)) for name, method in methods.items()}
        if "mirage" in known:
            known["mirage"] = replace(known["mirage"], language=GRAPH_LANGUAGE)
        presets = vary(self.preset)
        made = {
            preset: self._arm(by_method(answer_with(preset)), retrieves=preset.retrieves)
            for preset in presets.values()
        }
        known |= {name: made[preset] for name, preset in presets.items()}
        return {name: known[name] for name in names}

    def _arm(self, way: Way, *, retrieves: bool = True) -> Arm:
        async def answer(question: Question) -> Attempt:
            began = time.perf_counter()
            budget, trace = Budget(self.limits), Trace()
            doors = self.doors(question)
            tools = Tools(
                self.retrieval, doors, self.reranker, self.llm, budget, trace, self.graph, self.linker
            )
            attempt = await way(question, tools)
            return replace(
                attempt,
                steps=sum(span.stage == "step" for span in trace.spans),
                calls=budget.spent.calls,
                prompt_tokens=budget.spent.prompt_tokens,
                completion_tokens=budget.spent.completion_tokens,
                retrievals=sum(span.stage == "retrieve" for span in trace.spans),
                seconds=round(time.perf_counter() - began, 3),
            )

        return Arm(answer, retrieves)
