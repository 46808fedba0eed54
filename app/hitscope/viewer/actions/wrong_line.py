"""Looking in the background for the wrong line of a function of the user's."""

from hitscope.errors import HitscopeError, in_words
from hitscope.geometry.registry import pair_of
from hitscope.judge.drawing import GENERATORS
from hitscope.targets.fixes import Fixes
from hitscope.targets.process import open_target
from hitscope.targets.target import TargetSpec
from hitscope.viewer.actions.stepping import step_through
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.state import State, command
from hitscope.viewer.state.stepping import Searched

SEEDS = range(1000)
"""The cases of each generator that the function is judged on, as `hitscope judge` has them."""
SEARCH = "Looking for the wrong line"


def _own(state: State) -> TargetSpec | None:
    """The user's own method that is stepped through, else that of the current pair; None without one."""
    stepping, own, report = state.display.stepping, state.session.own, state.session.report
    if stepping.is_open:
        return stepping.own
    pair = state.selection.pair(state.session.picture)
    if pair is None or own.targets is None:
        return None
    types = pair_of(report.probes[pair[0]].shape, report.elements[pair[1]].shape)
    return own.targets.choices(types, report.scene)[0] if own.decides(types) else None


@command(
    "find_wrong_line",
    "Find the wrong line",
    keys="Ctrl+Shift+J",
    synonyms="fix repair mend bug fault search prove patch own code",
    is_possible=lambda state: state.jobs.searching is None and _own(state) is not None,
)
def search(state: State) -> None:
    """Look for the line of your own function that is wrong, and prove the change that makes it right."""
    own, spec = state.session.own, _own(state)
    if spec is None or own.targets is None or state.jobs.searching is not None:
        raise HitscopeError("Select a pair that a function of your own decides")
    if not state.display.stepping.is_open:
        step_through(state, spec.name)
    targets, rules = own.targets, own.targets.rules(spec.pair, state.session.report.scene)

    def work(job: Job[Fixes]) -> Fixes:
        try:
            from hitscope.judge.alike import find_alike
            from hitscope.judge.campaign import Campaign
            from hitscope.judge.fixing.search import find_fixes  # which needs packages of an extra
        except ModuleNotFoundError as error:
            raise HitscopeError(in_words(error)) from None

        def advance(words: str) -> None:
            job.status = f"{SEARCH}: {words}"

        campaign = Campaign([spec], SEEDS, rules, spec.carried.generators or tuple(GENERATORS))
        found = find_fixes(campaign, advance=advance, stops=job.ends_early.is_set)
        if not job.ends_early.is_set():
            advance("comparing it with textbooks")
            with open_target(spec) as target:
                find_alike(target, campaign, campaign.drawn)
        return found

    def take(found: Fixes) -> None:
        if targets is own.targets:
            state.display.stepping.searched = Searched(targets, spec, found)
        else:
            state.messages.notice = "Stopped looking for the wrong line: the file has changed"

    def refuse(problem: str) -> None:
        state.messages.problem = problem

    state.jobs.searching = Job(SEARCH, work, state.display.now, take=take, refuse=refuse, about=spec)


@command(
    "copy_fix",
    "Copy the fix",
    synonyms="wrong line patch diff clipboard own code",
    is_possible=lambda state: state.display.stepping.fix is not None,
)
def copy_fix(state: State) -> None:
    """Copy the change that makes your function right, for the program patch."""
    if (fix := state.display.stepping.fix) is not None:
        state.host.clipboard = fix.diff
        state.messages.notice = f"Copied the fix of line {fix.line}"


def stop_searching(state: State) -> bool:
    """Let a search end with what it has; False where there is none that goes on."""
    searching = state.jobs.searching
    if searching is None or searching.ends_early.is_set():
        return False
    searching.ends_early.set()
    state.messages.notice = f"Stopped: {searching.name.lower()}"
    return True
