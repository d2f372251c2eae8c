"""Failures to order, by method: the next `times` calls, after `after` good ones.

kinds   error      refused with `value` (a Slack error, or a Telegram description) and `status`
        status     an HTTP status with a body that is no JSON
        throttle   429 with a wait of `value` seconds
        slow       `value` seconds late, then performed
        hang       never answered, nothing performed
        drop       the connection is torn, nothing performed
        lose       performed, and the connection is torn before the reply
        garbage    200 with a body that is no JSON, nothing performed
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from aiohttp import web

from tests.emulators.chat.service import cut

KINDS = {"error", "status", "throttle", "slow", "hang", "drop", "lose", "garbage"}


@dataclass(slots=True)
class Fault:
    kind: str
    method: str = "*"
    value: str | float | None = None
    status: int = 200
    times: int | None = 1  # None: until it is healed
    after: int = 0
    where: dict[str, str] = field(default_factory=dict)  # only calls with these arguments


@dataclass(slots=True)
class Faults:
    """What is ordered and still to come; `given` counts what happened."""

    ordered: list[Fault] = field(default_factory=list)
    given: int = 0

    def order(self, fault: Fault) -> None:
        if fault.kind not in KINDS:
            raise ValueError(f"no such fault: {fault.kind}")
        self.ordered.append(fault)

    def take(self, method: str, arguments: dict[str, object]) -> Fault | None:
        """The fault of this call."""
        for fault in self.ordered:
            fits = all(str(arguments.get(name)) == value for name, value in fault.where.items())
            if fault.method not in ("*", method) or not fits:
                continue
            if fault.after > 0:
                fault.after -= 1
                continue
            if fault.times is not None:
                fault.times -= 1
                if fault.times <= 0:
                    self.ordered.remove(fault)
            self.given += 1
            return fault
        return None


async def spoil(fault: Fault, request: web.Request, closing: asyncio.Event) -> web.Response | None:
    """What comes instead of a reply, for faults that are the same on all platforms; None for the others."""
    if fault.kind == "slow":
        await asyncio.sleep(float(fault.value or 0))
    if fault.kind == "hang":
        await closing.wait()
    if fault.kind in ("hang", "drop"):
        cut(request)
        return web.Response()
    if fault.kind in ("status", "garbage"):
        return web.Response(status=fault.status, text="<html>Bad Gateway</html>", content_type="text/html")
    return None
