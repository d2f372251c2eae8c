"""The one door to every language model: `llm.run(step, inputs, budget, trace)`."""

from reasoning.llm.budget import Budget, Limits, Spent, limits_of
from reasoning.llm.gateway import Gateway
from reasoning.llm.keeping import KeptReply, ReplyCache
from reasoning.llm.step import Closed, LanguageModel, RulesOnly, Step, StepResult, TokenForm, drop_last

__all__ = [
    "Budget",
    "Closed",
    "Gateway",
    "KeptReply",
    "LanguageModel",
    "Limits",
    "ReplyCache",
    "RulesOnly",
    "Spent",
    "Step",
    "StepResult",
    "TokenForm",
    "drop_last",
    "limits_of",
]
