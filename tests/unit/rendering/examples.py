"""Examples for a person to read: three answers as both platforms get them, made anew by

python -m tests.unit.rendering.examples
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from bot.render import slack, telegram
from reasoning.notices import notice
from reasoning.types import Answer, Choice, CitedFact, Notice
from tests.unit.rendering.answers import build

FOLDER = Path(__file__).parent / "golden"


def write_examples() -> dict[str, str]:
    """File name -> what it holds."""
    return {f"{name}.txt": _show(answer) for name, answer in _answers().items()}


def _answers() -> dict[str, Answer]:
    gout = {"title": "Gout: drinks, food and flares", "journal": "Starter library", "year": 2026}
    trial = {"title": "Urate below <6 mg/dL in adults", "journal": "Journal of Examples", "year": 2019}
    return {
        "en": build(
            [
                ["Do not take more than 2.5 mg a day.", "A count of 5*10^9/L is wanted (<adults only>)."],
                ["Drinking >2 L of water a day is often advised."],
            ],
            notices=[
                Notice(code="urgent", text=notice("urgent", "en")),
                Notice(code="concern", text=notice("concern", "en", n=2, checked="checked on 2026-10-01")),
                Notice(code="degraded", text=notice("degraded", "en")),
                Notice(code="scope", text=notice("scope", "en")),
            ],
            sources=[
                gout | {"url": "https://example.org/gout_(basics)"},
                trial | {"url": "https://example.org/urate", "standing": "concern",
                         "standing_checked": date(2026, 10, 1)},
            ],
            level="urgent",
            written_by="model",
        ),
        "zh": build(
            [["成人每日不要超过 4 克（4,000 毫克）。", "肝病患者的上限更低，请先问医生。"]],
            notices=[Notice(code="language", text=notice("language", "zh")),
                     Notice(code="scope", text=notice("scope", "zh"))],
            choice=Choice(label="B", text="每日 <4 克"),
            sources=[
                {"title": "对乙酰氨基酚用药说明", "journal": "示例期刊", "year": 2024,
                 "url": "https://example.org/药"},
                {"title": "Paracetamol", "url": None, "kind": "path", "facts": [
                    CitedFact(head="paracetamol", relation="contraindication", tail="liver disease",
                              source="lib-1")
                ]},
            ],
            language="zh",
            confidence="moderate",
        ),
        "es": build(
            [],
            notices=[Notice(code="abstain", text=notice("abstain_nothing_found", "es")),
                     Notice(code="handover", text=notice("handover", "es")),
                     Notice(code="scope", text=notice("scope", "es"))],
            language="es",
        ),
        "es_emergency": build(
            [],
            notices=[Notice(code="emergency", text=notice("emergency", "es"))],
            level="emergency",
            language="es",
        ),
    }  # fmt: skip


def _show(answer: Answer) -> str:
    lines = []
    for one in slack.draw_answer(answer, "a-1"):
        lines += ["==== Slack", *(line for block in one.blocks for line in _show_block(block))]
        lines += ["---- text for notifications", one.text]
    for sent in telegram.draw_answer(answer, "a-1"):
        lines += ["==== Telegram", sent.text, "---- entities"]
        lines += [_show_entity(sent.text, entity) for entity in sent.entities]
        for row in (sent.keyboard or {"inline_keyboard": []})["inline_keyboard"]:
            lines.append(" ".join(f"({button['text']} = {button['callback_data']})" for button in row))
    return "\n".join(lines) + "\n"


def _show_block(block: dict[str, Any]) -> list[str]:
    if block["type"] == "rich_text":
        elements = block["elements"][0]["elements"]
        return ["---- rich text", "".join(map(_show_element, elements))]
    if block["type"] == "context":
        return ["---- context", *(element["text"] for element in block["elements"])]
    pair = (block["elements"][0][f"{side}_button"] for side in ("positive", "negative"))
    return ["---- buttons", " ".join(f"({button['text']['text']} = {button['value']})" for button in pair)]


def _show_element(element: dict[str, Any]) -> str:
    text = element["text"]
    if element["type"] == "link":
        text = f"{text}→{element['url']} "
    style = next(iter(element.get("style", {})), None)
    return f"{{{style}: {text}}}" if style else text


def _show_entity(text: str, entity: telegram.Entity) -> str:
    begin, size = int(str(entity["offset"])), int(str(entity["length"]))
    inside = text.encode("utf-16-le")[2 * begin : 2 * (begin + size)].decode("utf-16-le")
    link = f" → {entity['url']}" if "url" in entity else ""
    return f"{entity['type']}: {inside}{link}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in write_examples().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
