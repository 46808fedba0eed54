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
    """Primitives; a changed scene with so many is evaluated in the background, and no drag in it is autosaved."""
    bulk_batch_from: int = BULK_BATCH_FROM
    """Shapes; a bulk item with so many is laid out apart from the others."""
    rough_from: int = 100
    """Items; a drag of so many rounds their numbers only when it ends."""
    snap_targets: int = 4096
    """Elements; in a scene with more, a drag snaps to so many of those near the mouse."""


LIMITS = Limits()
"""The default thresholds."""
