"""Edits of what a scene expects, each one entry of the history, and the selection of an expectation's pair."""

from typing import TYPE_CHECKING

from hitscope.draw.target import Target
from hitscope.evaluate.accepting import accepted, expected_of
from hitscope.scene.expecting import expect, replace_expectations
from hitscope.scene.named import split

if TYPE_CHECKING:
    from hitscope.viewer.app import App


def expect_current_answer(app: "App", pair: tuple[int, int]) -> None:
    """Expect of a pair (probe index, element index) its current verdict, instead of any earlier expectation."""
    verdict = app.report.verdict(*pair)
    scene = expect(app.document.scene, expected_of(verdict))
    app.edit(scene, f"expect {'a hit' if verdict.hit else 'a miss'} of {verdict.probe} on {verdict.primitive}")


def accept_all(app: "App") -> None:
    """Rewrite every expectation that fails to the current answer."""
    changed = accepted(app.report)
    count = f"{len(changed):,} expectation{'s' if len(changed) > 1 else ''}"
    app.edit(replace_expectations(app.document.scene, changed), f"accept {count}")


def remove(app: "App", index: int) -> None:
    """Remove an expectation from the scene."""
    expectation = app.scene.expect[index]
    without = replace_expectations(app.document.scene, {index: None})
    app.edit(without, f"remove what is expected of {expectation.probe}")


def select_pair(app: "App", probe: str, primitive: str | None) -> None:
    """Select the probe and primitive of an expectation, those that exist; for a probe of a bundle, the bundle."""
    beside = Target("primitive", primitive) if primitive is not None else None
    target = Target("probe", split(probe)[0])
    app.select(target if app.exists(target) else None, beside=beside if app.exists(beside) else None)
