"""Python functions of arrays: all probes and all primitives at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import width
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.cases import kinds
from hitscope.targets.runners.python_function import Imported, function_of
from hitscope.targets.target import HIT, MISS, OUTSIDE, CallFailed, Runner, TargetSpec, cut, with_line


def load(spec: TargetSpec) -> Runner:
    return _BatchRunner(function_of(spec.text), width(kinds(spec.pair)[0]))


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
            hits = np.asarray(hits)
            _require_shape("hit", hits, len(numbers))
            if not (known := np.isin(hits, (HIT, MISS, OUTSIDE))).all():
                raise CallFailed(f"expected booleans, or 1, 0 and -1, as hit, found {cut(repr(hits[~known][0]))}")
            if ts is not None:
                ts = np.asarray(ts)
                _require_shape("t", ts, len(numbers))
                t_enter[:] = ts
            hit[:] = hits
        except CallFailed:
            raise
        except BaseException as error:  # exits and interrupts, too, are failures of the call
            raise CallFailed(with_line(error, self._folder)) from None
        return {}


def _require_shape(name: str, array: NDArray[Any], n: int) -> None:
    if array.shape != (n,):
        raise CallFailed(f"expected {name} of shape {(n,)}, found {array.shape}")
