"""The user's own keys: a validated override of the table of bindings."""

import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TypeAlias

from hitscope.errors import Fault, Path, quoted

Wanted: TypeAlias = Mapping[str, str | Sequence[str]]
"""The user's keys by command name: one way to press it, or several; an empty list removes its keys."""
Table: TypeAlias = Mapping[str, tuple[str, ...]]
"""The ways to press each command, by its name, such as "Ctrl+S" or, one after the other, "N S"."""

MODIFIERS = ("Ctrl", "Alt", "Shift")
"""In the order in which the table writes them."""
NAMED_KEYS = (
    *("Escape", "Tab", "Space", "Enter", "Backspace", "Insert", "Delete", "Home", "End", "PageUp", "PageDown"),
    *("Left", "Right", "Up", "Down", "Plus", *(f"F{n}" for n in range(1, 13))),
)
KEY_NAMES = frozenset([*NAMED_KEYS, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *"[],.;'/\\`-=?"])
_SPELLINGS = {name.casefold(): name for name in (*KEY_NAMES, *MODIFIERS)} | {
    "esc": "Escape",
    **dict.fromkeys(("cmd", "command", "⌘"), "Ctrl"),
}
EXPECTED_KEYS = 'keys such as "F", "Ctrl+Shift+S" or, one after the other, "N S"'


def rebind(
    table: Table, wanted: Wanted, reserved: Iterable[str] = (), overriding: Container[str] = ()
) -> tuple[Table, list[Fault]]:
    """The table with the user's keys, and the mistakes in those, each with its path.

    `table` has no clashes itself; no command may have a `reserved` key, which is held during drags. A command with
    a mistake keeps the keys of the table, also where it wants the keys of a command that is not rebound. Of the
    commands with these names, `overriding` ones may have the keys of others.
    """
    given: dict[str, tuple[str, ...]] = {}
    faults = []
    for name, ways in wanted.items():
        try:
            if name not in table:
                raise Fault.unknown((name,), "the name of a command", table, name, at_key=True)
            given[name] = _ways(name, ways, frozenset(reserved))
        except Fault as fault:
            faults.append(fault)
    while clash := _clash(rebound := {**table, **given}, given, overriding):
        name, found = clash
        del given[name]
        faults.append(Fault((name,), "keys that are no other command's", found))
    return rebound, faults


def spelt(keys: str) -> str | None:
    """Keys in the spelling of the table, "Ctrl+Shift+S" for "shift+ctrl+s"; None where there is no such key."""
    presses = []
    for press in keys.split():
        *modifiers, key = (_SPELLINGS.get(part.casefold(), "") for part in press.split("+"))
        if key not in KEY_NAMES or len(set(modifiers)) < len(modifiers) or not set(modifiers).issubset(MODIFIERS):
            return None
        presses.append("+".join([*sorted(modifiers, key=MODIFIERS.index), key]))
    return " ".join(presses) or None


def display_keys(keys: str) -> str:
    """The text of keys for the user, with Esc for Escape and on macOS ⌘ for Ctrl."""
    return keys.replace("Escape", "Esc").replace("Ctrl", "⌘" if sys.platform == "darwin" else "Ctrl")


def _ways(name: str, ways: str | Sequence[str], reserved: frozenset[str]) -> tuple[str, ...]:
    """The user's keys of one command in the spelling of the table; raises Fault."""
    single = isinstance(ways, str)
    found = []
    for i, keys in enumerate([ways] if isinstance(ways, str) else ways):
        path: Path = (name,) if single else (name, i)
        written = spelt(keys)
        if written is None or written.count(" ") > 1:
            raise Fault(path, EXPECTED_KEYS, quoted(keys))
        if not reserved.isdisjoint(written.split()):
            raise Fault(path, "keys without a meaning of their own", f"{quoted(keys)}, held during a drag")
        found.append(written)
    return tuple(dict.fromkeys(found))


def _clash(table: Table, given: Iterable[str], overriding: Container[str]) -> tuple[str, str] | None:
    """The last given command with keys of another one, and those keys with the other's name; None without one."""
    for name in reversed(tuple(given)):
        for keys in table[name]:
            for other, others in ((other, others) for other, ways in table.items() for others in ways):
                if (name in overriding) != (other in overriding):
                    continue
                if others == keys and other != name:
                    return name, f"{quoted(keys)}, the keys of {quoted(other)}"
                if others.startswith(f"{keys} ") or keys.startswith(f"{others} "):
                    return name, f"{quoted(keys)}, which conflict with {quoted(others)} of {quoted(other)}"
    return None
