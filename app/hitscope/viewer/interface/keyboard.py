"""The keyboard: key sequences such as N S, axis keys held in a drag, and which keys act while a dialog is open."""

from hitscope.viewer.interface.bindings import rebound
from hitscope.viewer.state.dialogs import Help
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import AXIS_KEYS, Tool


def press(state: State, keys: str) -> None:
    """Run the command of a key such as "Ctrl+S"; a drag under way may take the key first."""
    tool = state.tool
    if tool.drag is not None and tool.drag.key_down(keys):
        return
    if keys in AXIS_KEYS:
        tool.key_prefix = ""
        tool.set_held_axis(AXIS_KEYS[keys])
        return
    known = rebound(state.settings.bindings)
    table = known.by_keys | {
        way: override for way, override in known.overriding.items() if override.is_possible(state)
    }
    command = table.get(keys)
    name = command and command.name
    if tool.drag is not None or state.dialogs.is_open:
        closes_help = name == "help" and isinstance(state.dialogs.dialog, Help)
        if command is not None and (name == "cancel" or closes_help):
            command(state)
        return
    state.messages.notice = ""
    if command is not None and name == "cancel":
        command(state)
        return
    sequence = f"{tool.key_prefix} {keys}"
    command = table.get(sequence, command)
    tool.key_prefix = ""
    if command is not None:
        command(state)
    elif any(sequence.startswith(f"{keys} ") for sequence in table):
        tool.key_prefix, tool.armed = keys, None


def release(tool: Tool, key: str) -> None:
    """End what a held key does: the lock to an axis, or what the drag uses the key for."""
    if tool.drag is not None:
        tool.drag.key_up(key)
    if key in AXIS_KEYS and tool.held_axis == AXIS_KEYS[key]:
        tool.set_held_axis(None)
