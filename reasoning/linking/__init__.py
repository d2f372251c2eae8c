"""From the words of a question to entities of the graphs.

linker       the three stages in their order
spans        stretches that may be names    equality    stage 1: equal names, synonyms, homographs
phrases      what is left                   likeness    stages 2 and 3: letters, then meaning
opposites    near misses                    drugs       look-alike names of drugs
remembering  the links of one question
"""

from reasoning.linking.linker import GraphLinker
from reasoning.linking.remembering import RememberingLinker
from reasoning.linking.types import By, Link, Linker, RunnerUp

__all__ = ["By", "GraphLinker", "Link", "Linker", "RememberingLinker", "RunnerUp"]
