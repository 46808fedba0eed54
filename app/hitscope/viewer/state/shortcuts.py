"""The keys and descriptions of commands, for hints and help, without the functions that they call."""

from typing import NamedTuple

from hitscope.viewer.state.rebinding import Binding, display_keys


class Gesture(NamedTuple):
    """A use of the mouse or of pressed keys: when, how, and what it does; it cannot be rebound."""

    when: str
    keys: tuple[str, ...]
    description: str


class Shortcuts:
    """The user's keys and gestures. Made from the table of bindings when the window is opened."""

    def __init__(self, keys: tuple[Binding, ...] = (), gestures: tuple[Gesture, ...] = ()) -> None:
        self.keys = keys
        self.gestures = gestures
        self._first = {key.name: display_keys(key.keys) for key in reversed(keys)}
        """The keys of each command as they are shown, by its name."""

    def pressed(self, *names: str) -> str:
        """The keys of commands side by side, such as "W E R" or "N S R"; a command without keys is left out."""
        keys = [self._first[name] for name in names if name in self._first]
        begin = {others.partition(" ")[0] for others in keys}
        if len(keys) > 1 and len(begin) == 1 and all(" " in others for others in keys):
            return " ".join([*begin, *(others.partition(" ")[2] for others in keys)])
        return (", " if any(" " in others for others in keys) else " ").join(keys)

    def continuations(self, first: str) -> list[tuple[str, str]]:
        """The keys that can follow the first key of a sequence, each with its description."""
        prefix = f"{first} "
        found = (key for key in self.keys if key.keys.startswith(prefix))
        return [(key.keys.removeprefix(prefix), key.description) for key in found]
