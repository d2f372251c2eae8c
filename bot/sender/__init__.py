"""What waits in the outbox goes out: any number of senders for a platform, each part once and in order.

A platform gives a Door.
"""

from bot.sender.door import Door, Later, Refused
from bot.sender.sending import send_all

__all__ = ["Door", "Later", "Refused", "send_all"]
