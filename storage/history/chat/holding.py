"""What a legal hold covers: a whole workspace, or one conversation of it, until it is lifted."""

from __future__ import annotations


def held(row: str) -> str:
    """A condition in SQL, of a row by its alias, which has a workspace and a conversation."""
    return f"""EXISTS (SELECT FROM holds h WHERE h.lifted_at IS NULL AND h.workspace_id = {row}.workspace_id
  AND (h.conversation_id IS NULL OR h.conversation_id = {row}.conversation_id))"""
