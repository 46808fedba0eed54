"""Python functions: of a probe and a primitive, or with `--batch` of all probes and all primitives at once."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import Fault, HitscopeError
from hitscope.geometry.arrays import width
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.cases import Cases, kinds
from hitscope.targets.target import HIT, MISS, OUTSIDE, CallFailed, Runner, Skip, TargetSpec, cut, with_line


def load(spec: TargetSpec) -> Runner:
    found = function_of(spec)
    return _BatchRunner(found, width(kinds(spec.pair)[0])) if spec.batch else FunctionRunner(found, spec.pair)


class Imported(NamedTuple):
    """A function that was imported."""

    function: Callable[..., Any]
    folder: Path
    """The folder of the user's own files, which is that of the module, or the current one."""
    files: tuple[str, ...]
    """The absolute paths of the modules in there that were imported with it."""


def function_of(spec: TargetSpec) -> Imported:
    """Import `module:function` or `path/to/file.py:function`; raises HitscopeError if that fails."""
    _, location, name = spec.code
    folder = Path(location).parent.resolve() if location.endswith(".py") else Path.cwd()
    before = set(sys.modules)
    try:
        module = _module(location, folder)
        function = getattr(module, name, None)
    except BaseException as error:  # the module may exit or interrupt, which is not for this process
        found = with_line(error, folder)
        raise HitscopeError(f"{spec.text}: expected a module that can be imported, found {found}") from None
    if not callable(function):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise Fault.unknown((), f"a function of {location}", known, name)
    return Imported(function, folder, tuple(_files_of(set(sys.modules) - before, folder)))


def _files_of(modules: Iterable[str], folder: Path) -> Iterator[str]:
    """Yield the files of modules that are below a folder, but for installed packages."""
    for name in modules:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file and Path(file).is_relative_to(folder) and "site-packages" not in Path(file).parts:
            yield file


def _module(location: str, folder: Path) -> Any:
    """Import a module by name or file; it can import its neighbours, as if Python were started there."""
    sys.path.insert(0, str(folder))
    # A file that is saved twice in a second with the same length would be taken from its bytecode.
    sys.dont_write_bytecode = True
    if not location.endswith(".py"):
        return importlib.import_module(location)
    file = folder / Path(location).name
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader, "a .py file has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


class NoAnswer(Exception):  # noqa: N818 - a result, not an error of ours
    """The value that a function returned instead of an answer, in words."""


class FunctionRunner(Runner):
    """Calls the function on one pair of shapes after the other."""

    notes_index = True
    has_normals = True

    def __init__(self, imported: Imported, pair: str, caught: type[BaseException] = BaseException) -> None:
        """Call an imported function; what it raises of the type `caught` is a failure of the case."""
        self._function, self._folder, self._caught = imported.function, imported.folder, caught
        self.files: Sequence[str] = imported.files
        self._pair = pair

    def run(self, arrays: CaseArrays) -> dict[int, str]:
        numbers, hit, t_enter, normal, progress = arrays
        cases, failures = Cases(self._pair, numbers), {}
        for index in range(len(cases)):
            progress[0] = index
            try:
                verdict, t_enter[index], normal[index] = parts_of(self._function(*cases.shapes(index)))
                hit[index] = verdict  # at last: so what is half written is no answer
            except Skip:
                hit[index] = OUTSIDE
            except NoAnswer as found:
                failures[index] = str(found)
            except self._caught as error:  # in a process of its own exits and interrupts, too
                failures[index] = with_line(error, self._folder)
        return failures


def parts_of(answer: Any) -> tuple[int, Any, Any]:
    hit, t_enter, normal = answer, None, None
    if hasattr(answer, "hit"):  # a Verdict, or the answer of a method of the catalogue
        hit, t_enter, normal = answer.hit, getattr(answer, "t_enter", None), getattr(answer, "normal", None)
    elif isinstance(answer, Sequence | np.ndarray) and 0 < len(answer) <= 3:
        hit, t_enter, normal = [*answer, None, None][:3]
    if hit is None:
        return OUTSIDE, np.nan, np.nan
    if hit not in (True, False):
        expected = "a bool, None or a sequence hit[, t_enter[, normal]]"
        raise NoAnswer(f"expected {expected}, found {cut(repr(answer))}")
    if normal is not None and len(normal) != 3:
        raise NoAnswer(f"expected a normal of three numbers, found {cut(repr(normal))}")
    return (HIT if hit else MISS, np.nan if t_enter is None else t_enter, np.nan if normal is None else normal)


class _BatchRunner(Runner):
    """Calls the function once for all cases."""

    def __init__(self, imported: Imported, probe_width: int) -> None:
        self._function, self._folder = imported.function, imported.folder
        self.files: Sequence[str] = imported.files
        self._probe_width = probe_width

    def run(self, arrays: CaseArrays) -> dict[int, str]:
        numbers, hit, t_enter, _, _ = arrays
        # Copies, which the function may keep, change, or pass on to processes that it forks.
        probes, primitives = (part.copy() for part in np.split(numbers, [self._probe_width], axis=1))
        try:
            answer = self._function(probes, primitives)
            hits, ts = answer if isinstance(answer, tuple) else (answer, None)
            hits = _shaped("hit", hits, len(numbers))
            if not (known := np.isin(hits, (HIT, MISS, OUTSIDE))).all():
                raise CallFailed(f"expected booleans, or 1, 0 and -1, as hit, found {cut(repr(hits[~known][0]))}")
            if ts is not None:
                t_enter[:] = _shaped("t", ts, len(numbers))
            hit[:] = hits
        except CallFailed:
            raise
        except BaseException as error:  # exits and interrupts, too, are failures of the call
            raise CallFailed(with_line(error, self._folder)) from None
        return {}


def _shaped(name: str, values: Any, n: int) -> NDArray[Any]:
    array = np.asarray(values)
    if array.shape != (n,):
        raise CallFailed(f"expected {name} of shape {(n,)}, found {array.shape}")
    return array
