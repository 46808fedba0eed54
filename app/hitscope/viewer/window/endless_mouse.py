"""A mouse that moves on where the window ends."""

from collections.abc import Callable


class EndlessMouse:
    """The mouse of a window without edges: at an edge, the system's mouse is moved to the opposite one."""

    def __init__(self, move_to: Callable[[int, int], None]) -> None:
        """Begin inside the window; `move_to` moves the system's mouse to a position in the window."""
        self._move_to = move_to
        self.reset()

    def reset(self) -> None:
        """Return to the position of the system's mouse."""
        self._offset = 0.0, 0.0
        """The offset added to the system's position."""
        self._jump: tuple[tuple[float, float], tuple[float, float]] | None = None
        """The position to which the system's mouse is being moved, and the offset there."""

    def position(self, x: float, y: float, size: tuple[int, int]) -> tuple[float, float]:
        """The mouse's position when the system reports x, y in a window of this size."""
        width, height = size
        if self._jump is not None:
            (to_x, to_y), offset = self._jump
            if abs(x - to_x) < width / 2 and abs(y - to_y) < height / 2:
                self._offset, self._jump = offset, None
        elif not (0 < x < width - 1 and 0 < y < height - 1):  # the edge of a screen stops the system's mouse
            to_x, to_y = (x - 1) % (width - 2) + 1, (y - 1) % (height - 2) + 1
            self._jump = (to_x, to_y), (self._offset[0] + x - to_x, self._offset[1] + y - to_y)
            self._move_to(int(to_x), int(to_y))
        return x + self._offset[0], y + self._offset[1]
