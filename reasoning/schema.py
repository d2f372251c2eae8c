"""The JSON schema of `carecite ask --json`: `python -m reasoning.schema > reasoning/answer.schema.json`.

Closed but for `report`, which is the method's own, and the spans of `trace`, which differ by step.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from reasoning.types import Answer


def answer_schema() -> dict[str, Any]:
    """What is printed: all fields are there, `trace` only with `--trace`."""
    schema = Answer.model_json_schema(mode="serialization")
    schema["required"].remove("trace")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def render_schema() -> str:
    return json.dumps(answer_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(render_schema())
