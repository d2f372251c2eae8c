"""Pages from templates: everything is escaped, whoever it comes from."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bot.render.addresses import opens
from bot.review.evidence import text_of
from storage.history.review import MARKS

if TYPE_CHECKING:
    from bot.review.visits import Visit

FOLDER = Path(__file__).parent
_MARKED = re.compile(f"{MARKS[0]}([^{MARKS[0]}{MARKS[1]}]*){MARKS[1]}")
_LEFT = str.maketrans("", "", "".join(MARKS))


class Templates:
    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.filters |= {
            "marked": mark,
            "when": when,
            "words": words,
            "short": short,
            "answer_text": text_of,
        }
        self._environment.tests["opening"] = opens

    def render(self, template: str, visit: Visit | None = None, **values: Any) -> str:
        session = visit.session if visit else None
        common = {
            "visit": visit,
            "me": session.account if session else None,
            "csrf": session.csrf if session else "",
        }
        return self._environment.get_template(template).render(common | values)


def mark(text: str) -> Markup:
    """Found words, which stand between MARKS, as `<mark>`; everything else as it is."""
    marked = _MARKED.sub(r"<mark>\1</mark>", str(escape(text)))
    return Markup(marked.translate(_LEFT))


def when(moment: datetime) -> Markup:
    """In UTC, to the minute."""
    stamp = moment.strftime("%Y-%m-%d %H:%M")
    return Markup('<time datetime="{}">{} UTC</time>').format(moment.isoformat(), stamp)


def words(code: str) -> str:
    """A code as people read it."""
    return code.replace("_", " ")


def short(text: str, most: int = 400) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


_FILTERS = {"marked": mark, "when": when, "words": words, "short": short, "answer_text": text_of}
