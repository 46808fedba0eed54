"""The card over the picture about the user's own methods: why their verdicts are old, while they are."""

from imgui_bundle import ImVec2

from hitscope.viewer.panels import signs, style, text, widgets
from hitscope.viewer.panels.style import QUIET, WARNING, pixels
from hitscope.viewer.state.state import State

SHOWN_AFTER = 0.3
"""Seconds after which a call that goes on is shown."""
WIDTH, MARGIN, PADDING = 560.0, 14.0, 10.0
"""In points."""
LINES = 6
"""The most lines of a problem; all of it is in the tooltip."""


def words_of(state: State) -> tuple[str, str]:
    """The problem, and what is shown meanwhile; both are empty where there is nothing to say."""
    own, calling, now = state.session.own, state.jobs.calling, state.display.now
    if own.problem:
        if not own.has_answered(state.session.document):
            return own.problem, "The scene's own methods decide until it answers."
        if own.load_problem:
            return own.problem, "The verdicts are old: those of the last version that could be loaded."
        return own.problem, "The verdicts are old: its last answers."
    if calling is not None and own.is_old(state.session.scene) and now - calling.job.began >= SHOWN_AFTER:
        return "", f"Calling your own code, {now - calling.job.began:.0f} s: the verdicts are old."
    return "", ""


def show(state: State) -> None:
    """Draw the card at the foot of the picture, above the progress of other work."""
    problem, meanwhile = words_of(state)
    if not meanwhile:
        return
    left, top, width, height = state.display.layout.picture
    wide = min(pixels(WIDTH), width - 2 * pixels(MARGIN))
    middle, bottom = left + width / 2, top + height - pixels(MARGIN)
    with style.card("own code", ImVec2(middle, bottom), ImVec2(wide, 0), PADDING, pivot=ImVec2(0.5, 1.0)):
        room = wide - 2 * pixels(PADDING)
        if problem:
            words = f"{signs.PROBLEM} {problem}"
            text.paragraph(text.cut_lines(words, LINES, room), WARNING, room)
            widgets.tooltip(problem)
        text.paragraph(meanwhile, QUIET, room)
