"""The soft shadow on the ground of the shapes over it, as under an overcast sky."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import moderngl
import numpy as np

from hitscope.draw.chunks import CullingView
from hitscope.geometry.arrays import Array
from hitscope.render.camera import Camera
from hitscope.render.ground import Grid
from hitscope.render.shaders import FRAME_BLOCK, FRAME_FLOATS, program, set_uniforms
from hitscope.render.shape_meshes import DrawCall, ShapeMeshes

OVERHEAD = 1
"""The texture unit, free until the layers are composited."""
OVERHEAD_SIDE, SIDE = 256, 128
"""The texels each way of the view from the ground upwards, and of the shadow, which is soft."""
SMALL = 3.0
"""The size in texels below which shapes are drawn as points: the narrowest rim is twice as wide."""
REACH = 1.6
"""The distance in stage units from the middle of the scene at which the shadow ends."""
HIGHEST = 4.0
"""The height over that middle above which nothing casts a shadow: unbounded shapes have faded out."""
SUNK = 2e-3
"""The depth in the ground up to which a shape counts as standing on it."""

Draw = Callable[[Callable[[], None], Iterator[DrawCall]], Iterator[None]]


class Shadow:
    """A texture of the part of the sky that is hidden from each point of the ground; independent of the camera."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._overhead, self._texture = (
            context.texture((side, side), components) for side, components in ((OVERHEAD_SIDE, 2), (SIDE, 4))
        )
        for texture in (self._overhead, self._texture):
            texture.repeat_x = texture.repeat_y = False
        sides = (OVERHEAD_SIDE, OVERHEAD_SIDE)
        self._above = context.framebuffer([self._overhead], context.depth_renderbuffer(sides))
        self._cast = context.framebuffer([self._texture])
        made = program(context, "copy.vert", "shadow.frag", overhead=OVERHEAD)
        set_uniforms(made, reach=REACH, side=SIDE)
        self._whole = context.vertex_array(made, [])
        self._frame = context.buffer(reserve=4 * FRAME_FLOATS)
        self._ground: Grid | None = None
        self._made_of: tuple[object, ...] = ()

    def update(self, meshes: Sequence[ShapeMeshes[Any]], ground: Grid, plain: bool, draw: Draw) -> Iterator[None]:
        """Draw the shadow of meshes step by step, unless it is up to date: if `plain`, also after some moved."""
        shown, filled = [s.shown for s in meshes], [s.row_buffer.fills for s in meshes]
        made_of = ground.across, *shown, ground.key, ground.stage.key, *filled
        known = 1 + len(meshes) if plain else len(made_of)
        if made_of[:known] == self._made_of[:known]:
            return
        self._made_of, self._ground = (), ground
        view = self._look_up(ground)
        self._above.clear(0.0, 0.0, depth=1.0)
        yield from draw(self._begin, chain.from_iterable(s.overhead(view, SMALL) for s in meshes if s.count))
        self._overhead.build_mipmaps()
        self._cast.use()
        self._context.enable_only(moderngl.NOTHING)
        self._overhead.use(OVERHEAD)
        self._whole.render(vertices=3)
        self._made_of = made_of

    def use(self, unit: int) -> None:
        self._texture.use(unit)

    def uniforms(self, camera: Camera, ground: Grid) -> dict[str, Any]:
        """The uniforms by which composite.frag finds a point of the ground in the texture."""
        assert self._ground is not None
        own, axes = self._ground.stage, list(ground.axes)
        with np.errstate(over="ignore"):
            eye: Array = (np.array(camera.eye) - own.anchor)[axes] / own.scale
            unit = np.divide(ground.stage.scale, own.scale)
        point = np.clip([*(0.5 + eye / (2 * REACH)), unit / (2 * REACH)], -1e12, 1e12)
        return {"eye_in_shadow": point.tolist()}

    def _look_up(self, ground: Grid) -> CullingView:
        """Write the uniform block of the view straight up from the ground; its culling view."""
        view = np.zeros((4, 4))
        view[ground.axes, (0, 1)] = view[3, 3] = 1.0
        view[(ground.across, 3), 2] = -1.0, ground.height
        near, far = -SUNK, max(HIGHEST - ground.height, HIGHEST)
        projection = np.diag([1 / REACH, 1 / REACH, -2 / (far - near), 1.0])
        projection[3, 2] = -(far + near) / (far - near)
        texel = 2 * REACH / OVERHEAD_SIDE
        parts = (view, projection, [OVERHEAD_SIDE, OVERHEAD_SIDE, 1.0, texel], [near, far, 0.0, 1.0])
        block = np.concatenate([np.ravel(part) for part in parts]).astype(np.float32)
        self._frame.write(np.pad(block, (0, FRAME_FLOATS - len(block))))
        return CullingView(view, projection, texel, 0.0, 1.0)

    def _begin(self) -> None:
        self._above.use()
        self._context.enable_only(moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
        self._context.depth_func = "<="
        self._frame.bind_to_uniform_block(FRAME_BLOCK)
