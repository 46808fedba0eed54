"""Following the scene by the run that is stepped through: it is traced again, at the place where the user was."""

from dataclasses import replace

from hitscope.draw.selection_geometry import indices_of
from hitscope.draw.step_marks import step_marks
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.explain import Explanation, Reading, explain
from hitscope.explain.explanation import rounded_to_float32
from hitscope.explain.own_function import with_verdict
from hitscope.explain.value_pictures import value_pictures
from hitscope.geometry import exact
from hitscope.geometry.registry import Chosen, choose, pair_of
from hitscope.geometry.shapes import Shape
from hitscope.targets.fixes import Alike, Fixes, known_of
from hitscope.targets.target import OWN_CODE
from hitscope.viewer.state.state import State
from hitscope.viewer.state.stepping import STEPS_A_SECOND, Run, ShownValues, Stepping, WrongLine, source_of_method

NO_PAIR = "Select a probe and a primitive to step through their test"
MOST_STEPS_IN_A_DRAG = 2000
"""A run of more statements than this is traced again only when the scene rests: a drag would stutter."""


def follow_scene(state: State) -> None:
    """Trace the method again where its pair has changed, keep the place in it, and go on playing."""
    stepping, session = state.display.stepping, state.session
    if not stepping.is_open:
        return
    if state.selection.targets != stepping.seen:
        take_pair(state, hover=False)
    rests = not session.has_preview
    files = state.session.own.targets, state.session.own.load_problem
    looked_at = session.report, stepping.pair, stepping.method, rests, files, stepping.searched
    is_long = bool(stepping.runs) and len(stepping.runs[0].steps) > MOST_STEPS_IN_A_DRAG
    if looked_at != stepping.followed and (rests or not is_long):
        stepping.followed = looked_at
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
    method = report.methods_of(pair_of(*shapes)).get(stepping.method, report.chosen(*shapes).method)
    if method.source != OWN_CODE:
        return
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
        source = source_of_method(explanation)
    except (OSError, SyntaxError):  # a file of the user's may be gone, or broken until it is loaded again
        stepping.explanation, stepping.runs, stepping.traced = None, [], ()
        stepping.problem = f"The source of {chosen.method.name} is not at hand"
        return
    if chosen.method.source == OWN_CODE:
        explanation = replace(explanation, trace=with_verdict(explanation.trace))
    stepping.traced, stepping.explanation = traced, explanation
    before, stepping.runs = stepping.runs, [Run(chosen.method.name, explanation.trace, source)]
    _keep_places(stepping, before)


def _chosen(state: State, probe: Shape, primitive: Shape) -> tuple[Chosen, Reading]:
    """The method to step through and what it runs on; raises HitscopeError for code that cannot be stepped."""
    report, name, types = state.session.report, state.display.stepping.method, pair_of(probe, primitive)
    known = report.methods_of(types)
    deciding = report.chosen(probe, primitive)
    chosen = choose(types, name) if name in known and known[name].source != OWN_CODE else deciding
    method = known.get(name, deciding.method)
    if method.source == OWN_CODE and state.session.own.targets is not None:
        if state.session.own.load_problem:
            raise HitscopeError(state.session.own.load_problem)
        own, spec = state.session.own.targets.python_method(types, report.scene)
        return own, "float32" if spec.real == "float32" else "interpreted"
    return (deciding if deciding.method is method else chosen), "interpreted"


def _keep_places(stepping: Stepping, before: list[Run]) -> None:
    """Go in the new run to where the user was in the one before, and open the helpers that were open."""
    if before and before[0].name != stepping.runs[0].name:
        return
    for depth, old in enumerate(before):
        if depth and not stepping.open(old.call, old.name):
            return
        run = stepping.runs[depth]
        run.go_near(old.kept)


def _judge(state: State, rests: bool) -> None:
    """Find whether the answer is wrong and, of a scene that rests, in which statement."""
    stepping = state.display.stepping
    stepping.wrong_line = None
    explanation, shapes = stepping.explanation, _shapes(state)
    stepping.is_wrong = explanation is not None and explanation.is_wrong
    if explanation is None and stepping.own is not None and shapes is not None:
        stepping.is_wrong = state.session.report.chosen(*shapes).method.hit(*shapes) != exact.meet(*shapes)
    if explanation is not None and stepping.is_wrong and rests:
        stepping.wrong_line = _wrong_line(explanation)


def _wrong_line(explanation: Explanation) -> WrongLine | None:
    index, cause = explanation.wrong_step, explanation.cause
    if index is None:
        return None
    departs = {"rounding": explanation.departs, "tolerance": explanation.by_tolerance}.get(cause)
    at = index + 1 if cause == "nan" else index
    if departs is None:
        assert explanation.wrong_line is not None
        return WrongLine(index, at, explanation.wrong_line[0], None, None, ())
    return WrongLine(index, at, departs.line, departs.ours, departs.theirs, departs.calls)


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
    if stepping.playing is None:
        return
    run = stepping.run
    if run is None:
        stepping.playing = None
        return
    began_at, began = stepping.playing
    # The times of inputs are whole milliseconds.
    run.go(began_at + int((now - began) * STEPS_A_SECOND + 1e-6))
    if run.next is None:
        stepping.playing = None
