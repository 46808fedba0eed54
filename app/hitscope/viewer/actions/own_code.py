"""Calling the user's own methods in the background, and loading them anew when a file of theirs has changed."""

from pathlib import Path
from threading import Thread

from hitscope import progress
from hitscope.errors import HitscopeError, escaped
from hitscope.evaluate import Elements, Report
from hitscope.targets.case_arrays import MOST_CASES
from hitscope.targets.cases import kinds
from hitscope.targets.deciding import DecidingTargets
from hitscope.targets.judging.target_method import TargetAnswer, TargetMethod
from hitscope.targets.process import print_to_stderr
from hitscope.targets.target import TargetFailed
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.own_code import Answered, Answers, Called, Key, Listed, OwnCode
from hitscope.viewer.state.state import State

MOST_PAIRS = 1 << 20
"""The most pairs that the methods are asked of."""
SAID_LINES = 3
"""The most lines of what a compiler says that are shown."""


def follow_scene(state: State) -> None:
    """Begin to call the methods on a scene that is new, or by code that has changed."""
    session, jobs, own = state.session, state.jobs, state.session.own
    if own.targets is None:
        return
    document, report = session.document, session.report
    calling = jobs.calling
    # A call on an earlier scene of the document goes on, so that a drag shows the verdicts of slow code, too.
    if calling is not None and (own.is_changed or calling.about is not document):
        jobs.stop("calling")
        own.asked = None
        calling.stopped()
    if jobs.calling is not None or (own.asked is report.scene and not own.is_changed):
        return
    loads, own.is_changed, own.asked = own.is_changed, False, report.scene

    def call(_: Job[Called]) -> Called:
        with own.one_at_a_time:
            return _call(own, document, report, loads)

    def stopped() -> None:
        own.is_changed |= loads

    def take(called: Called) -> None:
        if loads:
            Thread(target=own.start_ahead, daemon=True).start()
        if own.targets is not None and own.targets is not called.targets:
            # Its process has some seconds to end by itself.
            Thread(target=own.targets.close, daemon=True).start()
            if jobs.searching is not None:
                jobs.searching.ends_early.set()
        own.targets, own.load_problem, own.call_problem = called.targets, called.load_problem, called.call_problem
        own.answered = called.answered or own.answered

    name, now = "calling your own code", state.display.now
    jobs.calling = Job(name, call, now, take=take, stopped=stopped, about=document)


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
        pair: _ask(chosen.method, report.probes, report.elements, known.get(pair))
        for pair, chosen in methods.items()
        if isinstance(chosen.method, TargetMethod)
    }
    return Answered(report.scene, document, targets, methods, answers)


def _ask(method: TargetMethod, probes: Elements, elements: Elements, before: Answers | None) -> Answers:
    """Ask a method about every pair of its types that it has not answered yet, in large batches."""
    probe_kind, kind = kinds(method.pairs[0])
    rows = Listed(probes, probe_kind)
    columns = before.primitives if before and before.primitives.elements is elements else Listed(elements, kind)
    if (count := len(rows.keys) * len(columns.keys)) > MOST_PAIRS:
        expected = f"at most {MOST_PAIRS:,} pairs of a scene in a window"
        raise HitscopeError(f"{method.name}: expected {expected}, found {count:,}")
    answers: dict[Key, dict[Key, TargetAnswer]] = {}
    new_rows: list[int] = []
    new_columns: list[int] = []
    for row, probe_key in enumerate(rows.keys):
        old = before.by_probe.get(probe_key, {}) if before is not None else {}
        own = answers.setdefault(probe_key, {key: old[key] for key in columns.keys if key in old})
        new = [column for column, key in enumerate(columns.keys) if key not in own]
        new_rows += [row] * len(new)
        new_columns += new
        progress.advance(0)

    for first in range(0, len(new_rows), MOST_CASES):
        at = new_rows[first : first + MOST_CASES], new_columns[first : first + MOST_CASES]
        try:
            given = method.function(rows.shapes(at[0]), columns.shapes(at[1]))
            for row, column, answer in zip(*at, given, strict=True):
                answers[rows.keys[row]][columns.keys[column]] = answer
        except TargetFailed as failed:
            verb = "hangs" if failed.failure.hung else "fails"
            probe, primitive = (side.indices[k[failed.index]] for side, k in zip((rows, columns), at, strict=True))
            names = f"{probes[probe].id} and {elements[primitive].id}"
            raise HitscopeError(f"{failed.name} {verb} on {names}: {failed.failure.words}") from None
    return Answers(columns, answers)
