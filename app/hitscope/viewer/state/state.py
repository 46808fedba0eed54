"""The state of one window, composed of its parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec, TypeAlias, TypeVar

from hitscope.viewer.state.commands import Commands
from hitscope.viewer.state.dialogs import Dialogs
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.host import Host
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.settings import Limits, Settings
from hitscope.viewer.state.tool import Tool

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


@dataclass(slots=True)
class State:
    """All parts; actions, tools and gestures take the state, and what only reads it may take a part."""

    session: Session
    selection: Selection
    display: Display
    tool: Tool
    jobs: Jobs
    dialogs: Dialogs
    messages: Messages
    host: Host
    settings: Settings
    """The user's settings when the window was opened."""
    commands: Commands
    limits: Limits
    do: "Do"


Do: TypeAlias = Deferred[State]
"""The function by which a panel queues actions: `do(action, *arguments)`."""
