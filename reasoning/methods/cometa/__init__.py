"""CoMeta's folder. So far its literature preset on the local corpus:

retrieve -> gate (is this evidence for the question?) -> quote (the sentences that answer it)
"""

from reasoning.methods.cometa.literature import answer_from_literature

__all__ = ["answer_from_literature"]
