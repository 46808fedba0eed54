"""What widgets ask for while a frame is made."""

from collections.abc import Callable


class Deferred:
    """Actions that wait for the end of the frame, which only reads the state.

    Written by the panels, as `do(action)`; emptied by the user interface after each frame.
    """

    def __init__(self) -> None:
        self._actions: list[Callable[[], object]] = []

    def __call__(self, action: Callable[[], object]) -> None:
        """Do an action after the frame."""
        self._actions.append(action)

    def run(self) -> bool:
        """Do what was asked for, in that order; True if there was something."""
        actions, self._actions = self._actions, []
        for action in actions:
            action()
        return bool(actions)
