"""The renderer: a draw list, a camera and a theme become a picture in a framebuffer."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple

import moderngl
import numpy as np

from hitscope.draw.chunks import CullingView
from hitscope.draw.extent import Stage
from hitscope.draw.items import Cue, DrawList, Role, Triangles
from hitscope.draw.probe_layouts import CROWDED_FROM
from hitscope.geometry.arrays import Array
from hitscope.render.backdrop import Backdrop, Meshes
from hitscope.render.buffers import bounds_of
from hitscope.render.camera import Camera
from hitscope.render.ground import Grid
from hitscope.render.lines_and_markers import LAYERS, LinesAndMarkers
from hitscope.render.palette import DARK, Theme, rgb
from hitscope.render.shaders import FACE_DEPTH, FRAME_BLOCK, frame_buffer, program, set_uniforms
from hitscope.render.shadow import Shadow
from hitscope.render.shape_meshes import SMALL, SOLID_MESHES, DrawCall, FacetMeshes, ShapeMeshes


class OpaqueLayer(NamedTuple):
    """The colours and depths of the nearest opaque triangles, with as many samples as the layers of faces."""

    colours: moderngl.Texture
    depths: moderngl.Texture
    framebuffer: moderngl.Framebuffer
    before: moderngl.Framebuffer
    """The layers of faces, for those before the opaque triangles."""


class Canvas:
    """The framebuffers of one picture: depth of its nearest faces, opaque and translucent layers, colours."""

    def __init__(self, context: moderngl.Context, picture: tuple[int, int], grain: int, samples: int) -> None:
        """Make framebuffers with one pixel for `grain` by `grain` of the picture's."""
        size = -(-picture[0] // grain), -(-picture[1] // grain)
        self.size = size
        self.ratio = size[1] / picture[1]
        """The size of the framebuffers, in sizes of the picture."""
        self.samples = samples
        self.frame = frame_buffer(context)
        self.face_depth = context.depth_texture(size)
        self.face_depth.compare_func = ""
        # Only faces need many samples: lines and marks compute their own coverage, finer than samples would.
        # A texture of a single sample is an ordinary one, which software renderers are faster with.
        self._context, self._many = context, samples if samples > 1 else 0
        self.accumulated = context.texture(size, 4, samples=self._many, dtype="f2")
        self.weight = context.texture(size, 1, samples=self._many, dtype="f2")
        self.colours = context.texture(size, 4)
        # At the picture's own size it is copied texel by texel, else enlarged smoothly.
        smooth = moderngl.NEAREST if grain == 1 else moderngl.LINEAR
        self.colours.filter = smooth, smooth
        self.colours.repeat_x = self.colours.repeat_y = False
        self.depth = context.framebuffer(depth_attachment=self.face_depth)
        self.layers = context.framebuffer([self.accumulated, self.weight])
        self.picture = context.framebuffer([self.colours])
        # For lines with the depth test; lines that read the depth as a texture cannot have it attached.
        self.behind = context.framebuffer([self.colours], self.face_depth)
        self.behind.depth_mask = False

    @cached_property
    def opaque(self) -> OpaqueLayer:
        """The opaque layer, made for the first picture that has one."""
        colours = self._context.texture(self.size, 4, samples=self._many)
        depths = self._context.depth_texture(self.size, samples=self._many)
        if not self._many:
            depths.compare_func = ""
        before = self._context.framebuffer([self.accumulated, self.weight], depths)
        before.depth_mask = False
        return OpaqueLayer(colours, depths, self._context.framebuffer([colours], depths), before)

    def release(self) -> None:
        opaque = self.opaque if "opaque" in vars(self) else ()
        framebuffers = self.depth, self.layers, self.picture, self.behind
        textures = self.face_depth, self.accumulated, self.weight, self.colours
        for part in (*opaque, *framebuffers, *textures, self.frame):
            part.release()


ACCUMULATED, WEIGHT, SHADOW, OPAQUE, OPAQUE_DEPTH = 1, 2, 3, 4, 5
"""Texture units."""
FACES_BACK = (1.5, 2.0)
"""The polygon offset by which faces are behind the lines on them."""
SHAPES_A_STEP = 2048
"""Shapes drawn in one step; a software renderer takes some 20 ms for all passes of them."""
DEPTH_CLAMP = 0x864F
"""OpenGL's GL_DEPTH_CLAMP: fragments before the near plane or behind the far one are drawn at these."""
DEEPEST = 1e3
"""The camera distances before and behind the eye at which an orthographic picture's 24-bit depths end."""
NEAREST = 2e-3
"""The least distance of the near plane, in camera distances: a nearer one makes a depth of 24 bits too coarse."""


class Reduced(NamedTuple):
    """The reduction of a picture of a scene in motion."""

    points: float
    """The size in pixels below which shapes are drawn as points."""
    grain: int = 1
    """The picture's pixels, each way, for one pixel of faces and edges."""


class Settings(NamedTuple):
    """How a draw list becomes a picture, beside what its camera sees."""

    size: tuple[int, int]
    """Its width and height in pixels."""
    theme: Theme = DARK
    samples: int = 4
    """The samples a pixel, which are rounded down to a power of 2, and to what the driver can do."""
    pixel_ratio: float = 1.0
    """The factor of all widths."""
    transparent: bool = False
    """Whether it has no background, but premultiplied colours with the coverage as alpha."""
    reduced: Reduced | None = None
    """For a scene in motion: one sample, without the far sides of boxes, its edges plain lines."""


CROWDED_POINTS = 6.0
"""The size in pixels below which shapes are drawn as points then."""
CROWDED_SHADOW = 0.2
"""The part of their shadow that is left then."""
SOFTER = 0.5
"""The part of their opacity that other hits keep beside a selected one, as in face.glsl."""
FAINTER_FROM, FAINTEST = 30, 0.25
"""The number of quiet shapes, misses and neutral ones, from which each is drawn fainter; its last strength."""
FAINTER_STILL_FROM = 10_000
"""The number from which they are fainter still."""


class Renderer:
    """Draws draw lists in one OpenGL 3.3 context, on screen and offscreen alike."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._size = 0, 0
        self._canvases: dict[tuple[int, int], Canvas] = {}
        """The canvases for the size of the picture, by grain and samples."""
        self._frame = frame_buffer(context)
        batches = [[kind(context) for kind in SOLID_MESHES] for _ in range(2)]
        self._primitives: tuple[Meshes, ...] = tuple(map(tuple, batches))
        """The boxes, triangles and round shapes, those of large bulk items last."""
        self._probes: Meshes = tuple(kind(context, many=False) for kind in SOLID_MESHES)
        self._facets = FacetMeshes(context)
        self._casting: Meshes = (*chain(*zip(*self._primitives, strict=True)), self._facets)
        """The meshes that cast a shadow."""
        self._every: Meshes = (*chain(*zip(*self._primitives, self._probes, strict=True)), self._facets)
        self._lines_and_markers = LinesAndMarkers(context)
        self._shadow = Shadow(context)
        self._backdrop = Backdrop(context)
        self.used_backdrop = False
        """Whether the last picture was drawn over the backdrop."""
        self._meshes: list[ShapeMeshes[Any]] = []
        """The meshes of the present picture with any shapes: of others no program is compiled."""
        textures = {"accumulated": ACCUMULATED, "weight": WEIGHT, "face_depth": FACE_DEPTH, "shadow": SHADOW}
        textures |= {"opaque": OPAQUE, "opaque_depth": OPAQUE_DEPTH}
        self._composites = {
            many: context.vertex_array(program(context, "screen.vert", "composite.frag", layer, **textures), [])
            for many, layer in ((False, "LAYER sampler2D"), (True, "LAYER sampler2DMS"))
        }
        self._copy = context.vertex_array(program(context, "copy.vert", "copy.frag", source=ACCUMULATED), [])

    def draw(
        self, draw_list: DrawList, camera: Camera, settings: Settings, target: moderngl.Framebuffer | None = None
    ) -> None:
        """Draw one picture over all of `target`, the screen unless given, which has the size of the settings.

        The target is left bound. Arrays of the draw list that were drawn before are not uploaded again, so they
        must not be written to.
        """
        deque(self.steps(draw_list, camera, settings, target), maxlen=0)

    def steps(
        self,
        draw_list: DrawList,
        camera: Camera,
        settings: Settings,
        target: moderngl.Framebuffer | None,
        is_backdrop: bool = False,
    ) -> Iterator[None]:
        """Draw one picture as `draw` does, a step at a time: between two others may use the context.

        The target has the picture after the last step. This renderer may draw nothing else before; a picture is
        abandoned by taking no more steps. With `is_backdrop` the target stays as it is, and the backdrop is made
        of the picture's quiet shapes, over which reduced pictures by the same camera are drawn.
        """
        size, theme, samples, pixel_ratio, transparent, reduced = settings
        plain, stage = reduced is not None, draw_list.stage
        self._load(draw_list, stage)
        self._meshes = [meshes for meshes in self._every if meshes.count]
        bounds = bounds_of(*(meshes.bounds for meshes in self._every))
        if not len(bounds):
            bounds = np.zeros((2, 3))
        ground = Grid.through(stage, "xyz".index(camera.up), bounds)
        grid = Grid.through(stage, camera.grid_axis, bounds)
        self._lines_and_markers.load(draw_list, stage, ground)
        self._context.disable_direct(DEPTH_CLAMP)
        yield from self._shadow.update(self._casting, ground, plain, self._draw_calls)
        colours = _colours(draw_list, theme, "xyz".index(camera.up))
        shown = [(meshes.row_buffer.fills, meshes.shown) for meshes in self._casting]
        made_of = camera, theme, pixel_ratio, *stage.key, *ground.key, *shown
        changed = None
        if (plain or is_backdrop) and not self._some_opaque:
            changed = self._backdrop.changed(size, made_of, bounds, self._casting)
        self.used_backdrop = plain and changed is not None
        if is_backdrop:
            if changed is not None or self._some_opaque or not self._backdrop.begin(bounds, self._casting):
                return
            self._meshes = [meshes for meshes in self._casting if meshes.count]
        if is_backdrop or self.used_backdrop:
            bounds, plain = self._backdrop.bounds, False
        possible = 1 if plain else 1 << min(samples, self._context.max_samples).bit_length() - 1
        canvas = self._canvas(size, reduced.grain if plain and reduced else 1, possible)
        view = self._write_frames(camera, stage, canvas, colours, pixel_ratio, bounds)
        smallest = CROWDED_POINTS if colours[-1] else SMALL
        for meshes in self._meshes:
            meshes.cull(view, max(reduced.points if reduced else 0.0, smallest), canvas.ratio * pixel_ratio)
        if self.used_backdrop:
            for meshes, rows in zip(self._casting, changed or (), strict=True):
                meshes.draw_only(rows)
            self._backdrop.draw(canvas.behind)
        elif is_backdrop:
            for meshes in self._casting:
                meshes.leave_out(meshes.code_buffer.standing_out)
        yield from self._draw_faces(canvas, plain, self.used_backdrop)
        if colours[-1]:
            theme = replace(theme, shadow_opacity=CROWDED_SHADOW * theme.shadow_opacity)
        if not self.used_backdrop:
            self._draw_composite(canvas, camera, ground, grid, theme, transparent)
        target = target or self._context.screen
        if is_backdrop:
            yield from self._draw_edges(canvas, canvas.picture, plain, LAYERS[-1:])
            self._backdrop.keep(canvas.behind, made_of)
        elif plain:
            yield from self._draw_plain_lines(canvas, edges=canvas.ratio * pixel_ratio >= 1)
            self._copy_picture(canvas, target)
            # In one step, so that an incomplete target is never shown.
            deque(self._draw_lines_and_markers(canvas, target, plain), maxlen=0)
        else:
            yield from self._draw_lines_and_markers(canvas, canvas.picture, plain)
            self._copy_picture(canvas, target)

    def pack(self, draw_list: DrawList) -> None:
        """Prepare a large draw list for drawing, in any thread, without the graphics card."""
        for meshes, shapes in zip(chain(*self._primitives), chain(*draw_list.primitives), strict=True):
            meshes.pack(shapes, draw_list.stage)

    @property
    def _some_opaque(self) -> bool:
        return any(meshes.opaque_count for meshes in self._every)

    def _load(self, draw_list: DrawList, stage: Stage) -> None:
        given = chain(*draw_list.primitives, draw_list.probes, [draw_list.facets])
        for meshes, shapes in zip(chain(*self._primitives, self._probes, [self._facets]), given, strict=True):
            meshes.load(shapes, stage)

    def release_canvases(self) -> None:
        """Release the graphics memory that has the size of the last picture."""
        self._backdrop.release()
        self._set_size((0, 0))

    def _set_size(self, size: tuple[int, int]) -> None:
        if size != self._size:
            for canvas in self._canvases.values():
                canvas.release()
            self._size, self._canvases = size, {}

    def _canvas(self, size: tuple[int, int], grain: int, samples: int) -> Canvas:
        """The canvas for a picture of a size; canvases of other sizes are released."""
        self._set_size(size)
        if (grain, samples) not in self._canvases:
            self._canvases[grain, samples] = Canvas(self._context, size, grain, samples)
        return self._canvases[grain, samples]

    def _write_frames(
        self, camera: Camera, stage: Stage, canvas: Canvas, colours: Array, pixel_ratio: float, bounds: Array
    ) -> CullingView:
        """Write the uniform blocks of the picture and of the canvas: camera, colours, pixels."""
        view = camera.view_matrix(stage.anchor, stage.scale)
        # The depths of the sphere around the bounds.
        radius = math.dist(bounds[0], bounds[1]) / 2
        depth = -float(bounds.mean(axis=0) @ view[:3, 2] + view[3, 2])
        nearest, farthest = depth - radius, depth + radius
        distance = camera.distance / stage.scale
        closest = NEAREST * distance
        if camera.orthographic:
            room = 0.02 * (farthest - nearest) + closest
            near, far = max(nearest - room, -DEEPEST * distance), min(farthest + room, DEEPEST * distance)
            near, far = min(near, far - closest), max(far, near + closest)
            self._context.enable_direct(DEPTH_CLAMP)
        else:
            near = max(0.98 * nearest, closest)
            far = max(1.02 * farthest, 2 * near)
        projection = camera.projection_matrix(self._size[0] / self._size[1], near, far, stage.scale)
        everywhere = distance if camera.orthographic else 0.0
        for frame, size, ratio in ((self._frame, self._size, 1.0), (canvas.frame, canvas.size, canvas.ratio)):
            screen = [*size, pixel_ratio * ratio, camera.pixel_size(1.0, size[1])]
            parts = (view, projection, screen, [near, far, closest, everywhere], colours)
            frame.write(np.concatenate([np.ravel(part) for part in parts]).astype(np.float32).tobytes())
        return CullingView(view, projection, screen[3], closest, everywhere)

    def _draw_faces(self, canvas: Canvas, plain: bool, over: bool) -> Iterator[None]:
        """Draw the depth of the faces, and their layers; or, `over` a picture, themselves."""
        context, solid = self._context, moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE

        def depth() -> None:
            self._begin(canvas.depth, solid, canvas.frame)
            context.polygon_offset = FACES_BACK

        if not over:
            canvas.depth.clear(depth=1.0)
        yield from self._draw_calls(depth, chain.from_iterable(s.depth(plain) for s in self._meshes))
        context.polygon_offset = (0.0, 0.0)

        if self._some_opaque:
            opaque = partial(self._begin, canvas.opaque.framebuffer, solid, canvas.frame)
            canvas.opaque.framebuffer.clear(depth=1.0)
            yield from self._draw_calls(opaque, chain.from_iterable(s.opaque_faces() for s in self._meshes))

        def layers() -> None:
            before = moderngl.DEPTH_TEST if self._some_opaque else moderngl.NOTHING
            layers = canvas.opaque.before if self._some_opaque else canvas.layers
            target = canvas.picture if over else layers
            self._begin(target, moderngl.BLEND | moderngl.PROGRAM_POINT_SIZE | before, canvas.frame)
            context.blend_equation = moderngl.FUNC_ADD  # type: ignore[assignment]
            if not over:
                layered = (moderngl.ONE, moderngl.ONE, moderngl.ZERO, moderngl.ONE_MINUS_SRC_ALPHA)
                context.blend_func = layered  # type: ignore[assignment]
            for meshes in self._meshes:
                meshes.draw_over(over)

        if not over:
            canvas.layers.clear(0.0, 0.0, 0.0, 1.0)
        yield from self._draw_calls(layers, chain.from_iterable(s.faces(plain) for s in self._meshes))

    def _draw_composite(
        self, canvas: Canvas, camera: Camera, ground: Grid, grid: Grid, theme: Theme, transparent: bool
    ) -> None:
        self._begin(canvas.picture, moderngl.NOTHING, canvas.frame)
        canvas.face_depth.use(FACE_DEPTH)
        canvas.accumulated.use(ACCUMULATED)
        canvas.weight.use(WEIGHT)
        self._shadow.use(SHADOW)
        if self._some_opaque:
            canvas.opaque.colours.use(OPAQUE)
            canvas.opaque.depths.use(OPAQUE_DEPTH)
        composite = self._composites[canvas.samples > 1]
        set_uniforms(
            composite.program,
            samples=canvas.samples,
            some_opaque=self._some_opaque,
            transparent=transparent,
            background_top=rgb(theme.background_top),
            background_bottom=rgb(theme.background_bottom),
            grid_minor=(*rgb(theme.grid_minor), theme.grid_minor_opacity),
            grid_major=(*rgb(theme.grid_major), theme.grid_major_opacity),
            axes_opacity=theme.axes_opacity,
            shade=(*rgb(theme.shadow), theme.shadow_opacity),
            **grid.uniforms(camera),
            **self._shadow.uniforms(camera, ground),
        )
        composite.render(vertices=3)

    def _draw_plain_lines(self, canvas: Canvas, edges: bool) -> Iterator[None]:
        """Draw the thin lines and, with `edges`, the plain edges; both have the depth test."""
        behind = partial(self._begin_behind, canvas)
        if edges:
            yield from self._draw_calls(behind, chain.from_iterable(s.plain_edges() for s in self._meshes))
        behind()
        self._lines_and_markers.draw_thin_lines()

    def _draw_lines_and_markers(self, canvas: Canvas, sheet: moderngl.Framebuffer, plain: bool) -> Iterator[None]:
        """Draw edges, lines and markers on a framebuffer of the picture's size, by the depth of the faces."""
        self._begin_lines(canvas, sheet)
        self._lines_and_markers.draw_standing()
        if not plain:
            self._begin_behind(canvas)
            self._lines_and_markers.draw_thin_lines()
        yield from self._draw_edges(canvas, sheet, plain)
        self._begin_lines(canvas, sheet)
        self._lines_and_markers.draw()

    def _draw_edges(
        self, canvas: Canvas, sheet: moderngl.Framebuffer, plain: bool, layers: tuple[int, ...] = LAYERS
    ) -> Iterator[None]:
        for layer in layers:

            def edges(layer: int = layer) -> None:
                self._begin_lines(canvas, sheet)
                for meshes in self._meshes:
                    meshes.set_layer(layer)

            calls = (s.outlines() if layer else s.edges(plain) for s in self._meshes)
            yield from self._draw_calls(edges, chain.from_iterable(calls))

    def _begin_lines(self, canvas: Canvas, sheet: moderngl.Framebuffer) -> None:
        self._begin(sheet, moderngl.BLEND, self._frame)
        canvas.face_depth.use(FACE_DEPTH)

    def _begin_behind(self, canvas: Canvas) -> None:
        self._begin(canvas.behind, moderngl.BLEND | moderngl.DEPTH_TEST, canvas.frame)

    def _begin(self, framebuffer: moderngl.Framebuffer, flags: int, frame: moderngl.Buffer) -> None:
        framebuffer.use()
        self._context.enable_only(flags)
        self._context.depth_func = "<="
        self._context.blend_func = (moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)
        frame.bind_to_uniform_block(FRAME_BLOCK)

    def _draw_calls(self, begin: Callable[[], None], calls: Iterable[DrawCall]) -> Iterator[None]:
        """Draw `SHAPES_A_STEP` shapes a step; `begin` sets the OpenGL state at first and again after each step."""
        begin()
        left = SHAPES_A_STEP
        for mesh, runs in calls:
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

    def _copy_picture(self, canvas: Canvas, target: moderngl.Framebuffer) -> None:
        if canvas.size == self._size and target is not self._context.screen:
            self._context.copy_framebuffer(target, canvas.picture)
            target.use()
            return
        # Drawn, not copied: a window may have many samples or another format than the picture.
        target.use()
        self._context.enable_only(moderngl.NOTHING)
        canvas.colours.use(ACCUMULATED)
        self._copy.render(vertices=3)


def _colours(draw_list: DrawList, theme: Theme, up: int) -> Array:
    """The colours of a frame, the strength of quiet shapes, the rarity of hits, `up` and crowding, as in Frame."""
    # The bytes of hidden and of opaque shapes are no role.
    shown, cues = [], [draw_list.facets.cues]
    every: Iterator[Any] = chain(*draw_list.primitives)
    for shapes in every:
        cues.append(shapes.cues)
        opaque = shapes.opaque << 7 if isinstance(shapes, Triangles) else np.uint8(0)
        shown.append(shapes.roles | (shapes.cues & np.uint8(Cue.HIDDEN)) | opaque)
    misses, neutral, hits = (
        sum(np.count_nonzero(roles == role) for roles in shown) for role in (Role.MISS, Role.NEUTRAL, Role.HIT)
    )
    quiet = misses + neutral
    quiet_strength = max((FAINTER_FROM / max(quiet, FAINTER_FROM)) ** (1 / 3), FAINTEST)
    quiet_strength *= min((FAINTER_STILL_FROM / max(quiet, 1)) ** 0.4, 1.0)
    hit_rarity = (1 - quiet_strength) * max(1 - 4 * hits / max(quiet, 1), 0.0)
    opacities = np.array(theme.face_opacities)
    opacities[[Role.MISS, Role.NEUTRAL]] *= quiet_strength
    if any((marks & np.uint8(Cue.SELECTED | Cue.PAIRED)).any() for marks in cues):
        opacities[Role.HIT] *= SOFTER
    others = *theme.axes, theme.halo, theme.outline, theme.warning, theme.core, theme.opaque
    rows = [(*rgb(c), a) for c, a in zip(theme.roles, opacities, strict=True)] + [(*rgb(c), 1.0) for c in others]
    return np.append(np.ravel(rows), [quiet_strength, hit_rarity, up, float(quiet >= CROWDED_FROM)])
