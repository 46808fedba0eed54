"""Methods of the catalogue as users write them: NAME[,ARG=VALUE]."""

from typing import TYPE_CHECKING, Any

from hitscope.errors import HitscopeError, quoted
from hitscope.geometry.registry import Chosen, choose
from hitscope.scene.model import MethodChoice

if TYPE_CHECKING:
    from hitscope.targets.target import TargetSpec


def choice_of(text: str) -> dict[str, Any]:
    """Return the choice that `registry.choose` takes; raises HitscopeError for another text."""
    name, *given = text.split(",")
    choice: dict[str, Any] = {"name": name}
    for argument in given:
        key, _, value = argument.partition("=")
        try:
            number = {"true": True, "false": False}.get(value)
            choice[key] = float(value) if number is None else number
        except ValueError:
            key = ""
        if not key:
            raise HitscopeError(f"expected NAME[,ARGUMENT=VALUE], found {quoted(text)}")
    return choice


def method_text(choice: MethodChoice) -> str:
    """Return what a file names as a method of the catalogue, as the command line takes it: NAME[,ARG=VALUE].

    Raises HitscopeError for any other TARGET: all texts from files come through here, so that none of them runs.
    """
    if isinstance(choice, str):
        text = choice
    else:
        arguments = ((name, str(value).lower()) for name, value in choice.items() if name != "name")
        text = ",".join((str(choice["name"]), *(f"{name}={value}" for name, value in arguments)))
    from hitscope.targets.target import TargetText

    if TargetText.of(text).kind != "catalogue_method":
        raise HitscopeError(f"needs {text}: name it on the command line")
    return text


def method_of_target(target: "TargetSpec") -> Chosen | None:
    """Return the method of the catalogue that a target is, with its arguments; None for a user's own code."""
    kind, location, _ = target.code
    return choose(target.pair, choice_of(location)) if kind == "catalogue_method" else None
