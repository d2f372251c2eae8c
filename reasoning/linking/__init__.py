"""From the words of a question to entities of the graphs."""

from reasoning.linking.exact import ExactLinker
from reasoning.linking.types import By, Link, Linker, RunnerUp

__all__ = ["By", "ExactLinker", "Link", "Linker", "RunnerUp"]
