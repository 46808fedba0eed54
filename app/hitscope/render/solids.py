"""Boxes, triangles and facets: their faces and their edges."""

from collections.abc import Callable
from itertools import product
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.draw.items import Array, Boxes, Codes, Cue, Facets, Triangles
from hitscope.render.buffers import Follower, Stage, codes, rows, span_of
from hitscope.render.shaders import FACE_DEPTH, QUAD, QUAD_ORDER, program


class Solids:
    """Shapes of one kind, instanced: faces for the depth and for the layers, and edges as quads."""

    def __init__(
        self,
        context: moderngl.Context,
        kind: str,
        parts: tuple[str, ...],
        faces: tuple[tuple[str, ...], NDArray[Any]],
        edges: NDArray[Any],
        define: str = "",
    ) -> None:
        """Prepare for shapes of the given parts (3 floats each).

        `faces` are the names and the values (vertices, 3 * names) of a vertex of a face's triangles; `edges`
        (n, 6) are what the shader takes for the two ends of an edge. `define` is for the shaders of the faces.
        """
        self.span: Array = np.empty((0, 3))
        self._shapes = Follower(context)
        self._codes = Follower(context)
        self._any_selected = False
        instances = [
            (self._shapes.buffer, "3f " * len(parts) + "/i", *parts),
            (self._codes.buffer, "4u1 /i", "code"),
        ]
        names, vertices = faces
        corners = context.buffer(vertices.astype(np.float32).tobytes())
        content = [(corners, "3f " * len(names), *names), *instances]
        flat = program(context, f"{kind}_faces.vert", "depth.frag", define)
        self._depth = context.vertex_array(flat, content, skip_errors=True)
        layered = program(context, f"{kind}_faces.vert", "faces.frag", define)
        self._faces = context.vertex_array(layered, content)
        self._edge_program = program(context, f"{kind}_edges.vert", "lines.frag", face_depth=FACE_DEPTH)
        quads = np.array([(*corner, *edge) for edge in edges for corner in QUAD], np.float32)
        order = (np.arange(len(edges), dtype=np.int32)[:, None] * len(QUAD) + QUAD_ORDER).astype(np.int32)
        self._edges = context.vertex_array(
            self._edge_program,
            [(context.buffer(quads.tobytes()), "2f 3f 3f", "corner", "from", "to"), *instances],
            index_buffer=context.buffer(order.tobytes()),
            skip_errors=True,
        )

    def follow(
        self,
        made_of: tuple[object, ...],
        shapes: Callable[[], NDArray[Any]],
        roles: Codes,
        cues: Codes,
        *more: Codes,
    ) -> bool:
        """Take over what is to be drawn, where it is not what was drawn before."""
        if self._codes.follow((roles, cues, *more), lambda: codes(roles, cues, *more)):
            self._any_selected = bool((cues & Cue.SELECTED).any())
        return self._shapes.follow(made_of, shapes)

    def draw_depth(self) -> None:
        """Draw the faces where only their depth is asked for."""
        if self._shapes.count:
            self._depth.render(instances=self._shapes.count)

    def draw_faces(self) -> None:
        """Draw the faces into the layers."""
        if self._shapes.count:
            self._faces.render(instances=self._shapes.count)

    def draw_edges(self, under: bool) -> None:
        """Draw the edges, or the outline `under` those of selected shapes."""
        if self._shapes.count and (self._any_selected or not under):
            self._edge_program["under"] = under
            self._edges.render(instances=self._shapes.count)


class BoxSolids(Solids):
    """Boxes of any kind, as parallelepipeds."""

    def __init__(self, context: moderngl.Context) -> None:
        corners = list(product((0, 1), repeat=3))
        edges = [(*p, *q) for p in corners for q in corners if p < q and sum(map(int.__ne__, p, q)) == 1]
        parts = ("origin", "edge_x", "edge_y", "edge_z")
        super().__init__(context, "box", parts, (("corner", "side"), _cube_faces()), np.array(edges))

    def take(self, boxes: Boxes, stage: Stage) -> None:
        """Follow the boxes of a draw list."""

        def shapes() -> NDArray[Any]:
            origins, edges = stage.points(boxes.origins), boxes.edges / stage.scale
            lows = origins + np.minimum(edges, 0).sum(axis=1)
            highs = origins + np.maximum(edges, 0).sum(axis=1)
            self.span = span_of(lows, highs)
            return rows(origins, edges)

        self.follow((boxes.origins, boxes.edges, *stage.key), shapes, boxes.roles, boxes.cues)


class TriangleSolids(Solids):
    """Triangles, seen from both sides."""

    def __init__(self, context: moderngl.Context) -> None:
        corners = np.eye(3)
        edges = np.hstack([corners, np.roll(corners, -1, axis=0)])
        super().__init__(context, "triangle", ("a", "b", "c"), (("which",), corners), edges)

    def take(self, triangles: Triangles, stage: Stage) -> None:
        """Follow the triangles of a draw list."""

        def shapes() -> NDArray[Any]:
            vertices = stage.points(triangles.vertices)
            self.span = span_of(vertices)
            return rows(vertices)

        self.follow((triangles.vertices, *stage.key), shapes, triangles.roles, triangles.cues)


class FacetSolids(Solids):
    """The faces of polyhedra and planes, which may fade out."""

    def __init__(self, context: moderngl.Context) -> None:
        corners = np.eye(3)
        parts = ("middle", "b", "c", "normal", "fade_center", "traits")
        edge = np.hstack([corners[1], corners[2]])[None]
        super().__init__(context, "facet", parts, (("which",), corners), edge, "FADES")

    def take(self, facets: Facets, stage: Stage) -> None:
        """Follow the facets of a draw list."""

        def shapes() -> NDArray[Any]:
            vertices = stage.points(facets.vertices)
            self.span = span_of(vertices)
            with np.errstate(over="ignore"):
                sizes = facets.sizes / stage.scale
            traits = np.stack([stage.scale / facets.reaches, sizes, facets.solid], axis=1)
            return rows(vertices, facets.normals, stage.points(facets.centers), traits)

        geometry = (facets.vertices, facets.normals, facets.centers, facets.reaches, facets.sizes, facets.solid)
        self.follow((*geometry, *stage.key), shapes, facets.roles, facets.cues, facets.endings, facets.sides)


def _cube_faces() -> NDArray[Any]:
    """Give (36, 6): corner of the unit cube and outward direction, for two triangles a face."""
    vertices = []
    for axis, side in product(range(3), (0, 1)):
        outward = np.eye(3)[axis] * (2 * side - 1)
        for i in QUAD_ORDER:
            corner = np.full(3, float(side))
            corner[[(axis + 1) % 3, (axis + 2) % 3]] = i // 2, i % 2
            vertices.append((*corner, *outward))
    return np.array(vertices)
