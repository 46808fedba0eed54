"""Boxes, triangles, round shapes and facets: their faces and their edges."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import Any, Generic, NamedTuple, TypeVar

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.draw.chunks import CHUNK, FEW, Chunks, CullingView, Indices, ShapeRange
from hitscope.draw.extent import HORIZON, Stage
from hitscope.draw.items import Boxes, Codes, Facets, RoundShapes, Triangles
from hitscope.geometry.arrays import Array
from hitscope.render import buffers
from hitscope.render.shaders import FACE_DEPTH, QUAD, QUAD_ORDER, program
from hitscope.resources import SHADERS


class InstanceTable(NamedTuple):
    """A buffer with a row for each shape; all columns are of one format, e.g. "3f" or "4u1"."""

    buffer: moderngl.Buffer
    format: str
    row: int
    """The bytes of a row."""
    names: tuple[str, ...]


class Vertices(NamedTuple):
    """The vertices of a mesh: their attributes side by side, (n, floats), e.g. in the layout "2f 3f"."""

    values: NDArray[Any]
    layout: str
    names: tuple[str, ...]
    order: NDArray[Any] | None = None
    """The indices of the vertices in the order of drawing."""
    mode: int = moderngl.TRIANGLES


class Mesh:
    """A program with its vertices, drawn for the rows of some tables; without vertices, a point for each row.

    OpenGL 3.3 cannot begin with a given instance: for every run the tables are bound from its first row on.
    """

    def __init__(
        self,
        context: moderngl.Context,
        program: moderngl.Program,
        tables: Sequence[InstanceTable],
        vertices: Vertices | None,
        use: Callable[[], None],
    ) -> None:
        """Bind the attributes of the vertices and tables that the program uses; others are left out."""
        self.program = program
        self._vertices, self._use = vertices, use
        content: list[Any] = []
        order = None
        if vertices is not None:
            corners = context.buffer(vertices.values.astype(np.float32).tobytes())
            content = [(corners, vertices.layout, *vertices.names)]
            if vertices.order is not None:
                order = context.buffer(vertices.order.astype(np.int32).tobytes())
        self._array = context.vertex_array(program, content, index_buffer=order, skip_errors=True)
        self._columns = [
            (attribute.location, table, i * table.row // len(table.names))
            for table in tables
            for i, name in enumerate(table.names)
            if isinstance(attribute := program.get(name, None), moderngl.Attribute)
        ]

    def draw(self, runs: Sequence[ShapeRange]) -> None:
        self._use()
        divisor = 0 if self._vertices is None else 1
        for first, count in runs:
            for location, (buffer, format, row, _), offset in self._columns:
                kind = "f" if format.endswith("f") else "i"
                self._array.bind(location, kind, buffer, format, first * row + offset, row, divisor)
            if self._vertices is None:
                self._array.render(moderngl.POINTS, vertices=count)
            else:
                self._array.render(self._vertices.mode, instances=count)


SMALL = 1.5
"""The size in pixels below which shapes are drawn as points of this size."""
ALONE = 4.5
"""The size in pixels of a point that is one of few shapes."""
CROWD = 256
"""The number of highlighted triangles from which opaque ones have one outline around them all."""
OPAQUE, EITHER = 1, 2
"""The `opacity` of a program that draws the opaque triangles, and of one that draws all; see triangle.glsl."""
CORES, CORES_WIDTH = 6, 1024
"""The texture unit with the cores of rounded shapes, and the texels of a row; see round.glsl."""
CUBE_EDGES = [(p, q) for p, q in combinations(product((0, 1), repeat=3), 2) if sum(map(int.__ne__, p, q)) == 1]

S = TypeVar("S")
DrawCall = tuple[Mesh, list[ShapeRange]]
"""A mesh, and the shapes that it is drawn for."""
MadeOf = tuple[object, ...]
MeshRows = tuple[Array, Array, Array]
"""The lowest and highest corners (n, 3) of shapes in the stage frame, and the floats that shaders read."""


SortedRows = tuple[Array, Chunks, NDArray[np.float32]]
"""The bounds (2, 3) of shapes, their chunks, and their rows in the order of these."""


def _sorted_rows(lows: Array, highs: Array, table: Array) -> SortedRows:
    progress.advance(0)
    chunks = Chunks(lows, highs, CHUNK if len(lows) > FEW else 1)
    progress.advance(0)
    rows_in_order = np.empty(table.shape, np.float32)
    for chunk in progress.chunks(len(table)):
        rows_in_order[chunk] = buffers.rows(table[chunk if chunks.order is None else chunks.order[chunk]])
    return buffers.bounds_of(lows, highs), chunks, rows_in_order


class Meshes(NamedTuple):
    """The meshes of one kind of shapes."""

    depth: Mesh
    faces: Mesh
    edges: Mesh
    overhead: tuple[Mesh, ...]
    """The faces and, if there are any, the points from above."""
    plain: tuple[Mesh, ...] = ()
    """The depth, the faces and, if they are lines of their own, the edges of the reduced picture."""
    points: tuple[Mesh, ...] = ()
    """The depth and the faces of small shapes."""
    opaque: tuple[Mesh, ...] = ()
    """The faces and the points of opaque shapes."""


TRIANGLE = Vertices(np.eye(3), "3f", ("which",))


def _lines(edges: Sequence[Any] | NDArray[Any]) -> Vertices:
    """The quads of edges, by the attributes (n, 6) of the two ends of each."""
    quads = np.array([(*corner, *edge) for edge in edges for corner in QUAD])
    order = (np.arange(len(edges))[:, None] * len(QUAD) + QUAD_ORDER).ravel()
    return Vertices(quads, "2f 3f 3f", ("corner", "from", "to"), order)


def _cube_faces() -> NDArray[Any]:
    """Vertices (36, 6) of the unit cube's faces, two triangles each: corner and outward direction."""
    vertices = []
    for axis, side in product(range(3), (0, 1)):
        outward = np.eye(3)[axis] * (2 * side - 1)
        for i in QUAD_ORDER:
            corner = np.full(3, float(side))
            corner[[(axis + 1) % 3, (axis + 2) % 3]] = i // 2, i % 2
            vertices.append((*corner, *outward))
    return np.array(vertices)


def _plain_cube() -> tuple[Vertices, Vertices]:
    """The three faces and nine edges of a cube that are visible from outside.

    A corner is given by the axes along which it is far from the eye; the farthest of all is left out. A face's
    triangles end with the corner that no other face's end with: it gives the colour.
    """
    corners = [corner for corner in product((0, 1), repeat=3) if sum(corner) < 3]
    index = {corner: i for i, corner in enumerate(corners)}
    near = index[0, 0, 0]
    faces = []
    for a, b in combinations(np.eye(3, dtype=int), 2):
        last, tip, other = (index[tuple(way.tolist())] for way in (a + b, a, b))
        faces += [near, tip, last, other, near, last]
    edges = [index[end] for edge in CUBE_EDGES for end in edge if sum(edge[1]) < 3]
    visible = Vertices(np.array(corners), "3f", ("far",), np.array(faces))
    return visible, visible._replace(order=np.array(edges), mode=moderngl.LINES)


class ShapeMeshes(Generic[S]):
    """Shapes of one kind: faces for the depth and for the layers, and edges.

    A fragment shader whose name begins with the kind replaces the common one. Nothing is compiled before there is
    a shape.
    """

    kind: str
    parts: tuple[str, ...]
    """The attributes of a row, of 3 floats each."""
    geometry: tuple[str, ...]
    """The fields of shapes that their rows are made of."""
    codes: tuple[str, ...] = "roles", "cues"
    """Their fields of bytes that shaders read, the second one the cues."""
    face_vertices: Vertices
    edge_vertices: Vertices
    plain_vertices: tuple[Vertices, ...] = ()
    """The faces and, as lines of their own, the edges of the reduced picture; without them no shape is a point."""
    define = ""
    """A macro for the shaders of the faces."""
    has_opaque = False
    """Whether some shapes may be opaque, if there may be many."""

    def __init__(self, context: moderngl.Context, many: bool = True) -> None:
        """Prepare for shapes; unless there may be `many`, the reduced picture draws them in full."""
        self._context = context
        self._plain_vertices = self.plain_vertices if many else ()
        self.bounds: Array = np.empty((0, 3))
        self.row_buffer = buffers.CachedBuffer(context)
        self._sorted: tuple[MadeOf, SortedRows] | None = None
        self.code_buffer = buffers.CodeBuffer(context)
        self._chunks = Chunks(self.bounds, self.bounds)
        self._large: list[ShapeRange] = []
        self._small: list[ShapeRange] = []
        self.opaque_count = 0
        self.in_full = False
        """Whether the reduced picture draws them in full, too."""
        self._tables = (
            InstanceTable(self.row_buffer.buffer, "3f", 12 * len(self.parts), self.parts),
            InstanceTable(self.code_buffer.buffer, "4u1", buffers.WIDTH, ("code",)),
        )

    @cached_property
    def _meshes(self) -> Meshes:
        faces, define = self.face_vertices, self.define
        either = EITHER if self.has_opaque else 0
        meshes = Meshes(
            self._mesh("faces", "depth.frag", faces, define, either),
            self._mesh("faces", "faces.frag", faces, define),
            self._mesh("edges", "lines.frag", self.edge_vertices, opacity=either, face_depth=FACE_DEPTH),
            (self._mesh("faces", "overhead.frag", faces, define, either),),
        )
        if not self._plain_vertices:
            return meshes
        plain, *plain_edges = self._plain_vertices
        return meshes._replace(
            overhead=(*meshes.overhead, self._mesh("points", "overhead.frag", None, "POINTS", either)),
            plain=(
                self._mesh("plain_faces", "depth.frag", plain, "PLAIN", either),
                self._mesh("plain_faces", "plain_faces.frag", plain),
                *(self._mesh("plain_edges", "plain_edges.frag", edges) for edges in plain_edges),
            ),
            points=(
                self._mesh("points", "depth.frag", None, opacity=either),
                self._mesh("points", "plain_faces.frag", None),
            ),
            opaque=(
                self._mesh("faces", "opaque.frag", faces, opacity=OPAQUE),
                self._mesh("points", "opaque_points.frag", None, opacity=OPAQUE),
            )
            if self.has_opaque
            else (),
        )

    def _mesh(
        self, name: str, fragment: str, vertices: Vertices | None, macro: str = "", opacity: int = 0, **units: int
    ) -> Mesh:
        hides = fragment == "depth.frag"
        # A point is a square, whatever it stands for.
        if vertices is not None and (SHADERS / f"{self.kind}_{fragment}").exists():
            fragment = f"{self.kind}_{fragment}"
        made = program(self._context, f"{self.kind}_{name}.vert", fragment, macro, **units)
        if opacity:
            made["opacity"] = opacity
        if "cores" in made:
            made["cores"] = CORES
        if hides and "hides" in made:
            made["hides"] = True
        return Mesh(self._context, made, self._tables, vertices, self.use)

    def use(self) -> None:
        """Bind what the programs read beside the tables."""

    def mesh_rows(self, shapes: S, stage: Stage) -> MeshRows:
        raise NotImplementedError

    def _made_of(self, shapes: S, stage: Stage) -> MadeOf:
        return *(getattr(shapes, name) for name in self.geometry), *stage.key

    def pack(self, shapes: S, stage: Stage) -> None:
        """Prepare `load` without the graphics card, in any thread: sort shapes and convert them to float32."""
        made_of = self._made_of(shapes, stage)
        if not self.row_buffer.holds(made_of):
            self._sorted = made_of, _sorted_rows(*self.mesh_rows(shapes, stage))

    def load(self, shapes: S, stage: Stage) -> None:
        """Upload the shapes of a draw list that differ from what was drawn before."""
        made_of = self._made_of(shapes, stage)

        def table() -> NDArray[np.float32]:
            sorted_rows, self._sorted = self._sorted, None
            if sorted_rows is None or not buffers.same_objects(sorted_rows[0], made_of):
                sorted_rows = made_of, _sorted_rows(*self.mesh_rows(shapes, stage))
            self.bounds, self._chunks, rows_in_order = sorted_rows[1]
            return rows_in_order

        self.row_buffer.update(made_of, table)
        self.code_buffer.update(tuple(getattr(shapes, name) for name in self.codes), self._chunks.order)

    @property
    def count(self) -> int:
        return self._chunks.count

    @property
    def _all_opaque(self) -> bool:
        return 0 < self.count == self.opaque_count

    @property
    def crowded(self) -> bool:
        """Whether so many shapes are highlighted that opaque ones have one outline around them all."""
        return len(self.code_buffer.highlighted) > CROWD

    def set_layer(self, layer: int) -> None:
        """Set the layer of the edges that are drawn next; see line.glsl."""
        self._meshes.edges.program["layer"] = layer

    def cull(self, view: CullingView, smallest: float, pixel_ratio: float) -> None:
        """Find the shapes in the picture; those smaller than `smallest` points of the screen become points."""
        smallest *= pixel_ratio
        self._large, self._small = self._chunks.visible(view, smallest if self._plain_vertices else 0.0)
        for mesh in self._meshes.points:
            mesh.program["smallest"] = SMALL * min(pixel_ratio, 1.0) if self.count > FEW else ALONE * pixel_ratio
        # A highlighted shape is never drawn as a point, unless it is one of many opaque ones.
        if not (self._all_opaque and self.crowded):
            self._large += buffers.runs_of(_within(self.code_buffer.highlighted, self._small))

    def draw_only(self, rows: Indices) -> None:
        """Draw the shapes of some rows, none as a point, after `cull`."""
        self._large, self._small = buffers.runs_of(rows), []

    def leave_out(self, rows: Indices) -> None:
        """Draw all but the shapes of some rows, after `cull`."""
        for runs in (self._large, self._small):
            inside = np.concatenate([np.arange(first, first + count) for first, count in [*runs, (0, 0)]])
            runs[:] = buffers.runs_of(inside[np.isin(inside, rows, invert=True)])

    def draw_over(self, is_over: bool) -> None:
        """Let the faces be drawn over a picture, instead of into the layers."""
        self._meshes.faces.program["over"] = is_over

    @property
    def shown(self) -> tuple[int, int]:
        """The number of shapes, and the number of times that the set of hidden ones changed."""
        return self.count, self.code_buffer.hidden_changes

    def overhead(self, view: CullingView, smallest: float) -> Iterator[DrawCall]:
        """The draw calls that cast a shadow; shapes smaller than `smallest` pixels are drawn as points."""
        visible = self._chunks.visible(view, smallest if self._plain_vertices else 0.0)
        return zip(self._meshes.overhead, visible, strict=False)

    def depth(self, plain: bool) -> Iterator[DrawCall]:
        """The draw calls of faces into the depth buffer."""
        meshes, plain = self._meshes, plain and not self.in_full
        yield (meshes.plain[0] if plain and meshes.plain else meshes.depth), self._large
        # In motion points are left out of the depth, which would double their cost.
        if meshes.points and not plain:
            yield meshes.points[0], self._small

    def faces(self, plain: bool) -> Iterator[DrawCall]:
        """The draw calls of translucent faces into the layers."""
        if self._all_opaque:
            return
        meshes, plain = self._meshes, plain and not self.in_full
        yield (meshes.plain[1] if plain and meshes.plain else meshes.faces), self._large
        if meshes.points:
            yield meshes.points[1], self._small

    def opaque_faces(self) -> Iterator[DrawCall]:
        if self.opaque_count:
            yield from zip(self._meshes.opaque, (self._large, self._small), strict=True)

    def plain_edges(self) -> Iterator[DrawCall]:
        if not self._all_opaque:
            yield from ((mesh, self._large) for mesh in self._meshes.plain[2:])

    def edges(self, plain: bool) -> Iterator[DrawCall]:
        """The draw calls of edges; in a reduced picture those that are never plain."""
        codes = self.code_buffer
        if self._all_opaque:
            # The others are drawn with their faces.
            yield self._meshes.edges, [] if self.crowded else buffers.runs_of(codes.marked)
        else:
            reduced = plain and self._meshes.plain and not self.in_full
            yield self._meshes.edges, buffers.runs_of(codes.highlighted) if reduced else self._large

    def outlines(self) -> Iterator[DrawCall]:
        """The draw calls of the outlines under the edges of selected shapes."""
        yield self._meshes.edges, self.code_buffer.outlined


class BoxMeshes(ShapeMeshes[Boxes]):
    """Boxes of any kind, as parallelepipeds."""

    kind, geometry, parts = "box", ("origins", "edges"), ("origin", "edge_x", "edge_y", "edge_z")
    face_vertices = Vertices(_cube_faces(), "3f 3f", ("corner", "side"))
    edge_vertices = _lines([(*p, *q) for p, q in CUBE_EDGES])
    plain_vertices = _plain_cube()

    def mesh_rows(self, shapes: Boxes, stage: Stage) -> MeshRows:
        size = len(shapes.origins)
        lows, highs, table = np.empty((size, 3)), np.empty((size, 3)), np.empty((size, 12))
        for chunk in progress.chunks(size):
            origins, edges = stage.boxes(shapes.origins[chunk], shapes.edges[chunk])
            lows[chunk] = origins + np.minimum(edges, 0).sum(axis=1)
            highs[chunk] = origins + np.maximum(edges, 0).sum(axis=1)
            table[chunk, :3], table[chunk, 3:] = origins, edges.reshape(-1, 9)
        return lows, highs, table


class TriangleMeshes(ShapeMeshes[Triangles]):
    """Triangles, visible from both sides."""

    kind, geometry, parts = "triangle", ("vertices",), ("a", "b", "c")
    codes = "roles", "cues", "opaque"
    face_vertices = TRIANGLE
    edge_vertices = _lines(np.hstack([np.eye(3), np.roll(np.eye(3), -1, axis=0)]))
    plain_vertices = TRIANGLE, TRIANGLE._replace(order=np.array([0, 1, 1, 2, 2, 0]), mode=moderngl.LINES)
    has_opaque = True
    _given_opaque: Codes | None = None

    def mesh_rows(self, shapes: Triangles, stage: Stage) -> MeshRows:
        vertices = stage.triangles(shapes.vertices)
        return vertices.min(axis=1), vertices.max(axis=1), vertices.reshape(-1, 9)

    def load(self, shapes: Triangles, stage: Stage) -> None:
        """Upload the triangles that differ from what was drawn before, and count the opaque ones."""
        super().load(shapes, stage)
        if shapes.opaque is not self._given_opaque:
            self._given_opaque, self.opaque_count = shapes.opaque, int(np.count_nonzero(shapes.opaque))

    def set_layer(self, layer: int) -> None:
        super().set_layer(layer)
        self._meshes.edges.program["crowded"] = self.crowded


class FacetMeshes(ShapeMeshes[Facets]):
    """The faces of polyhedra and planes, which may fade out."""

    kind, define = "facet", "FADES"
    geometry = "vertices", "normals", "centers", "reaches", "sizes", "solid"
    parts = "middle", "b", "c", "normal", "fade_center", "traits"
    codes = "roles", "cues", "endings", "sides"
    face_vertices, edge_vertices = TRIANGLE, _lines([(0, 1, 0, 0, 0, 1)])

    def mesh_rows(self, shapes: Facets, stage: Stage) -> MeshRows:
        vertices = stage.points(shapes.vertices)
        with np.errstate(over="ignore"):
            sizes = shapes.sizes / stage.scale
        traits = np.stack([stage.scale / shapes.reaches, sizes, shapes.solid], axis=1)
        table = np.hstack([vertices.reshape(-1, 9), shapes.normals, stage.points(shapes.centers), traits])
        return vertices.min(axis=1), vertices.max(axis=1), table


class RoundMeshes(ShapeMeshes[RoundShapes]):
    """Spheres and capsules: a quad around each, in which each pixel finds the surface on its line of sight."""

    kind, geometry = "round", ("starts", "ends", "radii", "cores")
    parts = "surface_point", "outward", "extent", "axis"
    face_vertices = Vertices(np.array([*product((-1, 1), repeat=2)]), "2f", ("corner",), QUAD_ORDER)
    edge_vertices = face_vertices
    plain_vertices = (face_vertices,)
    _cores: moderngl.Texture | None = None
    _given_cores: object = None

    def mesh_rows(self, shapes: RoundShapes, stage: Stage) -> MeshRows:
        """The rows: the point of the surface nearest to the anchor, its normal, the radius and the axis.

        However large a shape is, these numbers of float32 place its surface near the anchor. The axis is a unit
        vector, 0 in a sphere, with the ways along it from the middle of that part of the surface to both ends.
        """
        size = len(shapes.radii)
        firsts, first = np.zeros(size), 1
        for i in np.flatnonzero(shapes.cores != None):  # noqa: E711
            firsts[i] = first
            first += len(shapes.cores[i].texels)
        lows, highs, table = np.empty((size, 3)), np.empty((size, 3)), np.zeros((size, 12))
        for chunk in progress.chunks(size):
            starts, ends, radii = stage.rounds(shapes.starts[chunk], shapes.ends[chunk], shapes.radii[chunk])
            centers, axes, reaches = _nearest_on_axes(starts, ends)
            largest = np.abs(centers).max(axis=1, keepdims=True)
            ways = -centers / np.where(largest > 0, largest, 1)
            lengths = np.linalg.norm(ways, axis=1, keepdims=True)
            outward = np.where(lengths > 0, ways / np.where(lengths > 0, lengths, 1), (0.0, 0.0, 1.0))
            with np.errstate(over="ignore"):
                # Cut along the normal, as float32 does along the axes.
                height = np.clip(radii[:, None] - largest * lengths, -buffers.LARGEST, buffers.LARGEST)
                farthest = HORIZON * np.maximum(-height, 1)
                lows[chunk] = np.clip(np.minimum(starts, ends) - radii[:, None], -farthest, farthest)
                highs[chunk] = np.clip(np.maximum(starts, ends) + radii[:, None], -farthest, farthest)
            # A rounded shape has neither axis nor ends: both say where its core begins, counted from 1.
            reaches += firsts[chunk, None]
            for i in np.flatnonzero(firsts[chunk]):
                ends_of = shapes.cores[chunk][i].extremes
                lows[chunk][i], highs[chunk][i] = (
                    np.clip(starts[i] + radii[i] * end, -farthest[i], farthest[i]) for end in ends_of
                )
            table[chunk] = np.hstack([height * outward, outward, radii[:, None], reaches, axes])
        return lows, highs, table

    def load(self, shapes: RoundShapes, stage: Stage) -> None:
        """Upload the shapes that differ from what was drawn before, and the cores of rounded ones."""
        super().load(shapes, stage)
        if shapes.cores is self._given_cores:
            return
        self._given_cores = shapes.cores
        cores = [core for core in shapes.cores.tolist() if core is not None]
        self.in_full = bool(cores)
        if self._cores is not None:
            self._cores.release()
            self._cores = None
        if cores:
            texels = np.concatenate([core.texels for core in cores])
            texels = np.pad(texels, ((0, -len(texels) % CORES_WIDTH), (0, 0))).astype(np.float32)
            size = CORES_WIDTH, len(texels) // CORES_WIDTH
            self._cores = self._context.texture(size, 4, texels.tobytes(), dtype="f4")

    def use(self) -> None:
        if self._cores is not None:
            self._cores.use(CORES)


SOLID_MESHES: tuple[type[ShapeMeshes[Any]], ...] = BoxMeshes, TriangleMeshes, RoundMeshes
"""In the order of `Solids`."""


def _nearest_on_axes(starts: Array, ends: Array) -> tuple[Array, Array, Array]:
    """The points (n, 3) of axes nearest to the anchor, the directions (n, 3), and the ways (n, 2) to the ends."""
    ways = ends - starts
    if not ways.any():
        return starts, np.zeros_like(ways), np.zeros((len(ways), 2))
    lengths = np.linalg.norm(ways, axis=1)
    axes = ways / np.where(lengths > 0, lengths, 1.0)[:, None]
    along = np.clip(-np.einsum("ni,ni->n", starts, axes), 0.0, lengths)
    reaches = np.stack([-along, lengths - along], axis=1)
    return starts + along[:, None] * axes, axes, np.clip(reaches, -HORIZON, HORIZON)


def _within(rows: Indices, runs: list[ShapeRange]) -> Indices:
    """The ascending rows that are in ascending runs."""
    borders = np.array([border for first, count in runs for border in (first, first + count)], np.intp)
    return np.asarray(rows[np.searchsorted(borders, rows, side="right") % 2 == 1])
