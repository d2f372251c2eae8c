"""A follow-up completed with the talk so far (architecture 2, step 3): a step for a model, with its rule.

turns        what is known of the talk: Earlier; what comes out: Standalone
cues         the words by which people go on, correct themselves, or say thanks
concepts     what a text names, by the tables that rewriting and routing have
privacy      what a question says of its asker, and what of it another person may have
topics       what a person may carry on from the turns before
rule         the deterministic twin: courtesy, correction, ellipsis, pronoun, or a question of its own
moves        how a message goes on, one way after the other
newness      messages that name nothing: a side of the last subject, or something new
pronouns     a subject in the place of the pronoun
forms        how the completed question is put together; nothing of the message is changed
step         the step, and why a model's reply is refused
completing   run the step, and tell the trace what was carried
remembering  a question that has its answer becomes an earlier turn
"""

from reasoning.followups.completing import complete
from reasoning.followups.remembering import remember
from reasoning.followups.step import STANDALONE, Draft, Talk
from reasoning.followups.turns import Carried, Earlier, Standalone

__all__ = ["STANDALONE", "Carried", "Draft", "Earlier", "Standalone", "Talk", "complete", "remember"]
