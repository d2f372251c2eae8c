"""What the steps of one question have come to, for the roles after them and for the report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reasoning.evidence import Evidence, Findings, Gate, Question, Retrieved, Tools
from reasoning.exams.choosing import ChoiceInputs, probe_texts
from reasoning.exams.stems import enough_of
from reasoning.grounding.passages import GivenPassage
from reasoning.methods.sema_rag.interpreting import Interpreted
from reasoning.methods.sema_rag.pool import Pool
from reasoning.methods.sema_rag.presets import Preset
from reasoning.methods.sema_rag.rounds import Round
from reasoning.types import Remark
from reasoning.verify.likeness import cosines

if TYPE_CHECKING:
    from reasoning.encoders.interface import Vectors


@dataclass(slots=True)
class Course:
    """`first` is the retrieval of the first query, whose vector stands for the question."""

    question: Question
    preset: Preset
    tools: Tools
    interpreted: Interpreted
    pool: Pool
    rounds: list[Round] = field(default_factory=list)
    stop: str = ""
    first: Retrieved = field(default_factory=Retrieved)
    retracted: set[str] = field(default_factory=set)
    warnings: list[Remark] = field(default_factory=list)
    degraded: list[Remark] = field(default_factory=list)
    esearch_calls: int = 0
    live: bool = False
    _vectors: dict[str, Vectors] = field(default_factory=dict, repr=False)

    @property
    def asked(self) -> list[str]:
        """Every query so far, in order."""
        return [query.text for one in self.rounds for query in one.queries]

    def lack(self, remarks: tuple[Remark, ...]) -> None:
        """Parts that were not available, each once."""
        self.degraded += [remark for remark in remarks if remark not in self.degraded]

    async def weigh(self, passages: tuple[GivenPassage, ...]) -> ChoiceInputs | None:
        """What the choice is made of: sentences and options compared. None where the encoder failed."""
        stem, options = self.interpreted.question_en, self.question.options
        texts = probe_texts(stem, options)
        said = [sentence.text for given in passages for sentence in given.sentences]
        sources = list(dict.fromkeys([*said, *(option.text for option in options)]))
        likeness = await self.compare(texts, sources)
        if likeness is None:
            return None
        language = self.question.language
        return ChoiceInputs(stem, language, options, passages, likeness, original=self.question.text)

    async def compare(self, texts: list[str], sources: list[str]) -> dict[tuple[str, str], float] | None:
        """Cosines by the encoder; a text that was encoded in an earlier round is not encoded again."""
        import numpy as np

        unknown = [text for text in dict.fromkeys([*texts, *sources]) if text not in self._vectors]
        if unknown:
            vectors = await self.tools.retrieval.encode(unknown)
            if vectors is None:
                return None
            self._vectors |= dict(zip(unknown, vectors, strict=True))
        if not texts or not sources:
            return {}
        rows = np.stack([self._vectors[text] for text in (*texts, *sources)])
        return cosines(texts, sources, rows)

    async def complete(self, evidence: list[Evidence]) -> Retrieved:
        """The evidence set with neighbours, coverage of the question, and what the gate needs."""
        asked = replace(self.question, text=self.interpreted.linear.text)
        enough = enough_of(self.interpreted.question_en)
        found = await self.tools.retrieval.narrow(
            asked, self.first, evidence, self.tools.trace, enough=enough
        )
        return replace(found, degraded=())  # told already

    def findings(self, gate: Gate, found: Retrieved) -> Findings:
        """The findings before anything is concluded."""
        return Findings(
            gate,
            evidence=found.evidence,
            searched=found.searched or self.first.searched,
            live=self.live,
            dropped_retracted=len(self.retracted | found.retracted),
            retracted_checked=found.retracted_checked,
            withdrawn=found.withdrawn,
            unknown_names=self.interpreted.unrecognised,
            esearch_calls=self.esearch_calls,
            warnings=tuple(self.warnings),
            degraded=tuple(self.degraded),
        )
