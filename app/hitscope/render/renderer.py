"""The renderer: a draw list, a camera and a theme become a picture in a framebuffer."""

import math
from itertools import product

import moderngl
import numpy as np

from hitscope.draw.items import Array, DrawList
from hitscope.render.buffers import Stage, span_of
from hitscope.render.camera import Camera, Viewport
from hitscope.render.canvas import Canvas
from hitscope.render.ground import Ground
from hitscope.render.ink import Ink
from hitscope.render.palette import DARK, Theme, rgb
from hitscope.render.shaders import FACE_DEPTH, FRAME_BLOCK, program, set_uniforms
from hitscope.render.solids import BoxSolids, FacetSolids, TriangleSolids

ACCUMULATED, WEIGHT = 1, 2
"""Texture units."""
FACES_BACK = (1.5, 2.0)
"""Faces give way to the lines on them, the more the more they are slanted."""
NEAREST = 2e-3
"""The near plane comes so near, as a part of the camera's distance: nearer, a 24 bit depth is too coarse."""


class Renderer:
    """Draws draw lists in one OpenGL 3.3 context, on screen and offscreen alike."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._canvas: Canvas | None = None
        self._frame = context.buffer(reserve=4 * (16 + 16 + 4 + 4 + 64), dynamic=True)
        self._boxes = BoxSolids(context)
        self._triangles = TriangleSolids(context)
        self._facets = FacetSolids(context)
        self._solids = (self._boxes, self._triangles, self._facets)
        self._ink = Ink(context)
        textures = {"accumulated": ACCUMULATED, "weight": WEIGHT, "face_depth": FACE_DEPTH}
        self._stages = {
            many: context.vertex_array(program(context, "screen.vert", "stage.frag", layer, **textures), [])
            for many, layer in ((False, "LAYER sampler2D"), (True, "LAYER sampler2DMS"))
        }
        self._copy_program = program(context, "copy.vert", "copy.frag", source=ACCUMULATED)
        self._copy = context.vertex_array(self._copy_program, [])

    def draw(
        self,
        draw_list: DrawList,
        camera: Camera,
        size: tuple[int, int],
        theme: Theme = DARK,
        *,
        samples: int = 4,
        pixel_ratio: float = 1.0,
        viewport: Viewport | None = None,
        target: moderngl.Framebuffer | None = None,
    ) -> None:
        """Draw one picture into `target` (the screen unless given), which is `size` pixels wide and high.

        Only `viewport` is drawn to, the whole of it unless given; all widths grow with `pixel_ratio`.
        `samples` a pixel are rounded down to a power of 2, and to what the driver can do. The target is left
        bound, its viewport all of it. Arrays of the draw list that were drawn before are not uploaded again,
        so they must not be written to.
        """
        width, height = size
        view = viewport or Viewport(0, 0, width, height)
        possible = 1 << min(samples, self._context.max_samples).bit_length() - 1
        canvas = self._fitting_canvas((view.width, view.height), possible)
        stage = Stage(np.asarray(draw_list.anchor, float), float(draw_list.scale))
        self._boxes.take(draw_list.boxes, stage)
        self._triangles.take(draw_list.triangles, stage)
        self._facets.take(draw_list.facets, stage)
        solid_span = span_of(*(solids.span for solids in self._solids))
        if not len(solid_span):
            solid_span = np.zeros((2, 3))
        ground = Ground.under(stage, camera.up, solid_span)
        self._ink.take(draw_list, stage, ground)
        self._write_frame(camera, stage, canvas.size, theme, pixel_ratio, solid_span)
        self._draw_solids(canvas)
        self._draw_picture(canvas, camera, ground, theme)
        self._copy_picture(canvas, view, size, target or self._context.screen)

    def _fitting_canvas(self, size: tuple[int, int], samples: int) -> Canvas:
        if self._canvas is None or (self._canvas.size, self._canvas.samples) != (size, samples):
            if self._canvas is not None:
                self._canvas.release()
            self._canvas = Canvas(self._context, size, samples)
        return self._canvas

    def _write_frame(
        self,
        camera: Camera,
        stage: Stage,
        size: tuple[int, int],
        theme: Theme,
        pixel_ratio: float,
        span: Array,
    ) -> None:
        view = camera.view_matrix(stage.anchor, stage.scale)
        nearest, farthest = _depths(view, span)
        closest = NEAREST * camera.distance / stage.scale
        near = max(0.98 * nearest, closest)
        far = max(1.02 * farthest, 2 * near)
        projection = camera.projection_matrix(size[0] / size[1], near, far)
        screen = [*size, pixel_ratio, 2 * camera.slope / size[1]]
        roles = [(*rgb(c), a) for c, a in zip(theme.roles, theme.face_opacities, strict=True)]
        others = [(*rgb(c), 1.0) for c in (*theme.axes, theme.halo, theme.outline, theme.warning, theme.core)]
        parts = (view, projection, screen, [near, far, closest, 0.0], roles, others)
        block = np.concatenate([np.ravel(part) for part in parts])
        self._frame.write(block.astype(np.float32).tobytes())
        self._frame.bind_to_uniform_block(FRAME_BLOCK)

    def _draw_solids(self, canvas: Canvas) -> None:
        context = self._context
        canvas.depth.use()
        canvas.depth.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        context.depth_func = "<="
        context.polygon_offset = FACES_BACK
        for solids in self._solids:
            solids.draw_depth()
        context.polygon_offset = (0.0, 0.0)

        canvas.layers.use()
        canvas.layers.clear(0.0, 0.0, 0.0, 1.0)
        context.enable_only(moderngl.BLEND)
        context.blend_equation = moderngl.FUNC_ADD  # type: ignore[assignment]
        layered = (moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE_MINUS_SRC_ALPHA)
        context.blend_func = layered  # type: ignore[assignment]
        for solids in self._solids:
            solids.draw_faces()

    def _draw_picture(self, canvas: Canvas, camera: Camera, ground: Ground, theme: Theme) -> None:
        context = self._context
        canvas.picture.use()
        canvas.face_depth.use(FACE_DEPTH)
        canvas.accumulated.use(ACCUMULATED)
        canvas.weight.use(WEIGHT)
        context.enable_only(moderngl.NOTHING)
        minor = (*rgb(theme.grid_minor), theme.grid_minor_opacity)
        major = (*rgb(theme.grid_major), theme.grid_major_opacity)
        stage = self._stages[canvas.samples > 1]
        set_uniforms(
            stage.program,
            samples=canvas.samples,
            eye_to_stage=camera.axes.ravel().tolist(),
            background_top=rgb(theme.background_top),
            background_bottom=rgb(theme.background_bottom),
            grid_minor=minor,
            grid_major=major,
            **ground.uniforms(camera),
        )
        stage.render(vertices=3)

        context.enable_only(moderngl.BLEND)
        context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        self._ink.draw_standing()
        for under, solids in product((True, False), self._solids):
            solids.draw_edges(under)
        self._ink.draw()

    def _copy_picture(
        self, canvas: Canvas, view: Viewport, size: tuple[int, int], target: moderngl.Framebuffer
    ) -> None:
        # Drawn, not blitted: a window may have many samples or another format than the picture.
        left, bottom = view.left, size[1] - view.top - view.height
        target.use()
        self._context.viewport = (left, bottom, view.width, view.height)
        self._context.enable_only(moderngl.NOTHING)
        canvas.colours.use(ACCUMULATED)
        self._copy_program["corner"] = (left, bottom)
        self._copy.render(vertices=3)
        self._context.viewport = (0, 0, *size)


def _depths(view: Array, span: Array) -> tuple[float, float]:
    """Give the depths between which the ball around a box (2, 3) in the stage frame lies."""
    center, radius = span.mean(axis=0), math.dist(span[0], span[1]) / 2
    depth = -float(center @ view[:3, 2] + view[3, 2])
    return depth - radius, depth + radius
