"""Arrays whose operations become instructions of a loop (`array_loops`), so that NumPy's source runs compiled.

A traced array stands for an array (*shape, n). Its last axis has one element: a value in LLVM's code that holds
LANES of the n at a time. NumPy hands its functions over to it; each gives what NumPy's own gives, to the last bit
and the sign of a zero.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

LANES = 8
REAL, SINGLE = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(ir.FloatType(), LANES)
WHOLE, FLAG = ir.VectorType(ir.IntType(64), LANES), ir.VectorType(ir.IntType(1), LANES)
TYPES = {"float64": REAL, "float32": SINGLE, "int64": WHOLE, "uint64": WHOLE}

Values = NDArray[np.object_]
"""LLVM's values, and Python's numbers for constants."""


class Traced(NDArrayOperatorsMixin):
    """An array of values in the code that a builder of LLVM's writes."""

    def __init__(self, builder: ir.IRBuilder, values: Values) -> None:
        """Wrap values, whose last axis has one element."""
        self.builder = builder
        self.values = values

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""
        return self.values.shape

    def copy(self) -> "Traced":
        """Return an array of its own."""
        return Traced(self.builder, self.values.copy())

    def __len__(self) -> int:
        """Return the length of the first axis."""
        return len(self.values)

    def __iter__(self) -> Iterator["Traced"]:
        """Yield the parts along the first axis."""
        return (self[k] for k in range(len(self)))

    def __getitem__(self, key: Any) -> "Traced":
        """Return a part, a view like that of an array."""
        return Traced(self.builder, self.values[key])

    def __setitem__(self, key: Any, values: Any) -> None:
        """Assign to a part."""
        self.values[key] = _values(values)

    def reshape(self, *shape: int) -> "Traced":
        """Return the values in another shape."""
        return Traced(self.builder, self.values.reshape(*shape))

    def astype(self, kind: Any) -> "Traced":
        """Return the values converted to a type of NumPy's."""
        return self._mapped(lambda builder, value: converted(builder, value, TYPES[np.dtype(kind).name]), self)

    def view(self, kind: Any) -> "Traced":
        """Return the values' bits as another type of NumPy's."""
        return self._mapped(lambda builder, value: builder.bitcast(value, TYPES[np.dtype(kind).name]), self)

    def any(self, axis: int, keepdims: bool = False) -> "Traced":
        """Return where a flag is set along an axis."""
        return self._reduced(np.bitwise_or, axis, keepdims)

    def all(self, axis: int) -> "Traced":
        """Return where all flags along an axis are set."""
        return self._reduced(np.bitwise_and, axis)

    def sum(self, axis: int) -> "Traced":
        """Return the sums along an axis."""
        return self._reduced(np.add, axis)

    def _reduced(self, operation: Any, axis: int, keepdims: bool = False) -> "Traced":
        found = reduce(operation, Traced(self.builder, np.moveaxis(self.values, axis, 0)))
        return found[np.newaxis].moved(axis) if keepdims else found

    def moved(self, axis: int) -> "Traced":
        """Return the values with the first axis moved to another place."""
        return Traced(self.builder, np.moveaxis(self.values, 0, axis))

    def _mapped(self, emit: Callable[..., Any], *arrays: Any) -> "Traced":
        """Emit instructions for each element of arrays that are broadcast together."""
        function = np.frompyfunc(lambda *values: emit(self.builder, *values), len(arrays), 1)
        return Traced(self.builder, function(*map(_values, arrays)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: "tuple[Traced, ...]" = ()) -> "Traced":
        """Emit an elementwise function of NumPy's, in place where `out` is given."""
        assert method == "__call__"
        found = self._mapped(OPERATIONS[ufunc], *inputs)
        if not out:
            return found
        out[0].values[...] = found.values
        return out[0]

    def __array_function__(self, function: Any, types: Any, given: Any, named: Any) -> "Traced":
        """Emit another function of NumPy's."""
        found: Traced = FUNCTIONS[function](self, *given, **named)
        return found


def _values(given: Any) -> Values:
    return given.values if isinstance(given, Traced) else np.asarray(given).astype(object)


def type_of(value: Any) -> Any:
    """Return the type of a value, or that of a constant where it stands alone."""
    if isinstance(value, ir.Value):
        return value.type
    return FLAG if isinstance(value, bool) else WHOLE if isinstance(value, int) else REAL


def converted(builder: ir.IRBuilder, value: Any, kind: Any) -> Any:
    """Return a value of a type, or a constant in all lanes."""
    if not isinstance(value, ir.Value):
        if kind in (REAL, SINGLE):
            return ir.Constant(kind, [float(value)] * LANES)
        return ir.Constant(kind, [int(value) - (1 << 64 if value >= 1 << 63 else 0)] * LANES)
    if value.type == kind:
        return value
    return {
        (REAL, SINGLE): builder.fptrunc,
        (SINGLE, REAL): builder.fpext,
        (REAL, WHOLE): builder.fptosi,
        (WHOLE, REAL): builder.sitofp,
        (FLAG, REAL): builder.uitofp,
        (FLAG, WHOLE): builder.zext,
    }[value.type, kind](value, kind)


def _alike(builder: ir.IRBuilder, *values: Any) -> list[Any]:
    """Return values converted to one type that holds all."""
    types = list(map(type_of, values))
    kind = next(kind for kind in (REAL, WHOLE, FLAG) if kind in types)
    return [converted(builder, value, kind) for value in values]


def _arithmetic(of_reals: str, of_whole: str) -> Callable[..., Any]:
    def emit(builder: ir.IRBuilder, *values: Any) -> Any:
        alike = _alike(builder, *values)
        return getattr(builder, of_reals if alike[0].type == REAL else of_whole)(*alike)

    return emit


def _of_reals(instruction: str) -> Callable[..., Any]:
    def emit(builder: ir.IRBuilder, *values: Any) -> Any:
        return getattr(builder, instruction)(*(converted(builder, value, REAL) for value in values))

    return emit


def _intrinsic(name: str) -> Callable[..., Any]:
    def emit(builder: ir.IRBuilder, value: Any) -> Any:
        kind = ir.FunctionType(REAL, [REAL])
        function = builder.module.declare_intrinsic(f"llvm.{name}.v{LANES}f64", (), kind)
        return builder.call(function, [converted(builder, value, REAL)])

    return emit


def _comparison(sign: str) -> Callable[..., Any]:
    def emit(builder: ir.IRBuilder, one: Any, other: Any) -> Any:
        one, other = _alike(builder, one, other)
        if one.type != REAL:
            return builder.icmp_signed(sign, one, other)
        return (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, one, other)

    return emit


def _remainder(builder: ir.IRBuilder, number: Any, divisor: Any) -> Any:
    """Return the remainder, not negative, of whole numbers so small that float64 divides them exactly."""
    number, divisor = (converted(builder, value, REAL) for value in (number, divisor))
    # Processors have no division of vectors of integers.
    times = _intrinsic("floor")(builder, builder.fdiv(number, divisor))
    return builder.fptosi(builder.fsub(number, builder.fmul(times, divisor)), WHOLE)


def _is_finite(builder: ir.IRBuilder, value: Any) -> Any:
    return _comparison("<")(builder, _intrinsic("fabs")(builder, value), float("inf"))


def _chosen(builder: ir.IRBuilder, flag: Any, one: Any, other: Any) -> Any:
    return builder.select(converted(builder, flag, FLAG), *_alike(builder, one, other))


OPERATIONS: dict[Any, Callable[..., Any]] = {
    np.add: _arithmetic("fadd", "add"),
    np.subtract: _arithmetic("fsub", "sub"),
    np.multiply: _arithmetic("fmul", "mul"),
    np.negative: _of_reals("fneg"),
    np.true_divide: _of_reals("fdiv"),
    np.remainder: _remainder,
    np.absolute: _intrinsic("fabs"),
    np.floor: _intrinsic("floor"),
    np.rint: _intrinsic("rint"),
    np.sqrt: _intrinsic("sqrt"),
    np.isnan: lambda builder, value: _comparison("!=")(builder, value, value),
    np.isfinite: _is_finite,
    np.less: _comparison("<"),
    np.less_equal: _comparison("<="),
    np.greater: _comparison(">"),
    np.greater_equal: _comparison(">="),
    np.equal: _comparison("=="),
    np.not_equal: _comparison("!="),
    np.invert: lambda builder, value: builder.not_(value),
    np.bitwise_and: lambda builder, *values: builder.and_(*_alike(builder, *values)),
    np.bitwise_or: lambda builder, *values: builder.or_(*_alike(builder, *values)),
    np.bitwise_xor: lambda builder, *values: builder.xor(*_alike(builder, *values)),
    np.left_shift: lambda builder, *values: builder.shl(*_alike(builder, *values)),
    np.right_shift: lambda builder, *values: builder.lshr(*_alike(builder, *values)),
}
"""The elementwise functions: each takes a builder and values. What is shifted to the right is not negative."""


def _where(like: Traced, flags: Any, one: Any, other: Any) -> Traced:
    return like._mapped(_chosen, flags, one, other)


def _choose(like: Traced, index: Any, options: Sequence[Any]) -> Traced:
    last = len(options) - 1
    found = options[last]
    for k in reversed(range(last)):
        found = _where(like, index == k, options[k], found)
    return found if isinstance(found, Traced) else Traced(like.builder, _values(found))


def _stack(like: Traced, arrays: Sequence[Any]) -> Traced:
    return Traced(like.builder, np.stack([*map(_values, arrays)]))


def _take_along_axis(like: Traced, array: Any, index: Traced, axis: int) -> Traced:
    """Take along the first axis."""
    assert axis == 0
    parts = [Traced(like.builder, part) for part in _values(array)]
    return _stack(like, [_choose(like, row, parts) for row in index])


def _argmax(like: Traced, array: Traced, axis: int) -> Traced:
    """Return the index of the first of the largest numbers along the first axis."""
    assert axis == 0
    best, found = array[0], Traced(like.builder, np.zeros(array.values.shape[1:], object))
    for k in range(1, len(array)):
        found, best = (_where(like, array[k] > best, *both) for both in ((k, found), (array[k], best)))
    return found


FUNCTIONS: dict[Any, Callable[..., Traced]] = {
    np.where: _where,
    np.choose: _choose,
    np.take_along_axis: _take_along_axis,
    np.argmax: _argmax,
    np.stack: _stack,
    np.concatenate: lambda like, arrays: Traced(like.builder, np.concatenate([*map(_values, arrays)])),
    np.zeros_like: lambda like, array: Traced(like.builder, np.zeros(array.values.shape).astype(object)),
}
"""The other functions: each takes an array for its builder, then what NumPy's takes."""
