"""The quadratic of a linear probe and a sphere over t: inside or outside, and the two roots."""

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from hitscope.explain.charts import marks
from hitscope.explain.explanation import Explanation
from hitscope.explain.value_pictures import meanings_of
from hitscope.geometry import exact
from hitscope.geometry.exact import Bound
from hitscope.geometry.meanings import T_PAIR
from hitscope.geometry.shapes import Cast, Ray, Sphere
from hitscope.geometry.vector import dot, subtract
from hitscope.numerals import typeset

HEIGHT = 9.0
LEFT = 4.2
SMALL = 0.85
STEPS = 64
"""The pieces of the drawn curve."""
AROUND, FARTHEST = 1.5, 2.5
"""The widths on either side of its lowest point that are drawn, and those up to which ends of the probe are."""
SHALLOW = Fraction(1, 16)
"""The part of the squared radius below which the lowest point of the curve is drawn as next to the surface."""


class RootChart(NamedTuple):
    """The roots of |origin + t * direction - center|^2 = radius^2, as a method computes them, over t.

    The curve is exact: `lowest` + ((t - `nearest`) / `width`)^2, below 0 inside the sphere.
    """

    hit: bool
    """The verdict of the method."""
    roots: tuple[float, float] | None
    """None where there are none, and where the method does not get so far."""
    t_min: float
    """The probe's own range of t."""
    t_max: float
    nearest: float
    """The t of the point of the probe's line that is nearest to the center."""
    width: float
    lowest: float
    gap: float
    """From that point to the surface, rounded once; negative inside."""
    exact_enter: Bound | None
    """The entry and the exit without rounding; None of a miss."""
    exact_exit: Bound | None

    @property
    def common(self) -> tuple[float, float] | None:
        """The part of the probe between the roots; None of a miss."""
        if self.roots is None:
            return None
        enter, leave = max(self.roots[0], self.t_min), min(self.roots[1], self.t_max)
        return (enter, leave) if enter <= leave else None


def root_chart(explanation: Explanation, probe: Any, sphere: Sphere) -> RootChart | None:
    """Return the quadratic of a probe, or the center of one that moves, and a sphere; None without direction."""
    moves, line, target = isinstance(probe, Cast), probe, sphere
    if moves:
        line = Ray._make((probe.center, probe.motion))
        target = Sphere._make((sphere.center, Fraction(probe.radius) + Fraction(sphere.radius)))
    exactly = exact.linear_probe(line)
    origin, direction = ([Fraction(x, exactly.w) for x in way] for way in (exactly.origin, exactly.direction))
    if not (speed := dot(direction, direction)):
        return None
    offset, squared = subtract(origin, tuple(map(Fraction, sphere.center))), exact.radius_of(target) ** 2
    nearest = -dot(offset, direction) / speed
    away = dot(offset, offset) - nearest**2 * speed
    deep = max(abs(away - squared), squared * SHALLOW)
    width = exact.square_root(deep / speed) if deep else Fraction(1)
    found, along = exact.relation(probe, sphere), exact.line_range(line, target)
    range_of_line = None if along is None else (exact.rounded(along[0]), exact.rounded(along[1]))
    return RootChart(
        explanation.hit,
        _roots(explanation, range_of_line),
        float(exactly.t_min),
        1.0 if moves else float(exactly.t_max),
        exact.rounded(nearest),
        exact.rounded(width),
        exact.rounded((away - squared) / (width**2 * speed)),
        exact.rounded(exact.square_root(away) - exact.radius_of(target)),
        found.t_enter,
        found.t_exit,
    )


def _roots(explanation: Explanation, otherwise: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the values of a method's two variables for t, if it got so far; `otherwise` where it has none."""
    names = next((names for names, meaning in meanings_of(explanation).items() if meaning == T_PAIR), "")
    if not names:
        return otherwise
    values = explanation.trace.steps[-1].values if explanation.trace.steps else {}
    roots = sorted(float(t) for name in names.split(", ") if (t := values.get(name)) is not None)
    return (roots[0], roots[1]) if len(roots) == 2 else None


def draw_roots(chart: RootChart, width: float) -> marks.Drawing:
    """Draw the curve over t with the roots on the surface, on a width in em."""
    sheet = marks.Sheet()
    lines = _words(chart)
    top = sheet.paragraphs(width, lines)
    left, right, top = LEFT, width - 0.6, top + 0.4
    along = marks.Scale(*_times(chart), left, right)
    highest = max(_height(chart, along.lo), _height(chart, along.hi), 1.0)
    low = min(chart.lowest, 0.0)
    up = marks.Scale(low - 0.25 * (highest - low), highest, top + HEIGHT, top)
    surface = up.at(0.0)
    sheet.bar(left, right, surface, up.left, "primitive", 0.15)
    sheet.line((left, surface), (right, surface), "text", 0.6, 1.5)
    for words, y in (("outside", top + 0.7), ("surface", surface), ("inside", up.left - 0.5)):
        sheet.text((left - 0.5, y), words, "quiet", "right", size=SMALL)
    _draw_curve(sheet, chart, along, up)
    _draw_found(sheet, chart, along, surface)
    sheet.text((0.4, up.left + 0.9), "probe", "probe", size=SMALL)
    marks.draw_interval(sheet, along, chart.t_min, chart.t_max, up.left + 0.55, up.left + 1.25, "probe")
    marks.draw_ticks(sheet, along, up.left + 1.6)
    return sheet.drawing(width, up.left + 3.2, f"Roots: {lines[0][0]}")


def _times(chart: RootChart) -> tuple[float, float]:
    """Return the piece of t that is drawn: around the lowest point, with the ends and roots that are near."""
    others = (chart.t_min, chart.t_max, *(chart.roots or ()))
    shown = [t for t in others if abs(t - chart.nearest) <= FARTHEST * chart.width]
    shown += [chart.nearest - AROUND * chart.width, chart.nearest + AROUND * chart.width]
    lo, hi = min(shown), max(shown)
    margin = 0.06 * (hi - lo) or max(abs(lo), 1.0)
    return lo - margin, hi + margin


def _height(chart: RootChart, t: float) -> float:
    return chart.lowest + ((t - chart.nearest) / chart.width) ** 2 if chart.width else chart.lowest


def _draw_curve(sheet: marks.Sheet, chart: RootChart, along: marks.Scale, up: marks.Scale) -> None:
    """Draw the curve, thick where it is the probe's own."""
    ends = [along.lo + (along.hi - along.lo) * k / STEPS for k in range(STEPS + 1)]
    points: list[marks.At] = [(along.at(t), up.at(_height(chart, t))) for t in ends]
    for (start, end), (p, q) in zip(pairwise(ends), pairwise(points), strict=True):
        if chart.t_min <= (start + end) / 2 <= chart.t_max:
            sheet.line(p, q, "probe", 1.0, 2.5)
        else:
            sheet.line(p, q, "quiet", 0.5)


def _draw_found(sheet: marks.Sheet, chart: RootChart, along: marks.Scale, surface: float) -> None:
    if chart.common is not None:
        enter, leave = map(along.at, chart.common)
        sheet.bar(enter, max(leave, enter + 0.15), surface - 0.13, surface + 0.13, "hit")
    tones: tuple[marks.Tone, marks.Tone] = ("entry", "exit")
    for k, (t, tone) in enumerate(zip(chart.roots or (), tones, strict=False)):
        if along.holds(t):
            is_own = chart.t_min <= t <= chart.t_max
            x = along.at(t)
            sheet.dot((x, surface), tone if is_own else "quiet", 0.34)
            align: marks.Align = "left" if x < along.left + 6 or (k and x < along.right - 6) else "right"
            aside = 0.6 if align == "left" else -0.6
            sheet.text((x + aside, surface - 0.9), typeset(t), tone if is_own else "quiet", align, size=SMALL)


def _words(chart: RootChart) -> list[tuple[str, marks.Tone]]:
    verdict = "Hit" if chart.hit else "Miss"
    if chart.roots is None:
        words = f"{verdict}: no roots"
    elif chart.hit and chart.common is not None:
        enter, leave = chart.roots
        words = "Hit: " + ("starts inside" if enter < chart.t_min else f"enters at {typeset(enter)}")
        words += ", ends inside" if leave > chart.t_max else f", leaves at {typeset(leave)}"
    else:
        beyond = "" if chart.common else ", beyond the probe"
        words = f"{verdict}: the roots are {typeset(chart.roots[0])} and {typeset(chart.roots[1])}{beyond}"
    between = "nothing in common"
    if chart.exact_enter is not None and chart.exact_exit is not None:
        between = f"{marks.t_text(chart.exact_enter)} to {marks.t_text(chart.exact_exit)}"
    elif chart.gap > 0:
        between = f"the line passes {typeset(chart.gap)} from the surface"
    return marks.with_unrounded(words, chart.hit, chart.exact_enter is not None, between)
