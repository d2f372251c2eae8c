"""What can go wrong between a file and its articles.

ReadingError
├── UnknownFormat
├── TruncatedFile
├── BombSuspected
├── BadRecord
│   └── BadIdentifier
└── MissingExtra
"""

from __future__ import annotations

from config.errors import BAD_USAGE, CareciteError


class ReadingError(CareciteError):
    """The document could not be read."""

    remedy = "Look at the file in an editor, and leave it out if it is not a document."
    exit_code = BAD_USAGE


class UnknownFormat(ReadingError):
    """This is no format that carecite reads."""

    remedy = (
        "Give PubMed XML (also .gz), PMC JATS (.nxml), MEDLINE (.nbib), Markdown, text, JSON Lines, "
        "PDF or HTML."
    )


class TruncatedFile(ReadingError):
    """The file breaks off or is damaged."""

    remedy = "Fetch the file again; the records before the break have been read."


class BombSuspected(ReadingError):
    """The file grows beyond all measure when it is read."""

    remedy = "Do not read this file unless you know where it comes from; unpack it and split it if you do."


class BadRecord(ReadingError):
    """A record cannot be used."""

    remedy = "Correct the record, or leave it out."


class BadIdentifier(BadRecord):
    """This is not the identifier it is said to be."""

    remedy = "Give a PMID as digits, and a PMCID with its prefix PMC."


class MissingExtra(ReadingError):
    """Reading this format needs packages that are not installed."""

    remedy = 'Run: pip install "carecite[documents]"'
