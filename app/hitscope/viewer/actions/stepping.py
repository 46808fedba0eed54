"""The commands of stepping: opening and closing the panel, the steps, the jumps and the helpers, and the chart."""

from hitscope.draw.chart_marks import ChartFocus
from hitscope.viewer.actions.step_following import NO_PAIR, pair_to_step, take_pair
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.stepping import Stepping

# Opening and closing


def is_shown(state: State) -> bool:
    return state.display.stepping.is_open


def has_run(state: State) -> bool:
    return state.display.stepping.run is not None


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
    stepping.runs, stepping.followed, stepping.traced, stepping.playing = [], (), (), None


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
    if run is None:
        return
    if run.next is not None:
        if not _open_from(stepping, 0, 1):
            run.go(run.at + 1)
    elif len(stepping.runs) > 1:
        stepping.runs.pop()
        if not _open_from(stepping, run.call + 1, 1):
            stepping.runs[-1].go(stepping.runs[-1].at + 1)


@command(
    "step_back_into", "Step back, also in helpers", keys="Shift+F11", synonyms="out of call function reverse debug"
)
def back_into(state: State) -> None:
    """Go a statement back in the helpers that it called, one after the other, and then out of them."""
    stepping = state.display.stepping
    stepping.playing, run = None, stepping.run
    if run is None:
        return
    last = None
    if run.at > 0:
        run.go(run.at - 1)
    elif len(stepping.runs) > 1:
        stepping.runs.pop()
        last = run.call - 1
    else:
        return
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
        later = [k for k in times if k > run.at]
        if times:
            go_to(state, (later or times)[0])


@command("to_decision", "Go to the decision", keys="J", synonyms="jump deciding line comparison")
def to_decision(state: State) -> None:
    """Go to the statement of the method that decides."""
    if has_run(state):
        leave_calls(state, 1)
        go_to(state, state.display.stepping.decision)


def has_wrong_line(state: State) -> bool:
    return has_run(state) and state.display.stepping.wrong_line is not None


@command(
    "to_wrong_line", "Go to the wrong line", keys="Shift+J", synonyms="jump wrong rounding error fault departure"
)
def to_wrong_line(state: State) -> None:
    """Go to the wrong line, in the helpers that it is in."""
    stepping = state.display.stepping
    wrong_line = stepping.wrong_line
    if not has_run(state) or wrong_line is None:
        state.messages.notice = "No line of this run is known to be wrong"
        return
    leave_calls(state, 1)
    go_to(state, wrong_line.at)
    for call in wrong_line.calls:
        run = stepping.runs[-1]
        found = next(
            ((k, n) for k, step in enumerate(run.steps) for n, c in enumerate(step.calls) if c == call), None
        )
        if found is None:
            return
        run.go(found[0])
        if not stepping.open(found[1], call.name):
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
        state.messages.notice = "No value of this run is NaN or infinite"
        return
    go_to(state, next((at for at in run.not_finite if at > run.at), run.not_finite[0]))


def is_playing(state: State) -> bool:
    return state.display.stepping.playing is not None


@command("play_steps", "Play or pause", keys="Space", synonyms="run animate continue", is_on=is_playing)
def toggle_play(state: State) -> None:
    """Let the statements run by themselves, from the first one behind the last; or stop."""
    stepping = state.display.stepping
    if stepping.run is None:
        return
    if stepping.playing is not None:
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
    if run is None or run.next is None or call >= len(run.next.calls):
        return
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
