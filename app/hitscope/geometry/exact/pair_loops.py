"""Compiled loops over n pairs, a float filter and the same signs in wide integers; and one pair in Python's.

A pair's numbers become integers by powers of two, which move no sign: one for its lengths, another for a direction
that has no length of its own, and one for the axes of an oriented box. In compiled code a pair with a number that
is none then, or one too large for the sums of products to fit, stays UNSURE; Python's integers have no bounds.
"""

from functools import cache
from math import inf
from typing import Any

from hitscope.geometry.arrays import builder, scaled_rows, width
from hitscope.geometry.batch import Loop, expression
from hitscope.geometry.exact.filters import Arithmetic
from hitscope.geometry.exact.pair_kernels import FILTERS, UNSURE, Stage, exact_verdict, verdict
from hitscope.geometry.shapes import Obb

LENGTH, EXTENT, DIRECTION, AXIS = "length", "extent", "direction", "axis"
"""The meaning of a number of a pair, by which it is scaled: axes multiply extents, but no other lengths."""
IN_INTEGERS = Arithmetic(0, 0, inf)


@cache
def filter_loop(probe: type, primitive: type) -> Loop:
    """Return the loop that takes the rows of probes and primitives and an Arithmetic, and writes verdict codes."""
    lines = [
        *_shape_lines(probe, primitive, "{}"),
        "apart, meets = decide(prepared, primitive)",
        "verdicts[i] = verdict(apart, meets, interiors(prepared, primitive))",
    ]
    scope = {"decide": FILTERS[probe, primitive].decide, "verdict": verdict}
    return _loop(probe, primitive, "arithmetic", "range(verdicts.size)", lines, **scope)


@cache
def exact_loop(probe: type, primitive: type, stage: Stage) -> Loop:
    """Return the loop that takes the rows and the indices of pairs that are unsure, and decides them in a stage's
    integers, where these hold them."""
    kernels, bits = FILTERS[probe, primitive], stage.bits
    names = _names("probe", probe) + _names("primitive", primitive)
    scales = dict(zip(names, _scales(probe, primitive), strict=True))
    lines = []
    for unit, scaled_by_it in ((LENGTH, (LENGTH, EXTENT)), (DIRECTION, (DIRECTION,)), (AXIS, (AXIS,))):
        sizes = [f"abs({name})" for name, scale in scales.items() if scale in scaled_by_it]
        largest = stage.axis if unit == AXIS else stage.length
        lines += [f"{unit} = {largest} - exponent_above(max({', '.join(sizes)}))"] if sizes else []
    exponents = {LENGTH: f"{LENGTH} + {AXIS}" if AXIS in scales.values() else LENGTH, EXTENT: LENGTH}
    for name, scale in scales.items():
        lines += [f"scaled_{name}, whole_{name} = scaled({name}, {exponents.get(scale, scale)})"]
    lines += [
        f"if not ({' & '.join(f'whole_{name}' for name in scales)}):",
        "    continue",
        f"arithmetic = Arithmetic(0, 0, integer(2.0 ** {bits - 2}, {bits}))",
        *_shape_lines(probe, primitive, f"integer(scaled_{{}}, {bits})"),
        "apart, meets = decide(prepared, primitive)",
        "verdicts[i] = verdict(apart, meets, interiors(prepared, primitive), is_solid(primitive))",
    ]
    from hitscope.geometry.wide_integers import exponent_above, integer, scaled

    scope: dict[str, Any] = {"Arithmetic": Arithmetic, "exponent_above": exponent_above, "scaled": scaled}
    scope |= {"integer": integer, "decide": kernels.decide_exactly, "verdict": exact_verdict}
    scope |= {"is_solid": kernels.is_solid, "prepare": kernels.prepare_exactly or kernels.prepare}
    return _loop(probe, primitive, "unsure", "unsure", lines, **scope)


def exact_code(probe: type, primitive: type, numbers: list[float]) -> int:
    """Return the verdict code of the pair of these numbers, found in Python's integers where signs decide it."""
    kernels, scales = FILTERS[probe, primitive], _scales(probe, primitive)
    if kernels.decide_exactly is None:
        return UNSURE
    ratios = [number.as_integer_ratio() for number in numbers]
    units = {LENGTH: 1, EXTENT: 1, DIRECTION: 1, AXIS: 1}
    for scale, (_, denominator) in zip(scales, ratios, strict=True):
        units[scale] = max(units[scale], denominator)
    units[EXTENT] = max(units[LENGTH], units[EXTENT])
    units[LENGTH] = units[EXTENT] * units[AXIS]
    integers = [numerator * (units[scale] // w) for scale, (numerator, w) in zip(scales, ratios, strict=True)]
    a, b = builder(probe)(integers), builder(primitive)(integers[width(probe) :])
    prepared = (kernels.prepare_exactly or kernels.prepare)(a, *kernels.bounds(b), IN_INTEGERS)
    apart, meets = kernels.decide_exactly(prepared, b)
    code: int = exact_verdict(apart, meets, kernels.interiors(prepared, b), kernels.is_solid(b))
    return code


@cache
def _scales(probe: type, primitive: type) -> tuple[str, ...]:
    """Return the scale of each number of a probe and of a primitive."""
    scales = [DIRECTION] * width(probe) + [AXIS] * width(primitive)
    for k in (*scaled_rows(probe), *(scaled_rows(primitive) + width(probe))):
        scales[k] = LENGTH
    if primitive is Obb:
        scales[width(probe) + 3 : width(probe) + 6] = [EXTENT] * 3
    return tuple(scales)


def _names(shape: str, kind: type) -> list[str]:
    """Return the names of the numbers of a probe or of a primitive."""
    return [f"{shape}_{k}" for k in range(width(kind))]


def _shape_lines(probe: type, primitive: type, number: str) -> list[str]:
    """Return the statements that make the shapes of the expression of each number, and prepare the probe."""
    shapes = {"probe": probe, "primitive": primitive}
    return [
        *(f"{name} = {expression(kind, map(number.format, _names(name, kind)))}" for name, kind in shapes.items()),
        "prepared = prepare(probe, *bounds(primitive), arithmetic)",
    ]


def _loop(probe: type, primitive: type, parameter: str, indices: str, body: list[str], **scope: Any) -> Loop:
    """Compile a loop of these statements over the indices i of pairs, with the numbers of each in variables."""
    lines = [
        *(f"{name} = get(probes, {k} * n + i)" for k, name in enumerate(_names("probe", probe))),
        *(f"{name} = get(primitives, {k} * n + i)" for k, name in enumerate(_names("primitive", primitive))),
        *body,
    ]
    source = (
        f"def loop(probes, primitives, {parameter}, verdicts):"
        "\n    n = probes.shape[1]"
        f"\n    for i in {indices}:"
        f"{''.join(f'{chr(10)}        {line}' for line in lines)}\n"
    )
    kernels = FILTERS[probe, primitive]
    scope |= {kind.__name__: kind for kind in (probe, primitive)}
    scope = {"prepare": kernels.prepare, "bounds": kernels.bounds, "interiors": kernels.interiors, **scope}
    from hitscope.geometry.compiled import compiled_loop
    from hitscope.geometry.lanes import get

    return compiled_loop(source, {"get": get, **scope})
