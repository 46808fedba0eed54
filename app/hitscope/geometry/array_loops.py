"""Functions of NumPy arrays, compiled to one loop each: every operation on values that never leave the processor.

LLVM compiles one in less than a tenth of a second, so that its code is not kept on a disk. Importing this module
imports LLVM.
"""

import ctypes
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding, ir
from numpy.typing import NDArray

from hitscope.geometry.traced_arrays import FLAG, LANES, REAL, SINGLE, WHOLE, Traced, converted, type_of

INDEX = ir.IntType(64)
BYTE = ir.VectorType(ir.IntType(8), LANES)
STORED = {"float64": REAL, "float32": SINGLE, "int64": WHOLE, "uint64": WHOLE, "int8": BYTE, "bool": BYTE}
"""How LANES numbers of a type of NumPy's lie in memory."""
NUMPY = {REAL: np.float64, SINGLE: np.float32, WHOLE: np.int64, FLAG: np.bool_}
NAME = "array_loop"

_LOCK = Lock()


class Kind(NamedTuple):
    """What a loop has to know of an array (*shape, n)."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class ArrayLoop:
    """A function of arrays (*shape, n) that returns one or several, each of the n made of those at its place.

    It is compiled when it is first called on arrays of these types and shapes, whatever n.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        """Take the function; it may use what `Traced` has of NumPy."""
        self._function = function
        self._loops: dict[tuple[Kind, ...], _Loop] = {}

    def __call__(self, *arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
        """Return its results for contiguous arrays; NumPy computes those whose n is no multiple of LANES."""
        n = arrays[0].shape[-1]
        if n % LANES:
            with np.errstate(all="ignore"):
                return _several(self._function(*arrays))
        kinds = tuple(Kind(array.dtype, array.shape[:-1]) for array in arrays)
        with _LOCK:
            if kinds not in self._loops:
                self._loops[kinds] = _Loop(self._function, kinds)
        return self._loops[kinds].run(n, arrays)


def _several(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


class _Loop:
    """The compiled code for some types and shapes."""

    def __init__(self, function: Callable[..., Any], kinds: Sequence[Kind]) -> None:
        module = ir.Module()
        self._results = _write(module, function, kinds)
        self._engine = _compiled(module)  # owns the code
        kind = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_void_p)
        self._loop = kind(self._engine.get_function_address(NAME))

    def run(self, n: int, arrays: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
        assert all(array.flags.c_contiguous and array.shape[-1] == n for array in arrays)
        results = tuple(np.empty((*kind.shape, n), kind.dtype) for kind in self._results)
        places = np.array([array.ctypes.data for array in (*arrays, *results)], np.uintp)
        self._loop(n, places.ctypes.data)
        return results


def _write(module: ir.Module, function: Callable[..., Any], kinds: Sequence[Kind]) -> list[Kind]:
    """Write the loop, a function of n and of the places of all arrays; returns the kinds of the results."""
    places = ir.IntType(8).as_pointer().as_pointer()
    loop = ir.Function(module, ir.FunctionType(ir.VoidType(), [INDEX, places]), NAME)
    before, again, end = (ir.IRBuilder(loop.append_basic_block()) for _ in range(3))
    n, places = loop.args
    i = again.phi(INDEX)
    i.add_incoming(INDEX(0), before.block)

    def pointers(k: int, kind: Kind) -> NDArray[np.object_]:
        """Return the pointers to the LANES numbers of each element of array k."""
        stored = STORED[kind.dtype.name]
        array = before.load(before.gep(places, [INDEX(k)]))
        found = np.empty((*kind.shape, 1), object)
        for element in range(found.size):
            place = again.add(again.mul(n, INDEX(element)), i)
            number = again.gep(before.bitcast(array, stored.element.as_pointer()), [place])
            found.flat[element] = again.bitcast(number, stored.as_pointer())
        return found

    def load(pointer: Any, dtype: str) -> Any:
        value = again.load(pointer, align=1)
        if value.type != BYTE:
            return value
        if dtype == "int8":
            return again.sext(value, WHOLE)
        return again.icmp_signed("!=", value, ir.Constant(BYTE, [0] * LANES))

    arrays = []
    for k, kind in enumerate(kinds):
        loaded = np.frompyfunc(lambda pointer, dtype=kind.dtype.name: load(pointer, dtype), 1, 1)(
            pointers(k, kind)
        )
        arrays.append(Traced(again, loaded))
    results = []
    for k, found in enumerate(_several(function(*arrays))):
        value_type = type_of(found.values.flat[0])
        results.append(Kind(np.dtype(NUMPY[value_type]), found.shape[:-1]))
        for pointer, value in zip(pointers(len(kinds) + k, results[-1]).flat, found.values.flat, strict=True):
            made = converted(again, value, value_type)
            again.store(again.zext(made, BYTE) if value_type == FLAG else made, pointer, align=1)
    following = again.add(i, INDEX(LANES))
    i.add_incoming(following, again.block)
    before.cbranch(before.icmp_unsigned("<", INDEX(0), n), again.block, end.block)
    again.cbranch(again.icmp_unsigned("<", following, n), again.block, end.block)
    end.ret_void()
    return results


def _compiled(module: ir.Module) -> Any:
    """Return an engine with the machine code of a module."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=2
    )
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    code = binding.parse_assembly(str(module))
    passes = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(code, passes)
    engine = binding.create_mcjit_compiler(code, machine)
    engine.finalize_object()
    return engine
