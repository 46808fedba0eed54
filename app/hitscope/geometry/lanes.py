"""Eight numbers at a time: LLVM's vectors for compiled code, as `a * b + c` on values of the type `Lanes`.

LLVM turns a vector of eight into whatever registers the processor has (one of AVX-512, two of AVX, four of NEON), so
that the same source runs everywhere. Importing this module imports Numba.

`x + y`, `x - y`, `x * y`, `x / y`, `x < y` and `x <= y` take two vectors, or a vector and a number, which stands in every lane.
A comparison gives a mask, an integer whose bit k belongs to lane k; with NaN it is not true.
"""

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

LANES = 8


class Lanes(types.Type):  # type: ignore[misc]
    """Numba's type of eight numbers of `dtype`."""

    def __init__(self, dtype: Any) -> None:
        """Give the type of vectors of float32 or float64."""
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Lanes) -> None:
        super().__init__(manager, kind, ir.VectorType(manager.lookup(kind.dtype).get_value_type(), LANES))


SINGLE, DOUBLE = Lanes(types.float32), Lanes(types.float64)
MASK = types.int32


def _splat(builder: Any, value: Any, vector: Any) -> Any:
    """Give a vector whose every lane is the value; a vector as it is."""
    if value.type == vector:
        return value
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _to_mask(builder: Any, flags: Any) -> Any:
    return builder.zext(builder.bitcast(flags, ir.IntType(LANES)), ir.IntType(32))


def _operator(function: Any, result: Any, emit: Any) -> None:
    """Teach Numba an operator on two vectors, or a vector and a number on either side."""
    cases = []
    for kind in (SINGLE, DOUBLE):
        for pair in ((kind, kind), (kind, kind.dtype), (kind.dtype, kind)):
            cases.append(signature(result or kind, *pair))

            def lowered(context: Any, builder: Any, sig: Any, args: Any, kind: Any = kind) -> Any:
                vector = context.get_value_type(kind)
                return emit(builder, *(_splat(builder, value, vector) for value in args))

            lower_builtin(function, *pair)(lowered)
    infer_global(function)(type("_Operator", (ConcreteTemplate,), {"cases": cases}))


_operator(operator.add, None, lambda builder, x, y: builder.fadd(x, y))
_operator(operator.sub, None, lambda builder, x, y: builder.fsub(x, y))
_operator(operator.mul, None, lambda builder, x, y: builder.fmul(x, y))
_operator(operator.truediv, None, lambda builder, x, y: builder.fdiv(x, y))
_operator(operator.lt, MASK, lambda builder, x, y: _to_mask(builder, builder.fcmp_ordered("<", x, y)))
_operator(operator.gt, MASK, lambda builder, x, y: _to_mask(builder, builder.fcmp_ordered(">", x, y)))
_operator(operator.le, MASK, lambda builder, x, y: _to_mask(builder, builder.fcmp_ordered("<=", x, y)))


def _intrinsic_call(builder: Any, name: str, result: Any, args: Any) -> Any:
    kinds = [value.type for value in args]
    function = builder.module.declare_intrinsic(name, (), ir.FunctionType(result, kinds))
    return builder.call(function, args)


def _suffix(vector: Any) -> str:
    return f"v{LANES}f{32 if vector.element == ir.FloatType() else 64}"


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


@intrinsic  # type: ignore[untyped-decorator]
def load(typing: Any, array: Any, index: Any) -> Any:
    """Give the eight numbers of a contiguous array from an index on; neither is checked."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(sig.return_type)
        address = builder.bitcast(_address(context, builder, sig.args[0], *args), vector.as_pointer())
        return builder.load(address, align=array.dtype.bitwidth // 8)

    return Lanes(array.dtype)(array, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def store(typing: Any, array: Any, index: Any, lanes: Any) -> Any:
    """Write eight numbers into a contiguous array from an index on."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(sig.args[2])
        address = builder.bitcast(_address(context, builder, sig.args[0], *args[:2]), vector.as_pointer())
        builder.store(args[2], address, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes), emit


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of an element, without waiting for it."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.bitcast(_address(context, builder, sig.args[0], *args), ir.IntType(8).as_pointer())
        numbers = [ir.Constant(ir.IntType(32), number) for number in (0, 3, 1)]
        kinds = [address.type, *(number.type for number in numbers)]
        function = builder.module.declare_intrinsic("llvm.prefetch.p0", (), ir.FunctionType(ir.VoidType(), kinds))
        builder.call(function, [address, *numbers])
        return context.get_dummy_value()

    return types.void(array, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def multiply_add(typing: Any, x: Any, y: Any, z: Any) -> Any:
    """Give x * y + z, rounded once or twice, whichever is faster; each is a vector or a number."""
    kind = next(one for one in (x, y, z) if isinstance(one, Lanes))

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(kind)
        values = [_splat(builder, value, vector) for value in args]
        return _intrinsic_call(builder, f"llvm.fmuladd.{_suffix(vector)}", vector, values)

    return kind(x, y, z), emit


def _choice(comparison: str) -> Any:
    def typed(typing: Any, x: Any, y: Any) -> Any:
        kind = x if isinstance(x, Lanes) else y

        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            vector = context.get_value_type(kind)
            first, second = (_splat(builder, value, vector) for value in args)
            return builder.select(builder.fcmp_ordered(comparison, first, second), first, second)

        return kind(x, y), emit

    return typed


@intrinsic  # type: ignore[untyped-decorator]
def greater(typing: Any, x: Any, y: Any) -> Any:
    """Give the greater of x and y in each lane; y where x is NaN."""
    return _choice(">")(typing, x, y)


@intrinsic  # type: ignore[untyped-decorator]
def lesser(typing: Any, x: Any, y: Any) -> Any:
    """Give the lesser of x and y in each lane; y where x is NaN."""
    return _choice("<")(typing, x, y)


@intrinsic  # type: ignore[untyped-decorator]
def magnitude(typing: Any, x: Any) -> Any:
    """Give |x|."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(x)
        return _intrinsic_call(builder, f"llvm.fabs.{_suffix(vector)}", vector, args)

    return x(x), emit


@intrinsic  # type: ignore[untyped-decorator]
def swap_halves(typing: Any, x: Any) -> Any:
    """Give lanes 4, 5, 6, 7, 0, 1, 2, 3."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [4, 5, 6, 7, 0, 1, 2, 3])
        return builder.shuffle_vector(args[0], args[0], order)

    return x(x), emit


@intrinsic  # type: ignore[untyped-decorator]
def lane(typing: Any, x: Any, k: Any) -> Any:
    """Give one number of a vector."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_element(*args)

    return x.dtype(x, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def first_bit(typing: Any, mask: Any) -> Any:
    """Give the number of the lowest bit that is set; a mask of zero has none, and gives anything."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.zext(found, ir.IntType(64))

    return types.int64(types.int32), emit


@intrinsic  # type: ignore[untyped-decorator]
def bit_count(typing: Any, mask: Any) -> Any:
    """Give how many bits are set."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.zext(builder.ctpop(args[0]), ir.IntType(64))

    return types.int64(types.int32), emit


@intrinsic  # type: ignore[untyped-decorator]
def get(typing: Any, array: Any, index: Any) -> Any:
    """Give one number of a contiguous array; the index, which is not negative, is not checked."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, sig.args[0], *args))

    return array.dtype(array, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def put(typing: Any, array: Any, index: Any, number: Any) -> Any:
    """Write one number into a contiguous array; the index, which is not negative, is not checked."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, sig.args[0], *args[:2]))
        return context.get_dummy_value()

    return types.void(array, types.int64, array.dtype), emit


@intrinsic  # type: ignore[untyped-decorator]
def choose(typing: Any, mask: Any, x: Any, y: Any) -> Any:
    """Give x in the lanes of a mask and y in the others; each is a vector or a number."""
    kind = x if isinstance(x, Lanes) else y

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(kind)
        flags = builder.trunc(args[0], ir.IntType(LANES))
        flags = builder.bitcast(flags, ir.VectorType(ir.IntType(1), LANES))
        return builder.select(flags, *(_splat(builder, value, vector) for value in args[1:]))

    return kind(types.int32, x, y), emit


@intrinsic  # type: ignore[untyped-decorator]
def to_single(typing: Any, x: Any) -> Any:
    """Give float64 lanes rounded to float32."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.fptrunc(args[0], context.get_value_type(SINGLE))

    return SINGLE(x), emit


@intrinsic  # type: ignore[untyped-decorator]
def floor(typing: Any, x: Any) -> Any:
    """Give the greatest whole number not above x."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(x)
        return _intrinsic_call(builder, f"llvm.floor.{_suffix(vector)}", vector, args)

    return x(x), emit


@intrinsic  # type: ignore[untyped-decorator]
def fused(typing: Any, x: Any, y: Any, z: Any) -> Any:
    """Give x * y + z of vectors, rounded once."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector = context.get_value_type(x)
        return _intrinsic_call(builder, f"llvm.fma.{_suffix(vector)}", vector, args)

    return x(x, x, x), emit
