"""The keyboard: key sequences such as N S, axis keys held in a drag, and which keys act while a dialog is open."""

from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.bindings import AXES, keys_of
from hitscope.viewer.panels.dialogs import Help
from hitscope.viewer.picture import appearance


def press(app: App, keys: str) -> None:
    """Run the command of a key such as "Ctrl+S"; a drag under way may take the key first."""
    if app.drag is not None and app.drag.key_down(app, keys):
        return
    if keys in AXES:
        app.prefix = ""
        app.hold_axis(AXES[keys])
        return
    table = {key.keys: key.command for key in keys_of(app.settings.bindings)}
    command = table.get(keys)
    if app.drag is not None or app.asks:
        closes_help = command is appearance.toggle_help and isinstance(app.dialog, Help)
        if command is not None and (command is commands.peel or closes_help):
            command(app)
        return
    app.message = ""
    if command is commands.peel:
        command(app)
        return
    command = table.get(f"{app.prefix} {keys}", command)
    app.prefix = ""
    if command is not None:
        command(app)
    elif any(others.startswith(f"{keys} ") for others in table):
        app.prefix, app.tool = keys, None


def release(app: App, keys: str) -> None:
    """End what a pressed key does: an axis, or what the drag uses it for."""
    if app.drag is not None:
        app.drag.key_up(app, keys)
    if keys in AXES and app.axis == AXES[keys]:
        app.hold_axis(None)


def continuations(app: App) -> list[tuple[str, str]]:
    """The keys that can follow the first key of a sequence, each with what it does."""
    first = f"{app.prefix} "
    keys = [key for key in keys_of(app.settings.bindings) if key.keys.startswith(first)]
    return [(key.keys.removeprefix(first), key.description) for key in keys]
