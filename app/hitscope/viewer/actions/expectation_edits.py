"""Edits of a scene's expectations, each one entry of the history, and the selection of an expectation's pair."""

from hitscope.draw.target import Target
from hitscope.evaluate.acceptance import accepted, expected_of
from hitscope.scene.edits import expect, replace_expectations
from hitscope.scene.named_items import split
from hitscope.viewer.state.state import State


def expect_current_answer(state: State, pair: tuple[int, int]) -> None:
    """Expect of a pair (probe index, element index) its current verdict, instead of any earlier expectation."""
    verdict = state.session.report.verdict(*pair)
    scene = expect(state.session.document.scene, expected_of(verdict))
    answer = "a hit" if verdict.hit else "a miss"
    state.session.edit(scene, f"expect {answer} of {verdict.probe} on {verdict.primitive}")


def accept_all(state: State) -> None:
    """Rewrite every expectation that fails to the current answer."""
    changed = accepted(state.session.report)
    count = f"{len(changed):,} expectation{'s' if len(changed) > 1 else ''}"
    state.session.edit(replace_expectations(state.session.document.scene, changed), f"accept {count}")


def remove(state: State, index: int) -> None:
    """Remove an expectation from the scene."""
    expectation = state.session.scene.expect[index]
    without = replace_expectations(state.session.document.scene, {index: None})
    state.session.edit(without, f"remove what is expected of {expectation.probe}")


def select_pair(state: State, probe: str | None, primitive: str | None) -> None:
    """Select a probe, with a primitive beside it, or that alone; for a probe of a bundle, the bundle.

    One that does not exist is left out.
    """
    targets = probe and Target("probe", split(probe)[0]), primitive and Target("primitive", primitive)
    found = [target for target in targets if target and state.session.exists(target)]
    state.selection.select(*found[:1], beside=found[-1] if len(found) > 1 else None)
