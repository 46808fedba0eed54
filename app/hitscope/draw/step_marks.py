"""The values of a step in the scene: strokes, markers, facets and labels, with their roles.

The values that the step has set or reads stand out, and the others are quiet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.extent import as_points
from hitscope.draw.items import (
    NO_FACETS,
    Codes,
    Cue,
    DrawList,
    Ending,
    Facets,
    FacetSide,
    Markers,
    Role,
    Strokes,
    joined,
)
from hitscope.explain.value_pictures import ValuePicture
from hitscope.geometry.arrays import Array
from hitscope.geometry.meanings import MeaningKind

ROLES: dict[MeaningKind, Role] = {
    "t pair": Role.ENTRY,
    "vector": Role.NORMAL,
    "direction": Role.NORMAL,
    "axis": Role.AXIS,
}
"""The roles of values by what they stand for; the others have that of an interval."""
SIDES = {1: Role.ENTRY, 0: Role.INTERVAL, -1: Role.EXIT}
"""The roles of the point whose side a value is: the one of a point behind is drawn hollow."""

FACES: frozenset[MeaningKind] = frozenset({"face", "slab"})
"""Faces of the primitive: outlined where they stand out, without a label where they are quiet."""
ENDLESS = 1e3
"""The sizes of a patch at which it would have faded out: a sheet that fades casts no shadow."""


class StepLabel(NamedTuple):
    """The name and the value of a picture, and the point that they are written at."""

    point: Array
    name: str
    text: str
    role: Role
    stands_out: bool


class _Line(NamedTuple):
    start: Array
    end: Array
    role: Role
    stands_out: bool
    is_wide: bool
    ending: Ending = Ending.PLAIN


class StepMarks(NamedTuple):
    """The marks of the values of one step."""

    lines: Strokes
    markers: Markers
    facets: Facets
    labels: tuple[StepLabel, ...]
    """The labels, those that stand out first."""

    def on(self, drawn: DrawList) -> DrawList:
        """The draw list with these marks on top."""
        markers, facets = joined(drawn.markers, self.markers), joined(drawn.facets, self.facets)
        return replace(drawn, values=self.lines, markers=markers, facets=facets)


def step_marks(pictures: Sequence[ValuePicture], hit: bool) -> StepMarks:
    """The marks of values; `hit` tells the colour of the primitive, which its shadows on axes have, too."""
    pictures = sorted(pictures, key=_layer)
    roles = [_role(picture, hit) for picture in pictures]
    both = list(zip(pictures, roles, strict=True))
    lines = [line for picture, role in both for line in _lines(picture, role)]
    dots = [(point, role, _stands_out(picture)) for picture, role in both for point in _dots(picture)]
    loud = np.array([stands_out for _, _, stands_out in dots], np.bool_)
    return StepMarks(
        Strokes(
            starts=as_points(line.start for line in lines),
            ends=as_points(line.end for line in lines),
            roles=np.array([line.role for line in lines], np.uint8),
            cues=_cues(np.array([line.stands_out for line in lines], np.bool_)),
            endings=np.array([line.ending for line in lines], np.uint8),
            inside=np.array([line.is_wide for line in lines], np.bool_),
        ),
        Markers(
            positions=as_points(point for point, _, _ in dots),
            roles=np.array([role for _, role, _ in dots], np.uint8),
            cues=_cues(loud),
            main=np.zeros(len(dots), np.bool_),
            faint=~loud,
        ),
        joined(NO_FACETS, *(_facets(picture, role) for picture, role in both if picture.kind == "patch")),
        tuple(label for picture, role in reversed(both) for label in _labels(picture, role)),
    )


def _layer(picture: ValuePicture) -> tuple[bool, ...]:
    """Return the order of drawing: what stands out over the rest, bars over faces, and narrow over wide ones."""
    return _stands_out(picture), picture.kind != "patch", not _is_wide(picture), picture.is_new


def _role(picture: ValuePicture, hit: bool) -> Role:
    if picture.kind == "side":
        return SIDES[picture.side]
    if picture.whose:
        return Role.PROBE if picture.whose == "probe" else Role.HIT if hit else Role.MISS
    return ROLES.get(picture.meaning, Role.INTERVAL)


def _stands_out(picture: ValuePicture) -> bool:
    return picture.is_new or picture.is_read


def _is_wide(picture: ValuePicture) -> bool:
    """Whether a bar is wide, so that another one on the same line is visible on it."""
    return picture.whose == "primitive" or picture.meaning == "t range"


def _cues(stand_out: NDArray[np.bool_]) -> Codes:
    return np.where(stand_out, np.uint8(Cue.HOVERED), np.uint8(Cue.NONE))


def _lines(picture: ValuePicture, role: Role) -> Iterator[_Line]:
    points = [np.array(point) for point in picture.points]
    if picture.kind == "arrow":
        yield _Line(points[0], points[1], role, _stands_out(picture), False, Ending.ARROW_END)
    elif picture.kind == "outline":
        for start, end in zip(points[::2], points[1::2], strict=True):
            yield _Line(start, end, role, False, False)
    elif picture.kind == "interval":
        yield _Line(points[0], points[1], role, _stands_out(picture), _is_wide(picture))
    elif picture.meaning in FACES and _stands_out(picture):
        # The colour of a translucent face on one of the primitive is hardly visible.
        for start, end in pairwise([*points, points[0]]):
            yield _Line(start, end, role, True, False)


def _dots(picture: ValuePicture) -> Iterator[Array]:
    is_plain = picture.kind == "interval" and picture.meaning not in ("t range", "t pair")
    if picture.kind not in ("arrow", "patch", "outline") and not is_plain:
        yield from (np.array(point) for point in picture.points)


def _labels(picture: ValuePicture, role: Role) -> Iterator[StepLabel]:
    """The labels of a picture: of two variables one at each end, else one at the tip or in the middle."""
    if picture.meaning in FACES and not _stands_out(picture):
        return
    points = as_points(np.array(point) for point in picture.points)
    if picture.ends and (points[0] != points[1]).any():
        for point, (name, text) in zip(points, picture.ends, strict=True):
            yield StepLabel(point, name, text, role, _stands_out(picture))
    else:
        point = points[-1] if picture.kind in ("arrow", "outline") else points.mean(axis=0)
        yield StepLabel(point, picture.name, picture.text, role, _stands_out(picture))


def _facets(picture: ValuePicture, role: Role) -> Facets:
    """A patch as triangles around its middle."""
    corners = as_points(np.array(point) for point in picture.points)
    n, middle = len(corners), corners.mean(axis=0)
    after = np.roll(corners, -1, axis=0)
    normal = np.cross(corners - middle, after - middle).sum(axis=0)
    length = float(np.linalg.norm(normal))
    size = 2 * float(np.abs(corners - middle).max())
    return Facets(
        vertices=np.stack([np.broadcast_to(middle, (n, 3)), corners, after], axis=1),
        normals=np.tile(normal / (length or 1.0), (n, 1)),
        solid=np.zeros(n, np.bool_),
        centers=np.tile(middle, (n, 1)),
        reaches=np.full(n, ENDLESS * size),
        sizes=np.full(n, size),
        sides=np.full(n, FacetSide.EDGE, np.uint8),
        endings=np.full(n, Ending.PLAIN, np.uint8),
        roles=np.full(n, role if _stands_out(picture) else Role.REFERENCE, np.uint8),
        cues=np.full(n, Cue.HOVERED if _stands_out(picture) else Cue.NONE, np.uint8),
    )
