"""The answers of methods at every position of a map beside exact ones, and the nearest wrong position."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.geometry.arrays import Array, numbers_of
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.maps.handles import Handle
from hitscope.maps.labels import Labels
from hitscope.maps.plane import MapPlane, plane_facing
from hitscope.scene.bulk import Bulk, shapes_in
from hitscope.scene.model import MapAspect, Scene
from hitscope.targets.calls import OpenTarget
from hitscope.targets.cases import BLOCK, Cases
from hitscope.targets.judging.judged import judged
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules, answers_of_met
from hitscope.targets.judging.truth import Truth
from hitscope.targets.target import HIT, MISS, OUTSIDE, Answers

MOST_PAIRS = 1 << 27
"""The most pairs of a map: positions times the shapes that the moved one is tested against."""


class Code:
    """The answers of a method at a pixel of a map, as numbers; a pixel of two pairs has the greater code."""

    RIGHT_MISS, RIGHT_HIT, LEFT_OUT, WRONG_MISS, WRONG_HIT, FAILED = range(6)


CODES = ("right miss", "right hit", "left out", "wrong miss", "wrong hit", "no answer")
"""The codes in words."""


class MapMethod(NamedTuple):
    """A method of a map, which may serve several pairs: a target, ready to be called, for each of them."""

    name: str
    targets: dict[str, OpenTarget]
    real: str = "float64"
    """The precision of the numbers that it is given."""
    rules: Rules = DEFAULT_RULES
    """By which it is judged."""


@dataclass(frozen=True)
class MethodMap:
    """The answers of one method; every array is (size, size), row 0 at the bottom."""

    name: str
    codes: NDArray[np.uint8]
    """A value of `Code` for each position: against exact geometry on the numbers that the method was given."""
    hit: NDArray[np.bool_]
    """Whether it hits anything."""
    t_ulps: NDArray[np.float64] | None = None
    """The error of t, as the largest of the pairs; NaN where none was judged, None where there is no t at all."""
    labels: Labels | None = None
    """The feature, axis or line that decides at each position, where that was asked for."""

    @property
    def wrong_hits(self) -> int:
        """The number of pixels on which it hits what is a miss."""
        return int(np.count_nonzero(self.codes == Code.WRONG_HIT))

    @property
    def wrong_misses(self) -> int:
        """The number of pixels on which it misses what is a hit, and hits nothing wrongly."""
        return int(np.count_nonzero(self.codes == Code.WRONG_MISS))

    @property
    def wrong(self) -> int:
        """The number of pixels on which any verdict is wrong."""
        return self.wrong_hits + self.wrong_misses


@dataclass(frozen=True)
class PositionMap:
    """The maps of several methods on one plane."""

    plane: MapPlane
    handle: Handle
    hit: NDArray[np.bool_]
    """Whether the pairs meet, any of them, by exact geometry; (size, size)."""
    methods: tuple[MethodMap, ...]
    aspect: MapAspect = "agreement"
    """The subject of the colours of its picture."""


def position_map(
    handle: Handle,
    plane: MapPlane,
    methods: Sequence[MapMethod],
    others: Sequence[Shape],
    compiled: bool = True,
    with_t: bool = False,
) -> PositionMap:
    """Evaluate every position of a plane by each method, and exactly.

    `others` are the shapes that the moved one is tested against. Without `compiled` nothing waits for code that is
    not compiled yet; the error of t is found `with_t` alone, which takes longer. Raises HitscopeError for too many
    pairs, and for a method that serves none of them.
    """
    n = plane.size * plane.size
    if n * len(others) > MOST_PAIRS:
        found = f"{n:,} positions of {len(others):,} shapes: name one pair"
        raise HitscopeError(f"expected a map of at most {MOST_PAIRS:,} pairs, found {found}")
    each = len(methods), n
    hit, hits, codes = np.zeros(n, np.bool_), np.zeros(each, np.bool_), np.zeros(each, np.uint8)
    t_ulps = np.full(each, np.nan)
    progress.begin(n * max(1, len(others)))
    step = max(1, BLOCK // plane.size)
    for first in range(0, plane.size, step):
        part = slice(first * plane.size, min(first + step, plane.size) * plane.size)
        rows = handle.rows(plane.positions(slice(first, first + step)))
        for other in others:
            pair, numbers = _pairs(handle, rows, other)
            reals = {"float64", *(method.real for method in methods)}
            truths = {real: Truth(Cases.of_rows(pair, numbers, real), compiled) for real in reals}
            for k, method in enumerate(methods):
                truth = truths[method.real]
                if pair not in method.targets:
                    raise HitscopeError(f"{method.name}: expected a method of {pair}")
                answers = answers_of_met(method.targets[pair], truth.cases, method.rules.require)
                if with_t or method.rules != DEFAULT_RULES:
                    _judge(answers, truth, method.rules, codes[k, part], t_ulps[k, part])
                else:
                    np.maximum(codes[k, part], _CODES[answers.hit, truth.hit.view(np.int8)], out=codes[k, part])
                hits[k, part] |= answers.hit == HIT
            hit[part] |= truths["float64"].hit
            progress.advance(rows.shape[1])
    square = plane.size, plane.size
    squares = zip(methods, *(array.reshape(-1, *square) for array in (codes, hits, t_ulps)), strict=True)
    maps = (
        MethodMap(method.name, code, met, None if np.isnan(t).all() else t) for method, code, met, t in squares
    )
    return PositionMap(plane, handle, hit.reshape(square), tuple(maps))


def others_of(scene: Scene, handle: Handle, other: str | None = None) -> list[Shape]:
    """Return what the shape of a handle is tested against: the item or element of a name, or all of them.

    Those are the primitives of a probe, and the enabled probes of a primitive. Raises Fault for an unknown name.
    """
    is_probe = handle.target.kind == "probe"
    items = scene.named_primitives if is_probe else scene.named_probes
    if other is not None:
        item, element = items.find(other, (), "a primitive" if is_probe else "a probe")
        if isinstance(item, Bulk) and element is not None:
            return [item.shapes[element]]
        return list(shapes_in([item]))
    return list(shapes_in(items if is_probe else [item for item in scene.probes if item.enabled]))


def _pairs(handle: Handle, rows: Array, other: Shape) -> tuple[str, Array]:
    """Return the pair of types, and the numbers (k, n) of the moved shape's positions with another shape."""
    fixed = np.repeat(np.array(numbers_of(other))[:, None], rows.shape[1], axis=1)
    both = [rows, fixed] if handle.target.kind == "probe" else [fixed, rows]
    return handle.pair_with(other), np.concatenate(both)


def _judge(
    answers: Answers, truth: Truth, rules: Rules, codes: NDArray[np.uint8], t_ulps: NDArray[np.float64]
) -> None:
    """Judge answers by rules other than the default ones, or their ts, and merge that into the pixels' values."""
    found = judged(truth, answers, rules)
    own = _CODES[answers.hit, found.hit.view(np.int8)]
    own[found.left_out] = Code.LEFT_OUT
    np.maximum(codes, own, out=codes)
    if found.t_ulps is not None:
        np.fmax(t_ulps, found.t_ulps, out=t_ulps)


_CODES = np.full((5, 2), Code.FAILED, np.uint8)
"""The code of each answer of a target, which may be negative, and each truth."""
_CODES[MISS] = Code.RIGHT_MISS, Code.WRONG_MISS
_CODES[HIT] = Code.WRONG_HIT, Code.RIGHT_HIT
_CODES[OUTSIDE] = Code.LEFT_OUT

SOUGHT = 128
"""The positions of a row that are looked at on each scale."""
ZOOM = 16.0
"""How much larger each scale is than the one before: the squares overlap, so that nothing lies between them."""


class WrongPosition(NamedTuple):
    """A position at which a method is wrong."""

    vector: Vec3
    """The stored numbers of the handle there."""
    plane: MapPlane
    """The square on which it was found; `pixel` is its pixel there, x and y."""
    pixel: tuple[int, int]
    code: int
    """A value of `Code`."""


def nearest_wrong(
    judge: Callable[[MapPlane], MethodMap], around: MapPlane, largest: float
) -> WrongPosition | None:
    """Return the wrong position nearest to the middle of a plane; None if none is found up to a scale.

    `judge` makes the map of one method on a plane. The first square has one ulp a pixel, the last `largest` scene
    units a pixel; on each scale only its own pixels are looked at, so that a large scale is a sample.
    """
    for plane in planes_outwards(around, largest):
        found = judge(plane)
        y, x = np.nonzero((found.codes == Code.WRONG_HIT) | (found.codes == Code.WRONG_MISS))
        if len(x):
            half = plane.size // 2
            k = int(np.argmin((x - half) ** 2 + (y - half) ** 2))
            pixel = int(x[k]), int(y[k])
            return WrongPosition(plane.position(*pixel), plane, pixel, int(found.codes[y[k], x[k]]))
    return None


def planes_outwards(around: MapPlane, largest: float) -> Iterator[MapPlane]:
    """Yield the squares around the middle of a plane, from one ulp a pixel to `largest` scene units a pixel."""
    center, axes = around.center, around.axes
    plane = plane_facing(center, *axes, np.finfo(float).tiny, SOUGHT)
    while plane.scale < largest:
        yield plane
        plane = plane_facing(center, *axes, plane.scale * ZOOM, SOUGHT)
    yield plane_facing(center, *axes, largest, SOUGHT)
