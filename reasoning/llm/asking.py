"""One step's way to an answer of the model: requests, each unlike the last, until one is good (F23-F26)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Generic

from reasoning.llm.calling import Calls
from reasoning.llm.errors import (
    FormatRefused,
    Incomplete,
    NoAnswer,
    Nonsense,
    OptionRefused,
    PromptTooLong,
)
from reasoning.llm.prompts import Prompt
from reasoning.llm.requests import Manner, Request, fit_request
from reasoning.llm.servers import LADDER, next_rung
from reasoning.llm.step import Inputs, Reply, Step

_PLAIN = len(LADDER) - 1
_THINKING = 4  # times the room of a reply, for a model that thinks first; our choice


@dataclass(slots=True)
class Asking(Generic[Inputs, Reply]):
    """The state of one step: how it is put to the model, and which remedies have been tried."""

    calls: Calls
    step: Step[Inputs, Reply]
    prompt: Prompt
    inputs: Inputs
    _manner: Manner = field(init=False)
    _mended: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        server = self.calls.door.server
        self._manner = Manner(server.rung, self._room(_THINKING if server.thinks else 1))

    async def answer(self) -> tuple[Reply, Inputs]:
        """The checked reply, and the inputs that were sent. Raises NoAnswer."""
        while True:
            request = await asyncio.to_thread(self._fit)
            try:
                return await self.calls.answer(self.step, request), request.inputs
            except NoAnswer as error:
                changed = self._mend(error, request)
                if changed is None:
                    raise
                self._manner = changed

    def _fit(self) -> Request[Inputs]:
        door = self.calls.door
        return fit_request(self.step, self.prompt, self.inputs, self._manner, door.server, door.endpoint)

    def _room(self, times: int) -> int:
        return min(times * self.prompt.max_reply_tokens, self.calls.door.endpoint.max_reply)

    def _mend(self, error: NoAnswer, request: Request[Inputs]) -> Manner | None:
        """How to ask again after this error, or None: each remedy is tried once."""
        manner, server = self._manner, self.calls.door.server
        match error:
            case OptionRefused() if error.option not in server.left_out:
                server.left_out.add(error.option)
                return manner
            case OptionRefused() if error.option in request.options and self._first(error.option):
                return manner  # a step beside this one has learnt it meanwhile
            case FormatRefused():
                return self._climb_down(error)
            case Nonsense() if error.shapeless and not server.proven and manner.rung < _PLAIN:
                return self._climb_down(None)
            case Nonsense() if self._first("fault"):
                return replace(manner, fault=str(error))
            case PromptTooLong() if self._first("long"):
                return self._shorten(error, request)
            case Incomplete() if self._first("cut"):
                return self._make_room(error, request)
        return None

    def _first(self, remedy: str) -> bool:
        new = remedy not in self._mended
        self._mended.add(remedy)
        return new

    def _climb_down(self, error: FormatRefused | None) -> Manner | None:
        rung = next_rung(self._manner.rung, error)
        if error is None:
            self._first("fault")  # the ladder is repair enough
        return None if rung is None else replace(self._manner, rung=rung)

    def _shorten(self, error: PromptTooLong, request: Request[Inputs]) -> Manner | None:
        """To the context that the server names, else to what is clearly less than was sent, if it can be."""
        server = self.calls.door.server
        if error.context:
            server.context = min(error.context, server.context or error.context)
            return self._manner
        if self.step.fewer(request.inputs) is None:
            return None
        return replace(self._manner, limit=int(0.7 * (request.tokens + request.manner.room)))

    def _make_room(self, error: Incomplete, request: Request[Inputs]) -> Manner:
        """Another request: fewer inputs, more room, and the wish for a short reply."""
        server = self.calls.door.server
        self.inputs = self.step.fewer(request.inputs) or request.inputs
        server.thinks = server.thinks or error.thought
        rung = _PLAIN if error.blank else self._manner.rung  # a grammar that wrote blanks would do it again
        room = self._room(_THINKING if error.thought else 2)
        return replace(self._manner, rung=rung, room=room, compact=True)
