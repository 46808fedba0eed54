"""The draw list: shapes, lines and markers with the roles that they have in the scene; no colours and no GL.

All coordinates are float64 in scene units; the renderer takes them to the `stage` before it rounds to float32, so
that a scene far from the origin, huge or tiny looks as sharp as any other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from enum import IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import Stage
from hitscope.geometry.arrays import Array

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Codes = NDArray[np.uint8]
SCENE_UNITS = Stage(np.zeros(3), 1.0)
D = TypeVar("D", bound="DataclassInstance")


class Role(IntEnum):
    """The meaning of a drawn shape, line or marker; the palette has a colour for each role."""

    HIT = 0
    MISS = 1
    NEUTRAL = 2  # a primitive that no enabled probe is tested against
    PROBE = 3
    ENTRY = 4
    EXIT = 5
    NORMAL = 6
    AXIS = 7
    INTERVAL = 8
    REFERENCE = 9


class Cue(IntFlag):
    """Flags of a drawn shape, line or marker, in addition to its role."""

    NONE = 0
    HOVERED = 1
    SELECTED = 2
    TOUCHING = 4
    INSIDE = 8
    COPLANAR = 16
    DEGENERATE = 32
    HIDDEN = 64  # not drawn at all
    PAIRED = 128  # the other of the two of the pair that is shown


class Ending(IntFlag):
    """The decoration of a stroke's ends: a ray ends in an arrow and fades, a line fades both ways."""

    PLAIN = 0
    FADE_START = 1
    FADE_END = 2
    ARROW_END = 4


class FacetSide(IntEnum):
    """The line style of a polygon edge of a facet."""

    NONE = 0  # the neighbouring facet has it
    EDGE = 1
    CUT = 2  # the picture ends there, not the set


@dataclass(frozen=True)
class Boxes:
    """Parallelepipeds origin + s * edges, 0 <= s <= 1 (boxes of every kind)."""

    origins: Array  # (n, 3)
    edges: Array  # (n, 3, 3), row i is edge i
    roles: Codes  # (n,) of Role
    cues: Codes  # (n,) of Cue


@dataclass(frozen=True)
class Triangles:
    vertices: Array  # (n, 3, 3)
    roles: Codes  # (n,)
    cues: Codes  # (n,)
    opaque: Codes  # (n,) 1: opaque, as those of a mesh are; 0: translucent


@dataclass(frozen=True)
class RoundShapes:
    """Spheres and capsules: all points within a radius of a segment, whose ends are one in a sphere."""

    starts: Array  # (n, 3)
    ends: Array  # (n, 3)
    radii: Array  # (n,)
    cores: NDArray[Any]  # (n,) of Core or None: of a rounded shape, which is in the ball of such a radius
    roles: Codes  # (n,)
    cues: Codes  # (n,)


NO_CODES: Codes = np.empty(0, np.uint8)
NO_FLAGS: NDArray[np.bool_] = np.empty(0, np.bool_)
NO_NUMBERS, NO_POINTS, NO_CORNERS = np.empty(0), np.empty((0, 3)), np.empty((0, 3, 3))
NO_BOXES = Boxes(NO_POINTS, NO_CORNERS, NO_CODES, NO_CODES)
NO_TRIANGLES = Triangles(NO_CORNERS, NO_CODES, NO_CODES, NO_CODES)
NO_ROUND_SHAPES = RoundShapes(NO_POINTS, NO_POINTS, NO_NUMBERS, np.empty(0, object), NO_CODES, NO_CODES)


class Solids(NamedTuple):
    """The shapes of one origin that have faces of their own."""

    boxes: Boxes = NO_BOXES
    triangles: Triangles = NO_TRIANGLES
    rounds: RoundShapes = NO_ROUND_SHAPES


NO_SOLIDS = Solids()


@dataclass(frozen=True)
class Facets:
    """The faces of polyhedra, and the parts of planes that are drawn, as triangles.

    A triangle's first vertex is the middle of its polygon, the other two are a side of it. What is unbounded
    fades out: it is gone at `reaches` from `centers`.
    """

    vertices: Array  # (n, 3, 3)
    normals: Array  # (n, 3) unit: outward of a solid, else of the front; 0 where there is no face
    solid: NDArray[np.bool_]  # (n,) a closed surface, else a sheet that is visible from both sides
    centers: Array  # (n, 3)
    reaches: Array  # (n,) infinite where nothing fades
    sizes: Array  # (n,) of the whole shape, as it is drawn
    sides: Codes  # (n,) of Side
    endings: Codes  # (n,) of Ending: how the side ends
    roles: Codes  # (n,)
    cues: Codes  # (n,)


@dataclass(frozen=True)
class Strokes:
    """Thick lines of constant screen width, with a halo; `inside` strokes have the bright core."""

    starts: Array  # (n, 3)
    ends: Array  # (n, 3)
    roles: Codes  # (n,)
    cues: Codes  # (n,)
    endings: Codes  # (n,) of Ending
    inside: NDArray[np.bool_]  # (n,) the part of a probe inside a hit primitive; of a value a wide bar


NO_FACETS = Facets(NO_CORNERS, NO_POINTS, NO_FLAGS, NO_POINTS, NO_NUMBERS, NO_NUMBERS, *[NO_CODES] * 4)
NO_STROKES = Strokes(NO_POINTS, NO_POINTS, NO_CODES, NO_CODES, NO_CODES, NO_FLAGS)


@dataclass(frozen=True)
class ThinLines:
    """Thin lines, of bundles or of a hierarchy's boxes; those with Cue.TOUCHING hit something or are entered."""

    starts: Array  # (n, 3)
    ends: Array  # (n, 3)
    probes: NDArray[np.intp]  # (n,) the index of its probe; 0 for a line of a hierarchy
    cues: Codes  # (n,)
    fades: NDArray[np.bool_]  # (n,) towards its end


NO_THIN_LINES = ThinLines(NO_POINTS, NO_POINTS, np.empty(0, np.intp), NO_CODES, NO_FLAGS)


@dataclass(frozen=True)
class Markers:
    """Round markers of constant screen size: probe handles (Role.PROBE), entry and exit points."""

    positions: Array  # (n, 3)
    roles: Codes  # (n,)
    cues: Codes  # (n,)
    main: NDArray[np.bool_]  # (n,) of a handle: larger than the others, and with a drop line to the ground
    faint: NDArray[np.bool_]  # (n,) small and faint, so that it hides nothing


@dataclass(frozen=True)
class Arrows:
    """Short arrows of constant screen length: normals, and the fronts of planes."""

    positions: Array  # (n, 3)
    directions: Array  # (n, 3), unit
    roles: Codes  # (n,)


NO_MARKERS = Markers(NO_POINTS, NO_CODES, NO_CODES, NO_FLAGS, NO_FLAGS)
NO_ARROWS = Arrows(NO_POINTS, NO_POINTS, NO_CODES)


@dataclass(frozen=True)
class DrawList:
    """Everything in one picture except the surroundings (background, grid, axes), which the renderer owns."""

    single: Solids
    """The primitives but for those of large bulk items."""
    facets: Facets
    strokes: Strokes
    markers: Markers
    arrows: Arrows
    stage: Stage = SCENE_UNITS
    # Large bulk items and probes have arrays of their own, which stay while others are edited.
    bulk: Solids = NO_SOLIDS
    probes: Solids = NO_SOLIDS
    thin_lines: ThinLines = NO_THIN_LINES
    hierarchy: ThinLines = NO_THIN_LINES
    gap: Array = field(default_factory=lambda: np.empty((0, 2, 3)))
    """From probe to primitive of the pair that is shown, where they are nearest to one another: (1, 2, 3)."""
    origin_axes: bool = True
    """Whether the arrows of the axes at the scene's origin are drawn."""
    values: Strokes = NO_STROKES
    """The values of a step of a method, quiet but for those with Cue.HOVERED."""

    @property
    def primitives(self) -> tuple[Solids, Solids]:
        return self.single, self.bulk


def from_rows(none: D, rows: Iterable[Sequence[Any]]) -> D:
    """An item made of rows with a value for each of its fields; `none` is the empty item of its type."""
    empty = list(vars(none).values())
    columns = list(zip(*rows, strict=True)) or empty
    return type(none)(*(np.array(column, like.dtype) for column, like in zip(columns, empty, strict=True)))


def joined(first: D, *others: D) -> D:
    """Several items of one type, all of whose fields are arrays, as one."""
    columns = zip(*(vars(part).values() for part in (first, *others)), strict=True)
    return type(first)(*map(np.concatenate, columns))


def with_old_arrays(new: D, old: D) -> D:
    """A copy of `new` that has the arrays of `old` in place of equal ones, in its items too."""
    kept: dict[str, Any] = {}
    for name, now in vars(new).items():
        before = getattr(old, name)
        if isinstance(now, np.ndarray):
            kept[name] = before if now is before or np.array_equal(now, before) else now
        elif isinstance(now, Solids):
            kept[name] = Solids(*map(with_old_arrays, now, before))
        elif is_dataclass(now):
            kept[name] = with_old_arrays(now, before)
    return replace(new, **kept)
