"""Which pair of probe and primitive is looked at, what the methods say of it, and which hits have labels."""

import math
from collections.abc import Sequence

from hitscope.evaluate import Report, Verdict
from hitscope.evaluate.expectations import differing
from hitscope.geometry.registry import of_pair, pair_of
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Polyhedron,
    Ray,
    Segment,
    Triangle,
    Vec3,
)
from hitscope.scene.model import Expectation
from hitscope.viewer.app import App


def looked_at(app: App) -> tuple[int, int] | None:
    """Give the probe and the element that are hovered or selected, as `Picture.pair` completes them."""
    return app.picture.pair((app.hovered, app.selected, app.partner))


class Comparison:
    """What every method says of one pair; asked again only when the scene or the pair is another."""

    def __init__(self) -> None:
        self._asked: tuple[Report, tuple[int, int]] | None = None
        self._verdicts: dict[str, Verdict] = {}

    def of(self, report: Report, pair: tuple[int, int]) -> dict[str, Verdict]:
        """Give the verdicts by the methods' names: the deciding one as the scene sets it, `exact` first."""
        if self._asked is None or self._asked[0] is not report or self._asked[1] != pair:
            self._asked = report, pair
            decided = report.verdict(*pair)
            names = of_pair(pair_of(*decided.shapes))
            self._verdicts = {
                name: decided if name == decided.method else report.verdict(*pair, name) for name in names
            }
        return self._verdicts


def vector_length(verdict: Verdict) -> float | None:
    """Give the length that a t of 1 stands for, in scene units; None of a probe without a t."""
    match verdict.shapes[0]:
        case Segment(start, end):
            return math.dist(start, end)
        case Ray(_, direction) | Line(_, direction):
            return math.hypot(*direction)
    return None


def entry_face(verdict: Verdict) -> str | None:
    """Name the face that a normal is of; None where there is no normal or no such face."""
    normal = verdict.normal
    if normal is None:
        return None
    match verdict.shapes[1]:
        case Aabb():
            return _side_of(normal, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), "xyz")
        case Obb(_, _, axes):
            return _side_of(normal, axes, "xyz")
        case Parallelepiped(_, (a, b, c)):
            return _side_of(normal, (_cross(b, c), _cross(c, a), _cross(a, b)), "012")
        case Plane(own, _):
            return "front" if _dot(normal, own) > 0 else "back"
        case Triangle(a, b, c):
            sides = [tuple(q - p for p, q in zip(a, other, strict=True)) for other in (b, c)]
            return "front" if _dot(normal, _cross(*sides)) > 0 else "back"
        case Polyhedron(planes, _) if planes:
            alike = [_dot(normal, plane.normal) / math.hypot(*plane.normal) for plane in planes]
            return f"planes[{alike.index(max(alike))}]"
    return None


def _side_of(normal: Vec3, axes: Sequence[Sequence[float]], names: str) -> str | None:
    """Give the axis that a normal goes along, with its sign; a flat box may have axes of no length."""
    sizes = [math.hypot(*axis) for axis in axes]
    along = [_dot(normal, axis) / size if size else 0.0 for axis, size in zip(axes, sizes, strict=True)]
    best = max(range(3), key=lambda i: abs(along[i]))
    if not along[best]:
        return None
    return f"{'+' if along[best] > 0 else '−'}{names[best]} face"


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


def _cross(a: Sequence[float], b: Sequence[float]) -> Vec3:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def difference(verdict: Verdict, referee: Verdict) -> str | None:
    """Say where a method's answer is not that of `exact`: "verdict", or "t" by more than an expectation allows."""
    if verdict.hit != referee.hit:
        return "verdict"
    asked = Expectation(probe="", primitive="", hit=True, t_enter=referee.t_enter, t_exit=referee.t_exit)
    given = of_pair(pair_of(*verdict.shapes))[verdict.method].answers
    wrong = [name for name in differing(asked, verdict) if name in given]
    return "t" if wrong else None


def labelled(app: App) -> list[Verdict]:
    """Give the hits of what is hovered or selected, those of each probe from near to far."""
    ids = {target.id for target in (app.hovered, app.selected) if target is not None}
    return [
        verdict
        for verdict in app.picture.verdicts.values()
        if verdict.hit and (verdict.probe in ids or verdict.primitive in ids)
    ]
