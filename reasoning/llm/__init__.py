"""The one door to every language model: `llm.run(step, inputs, budget, trace)`."""

from reasoning.llm.budget import Budget, Limits, Spent
from reasoning.llm.step import LanguageModel, RulesOnly, Step, StepResult

__all__ = ["Budget", "LanguageModel", "Limits", "RulesOnly", "Spent", "Step", "StepResult"]
