"""The first steps: shown, skipped, and noticed when they are done, in whatever way."""

from msgspec.structs import replace

from hitscope.scene import Scene
from hitscope.viewer.state.dialogs import Gallery
from hitscope.viewer.state.messages import STEPS, Noted, Step
from hitscope.viewer.state.state import State, command


@command("first_steps", "Show the first steps", synonyms="tutorial introduction welcome tour learn")
def show(state: State) -> None:
    """Show the first steps, none of them done, instead of the card of a lesson."""
    introduction = state.messages.introduction
    if (lesson := state.messages.lessons.shown(state.session.document)) is not None:
        lesson.shown = False
    introduction.shown, introduction.done, introduction.noted = True, frozenset(), None
    state.display.panels = True


def skip(state: State) -> None:
    """Close the first steps for good."""
    state.messages.introduction.shown, state.messages.introduction.seen = False, True


def follow_scene(state: State) -> None:
    """Tick off the steps that what has changed since the last call amounts to; after the last one, close them."""
    introduction, session, selection = state.messages.introduction, state.session, state.selection
    if not introduction.shown:
        return
    now = Noted(session.document, session.document.scene, selection.targets)
    before, introduction.noted = introduction.noted or now, now
    noticed: dict[Step, bool] = {
        "drag": before.document is now.document and _is_moved(before.scene, now.scene),
        "why": before.targets != now.targets and _selects_asked(state),
        "gallery": isinstance(state.dialogs.dialog, Gallery),
    }
    introduction.done |= {step for step, is_done in noticed.items() if is_done}
    if introduction.done.issuperset(STEPS):
        skip(state)
        told = "These were the first steps; "
        state.messages.notice = state.commands.phrase("palette", "finds all the rest", told)


def _is_moved(before: Scene, now: Scene) -> bool:
    if before.probes is now.probes or before.probe_ids != now.probe_ids:
        return False
    pairs = zip(before.probes, now.probes, strict=True)
    return any(a is not b and replace(a, enabled=b.enabled) != b for a, b in pairs)


def _selects_asked(state: State) -> bool:
    """Whether the primitive that was selected last makes a pair that misses or, if all are hit, any pair."""
    last, picture = state.selection.last, state.session.picture
    if last is None or last.kind != "primitive" or (pair := state.selection.pair(picture)) is None:
        return False
    return not picture.report.verdict(*pair).hit or bool(picture.report.hit_elements.all())
