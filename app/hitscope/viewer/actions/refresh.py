"""The evaluation of the scene that is shown, at most once an input; what a job evaluated is only taken."""

from hitscope.draw.selection_geometry import shape_of
from hitscope.draw.shape_drawings import handle_points
from hitscope.draw.target import Target
from hitscope.evaluate import evaluate
from hitscope.viewer.actions import map_view, method_jobs, own_code, review, step_following
from hitscope.viewer.actions.first_steps import note_steps
from hitscope.viewer.actions.lessons import note_lesson
from hitscope.viewer.actions.method_jobs import begin_compiling
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.state import State


def refresh(state: State) -> None:
    """Bring the report up to date with the scene, and the rest of the state with the report.

    A new scene is evaluated and the user's own methods are called on it, the partner of the selection is kept, the
    compiling of its methods is begun, targets that no longer exist are deselected, and while the scene rests its
    methods are compared. The method that is stepped through is traced again. What was done of the first steps
    and of the scene's lesson is noted.
    """
    session, selection, display, own = state.session, state.selection, state.display, state.session.own
    report, shown = session.report, (display.viewpoint.hierarchy, display.nearest_only)
    is_same = report.scene is session.scene and report.own is own.methods(session.document, session.scene)
    if not is_same or (report.level, report.nearest_only) != shown:
        _evaluate(session, selection, display, own)
    if session.report is not session.followed:
        session.followed = session.report
        begin_compiling(session, state.jobs, display.now)
        _follow_scene(session, selection, display)
    own_code.follow_scene(own, session, state.jobs, display.now)
    method_jobs.follow_scene(session, own, state.jobs, state.tool.drag is not None, display.now)
    step_following.follow_scene(state)
    map_view.follow_scene(state)
    camera = display.viewpoint.camera
    session.builder.set_camera(camera.eye, camera.target)
    review.follow(state)
    note_lesson(state)
    note_steps(state)


def _evaluate(session: Session, selection: Selection, display: Display, own: OwnCode) -> None:
    last = selection.last
    if last is not None and (met := session.picture.pairs.met(last)):
        selection.pairing = selection.pairing._replace(met=met)
    _evaluate_as_shown(session, display, own)


def _evaluate_as_shown(session: Session, display: Display, own: OwnCode) -> None:
    scene, viewpoint = session.scene, display.viewpoint
    methods = own.methods(session.document, scene)
    session.report = evaluate(scene, session.report, False, viewpoint.hierarchy, display.nearest_only, own=methods)


def _follow_scene(session: Session, selection: Selection, display: Display) -> None:
    """Deselect what no longer exists, and take the scene's up axis."""

    def has_handle(handle: Target) -> bool:
        shape = shape_of(session.report, handle)
        return shape is not None and (handle.handle or 0) < len(handle_points(shape))

    display.viewpoint.set_up(session.scene.view.up)
    selection.keep_existing(session.exists, has_handle)


def finish_compiling(session: Session, display: Display, own: OwnCode, jobs: Jobs) -> None:
    """Evaluate again with the compiled methods where the hierarchy is drawn: nothing else looks different."""
    jobs.compiling = None
    if display.viewpoint.hierarchy is not None:
        _evaluate_as_shown(session, display, own)
