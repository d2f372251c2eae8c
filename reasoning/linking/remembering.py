"""Links of one question, kept while it is answered: router, method and chains ask for the same."""

from __future__ import annotations

import asyncio

from reasoning.linking.types import Link, Linker


class RememberingLinker:
    """A `Linker` that asks another one once for each text. One question, one of these."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._links: dict[tuple[str, str], tuple[Link, ...]] = {}
        self._asking = asyncio.Lock()

    async def link(self, text: str, language: str) -> tuple[Link, ...]:
        """See `Linker`; a failure is not kept."""
        key = (text, language)
        async with self._asking:
            if key not in self._links:
                self._links[key] = await self._linker.link(text, language)
        return self._links[key]
