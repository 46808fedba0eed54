"""Finishing and stopping background jobs, and the action of Escape."""

from hitscope.viewer.actions import stepping
from hitscope.viewer.actions.closing import keep_open
from hitscope.viewer.actions.disk_changes import keep_mine
from hitscope.viewer.actions.opening import forget_unopened, open_next
from hitscope.viewer.actions.view import show_level
from hitscope.viewer.actions.wrong_line import stop_searching
from hitscope.viewer.state.dialogs import Conflict, Dialog, OpenFile, SaveDialog
from hitscope.viewer.state.inputs import JobKind
from hitscope.viewer.state.state import State, command


def finish_job(state: State, work: JobKind, problem: str = "") -> None:
    """Take the result of a background job, waiting for it where it is still running; see `Jobs.finish`."""
    if state.jobs.wait(work):
        state.jobs.finish(work, problem)
        if work == "opening":
            open_next(state)


def stop_jobs(state: State) -> bool:
    """Stop the background jobs at the user's wish, but finish a file; True if there were any to stop."""
    session, jobs, messages = state.session, state.jobs, state.messages
    if keep_open(state):
        return True
    if (opening := jobs.stop("opening")) is not None:
        messages.notice = f"Stopped: {opening.name}"
        jobs.to_open.clear()
        forget_unopened(state)
        session.listed.return_to(session.document)
        opening.stopped()
        return True
    if (exported := jobs.stop("exporting")) is not None:
        messages.notice = f"Stopped: {exported.name}"
        return True
    if stop_searching(state):
        return True
    if jobs.stop("preparing") is not None:
        jobs.compiles = False
        messages.notice = "Compiling stopped: large scenes stay slow until you reopen a scene"
        return True
    return False


@command("cancel", "Cancel", keys="Escape", synonyms="stop deselect close")
def cancel_topmost(state: State) -> None:
    """Cancel the topmost dialog, drag, job, tool or selection, the first of these that there is.

    In order: the dialog, the drag, the background jobs, the tool or half a key sequence, the problems shown, the
    gizmo, the panel of steps, the selection, the hierarchy.
    """
    tool, dialogs, messages, selection = state.tool, state.dialogs, state.messages, state.selection
    if dialogs.closing is not None:
        dialogs.closing = None
    elif isinstance(dialogs.dialog, Conflict):
        keep_mine(state, dialogs.dialog)
    elif dialogs.dialog is not None:
        cancel_dialog(state, dialogs.dialog)
    elif tool.cancel_drag() or stop_jobs(state):
        pass
    elif tool.key_prefix or tool.armed:
        tool.key_prefix, tool.armed = "", None
    elif messages.problem:
        messages.problem = ""
    elif tool.gizmo_mode is not None:
        tool.gizmo_mode = None
        tool.reapply_pointer()
    elif stepping.is_shown(state):
        stepping.peel(state)
    elif selection.targets:
        selection.select()
    elif state.display.viewpoint.hierarchy is not None:
        show_level(state, None)


def cancel_dialog(state: State, dialog: Dialog) -> None:
    """Close a dialog without its action, or go back from its last question."""
    if isinstance(dialog, SaveDialog) and dialog.overwrites is not None:
        dialog.overwrites = None
        return
    state.dialogs.dialog = None
    if state.jobs.saving is None:
        keep_open(state)


def follow_native_dialog(state: State, shown: bool) -> None:
    """Hand the dialog over to the operating system's, or close it when that was closed without a choice."""
    dialog = state.dialogs.dialog
    if isinstance(dialog, OpenFile | SaveDialog):
        if shown:
            dialog.native = True
        elif dialog.native:
            cancel_dialog(state, dialog)
