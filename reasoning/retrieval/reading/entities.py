"""Entity references that the parser left alone: nothing is resolved from a DTD or elsewhere (F17.3)."""

from __future__ import annotations

from html.entities import html5

from lxml.etree import _Element, _Entity


def entity_text(node: _Element) -> str:
    """The character that HTML has for the name, else the reference as printed; "" for comments and such."""
    if not isinstance(node, _Entity):
        return ""
    reference = node.text or ""
    return html5.get(reference.lstrip("&"), reference)


def own_text(element: _Element) -> str:
    """The text of an element without child elements."""
    text = element.text or ""
    return text + "".join(entity_text(node) + (node.tail or "") for node in element) if len(element) else text
