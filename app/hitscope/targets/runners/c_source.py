"""Functions in C and C++, included before a loop of ours: `int function(const T *, const T *, T *t_enter)`."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from hitscope.geometry.arrays import width
from hitscope.targets import case_arrays, cases
from hitscope.targets.build import Build
from hitscope.targets.runners.library import address, function_of
from hitscope.targets.target import Runner, TargetSpec

LOOP_NAME = "hitscope_loop"
SIGNATURE = f"""\
void {LOOP_NAME}(const NUMBER *hitscope_cases,
    __SIZE_TYPE__ hitscope_n, __SIZE_TYPE__ hitscope_width, __SIZE_TYPE__ hitscope_probe_width,
    signed char *hitscope_hit, NUMBER *hitscope_t_enter, int *hitscope_other,
    volatile unsigned long long *hitscope_progress)"""
"""The loop over cases; NUMBER stands for the type of their numbers."""
KEPT = """\
        if (hitscope_found >= -1 && hitscope_found <= 1)
            hitscope_hit[hitscope_i] = (signed char)hitscope_found;
        else
            hitscope_other[hitscope_i] = hitscope_found;"""
"""The end of the loop, which keeps the answer to a case."""
LOOP = f"""\
#line 1 "the call of FUNCTION by hitscope"
#ifdef __cplusplus
static inline int hitscope_answer(bool answer) {{ return answer; }}
static inline int hitscope_answer(int answer) {{ return answer; }}
template <class Other> int hitscope_answer(Other) = delete; // FUNCTION must return an int or a bool
extern "C"
#else
#define hitscope_answer(call) (call)
_Static_assert(_Generic(FUNCTION((const HITSCOPE_REAL *)0, (const HITSCOPE_REAL *)0, (HITSCOPE_REAL *)0), \\
    float: 0, double: 0, long double: 0, default: 1), "FUNCTION must return an int or a bool");
#endif
{SIGNATURE.replace("NUMBER", "HITSCOPE_REAL")}
{{
    for (__SIZE_TYPE__ hitscope_i = 0; hitscope_i < hitscope_n; hitscope_i++) {{
        const HITSCOPE_REAL *hitscope_case = hitscope_cases + hitscope_i * hitscope_width;
        *hitscope_progress = hitscope_i;
        __asm__ volatile("" ::: "memory"); /* nothing of the call happens before the index is noted */
        int hitscope_found = hitscope_answer(
            FUNCTION(hitscope_case, hitscope_case + hitscope_probe_width, hitscope_t_enter + hitscope_i));
{KEPT}
    }}
}}
"""
"""The loop; its names are unlike those of users, one of which stands for FUNCTION."""


def load(spec: TargetSpec) -> Runner:
    """Compile a file, unless that was done before, and load it."""
    return runner_of(spec, Build(spec, LOOP.replace("FUNCTION", spec.code.function)))


def runner_of(spec: TargetSpec, build: Build, explains: bool = True) -> Runner:
    """Compile a file with its loop, and load it; raises HitscopeError, as `Build.library` does."""
    with build.library(explains) as library:
        loop = function_of(library, LOOP_NAME, spec.text)
    return _SourceRunner(loop, width(cases.kinds(spec.pair)[0]), build.compiler, build.files)


class _SourceRunner(Runner):
    """Calls the function in a compiled loop."""

    notes_index = True

    def __init__(self, loop: Any, probe_width: int, compiler: str, files: Sequence[str]) -> None:
        self._loop, self._probe_width = loop, probe_width
        self.about, self.files = compiler, files

    def run(self, arrays: case_arrays.CaseArrays) -> dict[int, str]:
        numbers, hit, t_enter, _, progress = arrays
        other = np.zeros(len(numbers), np.int32)
        sizes = map(ctypes.c_size_t, (*numbers.shape, self._probe_width))
        self._loop(address(numbers), *sizes, *map(address, (hit, t_enter, other, progress)))
        return {int(index): f"it returned {other[index]}" for index in np.flatnonzero(other)}
