"""The conditions of a lesson's step in words."""

from hitscope.scene.model import Condition
from hitscope.viewer.panels.pair_details import with_minus_sign
from hitscope.viewer.panels.text import number


def condition_text(asked: Condition, part: str) -> str:
    """One of the `parts` of a condition, that is given, in words."""
    pair = f"{asked.probe} and {asked.primitive}"
    match part:
        case "selected":
            names = " and ".join(filter(None, (asked.probe or "", asked.primitive or "")))
            return f"{names} selected" if asked.selected else f"{names} not selected"
        case "hit":
            return f"{asked.probe} {'hits' if asked.hit else 'misses'} {asked.primitive}"
        case "state":
            return f"{pair}: {asked.state}"
        case "t_enter_between":
            assert asked.t_enter_between
            lowest, highest = map(number, asked.t_enter_between)
            range_words = lowest if lowest == highest else f"between {lowest} and {highest}"
            return f"{asked.probe} enters {asked.primitive} at t {range_words}"
        case "decided_by":
            return f"{pair}: decided by {with_minus_sign(str(asked.decided_by))}"
        case "method":
            choice = asked.method
            if not isinstance(choice, dict):
                return f"{pair}: {choice} decides"
            given = ", ".join(f"{name} {_shown(value)}" for name, value in choice.items() if name != "name")
            return f"{pair}: {choice['name']} decides, with {given}"
    raise AssertionError(f"unknown part of a condition: {part}")


def _shown(value: object) -> str:
    """The value of a method's argument."""
    return ("on" if value else "off") if isinstance(value, bool) else number(float(str(value)))
