"""What goes over the wire, and the first lines that NCBI's replies begin with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

_DTDS = "https://eutils.ncbi.nlm.nih.gov/eutils/dtd"


@dataclass(frozen=True, slots=True)
class Reply:
    body: bytes
    status: int = 200
    kind: str = "text/xml; charset=UTF-8"
    headers: Mapping[str, str] = field(default_factory=dict)


def prolog(root: str, name: str, day: str, file: str = "") -> str:
    """XML declaration and document type of the newer replies."""
    dtd = f"{_DTDS}/{day}/{file or name.split()[0]}.dtd"
    doctype = f'<!DOCTYPE {root} PUBLIC "-//NLM//DTD {name} {day}//EN" "{dtd}">'
    return f'<?xml version="1.0" encoding="UTF-8" ?>\n{doctype}\n'


ESEARCH = prolog("eSearchResult", "esearch", "20060628")
ESUMMARY = prolog("eSummaryResult", "esummary v1", "20041029", "esummary-v1")
EPOST = prolog("ePostResult", "epost", "20090526")
EINFO = prolog("eInfoResult", "einfo", "20190110")
EFETCH = prolog("eEfetchResult", "efetch", "20131226")


def xml(text: str, status: int = 200) -> Reply:
    return Reply(text.encode(), status)


def as_json(value: object, status: int = 200) -> Reply:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return Reply(text.encode(), status, "application/json; charset=UTF-8")


def error_as_json(reason: str) -> Reply:
    """ESearch's error with NCBI's fault in it: a line break in the reason stays one, which JSON forbids."""
    reply = as_json({"header": envelope("esearch"), "esearchresult": {"ERROR": reason}})
    return Reply(reply.body.replace(rb"\n", b"\n"), reply.status, reply.kind)


def tag(name: str, text: Any) -> str:
    return f"<{name}>{escape(str(text), quote=False)}</{name}>"


def envelope(kind: str) -> dict[str, str]:
    return {"type": kind, "version": "0.3"}
