"""The second press of a double click, where the first one closed what was under it."""

import math

DOUBLE_CLICK_SECONDS = 0.3
DOUBLE_CLICK_REACH = 6.0
"""In points, as Dear ImGui has them."""


class StrayPresses:
    """Finds presses that are meant for a dialog, folder or menu which the press just before has replaced."""

    def __init__(self) -> None:
        self._last: tuple[float, tuple[float, float], tuple[object, ...]] | None = None

    def is_stray(self, at: float, pixel: tuple[float, float], shown: tuple[object, ...], ratio: float) -> bool:
        """Whether a press at a time in seconds is stray; `shown` are the parts in front of the scene, or None."""
        last, self._last = self._last, (at, pixel, shown)
        if last is None or not any(last[2]) or all(a is b for a, b in zip(last[2], shown, strict=True)):
            return False
        again = at - last[0] <= DOUBLE_CLICK_SECONDS and math.dist(last[1], pixel) <= DOUBLE_CLICK_REACH * ratio
        if again:
            self._last = None
        return again
