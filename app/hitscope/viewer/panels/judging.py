"""What a scene expects, made to agree with what is found: edits, each one entry of the history."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import UNSET

from hitscope.draw.target import Target
from hitscope.evaluate import Mismatch
from hitscope.evaluate.accepting import accepted, expected_of
from hitscope.scene.expecting import expect, replace_expectations
from hitscope.scene.model import Expectation
from hitscope.scene.named import split
from hitscope.viewer.panels.text import number

if TYPE_CHECKING:
    from hitscope.viewer.app import App

FEW = 3
"""So many names of a list are told one by one."""
LONG = 24
"""Longer names are cut to about so many characters where others are told with them."""
OF, ALL = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} ", "all"
"""Between a probe and the primitive that it is expected to hit or miss, and in the place of no certain one."""
BECOMES = "\N{RIGHTWARDS ARROW}"


def expect_found(app: "App", pair: tuple[int, int]) -> None:
    """Expect of a pair what is found now, in the place of what was expected of it before."""
    found = app.report.verdict(*pair)
    scene = expect(app.document.scene, expected_of(found))
    app.edit(scene, f"expect {'a hit' if found.hit else 'a miss'} of {found.probe} on {found.primitive}")


def accept(app: "App") -> None:
    """Rewrite the expectations that fail to what is found."""
    changed = accepted(app.report)
    count = f"{len(changed):,} expectation{'s' if len(changed) > 1 else ''}"
    app.edit(replace_expectations(app.document.scene, changed), f"accept {count}")


def remove(app: "App", place: int) -> None:
    """Expect this no longer."""
    expectation = app.scene.expect[place]
    without = replace_expectations(app.document.scene, {place: None})
    app.edit(without, f"remove what is expected of {expectation.probe}")


def look_at(app: "App", probe: str, primitive: str | None) -> None:
    """Select a pair; of a bulk item, or of many primitives, as much of it as there is to select."""
    beside = Target("primitive", primitive) if primitive is not None else None
    target = Target("probe", split(probe)[0])
    app.select(target if app.exists(target) else None, beside=beside if app.exists(beside) else None)


def subject(expectation: Expectation) -> str:
    """Say of what something is expected."""
    return f"{expectation.probe}{OF}{expectation.primitive or ALL}"


def brief(expectation: Expectation) -> str:
    """Say in a few words what is expected."""
    method = expectation.method
    by = "" if method is UNSET else f"{method if isinstance(method, str) else method['name']}: "
    if expectation.primitive is UNSET:
        return f"{by}hits {_listed(expectation.hits or ())}"
    given = {name: getattr(expectation, name) for name in expectation.answers}
    told = [_said(name, value) for name, value in given.items() if value is not UNSET]
    return by + ", ".join(told)


def changes(old: Expectation, new: Expectation | None) -> str:
    """Say what becomes of an expectation that is accepted: each answer as it was, and as it will be."""
    if new is None:
        return f"{brief(old)} {BECOMES} removed: the probe is disabled, and nothing is found"
    if new.primitive is UNSET:
        return f"{brief(old)} {BECOMES} {_listed(new.hits or ())}"
    before = {name: getattr(old, name) for name in old.answers}
    after: Mapping[str, object] = {name: getattr(new, name) for name in new.answers}
    return ", ".join(
        f"{_said(name, before[name])} {BECOMES} {_alone(name, value)}"
        for name, value in after.items()
        if value != before[name]
    )


def _alone(name: str, value: object) -> str:
    """Say what an answer is where it is clear of what."""
    return "none" if value is None else _said(name, value).removeprefix(f"{name} ")


def told(mismatch: Mismatch) -> str:
    """Say what fails, in the words of `check`, but long names cut in the middle and null as none."""
    words = re.sub(
        r"^expected (\w+) null ", r"expected no \1 ", re.sub(r", found null$", ", found none", mismatch.words)
    )
    for name in sorted(filter(None, (mismatch.probe, mismatch.primitive)), key=len, reverse=True):
        if len(name) > LONG:
            words = words.replace(name, f"{name[: LONG // 2]}…{name[-LONG // 2 :]}")
    return words


def _said(name: str, value: object) -> str:
    match value:
        case bool():
            return "hit" if value else "miss"
        case None:
            return f"no {name}"
        case float():
            return f"{name} {number(value)}"
        case tuple():
            return f"{name} ({', '.join(number(part, 4) for part in value)})"
    return str(value)


def _listed(names: tuple[str, ...]) -> str:
    if not names:
        return "nothing"
    rest = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + rest
