"""SEMA-RAG: interpret, explore until sufficient, arbitrate (methods.md 3).

method        top-down like the paper's figure; each role is a module
interpreting  the question as a schema, and linearising it as the first query
exploring     rounds of retrieval (pool, studies), judged (sufficiency, covering), followed up (following)
arbitrating   the report (adjudicating, ruling, report) and the answer from it (concluding, telling)
unaided       the arms without an arbiter or without evidence
guarding      options never enter a query
"""

from reasoning.methods.sema_rag.method import answer_with
from reasoning.methods.sema_rag.presets import FAITHFUL, PRODUCT, Preset

__all__ = ["FAITHFUL", "PRODUCT", "Preset", "answer_with"]
