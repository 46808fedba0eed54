"""Moving what is selected by the arrow keys: a grid step along the axes that the picture's are nearest to."""

import math

import numpy as np

from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import Camera
from hitscope.render.ground import DISTANCE_PER_SPACING
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.settings import Settings

ARROWS = {"Right": (0, 1), "Left": (0, -1), "Up": (1, 1), "Down": (1, -1), "PageUp": (2, 1), "PageDown": (2, -1)}
"""Which row of the camera's axes each key goes along, and which way; PageUp comes towards the eye."""


PAUSE = 1.0
"""Seconds without a nudge after which the next one is an entry of the history of its own."""


def grid_step_of(settings: Settings, display: Display) -> float:
    """Give the step of the grid, in scene units: as set, or that of the finest lines of the grid."""
    return settings.grid_step or grid_step(display.view.camera)


def grid_step(camera: Camera) -> float:
    """Give the step of the grid, a power of ten: that of the finest lines that it has in this view."""
    over = 0.0 if camera.orthographic else abs(camera.eye[camera.grid_axis])
    return float(f"1e{math.floor(math.log10(max(camera.distance, over) / DISTANCE_PER_SPACING))}")


def arrow(camera: Camera, key: str) -> tuple[int, int]:
    """Give the coordinate axis that a key moves along in this view, and the sign; every axis has two keys."""
    row, way = ARROWS[key]
    left = [0, 1, 2]
    for seen in camera.axes[: row + 1]:
        axis = max(left, key=lambda k: abs(float(seen[k])))
        left.remove(axis)
    return axis, way * (1 if camera.axes[row][axis] >= 0 else -1)


def nudge_by(camera: Camera, key: str, step: float) -> Vec3:
    """Give the vector of one grid step."""
    axis, sign = arrow(camera, key)
    x, y, z = (np.eye(3)[axis] * sign * step + 0.0).tolist()
    return x, y, z
