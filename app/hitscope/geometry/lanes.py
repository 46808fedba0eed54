"""Vectors of eight numbers in compiled code: LLVM's, as `a * b + c` on values of Numba's type `Lanes`.

LLVM maps a vector of eight to the registers of the processor (one of AVX-512, two of AVX, four of NEON),
so that the same source runs everywhere. Importing this module imports Numba.

+, -, *, /, <, > and <= take two vectors, or a vector and a number, which is then the value of every lane. A
comparison returns a mask, an integer whose bit k belongs to lane k; comparisons with NaN are false.
"""

import operator
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, TypeVar

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, models, register_jitable, register_model, type_callable

from hitscope.geometry import arrays
from hitscope.geometry.compiled import INLINED

LANES = 8
MASK = types.int32
TUPLE: Any = types.BaseTuple

F = TypeVar("F", bound=Callable[..., Any])


def inlined(function: F) -> F:
    """Inline a function into compiled code, since a call would count the references to its array arguments."""
    part: F = register_jitable(**INLINED)(function)
    return part


class Lanes(types.Type):
    """Numba's type of eight numbers of `dtype`, float32 or float64."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Lanes) -> None:
        vector = ir.VectorType(manager.lookup(kind.dtype).get_value_type(), LANES)
        super().__init__(manager, kind, vector)  # type: ignore[no-untyped-call]


SINGLE, DOUBLE = Lanes(types.float32), Lanes(types.float64)


def _splat(builder: Any, value: Any, vector: Any) -> Any:
    """Return a vector whose lanes all are the value; a vector is returned unchanged."""
    if value.type == vector:
        return value
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _call(builder: Any, name: str, *values: Any) -> Any:
    """Call an LLVM function of vectors, or of numbers, of one type."""
    vector = values[0].type
    lanes, element = (f"v{LANES}", vector.element) if isinstance(vector, ir.VectorType) else ("", vector)
    suffix = f".{lanes}f{32 if element == ir.FloatType() else 64}"
    kind = ir.FunctionType(vector, [vector] * len(values))
    return builder.call(builder.module.declare_intrinsic(name + suffix, (), kind), values)


def _mask(builder: Any, comparison: str, x: Any, y: Any) -> Any:
    flags = builder.fcmp_ordered(comparison, x, y)
    return builder.zext(builder.bitcast(flags, ir.IntType(LANES)), ir.IntType(32))


def _of_vectors(*kinds: Any, emit: Callable[..., Any]) -> Any:
    """Return the Numba signature and code generator of a function to a vector, or of numbers to a number."""
    kind = next((one for one in kinds if isinstance(one, Lanes)), kinds[0])

    def emit_on_vectors(context: Any, builder: Any, _: Any, args: Any) -> Any:
        vector = context.get_value_type(kind)
        return emit(builder, *(_splat(builder, value, vector) for value in args))

    return kind(*kinds), emit_on_vectors


def register_operator(function: Any, kind: type, number: type, result: Any, emit: Callable[..., Any]) -> None:
    """Register an operator of values of a class, or of one and a number; `result` None is the values' type."""

    @type_callable(function)
    def type_of_result(_: Any) -> Any:
        def typed(x: Any, y: Any) -> Any:
            of_class = x if isinstance(x, kind) else y
            fit = isinstance(of_class, kind) and all(one == of_class or isinstance(one, number) for one in (x, y))
            return (result or of_class) if fit else None

        return typed

    for pair in ((kind, kind), (kind, number), (number, kind)):
        lower_builtin(function, *pair)(emit)


def _operator(function: Any, result: Any, emit: Callable[..., Any]) -> None:
    """Register an operator of vectors."""

    def emit_on_vectors(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = next(one for one in sig.args if isinstance(one, Lanes))
        given = zip(args, sig.args, strict=True)
        numbers = (v if one == kind else context.cast(builder, v, one, kind.dtype) for v, one in given)
        return emit(builder, *(_splat(builder, value, context.get_value_type(kind)) for value in numbers))

    register_operator(function, Lanes, types.Number, result, emit_on_vectors)


_operator(operator.add, None, lambda builder, x, y: builder.fadd(x, y))
_operator(operator.sub, None, lambda builder, x, y: builder.fsub(x, y))
_operator(operator.mul, None, lambda builder, x, y: builder.fmul(x, y))
_operator(operator.truediv, None, lambda builder, x, y: builder.fdiv(x, y))
_operator(operator.lt, MASK, lambda builder, x, y: _mask(builder, "<", x, y))
_operator(operator.gt, MASK, lambda builder, x, y: _mask(builder, ">", x, y))
_operator(operator.le, MASK, lambda builder, x, y: _mask(builder, "<=", x, y))


_typed: Callable[[Callable[..., Any]], Any] = intrinsic
"""Makes a compiled function of a code generator, whose first argument is Numba's typing context."""


# Functions of vectors


@_typed
def multiply_add(_: Any, x: Any, y: Any, z: Any) -> Any:
    """Return x * y + z, rounded once or twice, whichever is faster."""
    return _of_vectors(x, y, z, emit=lambda builder, *values: _call(builder, "llvm.fmuladd", *values))


@_typed
def fused(_: Any, x: Any, y: Any, z: Any) -> Any:
    """Return x * y + z, rounded once."""
    return _of_vectors(x, y, z, emit=lambda builder, *values: _call(builder, "llvm.fma", *values))


@_typed
def magnitude(_: Any, x: Any) -> Any:
    return _of_vectors(x, emit=lambda builder, value: _call(builder, "llvm.fabs", value))


@_typed
def floor(_: Any, x: Any) -> Any:
    """Return the greatest whole number not above x."""
    return _of_vectors(x, emit=lambda builder, value: _call(builder, "llvm.floor", value))


@_typed
def greater(_: Any, x: Any, y: Any) -> Any:
    """Return the greater of x and y in each lane; y where x is NaN."""
    return _of_vectors(x, y, emit=lambda builder, x, y: builder.select(builder.fcmp_ordered(">", x, y), x, y))


@_typed
def lesser(_: Any, x: Any, y: Any) -> Any:
    """Return the lesser of x and y in each lane; y where x is NaN."""
    return _of_vectors(x, y, emit=lambda builder, x, y: builder.select(builder.fcmp_ordered("<", x, y), x, y))


@_typed
def choose(_: Any, mask: Any, x: Any, y: Any) -> Any:
    """Return x in the lanes of a mask and y in the others."""
    result, emit = _of_vectors(x, y, emit=lambda builder, *values: values)

    def emit_choice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        flags = builder.trunc(args[0], ir.IntType(LANES))
        flags = builder.bitcast(flags, ir.VectorType(ir.IntType(1), LANES))
        return builder.select(flags, *emit(context, builder, sig, args[1:]))

    return result.return_type(MASK, x, y), emit_choice


@_typed
def swap_halves(_: Any, x: Any) -> Any:
    """Return lanes 4, 5, 6, 7, 0, 1, 2, 3."""
    order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [4, 5, 6, 7, 0, 1, 2, 3])
    return _of_vectors(x, emit=lambda builder, value: builder.shuffle_vector(value, value, order))


@_typed
def to_single(_: Any, x: Any) -> Any:
    """Return float64 lanes rounded to float32."""
    return SINGLE(x), lambda context, builder, _, args: builder.fptrunc(args[0], context.get_value_type(SINGLE))


@_typed
def lane(_: Any, x: Any, k: Any) -> Any:
    """Return one number of a vector."""
    return x.dtype(x, types.int64), lambda _, builder, __, args: builder.extract_element(*args)


# Masks


@_typed
def first_bit(_: Any, mask: Any) -> Any:
    """Return the index of the lowest bit that is set; undefined for a mask of zero."""

    def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.zext(builder.cttz(args[0], ir.Constant(ir.IntType(1), 1)), ir.IntType(64))

    return types.int64(MASK), emit


# Contiguous arrays or their addresses, at indices from 0 on that are not checked. An address is one value where an
# array is seven, whose references are counted: code that passes addresses on compiles in a fraction of the time.


def _address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array = args[0]
    if isinstance(sig.args[0], types.Array):
        array = context.make_array(sig.args[0])(context, builder, array).data
    return builder.gep(array, [args[1]])


@_typed
def address(_: Any, array: Any, index: Any, number: Any) -> Any:
    """Return the address of an array's item, as that of numbers of a type; the caller keeps the array alive."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(_address(context, builder, sig, args), context.get_value_type(sig.return_type))

    return types.CPointer(number.dtype)(array, types.int64, number), emit


@_typed
def get(_: Any, array: Any, index: Any) -> Any:
    """Return one number of an array."""
    emit = lambda context, builder, *rest: builder.load(_address(context, builder, *rest))  # noqa: E731
    return array.dtype(array, types.int64), emit


@_typed
def shape_at(_: Any, rows: Any, column: Any, kind: Any) -> Any:
    """Return the shape of a type whose numbers are in a column of rows."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit_shape(context, builder, sig.return_type, numbers_at(context, builder, rows, *args[:2]))

    return type_of_shape(kind.instance_class, rows.dtype)(rows, types.int64, kind), emit


@_typed
def shape_of(_: Any, form: Any, rows: Any, kind: Any) -> Any:
    """Return a shape of a type made of the numbers of nested tuples, converted to the type of rows' numbers."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def numbers(value: Any, given: Any) -> Iterator[Any]:
            if isinstance(given, TUPLE):
                for k, part in enumerate(given):
                    yield from numbers(builder.extract_value(value, k), part)
            else:
                yield context.cast(builder, value, given, rows.dtype)

        return emit_shape(context, builder, sig.return_type, numbers(args[0], form))

    return type_of_shape(kind.instance_class, rows.dtype)(form, rows, kind), emit


def type_of_shape(kind: type, number: Any) -> Any:
    """Return Numba's type of the shapes of a type that have numbers of a type of Numba's."""

    def type_of(part: Any) -> Any:
        return TUPLE.from_types([*map(type_of, part)], type(part)) if isinstance(part, tuple) else part

    return type_of(arrays.builder(kind)(repeat(number)))


def emit_shape(context: Any, builder: Any, kind: Any, numbers: Iterator[Any]) -> Any:
    """Build a value of a type of shapes, or of a part of one, of the next numbers."""
    if not isinstance(kind, TUPLE):
        return next(numbers)
    return context.make_tuple(builder, kind, [emit_shape(context, builder, part, numbers) for part in kind])


def numbers_at(context: Any, builder: Any, kind: Any, rows: Any, column: Any, first: int = 0) -> Iterator[Any]:
    """Load the numbers of a column of rows of a type, from a first one on."""
    array = context.make_array(kind)(context, builder, rows)
    step = builder.extract_value(array.shape, 1)
    place = builder.add(column, builder.mul(step, ir.Constant(step.type, first)))
    while True:
        yield builder.load(builder.gep(array.data, [place]))
        place = builder.add(place, step)


@_typed
def put(_: Any, array: Any, index: Any, number: Any) -> Any:
    """Write one number into an array."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, sig, args))
        return context.get_dummy_value()

    return types.void(array, types.int64, array.dtype), emit


@_typed
def load(_: Any, array: Any, index: Any) -> Any:
    """Return the eight numbers of an array from an index on."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = context.get_value_type(sig.return_type).as_pointer()
        address = builder.bitcast(_address(context, builder, sig, args), pointer)
        return builder.load(address, align=array.dtype.bitwidth // 8)

    return Lanes(array.dtype)(array, types.int64), emit


@_typed
def store(_: Any, array: Any, index: Any, lanes: Any) -> Any:
    """Write eight numbers into an array from an index on."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.bitcast(_address(context, builder, sig, args), args[2].type.as_pointer())
        builder.store(args[2], address, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, Lanes(array.dtype)), emit


@_typed
def prefetch(_: Any, array: Any, index: Any) -> Any:
    """Prefetch the cache line of an array's number into the processor's cache."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        address = builder.bitcast(_address(context, builder, sig, args), ir.IntType(8).as_pointer())
        to_read, near, data = (ir.Constant(ir.IntType(32), number) for number in (0, 3, 1))
        values = [address, to_read, near, data]
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in values])
        builder.call(builder.module.declare_intrinsic("llvm.prefetch.p0", (), kind), values)
        return context.get_dummy_value()

    return types.void(array, types.int64), emit
