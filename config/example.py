"""The text of `.env.example`, made from the settings: `python -m config.example > .env.example`."""

from __future__ import annotations

import sys
from itertools import groupby

from config.settings import setting_names

_HEAD = """\
# All settings of carecite, each with its default; none has to be set.
# Set them in the environment, or in a copy of this file named .env in the folder where you start carecite.
# That file may hold lines of other programs too; an unknown name that begins with CARECITE_ is refused.
"""


def render_example() -> str:
    """A paragraph a group, each setting with its meaning, commented out."""
    paragraphs = [_HEAD]
    for group, settings in groupby(setting_names(), key=lambda setting: setting.group):
        title = [f"# --- {group}"] if group else []
        lines = [f"# {each.meaning}\n#{each.name}={each.default}" for each in settings]
        paragraphs.append("\n".join((*title, *lines)) + "\n")
    return "\n".join(paragraphs)


if __name__ == "__main__":
    sys.stdout.write(render_example())
