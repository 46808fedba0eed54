"""The keyboard: key sequences such as N S, axis keys held in a drag, and which keys act while a dialog is open."""

from hitscope.viewer.actions import appearance, cancel
from hitscope.viewer.interface.bindings import AXES, keys_of
from hitscope.viewer.state.dialogs import Help
from hitscope.viewer.state.state import State


def press(state: State, keys: str) -> None:
    """Run the command of a key such as "Ctrl+S"; a drag under way may take the key first."""
    if state.tool.drag is not None and state.tool.drag.key_down(keys):
        return
    if keys in AXES:
        state.tool.key_prefix = ""
        state.tool.hold_axis(AXES[keys])
        return
    table = {key.keys: key.command for key in keys_of(state.settings.bindings)}
    command = table.get(keys)
    if state.tool.drag is not None or state.dialogs.is_open:
        closes_help = command is appearance.toggle_help and isinstance(state.dialogs.dialog, Help)
        if command is not None and (command is cancel.cancel_topmost or closes_help):
            command(state)
        return
    state.messages.notice = ""
    if command is cancel.cancel_topmost:
        command(state)
        return
    command = table.get(f"{state.tool.key_prefix} {keys}", command)
    state.tool.key_prefix = ""
    if command is not None:
        command(state)
    elif any(others.startswith(f"{keys} ") for others in table):
        state.tool.key_prefix, state.tool.armed = keys, None


def release(state: State, keys: str) -> None:
    """End what a pressed key does: an axis, or what the drag uses it for."""
    if state.tool.drag is not None:
        state.tool.drag.key_up(keys)
    if keys in AXES and state.tool.axis == AXES[keys]:
        state.tool.hold_axis(None)
