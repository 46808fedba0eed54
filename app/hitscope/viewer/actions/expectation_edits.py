"""Edits of a scene's expectations, each one entry of the history, and the selection of an expectation's pair."""

from hitscope.draw.target import Target
from hitscope.evaluate.acceptance import accepted, expected_of
from hitscope.scene.edits import expect, replace_expectations
from hitscope.scene.named_items import split
from hitscope.viewer.state.state import State


def has_pair(state: State) -> bool:
    """Whether there is a current pair."""
    return state.selection.pair(state.session.picture) is not None


def expect_pair(state: State) -> None:
    """Expect of the current pair its verdict, instead of any earlier expectation."""
    pair = state.selection.pair(state.session.picture)
    if pair is None:
        state.messages.notice = "Select a probe and a primitive to expect their answer"
        return
    verdict = state.session.report.verdict(*pair)
    scene = expect(state.session.document.scene, expected_of(verdict))
    answer = f"{'a hit' if verdict.hit else 'a miss'} of {verdict.probe} on {verdict.primitive}"
    state.session.edit(scene, f"expect {answer}")
    state.messages.notice = f"Expected from now on: {answer}"


def has_mismatches(state: State) -> bool:
    """Whether any expectation does not hold."""
    return bool(state.session.report.mismatches)


def accept_all(state: State) -> None:
    """Rewrite every expectation that fails to the current answer."""
    changed = accepted(state.session.report)
    if not changed:
        state.messages.notice = "Every expectation holds"
        return
    count = f"{len(changed):,} expectation{'s' if len(changed) > 1 else ''}"
    state.session.edit(replace_expectations(state.session.document.scene, changed), f"accept {count}")
    state.messages.notice = f"Accepted {count}"


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
