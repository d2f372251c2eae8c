"""Questions of the queue: answered, abstained from, or apologised for; every one gets its end."""

from bot.worker.answering import MOST_ATTEMPTS, Answering

__all__ = ["MOST_ATTEMPTS", "Answering"]
