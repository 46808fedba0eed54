"""Variants of a function of the user's, many in one process: what a search for the wrong line calls.

A case's last number is that of its variant: the number of its file times MOST_VARIANTS, and its place in the file.
"""

import __future__

import re
import signal
import sys
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from hitscope.geometry.shapes import replaced_numbers
from hitscope.targets import build, case_arrays, cases
from hitscope.targets.runners import python_function, wide_source
from hitscope.targets.runners.c_source import KEPT, SIGNATURE, runner_of
from hitscope.targets.target import C_REALS, OUTSIDE, Runner, Skip, TargetSpec, one_line
from hitscope.unrounded import Unrounded, exact_math

MOST_VARIANTS = 1000
SHARED = MOST_VARIANTS
"""The number of the copy of a source in C that chooses between variants."""
MOST_CHECKS = 32
"""How often a source is checked for variants that do not compile: the first check finds nearly all."""
VARIANT_FILE = "a variant of hitscope's"
CHOSEN_LINE = f'\n#line 1 "{VARIANT_FILE} {{}}"\n'
SHARED_LINE = '\n#line 1 "what variants share"\n'
"""The lines before a choice of a variant, and before what is none."""
CHOICE = re.compile(rf'\n#line 1 "{VARIANT_FILE} (\d+)"\n.*?(?=\n#line 1 )', re.DOTALL)
NUMBER = "hitscope_number"
"""The name of the number of the variant that is called."""
VARIANT_ERROR = re.compile(
    rf"^{VARIANT_FILE} (\d+):\d+:\d+: +"
    r"(?:(?:fatal )?error: (?!invalid storage class)|.*(?:required from|requested) here)"
    rf"|: error: .*\n(?:(?!.*: (?:error|warning): ).*\n)*?{VARIANT_FILE} (\d+):\d+:\d+: note: in expansion",
    re.MULTILINE,
)
"""An error, also in a template or macro that is used, but not of every function behind unmatched brackets."""
UNDECLARED = re.compile(rf"^{VARIANT_FILE} .*error: .*(?:not declared|undeclared).*\n", re.MULTILINE)
"""An error of a variant that another may be to blame for, as it broke the declaration of a name."""
VARIANT_FLAGS = "-O0"
"""The flags for many variants, whose compiling takes longer than the calls of them."""
MANY = 64
STEP = "{ if (++hitscope_steps > 20000) longjmp(hitscope_end, 2);"
"""The beginning of the body of each loop of a variant, which `}` ends, so that no loop is without an end."""
SPARE = 1 << 19
"""The bytes from t on, above a variant's frame, for what it writes behind an array: three numbers a step."""
LOOP_HEAD = """
#line 1 "the variants of hitscope"
#include <setjmp.h>
#include <signal.h>
static jmp_buf hitscope_end;
static unsigned long hitscope_steps;
static int hitscope_number;
static void hitscope_fail(int number) { longjmp(hitscope_end, number); }
"""
LOOP = f"""
#line 1 "the call of variants by hitscope"
static __typeof__(FUNCTION) *const hitscope_variants[] = {{TABLE}};
#ifdef __cplusplus
extern "C"
#endif
{SIGNATURE}
{{
    static const int hitscope_signals[] = {{SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGBUS}};
    struct sigaction hitscope_action = {{}}, hitscope_before[5];
    hitscope_action.sa_handler = hitscope_fail;
    hitscope_action.sa_flags = SA_NODEFER;
    for (int hitscope_k = 0; hitscope_k < 5; hitscope_k++)
        sigaction(hitscope_signals[hitscope_k], &hitscope_action, &hitscope_before[hitscope_k]);
    static char hitscope_endless[{MOST_VARIANTS}];
    HITSCOPE_REAL *hitscope_t = (HITSCOPE_REAL *)__builtin_alloca({SPARE});
    for (volatile __SIZE_TYPE__ hitscope_i = 0; hitscope_i < hitscope_n; hitscope_i++) {{
        HITSCOPE_REAL hitscope_case[WIDTH];
        *hitscope_t = hitscope_t_enter[hitscope_i];
        for (__SIZE_TYPE__ hitscope_k = 0; hitscope_k < hitscope_width; hitscope_k++)
            hitscope_case[hitscope_k] = hitscope_cases[hitscope_i * hitscope_width + hitscope_k];
        hitscope_number = (int)hitscope_case[hitscope_width - 1] % {MOST_VARIANTS};
        __typeof__(FUNCTION) *hitscope_variant = hitscope_variants[hitscope_number];
        *hitscope_progress = hitscope_i;
        hitscope_steps = 0;
        if (!hitscope_variant || hitscope_endless[hitscope_number]) continue;
        switch (_setjmp(hitscope_end)) {{
            case 0: break;
            case 2: hitscope_endless[hitscope_number] = 1; continue;
            default: continue;
        }}
        int hitscope_found =
            hitscope_variant(hitscope_case, hitscope_case + hitscope_probe_width, hitscope_t);
{KEPT}
        hitscope_t_enter[hitscope_i] = (NUMBER)*hitscope_t;
    }}
    for (int hitscope_k = 0; hitscope_k < 5; hitscope_k++)
        sigaction(hitscope_signals[hitscope_k], &hitscope_before[hitscope_k], 0);
}}
"""
"""The loop over cases; what crashes or does not end in it has no answer, and the next case is called.

A variant may have written where others read: a crash behind the loop ends the process, and does not return to it.
"""
ERROR = re.compile(r":\d+: (fatal )?error: ")
CALL_SECONDS = 0.1
"""The seconds of the processor that a call of a variant in Python may take."""
NUMBERS: dict[str, Callable[[float], Any]] = {"unrounded": Unrounded, "wide": np.longdouble}
"""The numbers of functions in Python that are called on others than floats."""
CAN_BOUND = hasattr(signal, "setitimer")
"""Whether the system can end what takes too long."""


class Variants(msgspec.Struct):
    """The variants of a file's function."""

    changed: list[dict[int, str]]
    """For each the parts of the file that it changes, by their numbers. A variant in C has one text, compiled
    behind the file: the function under a name of its own, and what it calls; or none, if it is in `shared`."""
    parts: list[str] = []
    """The parts of a file in Python, from its beginning to its end."""
    shared: str = ""
    """A copy of a file in C, which chooses between variants by NUMBER."""
    reading: str = ""
    """The NUMBERS that functions in Python are called on."""


def load(spec: TargetSpec) -> Runner:
    """Make the variants ready; raises HitscopeError where the file itself cannot be judged."""
    is_c = spec.code.kind == "c_source"
    return _c_variants(spec, _read(Path(spec.variants))) if is_c else _PythonVariants(spec)


def variants_file(folder: Path, number: int) -> Path:
    return folder / f"{number}.json"


def _read(path: Path) -> Variants:
    return msgspec.json.decode(path.read_bytes(), type=Variants)


def variant_name(function: str, variant: int) -> str:
    return f"{function}_hitscope_{variant}"


class _PythonVariants(Runner):
    notes_index = True

    def __init__(self, spec: TargetSpec) -> None:
        target = spec.code
        self._function, self._file = target.function, target.file.resolve()
        self._package = "" if target.location.endswith(".py") else target.location.rpartition(".")[0]
        self._folder = Path(spec.variants).parent
        self._endless: set[int] = set()
        self._shapes = lru_cache(case_arrays.MOST_CASES)(
            lambda row: cases.Cases(spec.pair, np.frombuffer(row, spec.real)[None]).shapes(0)
        )
        self._variant = lru_cache(1)(self._variant_of)
        self._codes = lru_cache(1)(self._codes_of)
        sys.path[:0] = [str(self._file.parent), str(Path.cwd())]  # where the modules are that it imports
        self._flags = 0

    def run(self, arrays: case_arrays.CaseArrays) -> dict[int, str]:
        numbers, hit, t_enter, _, progress = arrays
        failures: dict[int, str] = {}
        warnings.simplefilter("ignore")
        if CAN_BOUND:
            signal.signal(signal.SIGPROF, _end)
        for index, variant in enumerate(numbers[:, -1].astype(int).tolist()):
            progress[0] = index
            if variant in self._endless:  # it would be on most cases
                failures[index] = str(_TooLong())
                continue
            try:
                function, reading = self._variant(variant)
                shapes = self._shapes(numbers[index, :-1].tobytes())
                _bound(CALL_SECONDS)
                try:
                    verdict, t = _answer(function, reading, shapes)
                finally:
                    _bound(0)
                t_enter[index] = t
                hit[index] = verdict
            except Skip:
                hit[index] = OUTSIDE
            except BaseException as error:
                failures[index] = one_line(error)
                if isinstance(error, _TooLong):
                    self._endless.add(variant)
        return failures

    def _compiled(self, part: str) -> Any:
        return compile(part, str(self._file), "exec", self._flags, dont_inherit=True)

    def _codes_of(self, number: int) -> tuple[Variants, list[Any]]:
        variants = _read(variants_file(self._folder, number))
        is_late = any("from __future__ import annotations" in part for part in variants.parts)
        self._flags = __future__.annotations.compiler_flag if is_late else 0
        return variants, [self._compiled(part) for part in variants.parts]

    def _variant_of(self, number: int) -> tuple[Callable[..., Any], str]:
        """Return the function of a variant, of a module of its own, and the numbers that it is called on."""
        variants, codes = self._codes(number // MOST_VARIANTS)
        changed = variants.changed[number % MOST_VARIANTS]
        module = ModuleType(self._file.stem)
        vars(module).update(__file__=str(self._file), __package__=self._package)
        for k, code in enumerate(codes):
            exec(self._compiled(changed[k]) if k in changed else code, vars(module))
        function: Callable[..., Any] = getattr(module, self._function)
        return function, variants.reading


def _c_variants(spec: TargetSpec, variants: Variants) -> Runner:
    """Compile functions of C and C++ into one library, those that do not compile left out."""
    listed = Path(spec.variants).with_suffix(".broken")
    # Another process may have found them before.
    broken = msgspec.json.decode(listed.read_bytes(), type=set[int]) if listed.exists() else set[int]()
    for _ in range(MOST_CHECKS):
        try:
            runner = runner_of(spec, _build(spec, variants, broken), explains=False)
            listed.write_bytes(msgspec.json.encode(broken))
            return runner
        except build.CompileError as failure:
            errors = failure.printed
        others = UNDECLARED.sub("", errors)
        if not (more := _erring(others) - broken or _erring(errors) - broken):
            break
        broken |= more
    if more or ERROR.search(errors):  # which others make the copy wrong that they share is not known
        broken |= {k for k, changed in enumerate(variants.changed) if not changed}
    listed.write_bytes(msgspec.json.encode(broken))
    return runner_of(spec, _build(spec, variants, broken))


def _erring(errors: str) -> set[int]:
    return {int(found[1] or found[2]) for found in VARIANT_ERROR.finditer(errors)}


def _build(spec: TargetSpec, variants: Variants, broken: set[int]) -> build.Build:
    function = spec.code.function
    texts = {k: changed.get(0) for k, changed in enumerate(variants.changed) if k not in broken}
    copies = "".join(f"{CHOSEN_LINE.format(k)}{text}" for k, text in texts.items() if text is not None)
    shared = CHOICE.sub(lambda found: "" if int(found[1]) in broken else found[0], variants.shared)
    copies = f"{copies}{SHARED_LINE}{shared}"
    table = ", ".join(
        "0" if k in broken else variant_name(function, SHARED if texts[k] is None else k)
        for k in range(len(variants.changed))
    )
    words = {"FUNCTION": function, "TABLE": table, "NUMBER": C_REALS[spec.real], "WIDTH": str(spec.width)}
    loop = re.sub(r"\b({})\b".format("|".join(words)), lambda found: words[found[0]], LOOP)
    if len(texts) > MANY:
        spec = spec._replace(flags=f"{spec.flags} {VARIANT_FLAGS}".lstrip())
    if spec.is_wide:
        return wide_source.wide_build(spec, f"{LOOP_HEAD}{wide_source.wider(copies, spec.code.file)}{loop}")
    return build.Build(spec, f"{LOOP_HEAD}{copies}{loop}")


def _answer(function: Callable[..., Any], reading: str, shapes: Any) -> tuple[int, Any]:
    if not reading:
        return python_function.parts_of(function(*shapes))[:2]
    shapes = [replaced_numbers(shape, NUMBERS[reading]) for shape in shapes]
    if reading == "wide":
        return python_function.parts_of(function(*shapes))[:2]
    with exact_math(function.__globals__):
        verdict, t, _ = python_function.parts_of(function(*shapes))
    return verdict, t.numerator / t.denominator if isinstance(t, Unrounded) else t


class _TooLong(BaseException):
    """A call that does not end; no `except Exception` of the user's keeps it from ending."""

    def __str__(self) -> str:
        return f"no answer in {CALL_SECONDS:g} s"


def _bound(seconds: float) -> None:
    """End what takes longer than some seconds of the processor, where the system can; 0 for no bound."""
    if CAN_BOUND:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _end(*_: object) -> None:
    raise _TooLong
