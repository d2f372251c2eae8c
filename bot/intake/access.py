"""Who may ask. Help in danger, and what people may do with what is kept of them, is for everybody."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import SecretStr

from storage.history.chat import Message


@dataclass(frozen=True, slots=True)
class Access:
    """`ids` of people and chats; None lets everybody in."""

    ids: frozenset[str] | None = field(default=None, repr=False)

    def lets(self, message: Message) -> bool:
        """Whether the sender may ask, wherever they write, or everybody in this chat."""
        return self.ids is None or not self.ids.isdisjoint((message.sender, message.place.chat))


EVERYBODY = Access()


def read_access(allow: SecretStr | None, workspace: str) -> Access:
    """The setting `allow` of a platform for one workspace, by its platform's id: ids by commas."""
    listed = (allow.get_secret_value() if allow else "").split(",")
    ids = frozenset(one.strip() for one in listed if one.strip())
    return Access(ids) if ids and workspace not in ids else EVERYBODY
