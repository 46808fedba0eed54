"""Edits of a scene's expectations, each one entry of the history, and the selection of an expectation's pair."""

from collections.abc import Collection

from hitscope import numerals
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.evaluate.acceptance import accepted, expected_of, pinned, right_verdict
from hitscope.scene.edits import expect, replace_expectations
from hitscope.scene.model import Expectation
from hitscope.scene.named_items import split
from hitscope.viewer.actions import selecting
from hitscope.viewer.state.state import State, command

ONLY_METHOD_WRONG = "The expectations are right: the method that decides is wrong"


def has_pair(state: State) -> bool:
    return state.selection.pair(state.session.picture) is not None


@command(
    "expect",
    "Expect the right answer of the pair",
    keys="Ctrl+E",
    synonyms="expectation this test assert save regression",
    is_possible=has_pair,
)
def expect_pair(state: State) -> None:
    """Expect of the current pair its right answer, instead of any earlier expectation."""
    pair = state.selection.pair(state.session.picture)
    if pair is None:
        raise HitscopeError("Select a probe and a primitive to expect their answer")
    found, right = state.session.report.verdict(*pair), right_verdict(state.session.report, *pair)
    answer = f"{'a hit' if right.hit else 'a miss'} of {right.probe} on {right.primitive}"
    state.session.edit(expect(state.session.document.scene, expected_of(right)), f"expect {answer}")
    words = answer if right is found else f"the exact answer, {answer}; {found.method} is wrong"
    state.messages.notice = f"Expected from now on: {words}"


def _pinned(state: State) -> Expectation | None:
    """The wrong answer of a method of the catalogue that decides the current pair; None without one."""
    pair = state.selection.pair(state.session.picture)
    return None if pair is None else pinned(state.session.report, *pair)


@command(
    "pin",
    "Expect the wrong answer of the deciding method, by its name",
    synonyms="expectation known deviation specimen why",
    is_possible=lambda state: _pinned(state) is not None,
)
def pin_pair(state: State) -> None:
    """Expect the wrong answer of the method that decides the current pair, by its name and with a reason."""
    expectation = _pinned(state)
    if expectation is None:
        raise HitscopeError("The method that decides is right, or no method of the catalogue")
    name = f"expect of {expectation.method_name} that it is wrong on {expectation.primitive}"
    state.session.edit(expect(state.session.document.scene, expectation), name)
    state.messages.notice = f"Expected from now on: {expectation.why}"


@command(
    "accept_all",
    "Accept the right answers for all expectations that fail",
    synonyms="update regenerate test",
    is_possible=lambda state: bool(state.session.report.mismatches),
)
def accept_all(state: State) -> None:
    """Accept for every expectation that fails."""
    accept(state, range(len(state.session.scene.expect)))


def accept(state: State, indices: Collection[int]) -> None:
    """Rewrite those of the expectations that fail to the right answer, or to that of the method that they name."""
    report = state.session.report
    failing = {index: new for index, new in accepted(report).items() if index in indices}
    changed = {index: new for index, new in failing.items() if new != report.scene.expect[index]}
    if not changed:
        state.messages.notice = ONLY_METHOD_WRONG if failing else "Every expectation holds"
        return
    count = numerals.counted(len(changed), "expectation")
    state.session.edit(replace_expectations(state.session.document.scene, changed), f"accept {count}")
    state.messages.notice = f"Accepted {count}"


def remove(state: State, index: int) -> None:
    without = replace_expectations(state.session.document.scene, {index: None})
    state.session.edit(without, f"remove what is expected of {state.session.scene.expect[index].probe}")


def select_pair(state: State, probe: str | None, primitive: str | None) -> None:
    """Select a probe, or the bundle that it is of, with a primitive beside it; leave out what does not exist."""
    targets = [Target("probe", split(probe)[0])] if probe else []
    targets += [Target("primitive", primitive)] if primitive else []
    selecting.select_pair(state, *targets)
