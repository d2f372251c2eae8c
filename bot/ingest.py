"""Files and folders into the corpus, with a report of what was refused and why."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reasoning.encoders import Encoder
from reasoning.retrieval.indexing import IndexReport, index_articles
from reasoning.retrieval.reading import Rejected, read_documents
from reasoning.retrieval.reading.errors import ReadingError
from storage.corpus import Corpus
from storage.documents import Article


@dataclass(slots=True)
class Intake:
    """A stream of articles from files; collects what was refused, and never stops at a bad file."""

    paths: Sequence[Path]
    rejected: list[Rejected] = field(default_factory=list)
    files: int = 0

    def __iter__(self) -> Iterator[Article]:
        for path in self.paths:
            self.files += 1
            try:
                for document in read_documents(path):
                    if isinstance(document, Rejected):
                        self.rejected.append(document)
                    else:
                        yield document
            except (ReadingError, OSError) as error:
                self.rejected.append(Rejected(str(path), f"{error} {getattr(error, 'remedy', '')}".strip()))


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Files as named, and below folders all that are not hidden or in a hidden folder, in a fixed order.

    Raises FileNotFoundError for a path that is not there, or is a pipe or a device, which has no end.
    """
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += [
                file
                for file in sorted(path.rglob("*"))
                if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts)
            ]
        elif path.is_file():
            files.append(path)
        else:
            raise FileNotFoundError(f"There is no file or folder {path}.")
    return list(dict.fromkeys(files))


async def load_files(
    intake: Intake, corpus: Corpus, encoder: Encoder, *, refresh: bool = False
) -> AsyncIterator[IndexReport]:
    """Load all, yielding the running report after each batch; each batch is committed by itself."""
    report = IndexReport()
    async for report in index_articles(intake, corpus, encoder, refresh=refresh):
        yield report
    if report.stored:
        await corpus.optimise()
