"""The ways of finding documents that are measured.

bm25, dense   one stream of the corpus each
rrf           the two in plain reciprocal rank fusion
carecite      the two as the corpus is ranked (`carecite search`): the semantic stream of hybrid
esearch_raw   the question as it is typed, as one search of words
adapt_e       its concepts, strict to loose, until enough is found: the symbolic stream of hybrid
hybrid        what an answer is drawn from: both streams fused, with withdrawn articles left out

The last three search through the doors to the literature and count their searches. What adapt_e finds where
one article is enough follows from the same run: its levels come in order, so it is a beginning of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reasoning.evaluation.questions import GoldQuestion
from reasoning.evaluation.subjects import holds_subject, subject_of, subject_query
from reasoning.evidence import Question, Tools
from reasoning.language import detect_language
from reasoning.literature import Literature
from reasoning.llm import Budget, LanguageModel, Limits, RulesOnly
from reasoning.methods.cometa import PRODUCT, Preset
from reasoning.methods.cometa.adapting import Adapted, LevelRun
from reasoning.methods.cometa.method import find_documents
from reasoning.methods.cometa.records import Records
from reasoning.methods.cometa.reporting import Course
from reasoning.methods.cometa.symbolic import search_symbolic
from reasoning.retrieval.hybrid import HybridRetrieval
from reasoning.rewriting import Concept, Rewritten, rewrite
from reasoning.trace import Trace

LOCAL = ("bm25", "dense", "rrf", "carecite")
ARMS = (*LOCAL, "esearch_raw", "adapt_e", "hybrid")
SEARCHING = ("esearch_raw", "adapt_e")  # arms that may find nothing
REWRITING = ("adapt_e", "hybrid")  # arms in which a model may take part
_NAMED = 200  # documents that are looked at for the subject, where no arm found it
ENOUGH_AT_ONE = "n_min 1"  # variant of adapt_e


@dataclass(frozen=True, slots=True)
class Found:
    """Article keys, best first; `calls` are searches through a door, each try at PubMed one. `refused`: the
    question could not be put into English, and the person is told so."""

    arm: str
    keys: tuple[str, ...]
    calls: int = 0
    variant: str = ""
    by: str = "rule"
    refused: bool = False
    degraded: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """What every arm found for one question.

    `holds` says of each key whether its record still names the subject; None: the question has no concept.
    `absent`: nothing in the corpus names it, so that nothing could be found.
    """

    found: Sequence[Found] = ()
    holds: Mapping[str, bool] | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """What the arms work with. `offline` searches the corpus itself, else the first door is PubMed's."""

    retrieval: HybridRetrieval
    doors: Callable[[Question], Sequence[Literature]]
    llm: LanguageModel
    limits: Limits
    offline: bool
    preset: Preset = PRODUCT

    async def ask(self, gold: GoldQuestion, arms: Sequence[str]) -> Answered:
        """One question in every way. The subject is what the rule reads in it, whoever rewrites it."""
        question = Question(gold.text, language=detect_language(gold.text), offline=self.offline)
        ruled = await self._rewrite(question, RulesOnly(), Budget())
        doors = self.doors(question)
        found = [await self._rank(arm, question) for arm in arms if arm in LOCAL]
        if "esearch_raw" in arms:
            found.append(await self._search_raw(question, doors[0]))
        if wanted := [arm for arm in arms if arm in REWRITING]:
            found += await self._search_levels(question, ruled, doors, wanted)
        subject = subject_of(ruled.value)
        if not subject:
            return Answered(found)
        holds = await _judge(found, subject, doors)
        absent = not any(holds.values()) and not await _is_here(subject, doors[-1])
        return Answered(found, holds, absent)

    async def _rank(self, arm: str, question: Question) -> Found:
        ways: Mapping[str, Callable[[Question], Awaitable[list[str]]]] = {
            "bm25": self.retrieval.rank_lexical,
            "dense": self.retrieval.rank_dense,
            "rrf": self.retrieval.rank_plain,
        }
        if arm == "carecite":
            ranking = await self.retrieval.rank_articles(question, self.preset.stream_depth, Trace())
            return Found(arm, ranking.keys, degraded=bool(ranking.degraded))
        return Found(arm, tuple(await ways[arm](question)))

    async def _search_raw(self, question: Question, door: Literature) -> Found:
        reply = await door.search_text(question.text, self.preset.per_level)
        return Found("esearch_raw", reply.keys, max(1, reply.calls), degraded=reply.failed)

    async def _search_levels(
        self, question: Question, ruled: Rewritten, doors: Sequence[Literature], arms: Sequence[str]
    ) -> list[Found]:
        budget = Budget(self.limits)
        rewritten = await self._rewrite(question, self.llm, budget) if self.llm.available else ruled
        if not rewritten.understood:
            refused = [Found(arm, (), by=rewritten.by, refused=True) for arm in arms]
            return [
                *refused,
                *(replace(each, variant=ENOUGH_AT_ONE) for each in refused if each.arm == "adapt_e"),
            ]
        asked = replace(question, text=rewritten.question_en)
        tools = Tools(self.retrieval, doors, None, self.llm, budget, Trace())
        if "hybrid" in arms:
            course = Course(self.preset, rewritten)
            await find_documents(asked, course, tools)
            symbolic = course.streams.symbolic
            degraded = bool(course.streams.degraded or course.records.degraded)
            whole = Found(
                "hybrid", tuple(course.documents.keys), count_calls(symbolic.runs), degraded=degraded
            )
            found = [whole]
        else:
            symbolic, found = await search_symbolic(rewritten, doors, self.preset, tools.trace), []
        if "adapt_e" in arms:
            found += adapted_arms(symbolic)
        return [replace(each, by=rewritten.by) for each in found]

    async def _rewrite(self, question: Question, llm: LanguageModel, budget: Budget) -> Rewritten:
        return await rewrite(question.text, question.language, self.retrieval, llm, budget, Trace())


def adapted_arms(symbolic: Adapted) -> list[Found]:
    """The whole run, and its beginning up to the first level that found anything."""
    first = next((at for at, run in enumerate(symbolic.runs, start=1) if run.kept), len(symbolic.runs))
    degraded = bool(symbolic.degraded)
    early = symbolic.runs[:first]
    keys = tuple(early[-1].kept) if early else ()
    return [
        Found("adapt_e", tuple(symbolic.keys), count_calls(symbolic.runs), degraded=degraded),
        Found("adapt_e", keys, count_calls(early), ENOUGH_AT_ONE, degraded=degraded),
    ]


def count_calls(runs: Sequence[LevelRun]) -> int:
    """Searches; at PubMed every try is one, and the corpus counts none of its own."""
    return sum(max(1, run.reply.calls) for run in runs)


async def _judge(
    found: Sequence[Found], subject: Sequence[Concept], doors: Sequence[Literature]
) -> dict[str, bool]:
    """Whether records hold the subject: of each list down to the first that does; from the corpus first."""
    records, holds = Records(), dict[str, bool]()
    for size in (1, 5, None):
        waiting = [each.keys for each in found if not any(holds.get(key) for key in each.keys)]
        keys = [key for each in waiting for key in each[:size] if key not in holds]
        await records.gather(list(dict.fromkeys(keys)), doors[::-1], Trace())
        for key in keys:
            article = records.articles.get(key)
            holds[key] = article is not None and holds_subject(article, subject)
    return holds


async def _is_here(subject: Sequence[Concept], corpus: Literature) -> bool:
    """Whether any document of the corpus names the subject."""
    if (query := subject_query(subject)) is None:
        return False
    named = await corpus.search(query, _NAMED)
    records = await corpus.fetch(named.keys)
    return any(holds_subject(article, subject) for article in records.articles.values())
