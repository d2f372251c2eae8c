"""What an incoming message becomes, the same for every platform.

    receiver ── Incoming ─> Intake.take ── Reaction ─> receiver      (bot/slack, bot/telegram)
                                └─> the chat store: a question, a reply, or nothing

The order is fixed: danger first, then consent, then commands, then budgets. A platform gives a Look
(bot/render/look.py), which draws, and a Door (bot/sender), which sends.
"""

from bot.intake.incoming import Clicked, Commanded, Edited, Incoming, Joined, Reaction, Said
from bot.intake.intake import Intake

__all__ = ["Clicked", "Commanded", "Edited", "Incoming", "Intake", "Joined", "Reaction", "Said"]
