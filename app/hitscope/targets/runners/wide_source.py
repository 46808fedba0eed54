"""Functions in C and C++ in a wider type: what a function answers without nearly all of its rounding.

Every number of the file is of 113 bits then, where the compiler and the C library have these, else of a
`long double`; literals keep their values, and the functions of <math.h> are of that type. A file is refused of
which that cannot be said: one that includes others of the user, or is linked with them, or takes numbers apart.
"""

import re
import shlex
from pathlib import Path

from hitscope.errors import HitscopeError
from hitscope.targets.build import Build
from hitscope.targets.cases import case_width
from hitscope.targets.runners.c_source import KEPT, SIGNATURE, runner_of
from hitscope.targets.target import C_REALS, Runner, TargetSpec

REFUSED = re.compile(
    r'#\s*include\s*"|\b(union|memcpy|bit_cast|asm|__asm__|_Generic)\b|\b_mm\w+|\bu?int(32|64)_t\b'
)
"""The words of code that reads bits of numbers, or that is not in the file."""
TYPES = re.compile(r"\b(long\s+double|double|float)\b(?!\.h)")
LITERALS = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)([fFlL]?)(?![\w.])")
MATH = re.compile(
    r"(?<![\w.:])(?<!->)(?:std::|::)?(fabs|sqrt|cbrt|fmin|fmax|fmod|fma|fdim|floor|ceil|trunc|round|rint|nearbyint"
    r"|copysign|hypot|pow|exp|log|sin|cos|tan|asin|acos|atan|atan2)f?(?=\s*\()"
)
TESTS = re.compile(r"(?<![\w.:])(?<!->)(?:std::|::)?(isnan|isinf|isfinite|signbit)(?=\s*\()")
HEAD = """\
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#ifdef __cplusplus
#include <algorithm>
#include <cfloat>
#include <cmath>
#else
#include <float.h>
#endif
#include <math.h>
#if defined(__SIZEOF_FLOAT128__) && defined(__HAVE_FLOAT128) && __HAVE_FLOAT128 && !defined(__STRICT_ANSI__)
typedef __float128 hitscope_wide;
#define HITSCOPE_WIDE(name) (hitscope_wide)name##f128
#elif LDBL_MANT_DIG > {}_MANT_DIG
typedef long double hitscope_wide;
#define HITSCOPE_WIDE(name) name##l
#else
#error "no wider type"
#endif
#undef HITSCOPE_REAL
#define HITSCOPE_REAL hitscope_wide
#line 1 "the file in a wider type"
"""
LOOP = f"""
#line 1 "the call of FUNCTION by hitscope"
#ifdef __cplusplus
extern "C"
#endif
{SIGNATURE}
{{
    for (__SIZE_TYPE__ hitscope_i = 0; hitscope_i < hitscope_n; hitscope_i++) {{
        hitscope_wide hitscope_case[WIDTH], hitscope_t = NAN;
        for (__SIZE_TYPE__ hitscope_k = 0; hitscope_k < hitscope_width; hitscope_k++)
            hitscope_case[hitscope_k] = hitscope_cases[hitscope_i * hitscope_width + hitscope_k];
        *hitscope_progress = hitscope_i;
        __asm__ volatile("" ::: "memory");
        int hitscope_found = FUNCTION(hitscope_case, hitscope_case + hitscope_probe_width, &hitscope_t);
{KEPT}
        hitscope_t_enter[hitscope_i] = (NUMBER)hitscope_t;
    }}
}}
"""


def load(spec: TargetSpec) -> Runner:
    """Compile a file in a wider type; raises HitscopeError where there is none, or where it cannot be."""
    parts = {"FUNCTION": spec.code.function, "NUMBER": C_REALS[spec.real], "WIDTH": str(case_width(spec.pair))}
    return runner_of(spec, wide_build(spec, re.sub("|".join(parts), lambda found: parts[found[0]], LOOP)))


def wide_build(spec: TargetSpec, loop: str) -> Build:
    """Return the build of a file in a wider type before a loop; raises HitscopeError where that cannot be."""
    path = spec.code.file
    text = wider(path.read_text(encoding="utf-8", errors="surrogateescape"), path)
    if any(not word.startswith("-") or word.startswith(("-l", "-L")) for word in shlex.split(spec.flags)):
        expected = "expected a file that needs no other for a wider type"
        raise HitscopeError(f"{spec.text}: {expected}, found {spec.flags}")
    head = HEAD.format("DBL" if spec.real == "float64" else "FLT")
    return Build(spec, loop, f"{head}{text}\n")


def wider(text: str, path: Path) -> str:
    """Return the text of a file with every number in a wider type; raises HitscopeError where that cannot be."""
    if found := REFUSED.search(text):
        raise HitscopeError(f"{path}: expected a file of numbers alone for a wider type, found {found[0].strip()}")
    text = TYPES.sub("hitscope_wide", text)
    text = LITERALS.sub(lambda found: f"((hitscope_wide){found[0]})", text)
    return TESTS.sub(r"__builtin_\1", MATH.sub(r"HITSCOPE_WIDE(\1)", text))
