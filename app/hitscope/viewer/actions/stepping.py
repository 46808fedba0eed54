"""Stepping: the run follows the scene, traced again at the place where the user was; the commands of its panel."""

from dataclasses import replace

from hitscope.draw.selection_geometry import indices_of
from hitscope.draw.step_marks import ChartFocus, step_marks
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.explain import Explanation, Reading, explain
from hitscope.explain.explanation import rounded_to_float32
from hitscope.explain.own_function import with_verdict
from hitscope.explain.value_pictures import value_pictures
from hitscope.geometry import exact
from hitscope.geometry.registry import Chosen, Method, choose, pair_of
from hitscope.geometry.shapes import Shape
from hitscope.targets.fixes import Alike, Fixes, known_of
from hitscope.targets.target import OWN_CODE
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.stepping import STEPS_A_SECOND, Run, ShownValues, Stepping, WrongLine

NO_PAIR = "Select a probe and a primitive to step through their test"
MOST_STEPS_IN_A_DRAG = 2000
"""A run of more statements than this is traced again only when the scene rests: a drag would stutter."""


def follow_scene(state: State) -> None:
    """Trace the method again where its pair has changed, keep the place in it, and go on playing."""
    stepping, session, own = state.display.stepping, state.session, state.session.own
    if not stepping.is_open:
        return
    if state.selection.targets != stepping.seen:
        take_pair(state, hover=False)
    rests = not session.has_preview
    facts = session.report, stepping.pair, stepping.method, rests, own.targets, own.load_problem, stepping.searched
    is_long = bool(stepping.runs) and len(stepping.runs[0].steps) > MOST_STEPS_IN_A_DRAG
    if facts != stepping.followed and (rests or not is_long):
        stepping.followed = facts
        if rests:
            _take_search(state)
        _trace(state)
        _judge(state, rests)
    _play_on(stepping, state.display.now)
    _look_at_values(stepping, rests)


def take_pair(state: State, hover: bool) -> bool:
    """Step through the `pair_to_step` from now on, if there is one."""
    stepping, report = state.display.stepping, state.session.report
    stepping.seen = state.selection.targets
    pair = pair_to_step(state, hover)
    if pair is not None:
        stepping.pair = report.probes[pair[0]].id, report.elements[pair[1]].id
    return pair is not None


def pair_to_step(state: State, hover: bool = True) -> tuple[int, int] | None:
    """The indices of the only pair of the scene, else of the current one; None if there is none."""
    report = state.session.report
    is_only = len(report.probes) == len(report.elements) == 1
    return (0, 0) if is_only else state.selection.pair(state.session.picture, hover)


def _take_search(state: State) -> None:
    """Take the user's own method of the pair, and what a search has found of its wrong line."""
    stepping, report, own = state.display.stepping, state.session.report, state.session.own
    stepping.own = stepping.search = stepping.alike = None
    if own.targets is None or (shapes := _shapes(state)) is None:
        return
    if _method(state, *shapes).source == OWN_CODE:
        stepping.own = own.targets.choices(pair_of(*shapes), report.scene)[0]
        last = stepping.searched
        is_last = last is not None and last.targets is own.targets and last.spec == stepping.own
        stepping.search = last.found if last and is_last else known_of(Fixes, *stepping.own[:2])
        stepping.alike = known_of(Alike, *stepping.own[:2])


def _shapes(state: State) -> tuple[Shape, Shape] | None:
    """The shapes of the pair; None while there is none in the scene."""
    if state.display.stepping.pair is None:
        return None
    report, (probe, element) = state.session.report, state.display.stepping.pair
    i, j = indices_of(report, Target("probe", probe)), indices_of(report, Target("primitive", element))
    disabled = probe in report.disabled_probes.ids
    return None if disabled or not i or not j else (report.probes[i[0]].shape, report.elements[j[0]].shape)


def _trace(state: State) -> None:
    """Trace the method on the pair, unless both are those of the last trace."""
    stepping, shapes = state.display.stepping, _shapes(state)
    found, stepping.others = None, ()
    try:
        found = None if shapes is None else _chosen(state, *shapes)
        stepping.problem = "" if found else NO_PAIR
    except HitscopeError as error:
        stepping.problem = str(error)
        known = {} if shapes is None else state.session.report.methods_of(pair_of(*shapes))
        stepping.others = tuple(name for name, method in known.items() if method.source != OWN_CODE)
    if found is None or shapes is None:
        stepping.explanation, stepping.runs, stepping.traced = None, [], ()
        return
    chosen, reading = found
    traced = chosen, reading, repr(shapes), stepping.search, stepping.alike
    if traced == stepping.traced:
        return
    if chosen.method.source == OWN_CODE and reading == "float32":
        # It is called with Python's floats, as the process that judges it does; they are rounded.
        shapes, reading = (rounded_to_float32(shapes[0]), rounded_to_float32(shapes[1])), "interpreted"
    try:
        explanation = explain(chosen, *shapes, reading)
        source = explanation.source
    except (OSError, SyntaxError):  # a file of the user's may be gone, or broken until it is loaded again
        stepping.explanation, stepping.runs, stepping.traced = None, [], ()
        stepping.problem = f"The source of {chosen.method.name} is not at hand"
        return
    if chosen.method.source == OWN_CODE:
        explanation = replace(explanation, trace=with_verdict(explanation.trace))
    stepping.traced, stepping.explanation = traced, explanation
    before, stepping.runs = stepping.runs, [Run(chosen.method.name, explanation.trace, source)]
    if before and before[0].name == chosen.method.name:
        for depth, old in enumerate(before):  # where the user was, in the helpers that were open
            if depth and not stepping.open(old.call, old.name):
                return
            stepping.runs[depth].go_near(old.kept)


def _chosen(state: State, probe: Shape, primitive: Shape) -> tuple[Chosen, Reading]:
    """The method to step through and what it runs on; raises HitscopeError for code that cannot be stepped."""
    report, own, types = state.session.report, state.session.own, pair_of(probe, primitive)
    deciding, method = report.chosen(probe, primitive), _method(state, probe, primitive)
    if method.source == OWN_CODE and own.targets is not None:
        if own.load_problem:
            raise HitscopeError(own.load_problem)
        chosen, spec = own.targets.python_method(types, report.scene)
        return chosen, "float32" if spec.real == "float32" else "interpreted"
    is_deciding = method is deciding.method or method.source == OWN_CODE
    return (deciding if is_deciding else choose(types, method.name)), "interpreted"


def _method(state: State, probe: Shape, primitive: Shape) -> Method:
    report = state.session.report
    known = report.methods_of(pair_of(probe, primitive))
    return known.get(state.display.stepping.method, report.chosen(probe, primitive).method)


def _judge(state: State, rests: bool) -> None:
    """Find whether the answer is wrong and, of a scene that rests, in which statement."""
    stepping = state.display.stepping
    stepping.is_wrong, stepping.wrong_line = False, None
    if (explanation := stepping.explanation) is not None:
        stepping.is_wrong = explanation.is_wrong
        stepping.wrong_line = _wrong_line(explanation) if stepping.is_wrong and rests else None
    elif stepping.own is not None and (shapes := _shapes(state)) is not None:
        stepping.is_wrong = state.session.report.chosen(*shapes).method.hit(*shapes) != exact.meet(*shapes)


def _wrong_line(explanation: Explanation) -> WrongLine | None:
    index, cause, line = explanation.wrong_step, explanation.cause, explanation.wrong_line
    if index is None or line is None:
        return None
    departs = {"rounding": explanation.departs, "tolerance": explanation.by_tolerance}.get(cause)
    ours, calls = (None, ()) if departs is None else (departs.ours, departs.calls)
    return WrongLine(index + 1 if cause == "nan" else index, line[0], ours, calls)


def _look_at_values(stepping: Stepping, rests: bool) -> None:
    """Find the pictures of the values that are shown and, while the scene rests, their errors in ulps."""
    explanation = stepping.explanation
    if explanation is None:
        stepping.shown = None
        return
    known, at = stepping.shown, stepping.runs[0].at
    if known is None or known.explanation is not explanation or (known.at, known.rests) != (at, rests):
        ulps = explanation.errors_in_ulps(at - 1) if at and rests else {}
        pictures = value_pictures(explanation, at - 1) if at else ()
        stepping.shown = ShownValues(explanation, at, rests, ulps, step_marks(pictures, explanation.hit))


def _play_on(stepping: Stepping, now: float) -> None:
    run = stepping.run
    if run is not None and stepping.playing is not None:
        began_at, began = stepping.playing
        # The times of inputs are whole milliseconds.
        run.go(began_at + int((now - began) * STEPS_A_SECOND + 1e-6))
    if run is None or run.next is None:
        stepping.playing = None


# Opening and closing


def is_shown(state: State) -> bool:
    return state.display.stepping.is_open


@command(
    "step_through",
    "Step through the method",
    keys="D",
    synonyms="debug debugger trace source code line why explain",
    is_possible=lambda state: is_shown(state) or pair_to_step(state) is not None,
    is_on=is_shown,
)
def toggle(state: State) -> None:
    """Step through the deciding method of the current pair, or close the panel."""
    if state.display.stepping.is_open:
        close(state)
    else:
        step_through(state)


def step_through(state: State, method: str = "") -> None:
    """Step through a method on the current pair, by default the deciding one, from its beginning."""
    stepping = state.display.stepping
    if not take_pair(state, hover=True):
        state.messages.notice = NO_PAIR
        return
    stepping.is_open, stepping.method = True, method
    stepping.runs, stepping.followed, stepping.traced = [], (), ()
    stepping.playing = stepping.wrong_line = None


def close(state: State) -> None:
    stepping = state.display.stepping
    stepping.is_open, stepping.playing, stepping.runs = False, None, []
    stepping.explanation = stepping.wrong_line = stepping.shown = None


def peel(state: State) -> None:
    """Leave the innermost helper or, in none, close the panel."""
    if len(state.display.stepping.runs) > 1:
        leave_calls(state, len(state.display.stepping.runs) - 1)
    else:
        close(state)


@command(
    "steps_in_hex",
    "Show numbers in hex",
    keys="Shift+D",
    synonyms="hexadecimal bits digits",
    is_on=lambda state: state.display.stepping.in_hex,
)
def toggle_hex(state: State) -> None:
    """Show numbers in hexadecimal, or in decimal again."""
    state.display.stepping.in_hex = not state.display.stepping.in_hex


# Steps and jumps


def go_to(state: State, at: int) -> None:
    """Go to where so many statements of the innermost run have run."""
    stepping = state.display.stepping
    stepping.playing = None
    if stepping.run is not None:
        stepping.run.go(at)


def step_by(state: State, by: int) -> None:
    """Go a statement forward or back."""
    if run := state.display.stepping.run:
        go_to(state, run.at + by)


@command("step_into", "Step forward, also in helpers", keys="F11", synonyms="into call function debug")
def into(state: State) -> None:
    """Go a statement forward in the helpers that it calls, one after the other, and then out of them."""
    stepping = state.display.stepping
    stepping.playing, run = None, stepping.run
    if run is None or (run.next is None and len(stepping.runs) == 1):
        return
    first = 0
    if run.next is None:
        stepping.runs.pop()
        first = run.call + 1
    if not _open_from(stepping, first, 1):
        stepping.runs[-1].go(stepping.runs[-1].at + 1)


@command(
    "step_back_into", "Step back, also in helpers", keys="Shift+F11", synonyms="out of call function reverse debug"
)
def back_into(state: State) -> None:
    """Go a statement back in the helpers that it called, one after the other, and then out of them."""
    stepping = state.display.stepping
    stepping.playing, run = None, stepping.run
    if run is None or (run.at == 0 and len(stepping.runs) == 1):
        return
    last = None
    if run.at > 0:
        run.go(run.at - 1)
    else:
        stepping.runs.pop()
        last = run.call - 1
    if _open_from(stepping, last, -1):
        stepping.runs[-1].go(len(stepping.runs[-1].steps))


def _open_from(stepping: Stepping, first: int | None, by: int) -> bool:
    """Open the first helper that can be run again, from a call of the next statement on; None is the last."""
    step = stepping.runs[-1].next
    calls = () if step is None else step.calls
    indices = range(len(calls) - 1 if first is None else first, len(calls) if by > 0 else -1, by)
    return any(stepping.open(index, calls[index].name) for index in indices)


def pass_by(state: State, by: int) -> None:
    """Go to the next pass of a loop, or to the one before; without one to the end."""
    if run := state.display.stepping.run:
        starts = [k for k, _ in run.passes]
        if by > 0:
            go_to(state, min((k for k in starts if k > run.at), default=len(run.steps)))
        else:
            go_to(state, max((k for k in starts if k < run.at), default=0))


@command("steps_start", "Go to the start", keys="Shift+F5", synonyms="restart rewind first")
def to_start(state: State) -> None:
    """Go before the first statement."""
    go_to(state, 0)


@command("steps_end", "Go to the end", keys="F5", synonyms="run continue answer last")
def to_end(state: State) -> None:
    """Go behind the last statement."""
    if run := state.display.stepping.run:
        go_to(state, len(run.steps))


def to_line(state: State, line: int) -> None:
    """Go to where a line runs next or, where it does not run again, to its first time."""
    if run := state.display.stepping.run:
        times = [k for k, step in enumerate(run.steps) if step.line <= line <= step.line + step.source.count("\n")]
        if times:
            go_to(state, next((k for k in times if k > run.at), times[0]))


@command("to_decision", "Go to the decision", keys="J", synonyms="jump deciding line comparison")
def to_decision(state: State) -> None:
    """Go to the statement of the method that decides."""
    if state.display.stepping.run is not None:
        leave_calls(state, 1)
        go_to(state, state.display.stepping.decision)


def has_wrong_line(state: State) -> bool:
    return state.display.stepping.wrong_line is not None


@command(
    "to_wrong_line", "Go to the wrong line", keys="Shift+J", synonyms="jump wrong rounding error fault departure"
)
def to_wrong_line(state: State) -> None:
    """Go to the wrong line, in the helpers that it is in."""
    stepping = state.display.stepping
    wrong_line = stepping.wrong_line
    if wrong_line is None:
        raise HitscopeError("No line of this run is known to be wrong")
    leave_calls(state, 1)
    go_to(state, wrong_line.at)
    for call in wrong_line.calls:
        run = stepping.runs[-1]
        calling = next((k for k, step in enumerate(run.steps) if call in step.calls), None)
        if calling is None:
            return
        run.go(calling)
        if not stepping.open(run.steps[calling].calls.index(call), call.name):
            return
    if wrong_line.calls and wrong_line.ours is not None:
        steps = stepping.runs[-1].steps
        at = (k for k, step in enumerate(steps) if any(str(c) == str(wrong_line.ours) for c in step.comparisons))
        stepping.runs[-1].go(next(at, 0))


def has_not_finite(state: State) -> bool:
    """Whether a value of the innermost run is at some time not finite."""
    run = state.display.stepping.run
    return run is not None and bool(run.not_finite)


@command("to_not_finite", "Go to the next NaN or infinity", keys="Ctrl+J", synonyms="jump inf invalid")
def to_not_finite(state: State) -> None:
    """Go to where the next NaN or infinity is seen; behind the last one to the first."""
    run = state.display.stepping.run
    if run is None or not run.not_finite:
        raise HitscopeError("No value of this run is NaN or infinite")
    go_to(state, next((at for at in run.not_finite if at > run.at), run.not_finite[0]))


def is_playing(state: State) -> bool:
    return state.display.stepping.playing is not None


@command("play_steps", "Play or pause", keys="Space", synonyms="run animate continue", is_on=is_playing)
def toggle_play(state: State) -> None:
    """Let the statements run by themselves, from the first one behind the last; or stop."""
    stepping = state.display.stepping
    if stepping.run is None or stepping.playing is not None:
        stepping.playing = None
        return
    if stepping.run.next is None:
        go_to(state, 0)
    stepping.playing = stepping.run.at, state.display.now


# Helpers


def open_helper(state: State, call: int) -> None:
    """Step through a helper that the next statement calls; `call` is its place among those."""
    stepping = state.display.stepping
    run, stepping.playing = stepping.run, None
    if run is not None and run.next is not None and call < len(run.next.calls):
        name = run.next.calls[call].name
        if not stepping.open(call, name):
            state.messages.notice = f"{name} cannot be run again on its own"


def leave_calls(state: State, depth: int) -> None:
    """Go back to the statement that calls a helper, so that `depth` runs are open."""
    stepping = state.display.stepping
    stepping.playing = None
    del stepping.runs[max(depth, 1) :]


def light_row(state: State, focus: ChartFocus | None) -> None:
    """Show a row of a chart in the scene, or none."""
    state.selection.chart = focus
