"""What waits in the outbox goes out: any number of senders for a platform, each part once and in order.

A platform gives a Door.
"""

from bot.sender.door import LONGEST_WAIT, Door, Later, Refused, wait_after
from bot.sender.sending import send_all

__all__ = ["LONGEST_WAIT", "Door", "Later", "Refused", "send_all", "wait_after"]
