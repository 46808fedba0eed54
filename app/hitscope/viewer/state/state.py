"""The state of one window, composed of its parts, and the commands and panels' actions that change it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Concatenate, NamedTuple, ParamSpec, TypeAlias

from hitscope.errors import HitscopeError
from hitscope.viewer.state.dialogs import Dialogs
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.host import Host
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.messages import Messages
from hitscope.viewer.state.rebinding import display_keys
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.settings import Limits, Settings
from hitscope.viewer.state.tool import Tool

P = ParamSpec("P")


class Do:
    """Actions on the state that wait for the end of the frame, which only reads it.

    Written by the panels, as `do(action, *arguments)`; emptied by the user interface after each frame.
    """

    def __init__(self) -> None:
        self._actions: list[Callable[[State], object]] = []

    def __call__(
        self, action: Callable[Concatenate["State", P], object], *given: P.args, **options: P.kwargs
    ) -> None:
        self._actions.append(lambda state: action(state, *given, **options))

    def run(self, state: "State") -> bool:
        """Call the queued actions in their order; True if there were any."""
        actions, self._actions = self._actions, []
        for action in actions:
            action(state)
        return bool(actions)


IsPossible: TypeAlias = Callable[["State"], bool]


def always(_: "State") -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """An action that the user runs by a key, a menu, a button or the search; declared by `command`."""

    name: str
    """Its name in the settings file; it never changes."""
    label: str
    run: Callable[["State"], object]
    keys: tuple[str, ...]
    """The ways to press it, such as "Ctrl+S" or, one after the other, "N S"."""
    synonyms: str
    """Further words by which people search it."""
    is_possible: IsPossible
    """Whether it would do something in a state now; menus grey it out where it would not."""
    is_on: IsPossible | None
    """Whether what it switches is on in a state now; menus tick it then."""
    tooltip: str
    """The sentence that says what it does."""
    section: str
    """Its heading within the menu of the group."""
    group: str = ""
    """Its heading in the menu and the help."""
    overrides: bool = False
    """Whether its keys act only while it is possible, and then in place of another command's."""

    def __call__(self, state: "State") -> None:
        """Run it; the message of the HitscopeError that it raises where it cannot do anything is a notice."""
        try:
            self.run(state)
        except HitscopeError as error:
            state.messages.notice = error.message


def command(
    name: str,
    label: str,
    *,
    keys: str | tuple[str, ...] = (),
    synonyms: str = "",
    is_possible: IsPossible = always,
    is_on: IsPossible | None = None,
    section: str = "",
) -> Callable[[Callable[["State"], object]], Command]:
    """Declare an action as a command; its tooltip is the first line of its docstring."""

    def declare(run: Callable[[State], object]) -> Command:
        ways = tuple(filter(None, [keys])) if isinstance(keys, str) else keys
        tooltip = ((run.func if isinstance(run, partial) else run).__doc__ or "").partition("\n")[0]
        return Command(name, label, run, ways, synonyms, is_possible, is_on, tooltip, section)

    return declare


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
        return self._by_name[name]

    def pressed(self, *names: str) -> str:
        """The keys of commands side by side, such as "W E R" or "N S R"; a command without keys is left out."""
        found = (self._by_name[name] for name in names if name in self._by_name)
        keys = [display_keys(command.keys[0]) for command in found if command.keys]
        begin = {others.partition(" ")[0] for others in keys}
        if len(keys) > 1 and len(begin) == 1 and all(" " in others for others in keys):
            return " ".join([*begin, *(others.partition(" ")[2] for others in keys)])
        return (", " if any(" " in others for others in keys) else " ").join(keys)

    def phrase(self, name: str, words: str, before: str = "") -> str:
        """The keys of a command and what they do, such as "Ctrl+Z undoes it"; empty where it has no keys."""
        keys = self.pressed(name)
        return f"{before}{keys} {words}" if keys else ""

    def hint(self, name: str) -> str:
        """The tooltip of a command's button: its label with its keys, and what it does."""
        command, keys = self[name], self.pressed(name)
        words = f"{command.label} ({keys})" if keys else command.label
        return words if command.tooltip == f"{command.label}." else f"{words}\n{command.tooltip}"

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
    do: Do
