"""Commands of the view: sides, projection, up axis, framing, levels of the hierarchy, storing it in the scene."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec

from hitscope.draw.selection_geometry import bounds_of, framed
from hitscope.draw.target import Target
from hitscope.geometry.shapes import Vec3
from hitscope.scene import edits
from hitscope.scene.model import FileCamera
from hitscope.viewer.actions.selecting import has_selection, select_pair
from hitscope.viewer.state.state import State, command

SIDES: Final = {
    "front": (0, 0, "1"),
    "back": (180, 0, "Ctrl+1"),
    "right": (90, 0, "3"),
    "left": (-90, 0, "Ctrl+3"),
    "top": (0, 90, "7"),
    "bottom": (0, -90, "Ctrl+7"),
}
"""The azimuth and height, in degrees, of each side from which the camera looks, and its key."""


def look_from(state: State, side: str) -> None:
    """Look from a side; front is +z, or -y where z is up, right is +x."""
    azimuth, height, _ = SIDES[side]
    state.display.viewpoint.turn(math.radians(azimuth), math.radians(height), state.display.now)
    state.messages.notice = f"View from the {side}"


def look_along(state: State, direction: Vec3, words: str = "View along the axis") -> None:
    """Look from where a direction points to, with a notice."""
    viewpoint = state.display.viewpoint
    camera = replace(viewpoint.camera, eye=direction, target=(0.0, 0.0, 0.0))
    viewpoint.turn(*camera.angles, state.display.now)
    state.messages.notice = words


@command(
    "orthographic",
    "Switch orthographic and perspective",
    keys="5",
    synonyms="parallel projection 2d",
    is_on=lambda state: state.display.viewpoint.camera.orthographic,
)
def toggle_orthographic(state: State) -> None:
    """Switch between orthographic and perspective."""
    state.display.viewpoint.finish()
    camera = state.display.viewpoint.camera
    state.display.viewpoint.set(replace(camera, orthographic=not camera.orthographic))
    state.messages.notice = "Perspective" if camera.orthographic else "Orthographic"


@command("toggle_up", "Switch y up and z up", keys="U", synonyms="axis")
def toggle_up(state: State) -> None:
    """Switch the scene's up axis between y and z and keep the side of the view."""
    scene = state.session.document.scene
    up = "z" if scene.view.up == "y" else "y"
    view = msgspec.structs.replace(scene.view, up=up)
    state.session.edit(msgspec.structs.replace(scene, view=view), f"set {up} up")


@command("save_view", "Save this view in the scene", keys="Ctrl+U", synonyms="camera bookmark")
def save_view(state: State) -> None:
    """Store the current view in the scene, which opens with it from then on."""
    state.display.viewpoint.finish()
    current = state.display.viewpoint.camera
    if current.eye == current.target:
        return
    scene = edits.show_hierarchy(state.session.document.scene, state.display.viewpoint.hierarchy)
    camera = FileCamera(eye=current.eye, target=current.target, fov_deg=current.fov_deg)
    view = msgspec.structs.replace(scene.view, camera=camera)
    state.session.edit(msgspec.structs.replace(scene, view=view), "save the view")
    state.messages.notice = "The scene now opens with this view"


@command(
    "frame_all",
    "Go to the scene's view; press again to frame all",
    keys="Home",
    synonyms="reset camera zoom to fit",
)
def frame_all(state: State) -> None:
    """Ease to the scene's own view; in that view, or without one, to the whole scene."""
    session, display = state.session, state.display
    display.viewpoint.return_to(session.scene.view, session.corners, display.full, display.now)


@command(
    "frame_selection",
    "Frame the selection",
    keys="F",
    synonyms="zoom to fit focus center",
    is_possible=has_selection,
)
def frame_selection(state: State) -> None:
    """Frame what is selected, or the whole scene."""
    _frame(state, state.selection.targets)


def _frame(state: State, targets: Sequence[Target]) -> None:
    session, display = state.session, state.display
    display.viewpoint.frame(framed(session.picture, targets, session.extent).corners, display.full, display.now)


def select_and_frame(state: State, target: Target) -> None:
    state.selection.select(target)
    frame_selection(state)


def show_pair(state: State, *pair: Target) -> None:
    """Select a probe, with the primitive beside it, and turn the camera to both; leave out what does not exist."""
    if found := select_pair(state, *pair):
        _frame(state, found)


def show_selection(state: State) -> None:
    """Frame the whole scene, unless what is selected is in sight as a whole."""
    session, display = state.session, state.display
    if (bounds := bounds_of(session.picture, state.selection.targets)) is not None:
        left, top, width, height = display.view.viewport
        x, y, depth = display.view.project(bounds.corners).T
        if not ((depth > 0) & (left <= x) & (x < left + width) & (top <= y) & (y < top + height)).all():
            display.viewpoint.frame(session.corners, display.full, display.now)


@command("show_deeper", "Show the hierarchy, one level deeper", keys="V", synonyms="bvh tree bounding volumes")
def show_deeper(state: State) -> None:
    """Show the hierarchies over the primitives, one level deeper than now."""
    now, shown = state.display.viewpoint.hierarchy or 0, state.session.picture.level
    # Without a level to show there is no deeper one.
    show_level(state, now if shown is None else min(now + 1, shown.deepest))


@command("show_shallower", "Show one level less", keys="Shift+V", synonyms="bvh tree")
def show_shallower(state: State) -> None:
    """Show the hierarchies over the primitives one level higher; above the first, none."""
    now = state.display.viewpoint.hierarchy
    show_level(state, now - 1 if now else None)


def show_level(state: State, level: int | None) -> None:
    """Show the hierarchies at a level; None shows none."""
    state.display.viewpoint.hierarchy = level
    state.messages.notice = "The hierarchy is hidden" if level is None else ""
