"""Expectations, their changes and their mismatches, and the conditions of a lesson, as short texts."""

from collections.abc import Mapping

from msgspec import UNSET

from hitscope.evaluate import expectations, verdict_words
from hitscope.numerals import SHORT, answer, digits_apart, typeset, typeset_name
from hitscope.scene.model import Condition, Expectation

LISTED_NAMES = 3
"""The number of names of a list that are written out; the rest is counted."""
OF, ALL = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ", "all"
"""The sign between probe and primitive, and the word in place of the primitive for all primitives."""
BECOMES = "\N{RIGHTWARDS ARROW}"


def subject(expectation: Expectation) -> str:
    return f"{expectation.probe}{OF}{expectation.primitive or ALL}"


def summary(expectation: Expectation) -> str:
    """The expected answers in a few words, after the name of the method if the expectation has one."""
    by = f"{expectation.method_name}: " if expectation.method else ""
    if expectation.primitive is UNSET:
        return f"{by}hits {_listed(expectation.hits or ())}"
    answers = ((name, getattr(expectation, name)) for name in expectation.answers)
    return by + ", ".join(_answer(name, value) for name, value in answers if value is not UNSET)


def change(old: Expectation, new: Expectation) -> str:
    """The change of an expectation by accepting, as text: each answer that differs, before and after."""
    if new.primitive is UNSET:
        return f"{summary(old)} {BECOMES} {_listed(new.hits or ())}"
    answers = ((name, getattr(old, name), getattr(new, name)) for name in new.answers)
    return ", ".join(_apart(name, was, now) for name, was, now in answers if was != now)


def mismatch(failed: expectations.Mismatch) -> str:
    """The message of `check` for a mismatch in plain words, with long names cut in the middle."""
    probe, primitive = verdict_words.shortened(failed.probe), verdict_words.shortened(failed.primitive or "")
    return failed.sentence.format(probe=probe, primitive=primitive, answer=failed.answer.replace("_", " "))


def tally(holding: int, failing: int, uncompared: Mapping[expectations.Kind, int], *, changed: bool) -> str:
    """The number of checks that hold, differ and are not compared; `changed` if the scene is not the saved one."""
    number = holding + failing + sum(uncompared.values())
    if not number:
        return "No checks"
    rest = "".join(f", {count:,} {kind}" for kind, count in uncompared.items())
    if failing:
        verb = "fail" if not changed else f"{'differs' if failing == 1 else 'differ'} from the saved test"
        return f"{failing:,} of {number:,} checks {verb}{rest}"
    return f"{holding:,} {'check holds' if holding == 1 else 'checks hold'}{rest}"


def condition(asked: Condition, part: str) -> str:
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
            lowest, highest = map(typeset, asked.t_enter_between)
            range_words = lowest if lowest == highest else f"between {lowest} and {highest}"
            return f"{asked.probe} enters {asked.primitive} at t {range_words}"
        case "decided_by":
            return f"{pair}: decided by {typeset_name(str(asked.decided_by))}"
        case "method":
            choice = asked.method
            if not isinstance(choice, dict):
                return f"{pair}: {choice} decides"
            given = ", ".join(f"{name} {_argument(value)}" for name, value in choice.items() if name != "name")
            return f"{pair}: {choice['name']} decides, with {given}"
    raise AssertionError(f"unknown part of a condition: {part}")


def _apart(name: str, was: object, now: object) -> str:
    """An answer before and after, its numbers with as many digits as it takes to tell them apart."""
    match was, now:
        case (float(), float()):
            digits = digits_apart([was], [now])
        case (tuple(), tuple()):
            digits = digits_apart(was, now)
        case _:
            digits = SHORT
    after = "none" if now is None else _answer("", now, digits).lstrip()
    return f"{_answer(name, was, digits)} {BECOMES} {after}"


def _answer(name: str, value: object, digits: int = SHORT) -> str:
    name = name.replace("_", " ")
    match value:
        case bool():
            return verdict_words.hit_or_miss(value)
        case None:
            return f"no {name}"
        case float() | tuple():
            return f"{name} {answer(value, lambda number: typeset(number, digits))}"
    return str(value)


def _listed(names: tuple[str, ...]) -> str:
    if not names:
        return "nothing"
    rest = f" and {len(names) - LISTED_NAMES:,} more" if len(names) > LISTED_NAMES else ""
    return ", ".join(names[:LISTED_NAMES]) + rest


def _argument(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else typeset(float(str(value)))
