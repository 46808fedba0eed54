"""The sizes and times at which the viewer changes how it works; a test makes its own."""

import math
from dataclasses import dataclass

from hitscope.draw.element_arrays import BULK_BATCH_FROM


@dataclass(frozen=True)
class Limits:
    """Thresholds of one viewer, given when it is made."""

    patience_s: float = math.inf
    """Seconds to wait for an evaluation or a save before it goes on in the background; a window waits 0 s here."""
    background_from: int = 10_000
    """Primitives from which a changed scene is evaluated in the background, and drags in it are not autosaved."""
    bulk_batch_from: int = BULK_BATCH_FROM
    """Shapes from which a bulk item is laid out apart from other items."""
    rough_from: int = 100
    """Items from which a drag rounds their numbers only when it ends."""
    snap_targets: int = 4096
    """The most elements that a drag snaps to; of more, those near the mouse."""


LIMITS = Limits()
"""The default thresholds."""
