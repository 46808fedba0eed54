"""The step of the grid, for snapping and nudging."""

import math

from hitscope.render.camera import Camera
from hitscope.render.ground import DISTANCE_PER_SPACING
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.settings import Settings


def grid_step_of(settings: Settings, display: Display) -> float:
    """The step of the grid, in scene units: as set, or that of the finest lines of the grid."""
    return settings.grid_step or grid_step(display.view.camera)


def grid_step(camera: Camera) -> float:
    """The spacing of the finest grid lines in this view, a power of ten in scene units."""
    over = 0.0 if camera.orthographic else abs(camera.eye[camera.grid_axis])
    return float(f"1e{math.floor(math.log10(max(camera.distance, over) / DISTANCE_PER_SPACING))}")
