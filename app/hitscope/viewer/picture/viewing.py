"""Commands of the view: from which side, how it is projected, what is up, and keeping it in the scene."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from hitscope.scene import edits
from hitscope.scene.model import Camera

if TYPE_CHECKING:
    from hitscope.viewer.app import App

RIGHT_ANGLE = math.radians(90)
SIDES: Final[dict[str, tuple[float, float]]] = {
    "front": (0.0, 0.0),
    "back": (2 * RIGHT_ANGLE, 0.0),
    "right": (RIGHT_ANGLE, 0.0),
    "left": (-RIGHT_ANGLE, 0.0),
    "top": (0.0, RIGHT_ANGLE),
    "bottom": (0.0, -RIGHT_ANGLE),
}
"""From which angles, in radians, the target is seen."""


def look_from(side: str) -> Callable[["App"], None]:
    """Give the command that looks from a side, front being +z, or -y where z is up, and right +x."""

    def command(app: "App") -> None:
        app.viewpoint.turn(*SIDES[side], app.now)
        app.message = f"from the {side}"

    return command


def look_along(app: "App", axis: int, sign: int) -> None:
    """Look from the end of an axis."""
    x, y, z = (float(sign) if i == axis else 0.0 for i in range(3))
    camera = replace(app.viewpoint.camera, eye=(x, y, z), target=(0.0, 0.0, 0.0))
    app.viewpoint.turn(*camera.angles, app.now)
    app.message = f"from {'+' if sign > 0 else '−'}{'XYZ'[axis]}"


def toggle_orthographic(app: "App") -> None:
    """Draw what is far as large as what is near, or smaller again."""
    app.viewpoint.settle()
    camera = app.viewpoint.camera
    app.viewpoint.set(replace(camera, orthographic=not camera.orthographic))
    app.message = "perspective" if camera.orthographic else "orthographic"


def toggle_up(app: "App") -> None:
    """Take the other axis for up, in the scene, and look at it from the same side as before."""
    scene = app.document.scene
    up = "z" if scene.view.up == "y" else "y"
    app.edit(msgspec.structs.replace(scene, view=msgspec.structs.replace(scene.view, up=up)), f"{up} up")


def save_view(app: "App") -> None:
    """Let the scene open with the view that is seen now."""
    app.viewpoint.settle()
    seen = app.viewpoint.camera
    if seen.eye == seen.target:
        return
    scene = edits.show_hierarchy(app.document.scene, app.viewpoint.hierarchy)
    camera = Camera(eye=seen.eye, target=seen.target, fov_deg=seen.fov_deg)
    view = msgspec.structs.replace(scene.view, camera=camera)
    app.edit(msgspec.structs.replace(scene, view=view), "keep the view")
    app.message = "the scene opens with this view from now on"
