"""The commands and mouse gestures of the window, as its menus, its search, its hints and its help list them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from hitscope.viewer.state.rebinding import display_keys

Run: TypeAlias = Callable[[Any], object]
"""The function of a command: it changes the `State`, which is composed of the commands, too."""

IsPossible: TypeAlias = Callable[[Any], bool]
"""A question about a `State`."""


class Command(NamedTuple):
    """Something that the user can do by a key, a menu or the search."""

    name: str
    """Its name in the settings file; it never changes."""
    label: str
    run: Run
    keys: tuple[str, ...] = ()
    """The ways to press it, such as "Ctrl+S" or, one after the other, "N S"."""
    synonyms: str = ""
    """Further words by which people search it."""
    is_possible: IsPossible = lambda _: True
    """Whether it would do something in a `State` now; menus grey it out where it would not."""
    is_on: IsPossible | None = None
    """Whether what it switches is on in a `State` now; menus tick it then."""
    overrides: bool = False
    """Whether its keys act only while it is possible, and then in place of another command's."""
    group: str = ""
    """Its heading in the menu and the help."""
    section: str = ""
    """Its heading within the menu of the group."""


class Gesture(NamedTuple):
    """A use of the mouse or of pressed keys: when, how, and what it does; it cannot be rebound."""

    when: str
    keys: tuple[str, ...]
    description: str


class Commands:
    """All commands with the user's keys, and the gestures. Made when the window is opened."""

    def __init__(self, commands: Sequence[Command] = (), gestures: tuple[Gesture, ...] = ()) -> None:
        self.all = tuple(commands)
        self.gestures = gestures
        self._by_name = {command.name: command for command in commands}

    def __getitem__(self, name: str) -> Command:
        """Return the command of a name."""
        return self._by_name[name]

    def pressed(self, *names: str) -> str:
        """The keys of commands side by side, such as "W E R" or "N S R"; a command without keys is left out."""
        found = (self._by_name[name] for name in names if name in self._by_name)
        keys = [display_keys(command.keys[0]) for command in found if command.keys]
        begin = {others.partition(" ")[0] for others in keys}
        if len(keys) > 1 and len(begin) == 1 and all(" " in others for others in keys):
            return " ".join([*begin, *(others.partition(" ")[2] for others in keys)])
        return (", " if any(" " in others for others in keys) else " ").join(keys)

    def continuations(self, first: str) -> list[tuple[str, str]]:
        """The keys that can follow the first key of a sequence, each with the label of its command."""
        prefix = f"{first} "
        found = ((keys, command.label) for command in self.all for keys in command.keys if keys.startswith(prefix))
        return [(keys.removeprefix(prefix), label) for keys, label in found]

    def matching(self, typed: str) -> list[Command]:
        """The commands with all the typed words, each the beginning of a word; those of the label come first."""
        wanted = typed.casefold().split()

        def misses(words: str) -> int:
            known = words.casefold().replace(",", " ").replace(";", " ").split()
            return sum(not any(word.startswith(part) for word in known) for part in wanted)

        found = [(misses(c.label), c) for c in self.all if not misses(f"{c.label} {c.group} {c.synonyms}")]
        return [command for _, command in sorted(found, key=lambda entry: entry[0])]
