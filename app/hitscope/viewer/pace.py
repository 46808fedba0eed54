"""How much of a picture is drawn while something moves, by how long pictures take here."""

import math

SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swr")
"""What the renderers of OpenGL without a graphics card call themselves."""
SECONDS_A_SHAPE = 14e-6
"""What a shape of a full picture is taken to cost a software renderer, until one was drawn."""
SMOOTH = 0.04
"""A full picture that takes so many seconds is drawn while things move, too."""
SLOW = 0.045
"""A reduced picture that takes longer is reduced further."""
CROWD = 50_000
"""With so many shapes a software renderer begins with coarser points, and twice as coarse with twice as many."""
FINEST, COARSEST = 4.0, 32.0
"""In a reduced picture, shapes are points when they are seen smaller than so many pixels."""


class Pace:
    """What the pictures of one scene take, and what follows for the next one."""

    def __init__(self, renderer: str) -> None:
        """Begin without a scene; `renderer` is what the OpenGL driver calls it."""
        self._software = renderer.lower().startswith(SOFTWARE)
        self._shapes = -1
        self._full = 0.0
        self._coarseness = FINEST

    def begin(self, shapes: int) -> None:
        """Take up a scene of so many shapes, where it is another than before."""
        if shapes != self._shapes:
            self._shapes = shapes
            self._full = shapes * SECONDS_A_SHAPE if self._software else 0.0
            crowd = max(shapes / CROWD, 1.0) if self._software else 1.0
            self._coarseness = min(FINEST * 2.0 ** int(math.log2(crowd)), COARSEST)

    @property
    def in_motion(self) -> float:
        """How far the picture is to be reduced while things move, for `Renderer.draw`; 0 for the full one."""
        return self._coarseness if self._full > SMOOTH else 0.0

    def took(self, reduced: float, seconds: float) -> None:
        """Learn from a picture that was drawn."""
        if reduced == 0:
            self._full = seconds
            # At the next motion a little more is tried again.
            self._coarseness = max(self._coarseness / 2, FINEST)
        elif seconds > SLOW:
            self._coarseness = min(2 * self._coarseness, COARSEST)
