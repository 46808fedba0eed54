"""The renderer: a draw list, a camera and a theme become a picture in a framebuffer."""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

import moderngl
import numpy as np

from hitscope.draw.chunks import Sight
from hitscope.draw.items import Array, Codes, DrawList
from hitscope.render.buffers import Stage, span_of
from hitscope.render.camera import Camera, Viewport
from hitscope.render.canvas import Canvas
from hitscope.render.ground import Ground
from hitscope.render.ink import Ink
from hitscope.render.palette import DARK, Theme, rgb
from hitscope.render.shaders import FACE_DEPTH, FRAME_BLOCK, program, set_uniforms
from hitscope.render.solids import SMALL, BoxSolids, FacetSolids, Job, Solids, TriangleSolids

ACCUMULATED, WEIGHT = 1, 2
"""Texture units."""
FACES_BACK = (1.5, 2.0)
"""Faces give way to the lines on them, the more the more they are slanted."""
SHAPES_A_STEP = 2048
"""So many shapes are drawn in one go; a software renderer takes some 20 ms for all passes of them."""
NEAREST = 2e-3
"""The near plane comes so near, as a part of the camera's distance: nearer, a 24 bit depth is too coarse."""


class Renderer:
    """Draws draw lists in one OpenGL 3.3 context, on screen and offscreen alike."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._canvases: dict[int, Canvas] = {}
        self._frame = context.buffer(reserve=4 * (16 + 16 + 4 + 4 + 64), dynamic=True)
        self._boxes, self._probe_boxes = BoxSolids(context), BoxSolids(context, many=False)
        self._triangles, self._probe_triangles = TriangleSolids(context), TriangleSolids(context, many=False)
        self._facets = FacetSolids(context)
        self._solids: tuple[Solids[Any], ...] = (
            *(self._boxes, self._probe_boxes),
            *(self._triangles, self._probe_triangles),
            self._facets,
        )
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
        reduced: float = 0.0,
    ) -> None:
        """Draw one picture into `target` (the screen unless given), which is `size` pixels wide and high.

        Only `viewport` is drawn to, the whole of it unless given; all widths grow with `pixel_ratio`.
        `samples` a pixel are rounded down to a power of 2, and to what the driver can do. The target is left
        bound, its viewport all of it. Arrays of the draw list that were drawn before are not uploaded again,
        so they must not be written to.

        A `reduced` picture is for a scene in motion: of one sample, without the far sides of boxes, its edges
        plain lines; shapes that are seen smaller than `reduced` pixels are points.
        """
        view = viewport or Viewport(0, 0, *size)
        for _ in self.steps(draw_list, camera, size, theme, samples, pixel_ratio, view, target, reduced):
            pass

    def steps(
        self,
        draw_list: DrawList,
        camera: Camera,
        size: tuple[int, int],
        theme: Theme,
        samples: int,
        pixel_ratio: float,
        view: Viewport,
        target: moderngl.Framebuffer | None,
        reduced: float = 0.0,
    ) -> Iterator[None]:
        """Draw one picture as `draw` does, a step at a time: between two others may use the context.

        The target has the picture after the last step. Nothing else may be drawn by this renderer before; to
        give the picture up is to ask for no more steps.
        """
        plain = reduced > 0
        possible = 1 << min(1 if plain else samples, self._context.max_samples).bit_length() - 1
        canvas = self._canvas((view.width, view.height), possible)
        stage = Stage(np.asarray(draw_list.anchor, float), float(draw_list.scale))
        self._take(draw_list, stage)
        solid_span = span_of(*(solids.span for solids in self._solids))
        if not len(solid_span):
            solid_span = np.zeros((2, 3))
        ground = Ground.under(stage, camera.up, solid_span)
        self._ink.take(draw_list, stage, ground)
        sight = self._write_frame(camera, stage, canvas.size, theme, pixel_ratio, solid_span)
        for solids in self._solids:
            solids.look(sight, max(reduced, SMALL) * pixel_ratio)
        yield from self._draw_solids(canvas, plain)
        yield from self._draw_picture(canvas, camera, ground, theme, plain)
        self._copy_picture(canvas, view, size, target or self._context.screen)

    @property
    def written(self) -> int:
        """How many bytes of roles and cues went to the graphics card since the beginning."""
        return sum(solids.written for solids in self._solids)

    def pack(self, draw_list: DrawList) -> None:
        """Prepare a large draw list that is to be drawn, without the graphics card: any thread may do it."""
        stage = Stage(np.asarray(draw_list.anchor, float), float(draw_list.scale))
        self._boxes.pack(draw_list.boxes, stage)
        self._triangles.pack(draw_list.triangles, stage)

    @property
    def holds(self) -> tuple[int, int]:
        """How many boxes and triangles were drawn last."""
        return self._boxes.count, self._triangles.count

    def colour(self, boxes: Codes, triangles: Codes) -> None:
        """Bring the roles of the primitives that were drawn last up to date, before anything else is."""
        self._boxes.colour(boxes)
        self._triangles.colour(triangles)

    def _take(self, draw_list: DrawList, stage: Stage) -> None:
        self._boxes.take(draw_list.boxes, stage)
        self._probe_boxes.take(draw_list.probe_boxes, stage)
        self._triangles.take(draw_list.triangles, stage)
        self._probe_triangles.take(draw_list.probe_triangles, stage)
        self._facets.take(draw_list.facets, stage)

    def _canvas(self, size: tuple[int, int], samples: int) -> Canvas:
        """Give the canvas of a size; those of other sizes are let go."""
        for known in [key for key, canvas in self._canvases.items() if canvas.size != size]:
            self._canvases.pop(known).release()
        if samples not in self._canvases:
            self._canvases[samples] = Canvas(self._context, size, samples)
        return self._canvases[samples]

    def _write_frame(
        self,
        camera: Camera,
        stage: Stage,
        size: tuple[int, int],
        theme: Theme,
        pixel_ratio: float,
        span: Array,
    ) -> Sight:
        view = camera.view_matrix(stage.anchor, stage.scale)
        nearest, farthest = _depths(view, span)
        distance = camera.distance / stage.scale
        closest = NEAREST * distance
        if camera.orthographic:
            room = 0.02 * (farthest - nearest) + closest
            near, far = nearest - room, farthest + room
        else:
            near = max(0.98 * nearest, closest)
            far = max(1.02 * farthest, 2 * near)
        projection = camera.projection_matrix(size[0] / size[1], near, far, stage.scale)
        everywhere = distance if camera.orthographic else 0.0
        screen = [*size, pixel_ratio, 2 * camera.slope / size[1]]
        roles = [(*rgb(c), a) for c, a in zip(theme.roles, theme.face_opacities, strict=True)]
        others = [(*rgb(c), 1.0) for c in (*theme.axes, theme.halo, theme.outline, theme.warning, theme.core)]
        parts = (view, projection, screen, [near, far, closest, everywhere], roles, others)
        block = np.concatenate([np.ravel(part) for part in parts])
        self._frame.write(block.astype(np.float32).tobytes())
        self._frame.bind_to_uniform_block(FRAME_BLOCK)
        return Sight(view, projection, screen[3], closest, everywhere)

    def _draw_solids(self, canvas: Canvas, plain: bool) -> Iterator[None]:
        context = self._context

        def depth() -> None:
            self._begin(canvas.depth, moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
            context.depth_func = "<="
            context.polygon_offset = FACES_BACK

        canvas.depth.clear(depth=1.0)
        yield from self._draw_jobs(depth, chain.from_iterable(s.depth(plain) for s in self._solids))
        context.polygon_offset = (0.0, 0.0)

        def layers() -> None:
            self._begin(canvas.layers, moderngl.BLEND | moderngl.PROGRAM_POINT_SIZE)
            context.blend_equation = moderngl.FUNC_ADD  # type: ignore[assignment]
            layered = (moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE_MINUS_SRC_ALPHA)
            context.blend_func = layered  # type: ignore[assignment]

        canvas.layers.clear(0.0, 0.0, 0.0, 1.0)
        yield from self._draw_jobs(layers, chain.from_iterable(s.faces(plain) for s in self._solids))

    def _draw_picture(
        self, canvas: Canvas, camera: Camera, ground: Ground, theme: Theme, plain: bool
    ) -> Iterator[None]:
        context = self._context
        self._begin(canvas.picture, moderngl.NOTHING)
        canvas.face_depth.use(FACE_DEPTH)
        canvas.accumulated.use(ACCUMULATED)
        canvas.weight.use(WEIGHT)
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

        def ink() -> None:
            self._begin(canvas.picture, moderngl.BLEND)
            canvas.face_depth.use(FACE_DEPTH)
            context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)

        ink()
        self._ink.draw_standing()

        def behind() -> None:
            self._begin(canvas.behind, moderngl.BLEND | moderngl.DEPTH_TEST)
            context.depth_func = "<="
            context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)

        if plain:
            yield from self._draw_jobs(behind, chain.from_iterable(s.plain_edges() for s in self._solids))
        behind()
        self._ink.draw_threads()
        for under in (True, False):

            def edges(under: bool = under) -> None:
                ink()
                for solids in self._solids:
                    solids.edge_program["under"] = under

            jobs = (s.outlines() if under else s.edges(plain) for s in self._solids)
            yield from self._draw_jobs(edges, chain.from_iterable(jobs))
        ink()
        self._ink.draw()

    def _begin(self, framebuffer: moderngl.Framebuffer, flags: int) -> None:
        framebuffer.use()
        self._context.enable_only(flags)
        self._frame.bind_to_uniform_block(FRAME_BLOCK)

    def _draw_jobs(self, begin: Callable[[], None], jobs: Iterable[Job]) -> Iterator[None]:
        """Draw so many shapes a step; `begin` sets the state that they are drawn in, and does so after each."""
        begin()
        left = SHAPES_A_STEP
        for mesh, runs in jobs:
            for start, count in runs:
                for first in range(start, start + count, SHAPES_A_STEP):
                    number = min(start + count - first, SHAPES_A_STEP)
                    if left < number:
                        self._context.polygon_offset = (0.0, 0.0)
                        yield
                        begin()
                        left = SHAPES_A_STEP
                    mesh.draw([(first, number)])
                    left -= number

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
