"""The draw list of the state's report."""

from dataclasses import replace

from hitscope.draw.chart_marks import with_chart_marks
from hitscope.draw.items import DrawList
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking.handles import drawn_face_handles, faint_handles
from hitscope.viewer.tools.picking.pickable import pickable_of


def draw_list(state: State) -> DrawList:
    """The draw list of the report with hover, selection and hidden items."""
    session, selection = state.session, state.selection
    picture = session.picture
    pickable = pickable_of(state)
    faces = drawn_face_handles(pickable, selection.hovered)
    report, builder = state.messages.review.drawn(session)
    built = builder.build(
        report,
        selection.hovered,
        selection.targets,
        selection.hidden,
        selection.partner(picture),
        faces,
        selection.pair(picture),
        faint_handles(pickable, faces, state.tool.pointer),
    )
    if (gizmo := gizmo_of(state)) is not None and gizmo.visible:
        built = replace(built, origin_axes=False)
    stepping = state.display.stepping
    if not stepping.is_open or stepping.shown is None:
        return built
    return with_chart_marks(stepping.shown.marks.on(built), selection.chart)
