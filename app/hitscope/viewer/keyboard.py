"""From keys to commands: sequences such as N S, axes that are held, and which keys act when."""

from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.bindings import AXES, KEYS

_BY_KEYS = {key.keys: key.command for key in KEYS}
_PREFIXES = {key.keys.partition(" ")[0] for key in KEYS if " " in key.keys}


def press(app: App, keys: str) -> None:
    """Do what a key does; it is written as in the table, e.g. "Ctrl+S"."""
    if keys in AXES:
        app.hold_axis(AXES[keys])
        return
    command = _BY_KEYS.get(keys)
    if app.drag is not None or app.asks_to_close:
        if command is commands.peel:
            command(app)
        return
    app.message = ""
    if command is commands.peel:
        command(app)
        return
    command = _BY_KEYS.get(f"{app.prefix} {keys}", command)
    app.prefix = ""
    if command is not None:
        command(app)
    elif keys in _PREFIXES:
        app.prefix, app.tool = keys, None


def release(app: App, keys: str) -> None:
    """Let a held axis go."""
    if keys in AXES and app.axis == AXES[keys]:
        app.hold_axis(None)


def continuations(prefix: str) -> list[tuple[str, str]]:
    """Give what may follow the first key of a sequence, each with what it does."""
    return [(key.keys.removeprefix(f"{prefix} "), key.says) for key in KEYS if key.keys.startswith(f"{prefix} ")]
