"""CoMeta: live PubMed, strict to loose, fused with vectors, at the right depth (methods.md 1).

`method` reads top-down like the paper's figure; each of its steps is a module here.
"""

from reasoning.methods.cometa.method import answer_with
from reasoning.methods.cometa.presets import FAITHFUL, LITERATURE, PRODUCT, Preset

__all__ = ["FAITHFUL", "LITERATURE", "PRODUCT", "Preset", "answer_with"]
