"""What the chart of a pair does in the scene: light a row there, and look along an axis."""

from dataclasses import replace

from hitscope.draw.chart_marks import ChartFocus
from hitscope.geometry.shapes import Vec3
from hitscope.viewer.state.state import State


def light(state: State, focus: ChartFocus | None) -> None:
    """Show a row of a chart in the scene, or none."""
    state.selection.chart = focus


def look_along(state: State, direction: Vec3) -> None:
    """Look from where an axis points to."""
    viewpoint = state.display.viewpoint
    camera = replace(viewpoint.camera, eye=direction, target=(0.0, 0.0, 0.0))
    viewpoint.turn(*camera.angles, state.display.now)
    state.messages.notice = "View along the axis"
