"""Calling the user's own methods in the background, and loading them anew when a file of theirs has changed."""

from collections.abc import Mapping
from pathlib import Path
from threading import Thread

from hitscope import progress
from hitscope.errors import HitscopeError, escaped
from hitscope.evaluate import Elements, Report
from hitscope.targets.case_arrays import MOST_CASES
from hitscope.targets.cases import ShapePair, kinds
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.judging.target_method import TargetAnswer, TargetMethod
from hitscope.targets.process import print_to_stderr
from hitscope.targets.target import TargetFailed
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.jobs import Calling, Job
from hitscope.viewer.state.own_code import Answered, Called, Key, OwnCode, key_of
from hitscope.viewer.state.state import State

MOST_PAIRS = 1 << 20
"""The most pairs that the methods are asked of."""
SAID_LINES = 3
"""The most lines of what a compiler says that are shown."""


def follow_scene(state: State) -> None:
    """Begin to call the methods on a scene that is new, or by code that has changed.

    A call on an earlier scene of the document goes on, so that a drag shows the verdicts of slow code, too.
    """
    session, jobs, own = state.session, state.jobs, state.session.own
    if own.targets is None:
        return
    document, report = session.document, session.report
    calling = jobs.calling
    if calling is not None and (own.is_changed or calling.document is not document):
        calling.job.cancel()
        jobs.calling, own.asked = None, None
        own.is_changed |= calling.loads
    if jobs.calling is not None or (own.asked is report.scene and not own.is_changed):
        return
    loads, own.is_changed, own.asked = own.is_changed, False, report.scene

    def call(_: Job[Called]) -> Called:
        with own.one_at_a_time:
            return _call(own, document, report, loads)

    jobs.calling = Calling(Job("calling your own code", call, state.display.now), document, loads)


def _call(own: OwnCode, document: Document, report: Report, loads: bool) -> Called:
    """Load the targets, if their files have changed, and ask them about a scene."""
    targets, load_problem = own.targets, own.load_problem
    assert targets is not None and own.opener is not None
    if loads:
        printed: list[str] = []

        def take(text: str) -> None:
            print_to_stderr(text)
            printed.append(text)

        fresh = None
        try:
            fresh = own.opener(take)
            fresh.methods(report.scene)
            targets, load_problem = fresh, ""
        except HitscopeError as error:
            load_problem = "\n".join([str(error), *_said("".join(printed))])
        finally:
            if fresh is not None and targets is not fresh:
                fresh.close()
    try:
        return Called(targets, _answered(own.answered, targets, document, report), load_problem, "")
    except HitscopeError as error:
        return Called(targets, None, load_problem, str(error))


def _said(printed: str) -> list[str]:
    """The first errors of what a compiler says, else the first lines, without the folders of files."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    return [escaped(line.replace(f"{Path.cwd()}/", "")) for line in errors[:SAID_LINES]]


def _answered(before: Answered | None, targets: DecidingTargets, document: Document, report: Report) -> Answered:
    """Ask the methods about the pairs that they have not answered yet; raises HitscopeError."""
    methods = targets.methods(report.scene)
    known = before.answers if before is not None and before.methods == methods else {}
    answers = {
        pair: _ask(chosen.method, report.probes, report.elements, known.get(pair, {}))
        for pair, chosen in methods.items()
        if isinstance(chosen.method, TargetMethod)
    }
    return Answered(report.scene, document, targets, methods, answers)


def _ask(
    method: TargetMethod, probes: Elements, elements: Elements, known: Mapping[tuple[Key, Key], TargetAnswer]
) -> dict[tuple[Key, Key], TargetAnswer]:
    """Ask a method about every pair of its types, in large batches."""
    rows, columns = (
        [
            (name, shape, key_of(shape))
            for part in every.parts
            if (type(part.shape) if part.shapes is None else part.shapes.kind) is kind
            for name, shape in every[part.indices]
        ]
        for every, kind in zip((probes, elements), kinds(method.pairs[0]), strict=True)
    )
    if len(rows) * len(columns) > MOST_PAIRS:
        expected = f"at most {MOST_PAIRS:,} pairs of a scene in a window"
        raise HitscopeError(f"{method.name}: expected {expected}, found {len(rows) * len(columns):,}")
    answers: dict[tuple[Key, Key], TargetAnswer] = {}
    batch: list[ShapePair] = []
    names: list[tuple[str, str]] = []
    keys: list[tuple[Key, Key]] = []

    def flush() -> None:
        try:
            answers.update(zip(keys, method.function(batch), strict=True))
        except TargetFailed as failed:
            verb = "hangs" if failed.failure.hung else "fails"
            probe, primitive = names[failed.index]
            raise HitscopeError(
                f"{failed.name} {verb} on {probe} and {primitive}: {failed.failure.words}"
            ) from None
        for part in (batch, names, keys):
            part.clear()

    for probe, shape, probe_key in rows:
        for primitive, other, primitive_key in columns:
            key = probe_key, primitive_key
            if (answer := known.get(key)) is not None:
                answers[key] = answer
                continue
            batch.append((shape, other))
            names.append((probe, primitive))
            keys.append(key)
            if len(batch) == MOST_CASES:
                flush()
        progress.advance(0)
    if batch:
        flush()
    return answers


def finish_calling(state: State) -> None:
    own, jobs = state.session.own, state.jobs
    calling, jobs.calling = jobs.calling, None
    assert calling is not None
    called = calling.job.answer()
    if own.targets is not None and own.targets is not called.targets:
        # Its process has some seconds to end by itself.
        Thread(target=own.targets.close, daemon=True).start()
        if jobs.searching is not None:
            jobs.searching.stop.set()
    if calling.loads:
        Thread(target=own.start_ahead, daemon=True).start()
    own.targets, own.load_problem, own.call_problem = called.targets, called.load_problem, called.call_problem
    if called.answered is not None:
        own.answered = called.answered


def look_at(state: State, pair: str, method: str) -> None:
    """Let a method of the catalogue decide the pairs of two types for a while, or the user's own one again."""
    own = state.session.own
    own.looks.pop(pair, None)
    if own.answered is not None and own.answered.methods[pair].method.name != method:
        own.looks[pair] = method
