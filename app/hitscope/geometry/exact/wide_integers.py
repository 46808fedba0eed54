"""Integers of 192 to 1024 bits in compiled code, as `a * b - c` on values of Numba's type `WideInteger`.

They are LLVM's, which compiles them to 64 bits, without loops or branches. Importing this module imports Numba.

+, -, *, comparisons, negation and `abs` take values of one width, or one of them and a 64-bit integer. What does
not fit is cut off: the caller knows the number of bits that its results need. `+x` has twice the bits of x.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from hitscope.geometry.compiled import compiled
from hitscope.geometry.exact.pair_kernels import AXIS, DIRECTION, EXTENT, LENGTH
from hitscope.geometry.lanes import emit_shape, inlined, numbers_at, register_operator, type_of_shape

WIDTHS = 192, 256, 320, 384, 512, 576, 1024
"""Products of 128 bits, which LLVM has instructions of their own for, came out wrong when compiled here."""
FRACTION_BITS = 52
LARGEST_EXPONENT = 1023
I64 = ir.IntType(64)
CALLED_FROM = 768
"""The width from which a product is a call."""


class WideInteger(types.Type):
    """Numba's type of integers of `bits` bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(name=f"WideInteger({bits})")


@register_model(WideInteger)
class _WideIntegerModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: WideInteger) -> None:
        super().__init__(manager, kind, ir.IntType(kind.bits))  # type: ignore[no-untyped-call]


KINDS = {bits: WideInteger(bits) for bits in WIDTHS}


def _operator(function: Any, result: Any, emit: Callable[..., Any]) -> None:
    """Register an operator of two values of one width, or of one and an integer."""

    def emit_wide(_: Any, builder: Any, sig: Any, args: Any) -> Any:
        wide = ir.IntType(next(one.bits for one in sig.args if isinstance(one, WideInteger)))
        return emit(builder, *(value if value.type == wide else builder.sext(value, wide) for value in args))

    register_operator(function, WideInteger, types.Integer, result, emit_wide)


def _of_one(function: Any, result: Callable[[WideInteger], Any], emit: Callable[..., Any]) -> None:
    """Register an operator of one value; `result` gives its type, None where there is none."""

    @type_callable(function)
    def type_of_result(_: Any) -> Any:
        return lambda x: result(x) if isinstance(x, WideInteger) else None

    lower_builtin(function, WideInteger)(
        lambda _, builder, sig, args: emit(builder, args[0], ir.IntType(sig.return_type.bits))
    )


def _emit_abs(builder: Any, x: Any, _: Any) -> Any:
    return builder.select(builder.icmp_signed("<", x, ir.Constant(x.type, 0)), builder.neg(x), x)


def _emit_product(builder: Any, x: Any, y: Any) -> Any:
    """Multiply; wide factors in a function that is not inlined, since it has hundreds of instructions."""
    kind = x.type
    if kind.width < CALLED_FROM:
        return builder.mul(x, y)
    name = f"hitscope_product_{kind.width}"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(kind, (kind, kind)), name)
        function.linkage = "internal"
        for attribute in ("noinline", "nounwind", "readnone"):
            function.attributes.add(attribute)
        inside = ir.IRBuilder(function.append_basic_block())
        inside.ret(inside.mul(*function.args))
    # A factor that the compiler knows to be zero needs no call: so are all errors of exact numbers.
    zero = ir.Constant(kind, 0)
    product = builder.call(function, (x, y))
    return builder.select(builder.icmp_signed("==", x, zero), zero, product)


_operator(operator.add, None, lambda builder, x, y: builder.add(x, y))
_operator(operator.sub, None, lambda builder, x, y: builder.sub(x, y))
_operator(operator.mul, None, _emit_product)
_SIGNS = {operator.lt: "<", operator.gt: ">", operator.le: "<=", operator.eq: "==", operator.ne: "!="}
for _function, _sign in _SIGNS.items():
    _operator(_function, types.boolean, lambda builder, x, y, sign=_sign: builder.icmp_signed(sign, x, y))


_of_one(operator.neg, lambda kind: kind, lambda builder, x, _: builder.neg(x))
_of_one(operator.pos, lambda kind: KINDS.get(2 * kind.bits), lambda builder, x, wider: builder.sext(x, wider))
_of_one(abs, lambda kind: kind, _emit_abs)


_typed: Callable[[Callable[..., Any]], Any] = intrinsic(prefer_literal=True)
"""Makes a compiled function of a code generator, whose first argument is Numba's typing context."""


@_typed
def integer(_: Any, x: Any, bits: Any) -> Any:
    """Return a float64 without fraction, below 2 ** (bits - 1), as an integer of a literal number of bits."""

    def emit(_: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _emit_integer(builder, args[0], ir.IntType(sig.return_type.bits))

    return KINDS[bits.literal_value](types.float64, bits), emit


@_typed
def integers_at(_: Any, rows: Any, column: Any, first: Any, kind: Any, bits: Any) -> Any:
    """Return the shape of a type, of such integers, whose numbers are in a column from a literal row on."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = numbers_at(context, builder, rows, args[0], args[1], first.literal_value)
        wide = ir.IntType(bits.literal_value)
        return emit_shape(context, builder, sig.return_type, (_emit_integer(builder, x, wide) for x in found))

    shape = type_of_shape(kind.instance_class, KINDS[bits.literal_value])
    return shape(rows, types.int64, first, kind, bits), emit


def _emit_integer(builder: Any, x: Any, wide: Any) -> Any:
    pattern = builder.bitcast(x, I64)
    exponent = builder.and_(builder.lshr(pattern, ir.Constant(I64, FRACTION_BITS)), ir.Constant(I64, 0x7FF))
    fraction = builder.and_(pattern, ir.Constant(I64, 2**FRACTION_BITS - 1))
    mantissa = builder.or_(fraction, ir.Constant(I64, 2**FRACTION_BITS))
    shift = builder.sub(exponent, ir.Constant(I64, LARGEST_EXPONENT + FRACTION_BITS))
    zero = ir.Constant(I64, 0)
    grows = builder.icmp_signed(">", shift, zero)
    down = builder.lshr(mantissa, builder.select(grows, zero, builder.neg(shift)))
    up = builder.zext(builder.select(grows, shift, zero), wide)
    size = builder.shl(builder.zext(builder.select(grows, mantissa, down), wide), up)
    size = builder.select(builder.icmp_signed("==", exponent, zero), ir.Constant(wide, 0), size)
    return builder.select(builder.icmp_signed("<", pattern, zero), builder.neg(size), size)


@_typed
def _pattern(_: Any, x: Any) -> Any:
    """Return the 64 bits of a float64."""
    return types.int64(types.float64), lambda _, builder, __, args: builder.bitcast(args[0], I64)


@_typed
def _number(_: Any, pattern: Any) -> Any:
    """Return the float64 of 64 bits."""
    return types.float64(types.int64), lambda _, builder, __, args: builder.bitcast(args[0], ir.DoubleType())


@inlined
def _power_of_two(exponent: Any) -> Any:
    """Return 2 ** exponent of a normal float64."""
    return _number((exponent + LARGEST_EXPONENT) << FRACTION_BITS)


@inlined
def _exponent_above(size: Any) -> Any:
    """Return the least exponent that float64 has for a power of two above a number, which is not negative."""
    return max(_pattern(size) >> FRACTION_BITS, 1) - (LARGEST_EXPONENT - 1)


@compiled
def to_whole_numbers(
    probes: Any, primitives: Any, pairs: Any, scales: Any, length: Any, axis: Any, numbers: Any, are_whole: Any
) -> None:
    """Scale the numbers of pairs by powers of two; write them, (k, m), and whether all of a pair are whole.

    `scales` (k,) has one of LENGTH, EXTENT, DIRECTION and AXIS for each number: extents and directions become less
    than 2 ** `length`, axes less than 2 ** `axis`, and lengths are scaled as the products of extents and axes.
    """
    sizes, exponents = np.zeros((4, pairs.size)), np.zeros((4, pairs.size), np.int64)
    # The largest number of each scale.
    for k in range(scales.size):
        rows, row = (probes, k) if k < len(probes) else (primitives, k - len(probes))
        for j in range(pairs.size):
            numbers[k, j] = rows[row, pairs[j]]
            sizes[scales[k], j] = max(sizes[scales[k], j], abs(numbers[k, j]))
    # Axes multiply extents, but no other lengths.
    has_axes = (scales == AXIS).any()
    for j in range(pairs.size):
        exponents[EXTENT, j] = length - _exponent_above(max(sizes[LENGTH, j], sizes[EXTENT, j]))
        exponents[DIRECTION, j] = length - _exponent_above(sizes[DIRECTION, j])
        exponents[AXIS, j] = axis - _exponent_above(sizes[AXIS, j]) if has_axes else 0
        exponents[LENGTH, j] = exponents[EXTENT, j] + exponents[AXIS, j]
    are_whole[:] = True
    for k in range(scales.size):
        for j in range(pairs.size):
            # Two factors, since one may be beyond float64.
            x, exponent = numbers[k, j], exponents[scales[k], j]
            half = exponent >> 1
            y = x * _power_of_two(half) * _power_of_two(exponent - half)
            is_exact = y * _power_of_two(half - exponent) * _power_of_two(-half) == x
            numbers[k, j], are_whole[j] = y, are_whole[j] & is_exact & (y == np.floor(y))
