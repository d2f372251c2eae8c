"""A folder laid out like the measuring data's `fulltext/`, with invented studies of our own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

_TOPICS = (
    ("Saline rinsing and nasal congestion", "saline rinsing", "nasal congestion", "usual care"),
    ("Balance training and falls", "balance training", "falls", "stretching"),
    ("Bright light and winter fatigue", "bright light", "fatigue", "dim light"),
)
_REVIEW = "What is known of rest after a sprain"


def write_fulltexts(folder: Path) -> Path:
    """Three studies and a review; every study has two questions, one answered in its abstract too."""
    home = folder / "fulltext"
    (home / "jats").mkdir(parents=True)
    articles, questions, index = [], [], []
    for number, (title, treatment, outcome, control) in enumerate(_TOPICS):
        pmcid = f"PMC99{number:05d}"
        finding = f"{treatment.capitalize()} lowered {outcome} more than {control} (p = 0.0{number + 1})."
        harm = (
            f"Headache was as common with {treatment} as with {control} (12 % vs. 11 %; p = 0.{number + 5})."
        )
        abstract = [("BACKGROUND", f"Whether {treatment} helps is not known."), ("RESULTS", finding)]
        body = _body(treatment, outcome, control, finding, harm)
        paragraphs = [{"section": label, "text": text} for label, texts in body for text in texts]
        articles.append(_article(pmcid, title, "research-article", abstract, paragraphs))
        for at, (quote, asked) in enumerate(((finding, outcome), (harm, "headache"))):
            paragraph = next(n for n, each in enumerate(paragraphs) if quote in each["text"])
            questions.append(
                {
                    "qid": f"own-{number}-{at}",
                    "pmcid": pmcid,
                    "pmid": None,
                    "question": f"What is the effect of {treatment} compared with {control} on {asked}?",
                    "evidence": [{"text": quote, "section": "Results", "paragraph": paragraph}],
                }
            )
        index.append({"pmcid": pmcid, "file": f"jats/{pmcid}.nxml", "depth": "D3_primary_fulltext"})
        (home / "jats" / f"{pmcid}.nxml").write_text(_jats(pmcid, title, "research-article", abstract, body))
    body = [("Rest", ["Rest after a sprain eases pain. Long rest weakens the joint. " * 3])]
    index.append({"pmcid": "PMC9999999", "file": "jats/PMC9999999.nxml", "depth": "D2_review_fulltext"})
    review = _jats("PMC9999999", _REVIEW, "review-article", [("", "Rest is a matter of days.")], body)
    (home / "jats" / "PMC9999999.nxml").write_text(review)
    for name, rows in (("articles", articles), ("passage_questions", questions), ("index", index)):
        (home / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def _body(treatment: str, outcome: str, control: str, finding: str, harm: str) -> list[tuple[str, list[str]]]:
    ways = ("in the morning", "at noon", "in the evening", "before meals", "after meals", "on free days")
    methods = [f"The nurse explained {treatment} {way} and wrote down the minutes it took." for way in ways]
    visits = [f"At visit {n} the diary was read and {outcome} was asked for by a form." for n in range(1, 9)]
    talk = [f"Others who studied {control} {way} wrote of small groups and short visits." for way in ways]
    return [
        ("Methods", [" ".join(methods), " ".join(visits)]),
        ("Results", [" ".join([*visits[:3], finding, *methods[:3]]), " ".join([*talk[:2], harm, *visits])]),
        ("Discussion", [" ".join(talk), " ".join([*methods[3:], *talk[:3]])]),
    ]  # fmt: skip


def _article(
    pmcid: str, title: str, kind: str, abstract: Sequence[tuple[str, str]], paragraphs: object
) -> dict[str, object]:
    parts = [{"label": label, "text": text} for label, text in abstract]
    return {
        "pmcid": pmcid,
        "title": title,
        "article_type": kind,
        "abstract": parts,
        "paragraphs": paragraphs,
    }


def _jats(
    pmcid: str,
    title: str,
    kind: str,
    abstract: Sequence[tuple[str, str]],
    body: Sequence[tuple[str, list[str]]],
) -> str:
    def section(label: str, texts: Sequence[str]) -> str:
        head = f"<title>{escape(label)}</title>" if label else ""
        return f"<sec>{head}{''.join(f'<p>{escape(text)}</p>' for text in texts)}</sec>"

    parts = "".join(section(label, [text]) for label, text in abstract)
    sections = "".join(section(label, texts) for label, texts in body)
    return (
        f'<article article-type="{kind}" xml:lang="en"><front><article-meta>'
        f'<article-id pub-id-type="pmc">{pmcid}</article-id>'
        f"<title-group><article-title>{escape(title)}</article-title></title-group>"
        f"<abstract>{parts}</abstract></article-meta></front><body>{sections}</body></article>"
    )
