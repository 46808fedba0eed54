"""Draw lists by hand, and what the pictures of them show."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

import hitscope
from hitscope.draw.element_arrays import element_arrays_of
from hitscope.draw.extent import Stage
from hitscope.draw.facets import Region, surfaces_of
from hitscope.draw.items import (
    Arrows,
    Boxes,
    Cue,
    DrawList,
    Ending,
    Facets,
    Markers,
    Role,
    RoundShapes,
    Solids,
    Strokes,
    Triangles,
)
from hitscope.evaluate import evaluate
from hitscope.geometry.shapes import Plane, Polyhedron
from hitscope.offscreen_context import new_context
from hitscope.render.camera import Camera, Viewport
from hitscope.render.offscreen import draw_pixels
from hitscope.render.palette import DARK, Theme
from hitscope.render.renderer import Reduced, Renderer, Settings
from hitscope.render.view import View

SIZE = (320, 240)
WHOLE = Viewport(0, 0, *SIZE)
Point = Sequence[float]


def _codes(rows: Sequence[tuple[object, ...]]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    return np.array([row[-2] for row in rows], np.uint8), np.array([row[-1] for row in rows], np.uint8)


def boxes(*rows: tuple[Point, Point, Role, Cue]) -> Boxes:
    """Boxes from their lowest and highest corner."""
    lows = np.array([row[0] for row in rows], float).reshape(-1, 3)
    highs = np.array([row[1] for row in rows], float).reshape(-1, 3)
    edges = np.array([np.diag(size) for size in highs - lows]).reshape(-1, 3, 3)
    return Boxes(lows, edges, *_codes(rows))


def triangles(*rows: tuple[Point, Point, Point, Role, Cue], opaque: bool = False) -> Triangles:
    """Triangles from their corners."""
    vertices = np.array([row[:3] for row in rows], float).reshape(-1, 3, 3)
    return Triangles(vertices, *_codes(rows), np.full(len(rows), opaque, np.uint8))


def _no_cores(rows: tuple[object, ...]) -> NDArray[Any]:
    return np.full(len(rows), None, object)


def spheres(*rows: tuple[Point, float, Role, Cue]) -> RoundShapes:
    """Spheres from their centers and radii."""
    centers = np.array([row[0] for row in rows], float).reshape(-1, 3)
    return RoundShapes(centers, centers, np.array([row[1] for row in rows], float), _no_cores(rows), *_codes(rows))


def facets(*rows: tuple[Plane | Polyhedron, Role, Cue], half: float = 2.0) -> Facets:
    """Planes and polyhedra, what is unbounded as in a scene with its corners at -+half."""
    elements = evaluate(hitscope.scene([row[0] for row in rows])).elements
    surfaces = surfaces_of(element_arrays_of(elements), Region(np.zeros(3), half), elements)
    roles, cues = _codes(rows)
    return replace(surfaces.facets, roles=roles[surfaces.elements], cues=cues[surfaces.elements])


def strokes(*rows: tuple[Point, Point, Ending], inside: bool = False, role: Role = Role.PROBE) -> Strokes:
    """Strokes from their ends."""
    n = len(rows)
    starts, ends = (np.array([row[i] for row in rows], float).reshape(-1, 3) for i in (0, 1))
    endings = np.array([row[2] for row in rows], np.uint8)
    codes = np.full(n, role, np.uint8), np.zeros(n, np.uint8)
    return Strokes(starts, ends, *codes, endings, np.full(n, inside))


def markers(*rows: tuple[Point, Role, Cue]) -> Markers:
    """Markers from their positions."""
    main = np.array([row[1] == Role.PROBE for row in rows], bool)
    return Markers(
        np.array([row[0] for row in rows], float).reshape(-1, 3), *_codes(rows), main, np.zeros_like(main)
    )


NO_BOXES, NO_TRIANGLES, NO_FACETS, NO_STROKES, NO_MARKERS = boxes(), triangles(), facets(), strokes(), markers()
NO_SPHERES = spheres()


def drawn(
    boxes: Boxes = NO_BOXES,
    triangles: Triangles = NO_TRIANGLES,
    strokes: Strokes = NO_STROKES,
    markers: Markers = NO_MARKERS,
    arrows: Iterable[tuple[Point, Point]] = (),
    facets: Facets = NO_FACETS,
    anchor: Point = (0, 0, 0),
    scale: float = 1.0,
    spheres: RoundShapes = NO_SPHERES,
) -> DrawList:
    """A draw list with what is given and nothing else."""
    rows = list(arrows)
    positions, directions = (np.array([row[i] for row in rows], float).reshape(-1, 3) for i in (0, 1))
    normals = Arrows(positions, directions, np.full(len(rows), Role.NORMAL, np.uint8))
    single = Solids(boxes, triangles, spheres)
    return DrawList(single, facets, strokes, markers, normals, Stage(np.array(anchor, float), scale))


def shot(
    what: DrawList, camera: Camera, size: tuple[int, int] = SIZE, samples: int = 4, theme: Theme = DARK
) -> NDArray[np.int64]:
    """The picture in numbers that can be subtracted."""
    context, renderer = _shared()
    with context:  # others have come and gone since
        return draw_pixels(context, renderer, what, camera, Settings(size, theme, samples)).astype(int)


def shots(
    *pictures: tuple[DrawList, Camera, Reduced | None], theme: Theme = DARK, ratio: float = 1.0
) -> list[NDArray[np.int64]]:
    """The pictures that one renderer draws one after the other, each with how it is reduced, if it is."""
    context, renderer = _shared()
    settings = Settings(SIZE, theme, pixel_ratio=ratio)
    with context:
        # What the renderer keeps of other pictures, as their shadow, goes with an empty one.
        draw_pixels(context, renderer, drawn(), pictures[0][1], settings)
        return [
            draw_pixels(context, renderer, what, camera, settings._replace(reduced=how)).astype(int)
            for what, camera, how in pictures
        ]


@cache
def _shared() -> tuple[moderngl.Context, Renderer]:
    """One context and its renderer for all pictures: to compile the shaders takes longer than to draw."""
    context = new_context()
    return context, Renderer(context)


def at(pixels: NDArray[np.int64], camera: Camera, point: Point) -> NDArray[np.int64]:
    """The colour where a point of the scene is seen."""
    x, y, _ = View(camera, Viewport(0, 0, pixels.shape[1], pixels.shape[0])).project([point])[0]
    return pixels[int(y), int(x)]
