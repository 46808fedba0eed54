"""How much of a picture is drawn while something moves, by how long pictures take here."""

import math

from hitscope.render.renderer import Reduced

SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swr")
"""What the renderers of OpenGL without a graphics card call themselves."""
SECONDS_A_SHAPE = 14e-6
"""What a shape of a full picture is taken to cost a software renderer, until one was drawn."""
SMOOTH = 0.04
"""A full picture that takes so many seconds is drawn while things move, too."""
SLOW = 0.025
"""What a reduced picture may take: the panels, and bringing all on the screen, take nearly as long again."""
EASY = SLOW / 2
"""Where it takes less, the next one is reduced less."""
CROWD = 50_000
"""With so many shapes a software renderer begins with coarser points, and twice as coarse with twice as many."""
LEVELS = Reduced(4.0), *(Reduced(points, grain=2) for points in (4.0, 8.0, 16.0, 32.0))
"""The ways to reduce a picture, from the least on."""


class Pace:
    """What the pictures of one scene take, and what follows for the next one."""

    def __init__(self, renderer: str) -> None:
        """Begin without a scene; `renderer` is what the OpenGL driver calls it."""
        self._software = renderer.lower().startswith(SOFTWARE)
        self._shapes = -1
        self._full = 0.0
        self._level = 0
        self._late = 0.0
        self._easy = False

    def begin(self, shapes: int) -> None:
        """Take up a scene of so many shapes, where it is another than before."""
        if shapes != self._shapes:
            self._shapes = shapes
            self._full = shapes * SECONDS_A_SHAPE if self._software else 0.0
            crowds = int(math.log2(max(shapes / CROWD, 1.0)))
            self._level = min(1 + crowds, len(LEVELS) - 1) if self._full > SMOOTH else 0
            self._late, self._easy = 0.0, False

    @property
    def in_motion(self) -> Reduced | None:
        """How the picture is to be reduced while things move; None for the full one."""
        return LEVELS[self._level] if self._full > SMOOTH else None

    def took(self, reduced: Reduced | None, seconds: float) -> None:
        """Learn from a picture that was drawn."""
        if reduced is None:
            self._full = seconds
            # Only after a rest: a picture that changes its look while it moves would flicker.
            self._level = max(self._level - self._easy, 0)
            self._late, self._easy = 0.0, False
            return
        self._easy = seconds < EASY
        # One that is slow by chance is made up for by the next ones.
        self._late = max(self._late + seconds / SLOW - 1, 0.0)
        if self._late >= 1:
            self._level = min(self._level + 1, len(LEVELS) - 1)
            self._late = 0.0
