"""Who may open which page: the one table of routes. The application has no route but these.

`needs` is a permission of `storage.history.review.access`, whose table says which roles have it; `anybody`
is somebody who is signed in, `nobody` somebody who is not yet. What is out of reach is not found.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from storage.history.review.access import ROLES, Permission, Role

Need = Permission | Literal["anybody", "nobody"]


class Route(NamedTuple):
    """`name` is that of its handler, and the action in the audit where it is refused."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    needs: Need

    @property
    def roles(self) -> tuple[Role, ...]:
        """Empty where it takes none."""
        return () if self.needs == "anybody" or self.needs == "nobody" else ROLES[self.needs]


ROUTES = (
    Route("sign in page", "GET", "/sign-in", "nobody"),
    Route("sign in", "POST", "/sign-in", "nobody"),
    Route("sign in elsewhere", "GET", "/sign-in/oidc", "nobody"),
    Route("come back", "GET", "/sign-in/oidc/back", "nobody"),
    Route("sign out", "POST", "/sign-out", "anybody"),
    Route("start", "GET", "/", "anybody"),
    Route("list", "GET", "/cases", "read"),
    Route("search", "POST", "/search", "read"),
    Route("view", "GET", "/cases/{run_id}", "read"),
    Route("reveal", "POST", "/cases/{run_id}/reveal", "reveal"),
    Route("keep draft", "POST", "/cases/{run_id}/draft", "review"),
    Route("review", "POST", "/cases/{run_id}/review", "review"),
    Route("take", "POST", "/cases/{run_id}/take", "review"),
    Route("give back", "POST", "/cases/{run_id}/give-back", "review"),
    Route("hand over", "POST", "/cases/{run_id}/hand-over", "assign"),
)
