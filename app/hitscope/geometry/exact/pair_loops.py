"""Compiled loops over n pairs: a float filter, and the same signs in exact integers.

A pair's numbers become integers by powers of two, which move no sign: one for its lengths, another for a direction
that has no length of its own, and one for the axes of an oriented box. A pair with a number that is none then, or
one too large for the sums of products to fit, stays UNSURE.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from hitscope.geometry.arrays import width
from hitscope.geometry.batch import Loop, expression
from hitscope.geometry.exact.batch import FILTERS
from hitscope.geometry.exact.filters import Arithmetic, linear_and_box, linear_and_obb, triangle_and_box
from hitscope.geometry.exact.pair_kernels import (
    always_solid,
    axes_are_solid,
    bounds_of_box,
    bounds_of_obb,
    bounds_of_triangle,
    bounds_overlap,
    exact_verdict,
    linear_and_triangle_exactly,
    signs_are_strict,
    verdict,
)
from hitscope.geometry.shapes import Aabb, Line, Obb, Point, Ray, Segment, Triangle

BOUNDS: dict[type, Callable[..., Any]] = {
    Aabb: bounds_of_box,
    Triangle: bounds_of_triangle,
    Obb: bounds_of_obb,
}
"""What a filter's `prepare` takes of one primitive."""

INTERIORS: dict[type, Callable[..., Any]] = {
    Aabb: bounds_overlap,
    Triangle: signs_are_strict,
    Obb: signs_are_strict,
}
"""Whether a pair that the signs find to meet surely has interiors that meet."""

LENGTH, DIRECTION, AXIS = "length", "direction", "axis"
SCALES: dict[type, tuple[str, ...]] = {
    Ray: (LENGTH,) * 3 + (DIRECTION,) * 3,
    Line: (LENGTH,) * 3 + (DIRECTION,) * 3,
    Obb: (LENGTH,) * 6 + (AXIS,) * 9,
}
"""What the numbers of a shape are; lengths where it is missing."""


DOUBLE_DOUBLE = 0
"""The width of a stage that is not exact: its errors are those of two float64."""


class Stage(NamedTuple):
    """Numbers in which pairs are decided: integers of `bits` bits or DOUBLE_DOUBLE, and the powers of two below
    which a pair's own numbers have to be so that all results fit."""

    bits: int
    length: int
    axis: int = 0


class ExactSigns(NamedTuple):
    """How a pair is decided after its filter: by a function of exact signs, and the stages one after the other."""

    decide: Callable[..., Any]
    stages: tuple[Stage, ...]


def _stages(degree: int, spare: int, *widths: int) -> tuple[Stage, ...]:
    """Return stages for polynomials of a degree whose results need `spare` bits more."""
    return tuple(Stage(bits, ((bits or MOST_BITS) - spare) // degree) for bits in widths)


MOST_BITS = 1020
"""The exponent below which results have to be in float64."""
BY_LINES = ExactSigns(linear_and_box, _stages(2, 4, 192, DOUBLE_DOUBLE, 512))
BY_PLANES = ExactSigns(triangle_and_box, _stages(3, 8, 192, DOUBLE_DOUBLE, 576))
BY_SIDES = ExactSigns(linear_and_triangle_exactly, _stages(3, 10, 192, DOUBLE_DOUBLE, 256, 576))
# The largest sums have 2 * length + 6 * axis + 12 bits.
BY_DUAL_AXES = ExactSigns(
    linear_and_obb, (Stage(256, 48, 24), Stage(DOUBLE_DOUBLE, 500), Stage(512, 70, 56), Stage(1024, 170, 110))
)

EXACT_SIGNS: dict[tuple[type, type], ExactSigns] = {
    **dict.fromkeys(((kind, Aabb) for kind in (Segment, Ray, Line)), BY_LINES),
    (Triangle, Aabb): BY_PLANES,
    **dict.fromkeys(((kind, Triangle) for kind in (Segment, Ray, Line)), BY_SIDES),
    **dict.fromkeys(((kind, Obb) for kind in (Segment, Ray, Line, Point)), BY_DUAL_AXES),
}


@cache
def filter_loop(probe: type, primitive: type) -> Loop:
    """Return the loop that takes the rows of probes and primitives and an Arithmetic, and writes verdict codes."""
    of_probe, of_primitive = _names(probe, primitive)
    lines = [
        *_shape_lines(probe, primitive, of_probe, of_primitive),
        "apart, meets = decide(prepared, primitive)",
        "verdicts[i] = verdict(apart, meets, interiors(prepared, primitive))",
    ]
    scope = {"decide": FILTERS[probe, primitive].decide, "verdict": verdict}
    return _loop(probe, primitive, "arithmetic", "range(verdicts.size)", lines, **scope)


@cache
def exact_loop(probe: type, primitive: type, stage: Stage) -> Loop:
    """Return the loop that takes the rows and the indices of pairs that are unsure, and decides them in a stage's
    numbers, where these hold them."""
    of_probe, of_primitive = _names(probe, primitive)
    scales = dict(zip(of_probe + of_primitive, _scales(probe) + _scales(primitive), strict=True))
    lines = []
    for scale in dict.fromkeys(scales.values()):
        sizes = ", ".join(f"abs({name})" for name in scales if scales[name] == scale)
        lines += [f"{scale} = {stage.axis if scale == AXIS else stage.length} - exponent_above(max({sizes}))"]
    # The half extents of an oriented box are multiplied by its axes, positions are not.
    extents = of_primitive[3:6] if primitive is Obb else []
    test = "is_whole" if stage.bits else "is_exact"
    for name, scale in scales.items():
        rest = " + axis" if primitive is Obb and scale == LENGTH and name not in extents else ""
        lines += [f"scaled_{name}, exact_{name} = scaled({name}, {scale}{rest})"]
    number = f"whole(scaled_{{}}, {stage.bits})" if stage.bits else "double_double_of(scaled_{})"
    solid = ", is_solid(primitive)" if stage.bits else ""
    lines += [
        f"if not ({' & '.join(f'{test}(scaled_{name}, exact_{name})' for name in scales)}):",
        "    continue",
        f"arithmetic = Arithmetic(0, 0, whole(2.0 ** {stage.bits - 2}, {stage.bits}))"
        if stage.bits
        else "arithmetic = Arithmetic(2.0**-99, 2.0**-1060, double_double_of(2.0**1023 * 2.0))",
        *_shape_lines(
            probe, primitive, *([number.format(name) for name in part] for part in (of_probe, of_primitive))
        ),
        "apart, meets = decide(prepared, primitive)",
        f"verdicts[i] = verdict(apart, meets, interiors(prepared, primitive){solid})",
    ]
    from hitscope.geometry.double_double_numbers import double_double_of
    from hitscope.geometry.wide_integers import exponent_above, is_exact, is_whole, scaled, whole

    scope = {
        "Arithmetic": Arithmetic,
        "exponent_above": exponent_above,
        "scaled": scaled,
        test: is_whole if stage.bits else is_exact,
    }
    if stage.bits:
        scope |= {"whole": whole, "decide": EXACT_SIGNS[probe, primitive].decide, "verdict": exact_verdict}
        scope |= {"is_solid": axes_are_solid if primitive is Obb else always_solid}
    else:
        scope |= {
            "double_double_of": double_double_of,
            "decide": FILTERS[probe, primitive].decide,
            "verdict": verdict,
        }
    return _loop(probe, primitive, "unsure", "unsure", lines, **scope)


def _names(probe: type, primitive: type) -> tuple[list[str], list[str]]:
    """Return the names of the numbers of a probe and of a primitive."""
    return [f"probe_{k}" for k in range(width(probe))], [f"primitive_{k}" for k in range(width(primitive))]


def _scales(kind: type) -> tuple[str, ...]:
    return SCALES.get(kind, (LENGTH,) * width(kind))


def _shape_lines(probe: type, primitive: type, of_probe: list[str], of_primitive: list[str]) -> list[str]:
    return [
        f"probe = {expression(probe, of_probe)}",
        f"primitive = {expression(primitive, of_primitive)}",
        "prepared = prepare(probe, *bounds(primitive), arithmetic)",
    ]


def _loop(probe: type, primitive: type, parameter: str, indices: str, body: list[str], **scope: Any) -> Loop:
    """Compile a loop of these statements over the indices i of pairs, with the numbers of each in variables."""
    of_probe, of_primitive = _names(probe, primitive)
    lines = [
        *(f"{name} = probes[{k}, i]" for k, name in enumerate(of_probe)),
        *(f"{name} = primitives[{k}, i]" for k, name in enumerate(of_primitive)),
        *body,
    ]
    source = (
        f"def loop(probes, primitives, {parameter}, verdicts):"
        f"\n    for i in {indices}:"
        f"{''.join(f'{chr(10)}        {line}' for line in lines)}\n"
    )
    scope |= {kind.__name__: kind for kind in (probe, primitive)}
    scope |= {
        "prepare": FILTERS[probe, primitive].prepare,
        "bounds": BOUNDS[primitive],
        "interiors": INTERIORS[primitive],
    }
    from hitscope.geometry.compiled import compiled_source

    loop: Loop = compiled_source(source, scope, "loop")
    return loop
