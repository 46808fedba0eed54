"""The queue of actions that widgets call while a frame is made."""

from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")


class Deferred(Generic[S]):
    """Actions on a state that wait for the end of the frame, which only reads the state.

    Written by the panels, as `do(action, *arguments)`; emptied by the user interface after each frame.
    """

    def __init__(self) -> None:
        self._actions: list[Callable[[S], object]] = []

    def __call__(self, action: Callable[Concatenate[S, P], object], *given: P.args, **options: P.kwargs) -> None:
        """Call an action with the state and these arguments after the frame."""
        self._actions.append(lambda state: action(state, *given, **options))

    def run(self, state: S) -> bool:
        """Call the queued actions in their order; True if there were any."""
        actions, self._actions = self._actions, []
        for action in actions:
            action(state)
        return bool(actions)
