"""The commands that open and explain a pair of a scene, as a shell reads them."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from hitscope.terminal import command_line

if TYPE_CHECKING:
    from hitscope.targets.target import Carried

STEPPED = ("catalogue_method", "python_function")
"""The kinds of TARGETs that can be stepped through."""
STANDARD_INPUT = "-"


class CheckedBy(NamedTuple):
    """The options of a check's command line that say which methods decide."""

    targets: Mapping[str, "Carried"] = {}
    precision: str | None = None
    options: tuple[str, ...] = ()
    """All options that go with them, as words of a command line."""

    @classmethod
    def of(cls, options: argparse.Namespace) -> "CheckedBy":
        """Take them from the options of a command line; raises HitscopeError."""
        if not options.method:
            return cls(precision=options.float)
        # A check of what the scenes name starts faster without what opens TARGETs.
        from hitscope.targets.options import carried_by, target_words

        targets = {pair: carried_by(text, pair, options) for pair, text in options.method}
        return cls(targets, options.float, tuple(target_words(options)))


BY_SCENE = CheckedBy()
"""The methods that the scene names decide."""


def pair_commands(
    path: str, probe: str, primitive: str, types: str, method: str = "", by: CheckedBy = BY_SCENE
) -> tuple[str, ...]:
    """Return the commands for a pair of types PROBE_PRIMITIVE in a scene's file, which standard input is not."""
    if path == STANDARD_INPUT:
        return ()
    from hitscope.targets.target import Carried, TargetText

    target = by.targets.get(types)
    words = [f"./{path}" if path.startswith("-") else path]
    words += _option("--probe", probe) + _option("--primitive", primitive)
    precision = ["--float", by.precision] if by.precision else []
    own = ["--method", f"{types}={target.given}", *by.options] if target and not method else []
    commands = [command_line("hitscope", "open", *words, *own)]
    deciding = Carried(method) if method else target
    if deciding is None or (TargetText.of(deciding.text).kind in STEPPED and "--batch" not in own):
        explaining = [*words, *(_option("--method", deciding.given) + precision if deciding else [])]
        commands.append(command_line("hitscope", "explain", *explaining))
    return tuple(commands)


def _option(name: str, value: str) -> list[str]:
    """An option with its value, joined where the value begins as an option does."""
    return [f"{name}={value}"] if value.startswith("-") else [name, value]
