"""The user's own keys: a checked override of the table of bindings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from hitscope.errors import Fault, Path, quoted

Wanted: TypeAlias = Mapping[str, str | Sequence[str]]
"""Of some commands, by name, the keys or the several ways to press it; an empty list takes its keys away."""

MODIFIERS = ("Ctrl", "Alt", "Shift")
"""In the order in which the table writes them."""
NAMED_KEYS = (
    *("Escape", "Tab", "Space", "Enter", "Backspace", "Insert", "Delete", "Home", "End", "PageUp", "PageDown"),
    *("Left", "Right", "Up", "Down", *(f"F{n}" for n in range(1, 13))),
)
KEY_NAMES = frozenset([*NAMED_KEYS, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *"[],.;'/\\`-=?"])
_SPELLINGS = {name.casefold(): name for name in (*KEY_NAMES, *MODIFIERS)} | {"esc": "Escape"}
EXPECTED_KEYS = 'keys such as "F", "Ctrl+Shift+S" or, one after the other, "N S"'


class Binding(NamedTuple):
    """A way to press a command: `keys` as in "Ctrl+S" or "N S"; a command may have several."""

    name: str
    keys: str
    says: str


def rebind(
    table: Sequence[Binding], wanted: Wanted, held: Iterable[str] = ()
) -> tuple[tuple[Binding, ...], list[Fault]]:
    """Give the table with the keys that the user wants, and what is wrong with those, by their place.

    `table` has no clashes itself; keys that are `held` during a drag are no command's. A command with a fault
    keeps the keys of the table; so does one that wants what another, not rebound, has.
    """
    known = dict.fromkeys(row.name for row in table)
    given: dict[str, tuple[str, ...]] = {}
    faults = []
    for name, ways in wanted.items():
        try:
            if name not in known:
                raise Fault.unknown((name,), "the name of a command", known, name, at_key=True)
            given[name] = _ways(name, ways, frozenset(held))
        except Fault as fault:
            faults.append(fault)
    while clash := _clash(rebound := _rebound(table, given), given):
        name, found = clash
        del given[name]
        faults.append(Fault((name,), "keys that are no other command's", found))
    return rebound, faults


def spelt(keys: str) -> str | None:
    """Write keys as the table does: "shift+ctrl+s" is "Ctrl+Shift+S"; None where there is no such key."""
    presses = []
    for press in keys.split():
        *modifiers, key = (_SPELLINGS.get(part.casefold(), "") for part in press.split("+"))
        if key not in KEY_NAMES or len(set(modifiers)) < len(modifiers) or not set(modifiers).issubset(MODIFIERS):
            return None
        presses.append("+".join([*sorted(modifiers, key=MODIFIERS.index), key]))
    return " ".join(presses) or None


def told(keys: str) -> str:
    """Write keys for those who are to press them: Esc is what the key says."""
    return keys.replace("Escape", "Esc")


def _ways(name: str, ways: str | Sequence[str], held: frozenset[str]) -> tuple[str, ...]:
    single = isinstance(ways, str)
    found = []
    for i, keys in enumerate([ways] if isinstance(ways, str) else ways):
        path: Path = (name,) if single else (name, i)
        written = spelt(keys)
        if written is None or written.count(" ") > 1:
            raise Fault(path, EXPECTED_KEYS, quoted(keys))
        if not held.isdisjoint(written.split()):
            raise Fault(path, "keys without a meaning of their own", f"{quoted(keys)}, held during a drag")
        found.append(written)
    return tuple(dict.fromkeys(found))


def _rebound(table: Sequence[Binding], given: Mapping[str, tuple[str, ...]]) -> tuple[Binding, ...]:
    """Put the given keys where the command stands first in the table."""
    rows: list[Binding] = []
    done = set()
    for row in table:
        if row.name not in given:
            rows.append(row)
        elif row.name not in done:
            done.add(row.name)
            rows += [row._replace(keys=keys) for keys in given[row.name]]
    return tuple(rows)


def _clash(rows: Sequence[Binding], given: Mapping[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """Give a command whose given keys are not its own, the last one given, and those keys with who has them."""
    for name in reversed(tuple(given)):
        for keys in given[name]:
            for row in rows:
                if row.keys == keys and row.name != name:
                    return name, f"{quoted(keys)}, the keys of {quoted(row.name)}"
                if row.keys.startswith(f"{keys} ") or keys.startswith(f"{row.keys} "):
                    return (
                        name,
                        f"{quoted(keys)}, which cannot be told from {quoted(row.keys)} of {quoted(row.name)}",
                    )
    return None
