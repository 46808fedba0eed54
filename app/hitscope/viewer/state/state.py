"""The state of one window, composed of its parts."""

from dataclasses import dataclass
from typing import TypeAlias

from hitscope.viewer.state.commands import Commands
from hitscope.viewer.state.deferred import Deferred
from hitscope.viewer.state.dialogs import Dialogs
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.host import Host
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.limits import Limits
from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.state.tool import Tool


@dataclass(slots=True)
class State:
    """All parts; a function takes the parts that it uses, and all of them only where it uses most of them."""

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
