"""The quality of the picture while something moves, chosen by the time that pictures take to draw."""

import math

from hitscope.render.renderer import Reduced

SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swr")
"""The beginnings of the names of software renderers."""
SECONDS_PER_SHAPE = 14e-6
"""The estimate for a full picture by a software renderer, before one is drawn."""
FULL_SECONDS = 0.04
"""The longest time of a full picture that is drawn in motion, too."""
REDUCED_SECONDS = 0.016
"""The longest time of a reduced picture; the panels and the display take nearly as long again."""
EASY_SECONDS = REDUCED_SECONDS / 2
"""The time of a reduced picture below which the next one is reduced less."""
COARSE_FROM = 50_000
"""The number of shapes from which a software renderer begins a level coarser, and so for each doubling."""
LEVELS = Reduced(4.0), *(Reduced(points, grain=2) for points in (4.0, 8.0, 16.0, 32.0))
"""The ways to reduce a picture, from least to most."""


class MotionQuality:
    """The reduction of the next picture of a scene, from the times of the ones before."""

    def __init__(self, renderer: str) -> None:
        """Begin without a scene; `renderer` is the name that the OpenGL driver reports."""
        self._software = renderer.lower().startswith(SOFTWARE)
        self._shapes = -1
        self._full = 0.0
        self._level = 0
        self._excess = 0.0
        self._was_easy = False

    def set_shapes(self, shapes: int) -> None:
        """Start afresh if the number of shapes has changed."""
        if shapes != self._shapes:
            self._shapes = shapes
            self._full = shapes * SECONDS_PER_SHAPE if self._software else 0.0
            doublings = int(math.log2(max(shapes / COARSE_FROM, 1.0)))
            self._level = min(1 + doublings, len(LEVELS) - 1) if self._full > FULL_SECONDS else 0
            self._excess, self._was_easy = 0.0, False

    @property
    def reduction(self) -> Reduced | None:
        """The reduction of a picture in motion; None for the full picture."""
        return LEVELS[self._level] if self._full > FULL_SECONDS else None

    def add_time(self, reduced: Reduced | None, seconds: float) -> None:
        """Update the quality by the drawing time of a picture."""
        if reduced is None:
            self._full = seconds
            # Only at rest: a picture whose reduction changes while it moves would flicker.
            self._level = max(self._level - self._was_easy, 0)
            self._excess, self._was_easy = 0.0, False
            return
        self._was_easy = seconds < EASY_SECONDS
        # A single slow picture is compensated by the faster ones after it.
        self._excess = max(self._excess + seconds / REDUCED_SECONDS - 1, 0.0)
        if self._excess >= 1:
            self._level = min(self._level + 1, len(LEVELS) - 1)
            self._excess = 0.0
