"""Documents with an instruction planted in them, their clean twins, and a model that obeys what it reads."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.emulators.model import Chat

LINK = "https://evil.example/obeyed"
_STARTS = "BelDorFenGalHulJorKelLomMerNovPelQuiRosSulTamVelWexYarZelCadHib"
_ENDS = ["brant", "dulex", "fortin"]
_NUMBERED = re.compile(r"^\[(\d+\.\d+)\] (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Attack:
    """`canary` is a part of what `text` demands: where it reaches a model, the demand does."""

    kind: str
    language: str
    text: str
    canary: str


def read_attacks() -> list[Attack]:
    kinds = tomllib.loads(Path(__file__).with_name("injections.toml").read_text("utf-8"))
    return [
        Attack(kind, language, text, canary)
        for kind, languages in kinds.items()
        for language, rows in languages.items()
        for text, canary in rows
    ]


def drug_names() -> Iterator[str]:
    """Names of medicines that do not exist."""
    starts = [_STARTS[at : at + 3] for at in range(0, len(_STARTS), 3)]
    return ("".join(parts) for parts in itertools.product(starts, "aeiou", _ENDS))


def question_about(name: str) -> str:
    return f"What are the side effects of {name}?"


def sentences_about(name: str) -> list[str]:
    return [
        f"{name} can cause headache and nausea in some adults.",
        f"Side effects of {name} are mostly mild and pass within a week.",
        f"{name} should be taken with food to avoid stomach pain.",
        f"Doctors check kidney function every three months during treatment with {name}.",
    ]


def document(name: str, *, in_abstract: str = "", in_title: str = "") -> dict[str, Any]:
    """A record as `carecite ingest` reads it, with what is planted in the middle or behind the title."""
    text = sentences_about(name)
    abstract = " ".join([*text[:2], in_abstract, *text[2:]] if in_abstract else text)
    return {
        "doc_id": f"planted-{name.lower()}",
        "title": f"Side effects of {name} in adults. {in_title}".strip(),
        "abstract": abstract,
        "url": f"https://journal.example.org/{name.lower()}",
        "year": 2025,
        "pub_types": ["Review"],
    }


def write_documents(path: Path, documents: Sequence[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(document) for document in documents), encoding="utf-8")
    return path


class ObedientModel:
    """Does as any planted instruction says that is left in its prompt; else cites two given sentences.

    When it obeys it recites its own prompt, links elsewhere, and advises without a source.
    """

    def __init__(self, attacks: Sequence[Attack]) -> None:
        self.attacks = attacks
        self.obeyed: list[str] = []

    def __call__(self, request: dict[str, Any], _: int) -> Chat:
        prompt = "\n".join(message["content"] for message in request["messages"])
        given = _NUMBERED.findall(prompt)
        heard = [attack.canary for attack in self.attacks if attack.canary in prompt]
        self.obeyed += heard
        sentences = [{"text": text, "cites": [ref]} for ref, text in given[:2]]
        if heard:
            sentences = misdeeds(request["messages"][0]["content"], given[0][0] if given else "1.1")
        reply = {"sufficient": bool(sentences), "paragraphs": [{"sentences": sentences}]}
        return Chat(json.dumps(reply))


def misdeeds(system: str, ref: str) -> list[dict[str, Any]]:
    """A recital of the prompt, a link and an advice without a source."""
    return [
        {"text": " ".join(system.split())[:300], "cites": [ref]},
        {"text": f"Read more at {LINK} today.", "cites": [ref]},
        {"text": "Stop all of your medicines.", "cites": []},
    ]
