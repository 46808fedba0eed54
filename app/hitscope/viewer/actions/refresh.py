"""The evaluation of the scene that is shown, at most once an input; what a job evaluated is only taken."""

from collections.abc import Callable
from typing import Final

from hitscope.draw.selection_geometry import handled_of
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.viewer.actions import first_steps, lessons, map_view, method_jobs, own_code, review, stepping
from hitscope.viewer.state.state import State


def refresh(state: State) -> None:
    """Bring the report up to date with the scene, and the rest of the state with the report."""
    for follow in FOLLOWERS:
        follow(state)


def evaluate_scene(state: State) -> None:
    """Evaluate the scene, unless the report is of it as it is shown; the partner of the selection is kept."""
    session, selection, display = state.session, state.selection, state.display
    report, shown = session.report, (display.viewpoint.hierarchy, display.nearest_only)
    is_same = report.scene is session.scene and report.own is session.own.methods(session.document, session.scene)
    if is_same and (report.level, report.nearest_only) == shown:
        return
    last = selection.last
    # In a drag, answers of the user's own code to a scene follow that scene at once.
    is_answered = session.has_preview and report.scene is session.scene
    if last is not None and not is_answered and (met := session.picture.pairs.met(last)):
        selection.pairing = selection.pairing._replace(met=met)
    session.evaluate(*shown)


def follow_report(state: State) -> None:
    """Begin to compile the methods of a new report, deselect what it lacks, and take the scene's up axis."""
    session = state.session

    def has_handle(handle: Target) -> bool:
        handled = handled_of(session.report, handle)
        return handled is not None and (handle.handle or 0) < len(handle_points(handled))

    if session.report is not session.followed:
        session.followed = session.report
        method_jobs.begin_compiling(state)
        state.display.viewpoint.set_up(session.scene.view.up)
        state.selection.keep_existing(session.exists, has_handle)


def follow_display(state: State) -> None:
    """Let the panel at the right be high while it has a map or an item, and the draw list be for the camera."""
    state.display.folding.is_panel_high = bool(state.selection.targets) or state.session.map_view.is_open
    camera = state.display.viewpoint.camera
    state.session.builder.set_camera(camera.eye, camera.target)


FOLLOWERS: Final[tuple[Callable[[State], None], ...]] = (
    evaluate_scene,
    follow_report,
    own_code.follow_scene,
    method_jobs.follow_scene,
    stepping.follow_scene,
    map_view.follow_scene,
    follow_display,
    review.follow_scene,
    lessons.follow_scene,
    first_steps.follow_scene,
)
"""The followers of the scene, in this order: each brings a part of the state up to date with those before it."""
