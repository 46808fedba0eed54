"""Making the state of a viewer that opens documents."""

from collections.abc import Callable

from hitscope.draw.items import DrawList
from hitscope.viewer.actions.opening import open_next
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.interface.bindings import commands_of
from hitscope.viewer.state.dialogs import Dialogs
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.documents import DISK, DocumentList, Files
from hitscope.viewer.state.host import Host
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.messages import Introduction, Lessons, Messages, Review
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.settings import LIMITS, PLAIN, Limits, Settings
from hitscope.viewer.state.state import Do, State
from hitscope.viewer.state.tool import Tool


def open_state(
    listed: DocumentList,
    size: tuple[int, int],
    pixel_ratio: float = 1.0,
    files: Files = DISK,
    settings: Settings = PLAIN,
    limits: Limits = LIMITS,
    pack: Callable[[DrawList], None] = lambda _: None,
    bar: bool = True,
    introduces: bool = True,
    own: OwnCode | None = None,
    review: Review | None = None,
) -> State:
    """Make the state of a window of `size` pixels, and open the first listed document that can be loaded.

    What takes longer than `limits.patience_s`, with 0 s everything, goes on in the background until it is done.
    `pack` prepares a large draw list for the graphics card, in any thread. `own` are the methods of the command
    line. `bar` shows the command bar; `introduces` shows the first steps, and the buttons of an empty scene.
    """
    review = Review() if review is None else review
    review.begin(listed.documents)
    introduction = Introduction(settings.first_start_seen, introduces and not review.pairs)
    selection = Selection()
    session = Session(listed, files, selection, limits, OwnCode() if own is None else own)
    display = Display(size, pixel_ratio, settings, bar)
    display.show(session.document, session.scene.view, session.corners)
    tool, jobs = Tool(settings), Jobs(list(listed.documents), pack)
    messages = Messages(introduction, Lessons(settings.solved_lessons), review)
    commands = commands_of(settings.bindings)
    parts = session, selection, display, tool, jobs, Dialogs(), messages, Host(), settings, commands, limits, Do()
    state = State(*parts)
    open_next(state)
    refresh(state)
    return state
