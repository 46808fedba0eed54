"""What a held mouse button does, from press to release: one small object for each."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from hitscope.draw.items import Array
from hitscope.draw.probes import handle_points
from hitscope.draw.target import Target
from hitscope.geometry.shapes import Vec3
from hitscope.render.camera import UP_AXIS
from hitscope.scene import add_probe, replace_probe
from hitscope.scene.model import Bulk, SingleProbe, TriangleProbe
from hitscope.viewer import handles
from hitscope.viewer.picking import surface_at

if TYPE_CHECKING:
    from hitscope.viewer.app import App

CLICK_REACH = 4.0
"""A press that moves less than so many points is a click."""
BEYOND = 0.1
"""A probe drawn onto a flat primitive ends behind it by this part of its length."""


END_ON = 1e-4
"""An axis seen at less than this (the square of the sine) is too steep to drag along."""
HORIZON = 10.0
"""The ground is drawn on up to so many times the camera's distance."""


class Drag(Protocol):
    """A drag under way."""

    hint: str
    """What is to be known while it lasts."""

    def move(self, app: "App", x: float, y: float) -> None:
        """Follow the mouse to a pixel."""

    def release(self, app: "App") -> None:
        """Keep what was done."""

    def cancel(self, app: "App") -> None:
        """Bring everything back as it was before."""


Begin: TypeAlias = "Callable[[App, float, float], Drag]"
"""What a press begins, at a pixel."""


class _CameraDrag:
    """A drag that moves the camera; less than that, it is a click on what is under it."""

    hint = ""

    def __init__(self, app: "App", x: float, y: float) -> None:
        self._at = (x, y)
        self._before = app.viewpoint.camera
        self._clicked = app.target_at(x, y)
        self._moving = False

    def move(self, app: "App", x: float, y: float) -> None:
        """Follow the mouse, once it has left the place of a click."""
        dx, dy = x - self._at[0], y - self._at[1]
        self._moving = self._moving or math.hypot(dx, dy) > CLICK_REACH * app.points
        if self._moving:
            self._at = (x, y)
            self.turn(app, dx, dy)

    def turn(self, app: "App", dx: float, dy: float) -> None:
        """Move the camera as a drag by so many pixels does."""
        raise NotImplementedError

    def release(self, app: "App") -> None:
        """Select what was clicked."""
        if not self._moving:
            app.select(self._clicked)

    def cancel(self, app: "App") -> None:
        """Bring the camera back."""
        app.viewpoint.set(self._before)


class Orbit(_CameraDrag):
    """Turns the camera around its target."""

    def turn(self, app: "App", dx: float, dy: float) -> None:
        """Turn by so many pixels."""
        app.viewpoint.set(app.eye.camera.orbit(dx / app.points, dy / app.points))


class Pan(_CameraDrag):
    """Moves the camera sideways."""

    def turn(self, app: "App", dx: float, dy: float) -> None:
        """Move by so many pixels."""
        app.viewpoint.set(app.eye.camera.pan(dx, dy, app.eye.viewport))


class MoveHandle:
    """Moves one handle of a probe, in the plane through it that faces the camera or along a world axis."""

    hint = "hold X, Y or Z to keep to an axis   ·   Esc cancels"

    def __init__(self, app: "App", target: Target, x: float, y: float) -> None:
        assert target.handle is not None
        self._index, self._handle = app.probe_index(target.id), target.handle
        probe = app.scene.probes[self._index]
        assert not isinstance(probe, Bulk), "bundles have no handles"
        self._probe = probe
        self._from = handle_points(self._probe.shape)[self._handle]
        self._rail = handles.rail(self._probe, self._handle)
        seen_x, seen_y, _ = app.eye.camera.project(self._from, app.eye.viewport)[0]
        self._grip = (seen_x - x, seen_y - y)

    def move(self, app: "App", x: float, y: float) -> None:
        """Put the handle under the mouse, as it was gripped."""
        to = _dragged(app, self._from, x + self._grip[0], y + self._grip[1], self._rail)
        if to is not None:
            probe = handles.moved(self._probe, self._handle, to)
            app.preview(replace_probe(app.document.scene, self._index, probe))

    def release(self, app: "App") -> None:
        """Make the edit one entry of the history."""
        app.commit()

    def cancel(self, app: "App") -> None:
        """Put the handle back."""
        app.revert()


class DrawProbe:
    """Draws a new probe.

    It starts on the surface of the primitive under the mouse, else on the ground. It ends in the middle of the
    primitive under the mouse, so that drawing onto something hits it, else in the plane through its start that
    faces the camera. A triangle's third corner is above the other two in the picture.
    """

    hint = MoveHandle.hint

    def __init__(self, app: "App", kind: str, x: float, y: float) -> None:
        self._kind = kind
        self._pressed = (x, y)
        surface = surface_at(app.picture, app.eye, x, y)
        self._start = surface.near if surface else _on_ground(app, x, y)
        if kind == "point":
            self._preview(app, _rounded(app, self._start))

    def move(self, app: "App", x: float, y: float) -> None:
        """End the probe under the mouse."""
        if math.dist((x, y), self._pressed) <= CLICK_REACH * app.points:
            return
        end = self._end(app, x, y)
        if end is not None:
            self._preview(app, end)

    def _preview(self, app: "App", end: Vec3) -> None:
        start = _rounded(app, self._start)
        probe: SingleProbe
        if self._kind == "triangle":
            _, up, back = app.eye.camera.axes
            rise = np.cross(back, np.subtract(end, start))
            rise *= -1 if rise @ up < 0 else 1
            probe = TriangleProbe(vertices=(start, end, _rounded(app, np.add(start, end) / 2 + rise)))
        else:
            probe = handles.drawn(self._kind, start, end)
        app.preview(add_probe(app.document.scene, probe))

    def _end(self, app: "App", x: float, y: float) -> Vec3 | None:
        surface = surface_at(app.picture, app.eye, x, y)
        if surface is None or app.axis is not None:
            return _dragged(app, self._start, x, y)
        flat = np.array_equal(surface.near, surface.middle)
        return _rounded(app, surface.middle + (BEYOND * (surface.middle - self._start) if flat else 0))

    def release(self, app: "App") -> None:
        """Keep the probe and select it; a click draws nothing but a point, and the tool stays."""
        if app.commit():
            app.tool = None
            app.select(Target("probe", app.scene.probe_ids[-1]))

    def cancel(self, app: "App") -> None:
        """Forget the probe."""
        app.revert()


def begin_left(app: "App", x: float, y: float) -> Drag:
    """Begin what the left button does: draw with the tool, else drag the handle there, else turn the camera."""
    if app.tool is not None:
        return DrawProbe(app, app.tool, x, y)
    target = app.target_at(x, y)
    if target is not None and target.handle is not None:
        app.select(target)
        return MoveHandle(app, target, x, y)
    return Orbit(app, x, y)


def _dragged(app: "App", start: Array, x: float, y: float, rail: Array | None = None) -> Vec3 | None:
    """Give where a point is dragged to: along `rail` or the axis that is held, else facing the camera."""
    stage, camera = app.picture.stage, app.eye.camera
    origin, sight = camera.ray_through(x, y, app.eye.viewport)
    eye, point = stage.inward(origin), stage.inward(start)
    axis = rail if rail is not None else None if app.axis is None else np.eye(3)[app.axis]
    if axis is None:
        back = camera.axes[2]
        depth = float((point - eye) @ back / (sight @ back))
        return _rounded(app, stage.outward(eye + depth * sight)) if depth > 0 else None
    slant = float(axis @ sight)
    if 1 - slant * slant < END_ON:
        return None
    # The point of the axis that is nearest to the line of sight.
    along = float(((point - eye) @ sight * slant - (point - eye) @ axis) / (1 - slant * slant))
    to = _rounded(app, stage.outward(point + along * axis))
    x, y, z = (new if way else old for new, old, way in zip(to, start.tolist(), axis, strict=True))
    return x, y, z


def _on_ground(app: "App", x: float, y: float) -> Array:
    """Give the point of the ground at a pixel; where the ground is not in front, at the depth of the target."""
    stage, camera = app.picture.stage, app.eye.camera
    origin, sight = camera.ray_through(x, y, app.eye.viewport)
    eye, up = stage.inward(origin), np.array(UP_AXIS[camera.up])
    with np.errstate(all="ignore"):
        depth = float((stage.inward(np.zeros(3)) - eye) @ up / (sight @ up))
    if not 0 < depth * stage.scale < HORIZON * camera.distance:
        depth = camera.distance / stage.scale
    return stage.outward(eye + depth * sight)


def _rounded(app: "App", point: Array) -> Vec3:
    """Give a point with no more decimals than the picture shows."""
    _, _, depth = app.eye.camera.project(point, app.eye.viewport)[0]
    pixel = 2 * app.eye.camera.slope * depth / app.eye.viewport.height
    decimals = math.ceil(-math.log10(pixel)) if 0 < pixel < math.inf else 0
    x, y, z = (round(value, decimals) + 0.0 for value in point.tolist())
    return x, y, z
