"""Who may do what, where: roles × workspaces (issue 8, item 4).

             read  review  assign  reveal  export  figures  audit  manage
reviewer      x      x
lead          x      x       x       x       x       x
auditor                                                       x
admin         x                                      x               x

`manage` is accounts, holds, how long is kept, and erasure. The audit says who looked at what, so that
reviewers and leads never see it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from storage.errors import NotPermitted

Role = Literal["reviewer", "lead", "auditor", "admin"]
Permission = Literal["read", "review", "assign", "reveal", "export", "figures", "audit", "manage"]
Reach = frozenset[int] | None  # ids of workspaces; None: all of them, and what was asked on the command line

ROLES: dict[Permission, tuple[Role, ...]] = {  # the first one that somebody has is written into the audit
    "read": ("reviewer", "lead", "admin"),
    "review": ("lead", "reviewer"),
    "assign": ("lead",),
    "reveal": ("lead",),
    "export": ("lead",),
    "figures": ("lead", "admin"),
    "audit": ("auditor",),
    "manage": ("admin",),
}


class Grant(NamedTuple):
    role: Role
    workspace: int | None  # None: all of them


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody of the staff."""

    id: int
    name: str
    grants: tuple[Grant, ...] = ()
    login: str | None = None
    disabled: bool = False

    def may(self, permission: Permission) -> bool:
        """Somewhere."""
        return any(grant.role in ROLES[permission] for grant in self.grants)

    def reach(self, roles: Iterable[Role]) -> Reach:
        found = [grant.workspace for grant in self.grants if grant.role in roles]
        return None if None in found else frozenset(filter(None, found))


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, as the audit names them, and where they may."""

    name: str  # account:N, `operator` on the command line, `carecite` by itself
    role: str
    reach: Reach
    account: int | None = None
    request: str | None = field(default=None, repr=False)

    def sees(self, column: str) -> str:
        """The condition that keeps a statement to what this actor may see; its parameter is `reach`."""
        return "true" if self.reach is None else f"{column} = ANY(:reach)"

    @property
    def fields(self) -> dict[str, Any]:
        return {} if self.reach is None else {"reach": sorted(self.reach)}


OPERATOR = Actor("operator", "operator", None)  # has the database anyway
ITSELF = Actor("carecite", "carecite", None)


def permit(account: Account, permission: Permission, request: str | None = None) -> Actor:
    """The account as the one who does what `permission` allows. `request`: an id, for the audit.

    Raises NotPermitted, which is to be audited with `Audit.refuse`.
    """
    for role in ROLES[permission]:
        if any(grant.role == role for grant in account.grants):
            reach = account.reach(ROLES[permission])
            return Actor(f"account:{account.id}", role, reach, account.id, request)
    raise NotPermitted
