"""The question as clinical concepts (methods.md 1.2): a step for a model, with its rule.

schema         what a model writes: Draft; what comes out: Rewriting
asking         read the vocabulary, run the step, say what nothing knows
rule           the deterministic twin: spelling -> lexicons -> choice of concepts -> PICO, intent, date
vocabulary     how often the words occur in the corpus, and what is spelled like them
"""

from reasoning.rewriting.asking import Rewritten, rewrite
from reasoning.rewriting.schema import Concept, DateLimit, Draft, Pico, Rewriting
from reasoning.rewriting.step import REWRITE
from reasoning.rewriting.vocabulary import RewriteInputs, Vocabulary, Words

__all__ = [
    "REWRITE",
    "Concept",
    "DateLimit",
    "Draft",
    "Pico",
    "RewriteInputs",
    "Rewriting",
    "Rewritten",
    "Vocabulary",
    "Words",
    "rewrite",
]
