"""The chart that shows how a method decides a pair: slabs, roots, separating axes, or a plane.

Charts are plain data; `svgs` and the window's widgets draw the same.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import hypot, isfinite
from typing import Any, TypeAlias

import numpy as np

from hitscope.explain.charts.axes import AxisChart, axis_chart, draw_axes
from hitscope.explain.charts.flat import FlatChart, draw_flat, flat_chart
from hitscope.explain.charts.marks import Drawing
from hitscope.explain.charts.roots import RootChart, draw_roots, root_chart
from hitscope.explain.charts.slabs import MEASURES, SlabChart, draw_slabs, slab_chart
from hitscope.explain.explanation import Explanation
from hitscope.explain.trace import Iteration, Step
from hitscope.geometry import exact
from hitscope.geometry.answers import Separation
from hitscope.geometry.kinds.wrapped import CastSphere
from hitscope.geometry.shapes import Line, Plane, Point, Ray, Sphere, Triangle, is_linear
from hitscope.geometry.vector import cross

Chart: TypeAlias = SlabChart | RootChart | AxisChart | FlatChart
FLAT_FOR_LINEAR, FLAT_FOR_BODIES = frozenset({Plane, Triangle}), frozenset({Plane})
"""The primitives with the chart of a plane, for linear and for other probes."""
WITH_ROOTS = frozenset({Sphere})
"""The primitives with a quadratic for linear probes."""
WITH_A_CENTER = frozenset({CastSphere})
"""The probes that move as a linear one does, with a radius around it."""
WITHOUT_AXES = frozenset({Point, Ray, Line})
"""The probes that a shadow of theirs on an axis says nothing about: it is a point, or has no end."""
SAME_WAY = 1e-6
"""The sine of the angle of two axes below which they are the same."""


def chart_of(explanation: Explanation) -> Chart | None:
    """Return the chart that fits the pair and the method; None where there is none."""
    probe: Any
    primitive: Any
    probe, primitive = explanation.given
    if type(primitive) in (FLAT_FOR_LINEAR if is_linear(probe) else FLAT_FOR_BODIES):
        return flat_chart(probe, primitive)
    if (is_linear(probe) or type(probe) in WITH_A_CENTER) and type(primitive) in WITH_ROOTS:
        return root_chart(explanation, probe, primitive)
    if is_linear(probe) and type(primitive) in MEASURES and not isinstance(explanation.trace.answer, Separation):
        return slab_chart(probe, primitive, np.float32 if explanation.reading == "float32" else float)
    return None if type(probe) in WITHOUT_AXES else axis_chart(explanation.chosen.method, probe, primitive)


def row_at(explanation: Explanation, chart: Chart | None, index: int) -> int | None:
    """Return the index of the slab or the axis that the method is at in a step; None if it is at none."""
    steps = explanation.trace.steps[: index + 1]
    if not steps or not steps[-1].iterations or _is_over(steps[-1]):
        return None
    passes = list(dict.fromkeys(step.iterations[0] for step in steps if step.iterations and not _is_over(step)))
    row: int | None = None
    match chart:
        case SlabChart():
            row = passes[-1].number - 1
        case AxisChart():
            row = _row_of_pass(explanation, steps, passes)
            header = next(step for step in steps if step.iterations[:1] == (passes[-1],))
            # In another loop than that over the axes, the last axis of that one is stale.
            if header.source.lstrip().startswith("for axis in"):
                row = _row_of_axis(steps[-1].values["axis"], chart, row)
    return row if row is not None and row < len(chart.rows) else None  # type: ignore[union-attr]


def _is_over(step: Step) -> bool:
    """Whether a step is the header of an outermost loop that has no other pass."""
    return len(step.iterations) == 1 and step.ends_loop


def _row_of_pass(explanation: Explanation, steps: Sequence[Step], passes: Sequence[Iteration]) -> int:
    """Return which axis a method is at by its passes of loops, of which each outermost one tests an axis."""
    if explanation.chosen.method.name != "obb_tree":
        return len(passes) - 1
    # Its first loop tests a normal of each box in a pass, its second one is around a third.
    if passes[-1].line != passes[0].line:
        inner = steps[-1].iterations[1:]
        return 6 + 3 * (passes[-1].number - 1) + (inner[0].number - 1 if inner else 0)
    tested = [step for step in steps[:-1] if step.iterations[:1] == (passes[-1],) and step.comparisons]
    return 2 * (passes[-1].number - 1) + min(len(tested), 1)


def _row_of_axis(axis: Any, chart: AxisChart, of_pass: int) -> int:
    """Return the row that is parallel to the axis that a method has: the one of its pass, or else the first."""
    wanted = exact.unit(axis) if all(map(isfinite, axis)) else None
    if wanted is None:
        return of_pass
    units = ((k, row.unit) for k, row in enumerate(chart.rows) if row.unit is not None)
    parallel = [k for k, unit in units if hypot(*cross(wanted, unit)) <= SAME_WAY]
    return of_pass if of_pass in parallel or not parallel else parallel[0]


def as_data(value: Any) -> Any:
    """Return a chart, or a part of it, in the types of JSON; infinities, NaN and fractions are texts."""
    if hasattr(value, "_fields"):
        kind = {"chart": CHARTS[type(value)][0]} if type(value) in CHARTS else {}
        return {**kind, **{name: as_data(getattr(value, name)) for name in value._fields}}
    if isinstance(value, tuple | list):
        return [as_data(part) for part in value]
    if isinstance(value, Fraction) or (isinstance(value, float) and not isfinite(value)):
        return str(value)
    return value


def draw(chart: Chart, width: float) -> Drawing:
    """Draw a chart on a width in em."""
    return CHARTS[type(chart)][1](chart, width)


CHARTS: dict[type, tuple[str, Callable[[Any, float], Drawing]]] = {
    SlabChart: ("slabs", draw_slabs),
    RootChart: ("roots", draw_roots),
    AxisChart: ("axes", draw_axes),
    FlatChart: ("plane", draw_flat),
}
"""The word of each type of chart, and the function that draws it."""
