"""The step of the grid, for snapping and nudging."""

import math

from hitscope.render.camera import Camera
from hitscope.render.ground import grid_distance, spacing_level
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.settings import Settings


def grid_step_of(settings: Settings, display: Display) -> float:
    """The step of the grid, in scene units: as set, or that of the finest lines of the grid."""
    return settings.grid_step or grid_step(display.view.camera)


def grid_step(camera: Camera) -> float:
    """The spacing of the finest grid lines in this view, a power of ten in scene units."""
    distance = grid_distance(camera, camera.eye[camera.grid_axis])
    return float(f"1e{math.floor(spacing_level(distance))}")
