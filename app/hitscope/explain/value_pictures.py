"""The geometry of the values of a step, in the scene's coordinates.

What a value stands for is registered with its method (`geometry.meanings`); a user's own function has no
registration, and only its plainest names (`PLAIN_NAMES`) are recognised, t as a fraction of the probe's vector.
A NaN has no picture, nor has a value that is left over from another pass of a loop. Of an interval of t an
infinite end is drawn at the end of the pair's surroundings, as its text says.
"""

import ast
import math
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from textwrap import dedent
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from hitscope import numerals
from hitscope.explain.explanation import Explanation
from hitscope.explain.pair_space import NoPictureError, PairSpace, Polygon, is_plane, middle_of, number, vector
from hitscope.explain.trace import Step
from hitscope.geometry.answers import box_face
from hitscope.geometry.arrays import Array, polar
from hitscope.geometry.meanings import ANSWER, PLAIN_NAMES, Meaning, MeaningKind, Meanings
from hitscope.geometry.registry import EXACT
from hitscope.geometry.shapes import Vec3
from hitscope.geometry.vector import vec3

PictureKind: TypeAlias = Literal["point", "arrow", "interval", "patch", "side", "outline"]
"""Points: one; of an arrow its tail and tip; of an interval its two ends; of a patch its corners in order; of a
side the point whose side it is; of an outline the two ends of each stroke in turn."""

ARROW = 0.5
"""The length of an arrow that shows a direction, in radii of the primitive."""
AROUND = 1.5
"""The radii of the pair up to which an infinite interval is drawn."""

WHOLE: frozenset[MeaningKind] = frozenset({"face", "plane equation"})
"""Where some of the variables alone stand for nothing, as an axis without a sign for no face."""


class ValuePicture(NamedTuple):
    """The picture of a step's value in the scene."""

    name: str
    """The name of the variable, or of the variables, e.g. "t_near, t_far"."""
    kind: PictureKind
    points: tuple[Vec3, ...]
    text: str
    """The value, for a label."""
    is_new: bool
    """Whether the step has set or changed it."""
    is_read: bool = False
    """Whether the step reads it, as a comparison does."""
    meaning: MeaningKind = "position"
    """The meaning of the value; the kind is the form of the picture."""
    side: int = 0
    """1 for a side in front, -1 behind, 0 on the plane."""
    whose: Literal["", "probe", "primitive"] = ""
    """The shape that casts a shadow on an axis."""
    ends: tuple[tuple[str, str], ...] = ()
    """The names and values of the two variables that an interval is between, one for each of its ends."""


class _Figure(NamedTuple):
    """A picture that has no name yet."""

    kind: PictureKind
    points: tuple[Array, ...]
    text: str
    side: int = 0


def value_pictures(explanation: Explanation, step: int) -> tuple[ValuePicture, ...]:
    """Return the pictures of the values after a step, of the last one with those of the answer."""
    with np.errstate(all="ignore"):
        return tuple(_Moment(explanation, step).pictures())


def _names_set_in(step: Step) -> frozenset[str]:
    """Return the variables that a step set; the header of a loop that had no other pass set none."""
    return frozenset() if step.ends_loop else names_in(step.source)[0]


@lru_cache(maxsize=1 << 12)
def names_in(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """The variables that a statement, or the header of a compound one, sets, and those that it reads."""
    code = dedent(source)
    for text in (code, f"{code} pass", f"if True: pass\n{code} pass"):
        try:
            names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
        except SyntaxError:
            continue
        stored = frozenset(name.id for name in names if isinstance(name.ctx, ast.Store))
        return stored, frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))
    return frozenset(), frozenset()


@lru_cache(maxsize=2)  # All steps of a run, and of the run before it while a probe is dragged.
def _run(explanation: Explanation) -> tuple[dict[str, list[int]], PairSpace]:
    """The steps of a run that set each variable, by their indices, and the space of its pair."""
    setting: dict[str, list[int]] = {}
    for k, step in enumerate(explanation.trace.steps):
        for name in _names_set_in(step):
            setting.setdefault(name, []).append(k)
    # Drawn as the scene is: in float32 its numbers may be infinite.
    return setting, PairSpace(explanation.probe, explanation.primitive)


def meanings_of(explanation: Explanation) -> Meanings:
    """Return what the values of a run stand for, by name."""
    method = explanation.chosen.method
    return ANSWER if method.name == EXACT else method.meanings or PLAIN_NAMES


class _Moment:
    """The values after a step, with what they stand for."""

    def __init__(self, explanation: Explanation, step: int) -> None:
        self._steps = steps = explanation.trace.steps
        self._method = explanation.chosen.method
        self._setting_steps, self._space = _run(explanation)
        self._step = step
        now = steps[step]
        self._set = _names_set_in(now)
        # The list of a loop is read for each pass.
        self._read = frozenset() if now.ends_loop and not now.comparisons else names_in(now.source)[1]
        self._before = steps[step - 1].values if step > 0 else {}
        self._values = dict(now.values)
        self._meanings = dict(meanings_of(explanation))
        if step == len(steps) - 1 and self._method.name != EXACT:
            self._add_answer(explanation.trace.answer)

    def _add_answer(self, answer: Any) -> None:
        pictured = {name for names in self._meanings for name in names.split(", ") if name in self._values}
        for names, meaning in ANSWER.items():
            own = [name for name in names.split(", ") if name in getattr(answer, "_fields", ())]
            if own and pictured.isdisjoint(own):
                self._meanings[names] = meaning
                self._values |= {name: getattr(answer, name) for name in own}
                self._set |= frozenset(own)

    def pictures(self) -> Iterator[ValuePicture]:
        """Yield the pictures of all values that have one."""
        for names, meanings in self._meanings.items():
            meaning = self._meaning_now(names, meanings)
            current = [name for name in names.split(", ") if self._is_current(name)]
            if not current or (meaning.kind in WHOLE and len(current) <= names.count(",")):
                continue
            with suppress(NoPictureError):
                for figure in self._figures(current, meaning):
                    points = tuple(vec3(point.tolist()) for point in figure.points)
                    if all(math.isfinite(value) for point in points for value in point):
                        yield self._picture(current, meaning, figure, points)

    def _picture(
        self, names: list[str], meaning: Meaning, figure: _Figure, points: tuple[Vec3, ...]
    ) -> ValuePicture:
        ends: tuple[tuple[str, str], ...] = ()
        if figure.kind == "interval" and len(names) == 2:
            ends = tuple(zip(names, _texts([self._values[name] for name in names]), strict=True))
        # A normal alone is an arrow, and does not light the plane that has it.
        needed = len(names) if meaning.kind == "plane equation" else 1
        return ValuePicture(
            name=", ".join(names),
            kind=figure.kind,
            points=points,
            text=figure.text,
            is_new=any(n in self._set or repr(self._before.get(n)) != repr(self._values[n]) for n in names),
            is_read=len(self._read.intersection(names)) >= needed,
            meaning=meaning.kind,
            side=figure.side,
            whose=self._owner(meaning.whose),
            ends=ends,
        )

    def _is_current(self, name: str) -> bool:
        """Whether a variable was set in the passes of the loops that the step is in, or before these loops.

        One that a loop sets anew in each pass is not, until it is set: its value is of another axis or face.
        """
        if name not in self._values or name not in self._setting_steps:
            return name in self._values
        passes = set(self._steps[self._step].iterations)
        steps = (k for k in self._setting_steps[name] if k <= self._step)
        return any(passes.issuperset(self._steps[k].iterations) for k in steps)

    def _meaning_now(self, names: str, meaning: Meaning | tuple[Meaning, ...]) -> Meaning:
        if isinstance(meaning, Meaning):
            return meaning
        times_set = sum(k <= self._step for k in self._setting_steps.get(names, ()))
        return meaning[min(times_set, len(meaning)) - 1]

    def _owner(self, parameter: str) -> Literal["", "probe", "primitive"]:
        if not parameter:
            return ""
        is_first = self._method.function.__code__.co_varnames[0] == parameter
        return "probe" if is_first != self._method.swapped else "primitive"

    def _figures(self, names: list[str], meaning: Meaning) -> Iterator[_Figure]:
        """Yield what values look like; raises NoPictureError where they stand for nothing."""
        values = [self._values[name] for name in names]
        text = ", ".join(map(_text, values))
        match meaning.kind:
            case "face" | "slab":
                for name, corners in self._named_faces(values, meaning):
                    is_index = len(values) == 1 and isinstance(values[0], int) and name != str(values[0])
                    yield _polygon(corners, f"{values[0]}: {name}" if is_index else name)
            case "t" | "t range" | "t pair" if len(values) > 1:
                ends = [number(value) for value in values]
                drawn = self._within_reach(*ends)
                is_empty = meaning.kind == "t range" and ends[0] > ends[1]
                notes = ["clipped"] * (drawn != ends) + ["empty"] * is_empty
                words = ", ".join(_texts(ends)) + (f" ({', '.join(notes)})" if notes else "")
                yield _Figure("interval", tuple(map(self._at, drawn)), words)
            case "vector":
                tip, tail = self._position(values, meaning), self._origin(meaning)
                if (tip != tail).any():
                    yield _Figure("arrow", (tail, tip), text)
            case "direction":
                tail = self._origin(meaning) if meaning.origin else self._space.middle
                tip = tail + ARROW * self._space.size * _unit(values[0])[0]
                yield _Figure("arrow", (tail, tip), _text(values[0]))
            case "axis":
                yield _Figure("arrow", self._space.span(_axis_vector(values[0])[0]), text)
            case "projection" | "shadow":
                points = self._on_axis(meaning, values)
                yield _Figure("point" if len(points) == 1 else "interval", points, text)
            case "half shadow":
                half = number(values[0])
                yield _Figure("interval", self._on_axis(meaning, [-half, half]), f"±{text}")
            case "plane equation":
                unit, length = _unit(values[0])
                yield _Figure("patch", self._space.patch(unit, -number(values[1]) / length), text)
            case "side":
                value = number(values[0])
                side = meaning.sign * ((value > 0) - (value < 0))
                where = {1: "in front", -1: "behind", 0: "on it"}[side]
                yield _Figure("side", (self._origin(meaning),), f"{text} ({where})", side)
            case "polygon":
                corners = tuple(map(vector, values[0])) if isinstance(values[0], tuple | list) else ()
                if corners:
                    yield _polygon(corners, numerals.counted(len(corners), "corner"))
            case "sum":
                radius, shape = number(values[0]), self._value(meaning.origin)
                strokes = self._space.sum_outline(radius) if radius and shape == self._space.primitive else []
                if strokes:
                    yield _Figure("outline", tuple(chain.from_iterable(strokes)), text)
            case _:
                yield _Figure("point", (self._position(values, meaning),), text)

    # Points

    def _within_reach(self, *ends: float) -> list[float]:
        """The ends of an interval of t, infinite ones at the end of the pair's surroundings."""
        origin, direction = self._line
        speed = math.hypot(*direction.tolist())
        if not 0 < speed < math.inf:
            return list(ends)
        nearest = float((self._space.middle - origin) @ (direction / speed)) / speed
        around = AROUND * self._space.reach / speed
        finite = [t for t in ends if math.isfinite(t)]
        lo = min([nearest - around, *(t - around / 2 for t in finite)])
        hi = max([nearest + around, *(t + around / 2 for t in finite)])
        return [t if math.isfinite(t) else hi if t > 0 else lo for t in ends]

    @property
    def _line(self) -> Array:
        """The origin and the direction (2, 3) of the probe's line."""
        if self._space.line is None:
            raise NoPictureError
        return np.array(self._space.line[:2], float)

    def _at(self, t: float) -> Array:
        origin, direction = self._line
        return np.asarray(origin + t * direction)

    def _position(self, values: list[Any], meaning: Meaning) -> Array:
        """The point that a value, or several, of these kinds stand for."""
        if meaning.kind in ("t", "t range", "t pair"):
            return self._at(number(values[0]))
        origin = self._origin(meaning)
        match meaning.kind:
            case "position" | "vector":
                return origin + vector(values[0])
            case "local point":
                axes = np.array(self._value(f"{meaning.origin}.axes"), float)
                return np.asarray(origin + vector(values[0]) @ axes)
            case "length":
                return origin + number(values[0]) * _unit(self._value(meaning.along[0]))[0]
            case "fraction":
                return origin + number(values[0]) * (self._origin_named(meaning.along[0]) - origin)
            case "multiples":
                over = self._value(meaning.over) if meaning.over else 1.0
                divisor = float(vector(over) @ vector(over)) if isinstance(over, tuple | list) else number(over)
                if divisor:
                    along = zip(values, map(self._value, meaning.along), strict=False)
                    return sum((number(value) / divisor * vector(way) for value, way in along), start=origin)
        raise NoPictureError

    def _on_axis(self, meaning: Meaning, numbers: list[Any]) -> tuple[Array, ...]:
        """The points of the axis with these projections from the meaning's origin."""
        known = (path for path in meaning.along if self._is_current(path.split(".", maxsplit=1)[0]))
        unit, length = _axis_vector(self._value(next(known, "")))
        middle = self._space.middle
        start = float((self._origin(meaning) - middle) @ unit)
        return tuple(middle + (start + number(value) / length) * unit for value in numbers)

    # Faces

    def _named_faces(self, values: list[Any], meaning: Meaning) -> Iterator[tuple[str, Polygon]]:
        space, value = self._space, values[0]
        if is_plane(value):
            return space.face_in(value, _text(value.normal))
        if isinstance(value, str):
            return space.named_face(value)
        index = int(number(value))
        if meaning.kind == "slab":
            return space.slab(index)
        return space.feature(box_face(index, values[1]) if len(values) == 2 else index)

    # Names

    def _value(self, path: str) -> Any:
        """The value of a variable, or of an attribute of one; raises NoPictureError where there is none."""
        name, *attributes = path.split(".")
        value = self._values[name] if self._is_current(name) else None
        for attribute in attributes:
            value = getattr(value, attribute, None)
        if value is None:
            raise NoPictureError
        return value

    def _origin(self, meaning: Meaning) -> Array:
        return self._origin_named(meaning.origin) if meaning.origin else np.zeros(3)

    def _origin_named(self, path: str) -> Array:
        """The point that a name stands for: as its meaning says, else a vector itself, a shape its middle.

        Of a plane it is the point nearest to the middle of the pair.
        """
        value = self._value(path)
        for names, meanings in self._meanings.items():
            if path in names.split(", "):
                return self._position([value], self._meaning_now(names, meanings))
        if not is_plane(value):
            return middle_of(value)
        (unit, length), middle = _unit(value.normal), self._space.middle
        return np.asarray(middle + (float(value.offset) / length - float(unit @ middle)) * unit)


def _polygon(corners: Polygon, text: str) -> _Figure:
    kinds: dict[int, PictureKind] = {1: "point", 2: "interval"}
    return _Figure(kinds.get(len(corners), "patch"), corners, text)


def _unit(value: Any) -> tuple[Array, float]:
    """The direction and length of a vector; raises NoPictureError of one without direction, and of all else."""
    length, direction = polar(vector(value))
    if not length:
        raise NoPictureError
    return direction, length


def _axis_vector(value: Any) -> tuple[Array, float]:
    """The direction and the length of an axis: of a vector, or of the coordinate axis with an index."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 3:
        return np.eye(3)[value], 1.0
    return _unit(value)


def _text(value: Any) -> str:
    """A value in at most six digits."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_text, value))})"
    try:
        return numerals.short(number(value) + 0.0)
    except NoPictureError:
        return str(value)


def _texts(values: list[Any]) -> list[str]:
    """Values in six digits, or numbers in as many as tell them apart."""
    short = list(map(_text, values))
    with suppress(NoPictureError):
        numbers = list(map(number, values))
        return short if len(set(short)) == len(set(numbers)) else list(map(repr, numbers))
    return short
