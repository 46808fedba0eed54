"""The types of command-line arguments, and the options of commands that call users' own code."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hitscope.scene.model import Tolerance

LARGEST_PICTURE = 16384
MANY_SCENES = 100
"""The number of scenes from which on `check` lists only those that fail, and takes all cores."""

STEP_NAMES = ("decision", "wrong-line")
"""The steps of a run with names: the one that decides, and the one whose line makes the answer wrong."""

TARGET_HELP = (
    "NAME[,ARG=VALUE] of a method; or your own code: FILE.py:FUNCTION, MODULE:FUNCTION, FILE.c:FUNCTION "
    "(.cc, .cpp), FILE.so:FUNCTION (.dll, .dylib), FILE.glsl:FUNCTION or exec:COMMAND"
)


def add_option(command: argparse._ActionsContainer, usage: str, words: str | None = None, **settings: Any) -> None:
    """Add an option, or an argument, by its usage: "-o, --output FILE", "--boundary {closed,open}", "scene SCENE".

    An option without a value and other settings is a flag. A FILE and a DIR are paths.
    """
    *short, last = usage.split(", ")
    name, _, value = last.partition(" ")
    if value.startswith("{"):
        settings["choices"] = value[1:-1].split(",")
    elif value:
        settings["metavar"] = value
    elif name.startswith("-") and not settings:
        settings["action"] = "store_true"
    if value.startswith(("FILE", "DIR")):
        settings["type"] = Path
    command.add_argument(*short, name, help=words, **settings)


def add_target_options(command: argparse.ArgumentParser, timeout: float = 10.0) -> None:
    """Add the options that stand wherever a TARGET does; `timeout` is the default of --timeout."""
    add = partial(add_option, command.add_argument_group("your own code"))
    add("--float {f32,f64}", "the precision of the numbers that it is given (f64; of GLSL f32)")
    add("--flags FLAGS", "flags for the compiler of C and C++ (repeatable)", action="append")
    add("--batch", "a Python function takes arrays of pairs")
    add("--timeout S", f"seconds without a finished case ({timeout:g})", type=positive_number, default=timeout)
    add(
        "--boundary {closed,open,either}",
        "whether touching pairs are hits (closed), misses (open), or neither right nor wrong (either)",
    )
    add(
        "--slack N", "ulps up to which a pair may be from the other answer without being an error (0)", type=number
    )
    add(
        "--require WHAT",
        "leave out pairs without it (repeatable): unit-direction of rays and lines, non-degenerate, or "
        "max-coordinate=N",
        action="append",
        type=precondition,
    )


def add_check_options(command: argparse.ArgumentParser) -> None:
    add = partial(add_option, command)
    add("paths PATH", "scene files and folders", nargs="+")
    listing = command.add_mutually_exclusive_group()
    add_option(
        listing,
        "-q, --quiet",
        f"list the scenes that fail and the summary only (where there are more than {MANY_SCENES})",
    )
    add_option(listing, "-v, --verbose", "list every scene, however many")
    add("-x, --exitfirst", "stop at the first scene that fails")
    add(
        "-k EXPR",
        "only the expectations whose FILE::PROBE-PRIMITIVE[METHOD] has these parts, in any case; "
        "with and, or, not and parentheses",
        dest="selection",
        default="",
    )
    add(
        "-j, --jobs N",
        f"number of processes (the cores where there are more than {MANY_SCENES} scenes, else 1)",
        type=positive,
    )
    add("--strict", "a scene without expectations fails, as does one of a disabled probe")
    add(
        "--report FILE.html",
        "write a page with a picture, the numbers and the steps of each failure, which needs no network",
    )
    add(
        "--tolerance ABS[,REL]",
        "the difference allowed between numbers, in place of the scenes': ABS + REL * |expected| (1e-9)",
        type=tolerance,
    )
    add("--update", "write the exact answers into the files; not in CI")
    add("--junit FILE.xml", "write the results as JUnit XML, too, as CI servers read it")
    output = command.add_mutually_exclusive_group()
    add_option(output, "--json")
    add_option(
        output,
        "--format {github}",
        "annotate scenes that fail on GitHub, and write all failures into the summary of the step",
    )


def add_review_options(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Find the scenes that differ from their expectations, and open the viewer on them one after the other, "
        "with what is expected and what was found. Accept (A) writes the exact answers into the file, as check "
        "--update does; reject (R) and skip (S) leave the file, and its check goes on to fail; Ctrl+Z takes a "
        "decision back. Exit status: 0 where nothing differs or all was accepted, 1 where some scenes still "
        "differ, 2 for a file that cannot be evaluated or written. Nothing is accepted where CI is set."
    )
    add_option(command, "paths PATH", "scene files and folders", nargs="+")
    add = partial(add_option, command.add_mutually_exclusive_group())
    add("--list", "only print what differs, as `check` does")
    add("--accept", "accept all without a window")
    add("--reject", "reject all without a window: the files stay")


def add_step_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("a step of a method")
    add = partial(add_option, group)
    add(
        "--step N",
        "draw the values after this step of a method, and its line of source: "
        "from 1, from the end if negative, or decision or wrong-line (the line that makes the answer wrong)",
        type=step,
    )
    add("--probe P", "what the method tests")
    add("--primitive Q", "what it is tested against")
    _add_explained_method(group)


def step(text: str) -> int | str:
    """Return the number of a step, or the name of one."""
    if text in STEP_NAMES:
        return text
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number == 0:
        words = f"expected a step's number from 1, or from the end a negative one, or {' or '.join(STEP_NAMES)}"
        raise argparse.ArgumentTypeError(f"{words}, found {text!r}")
    return number


def joined_flags(arguments: Sequence[str]) -> list[str]:
    """Return arguments with each `--flags` joined to its value, which begins with a hyphen as an option does."""
    rest = iter(arguments)
    return [
        f"{argument}={value}" if argument == "--flags" and (value := next(rest, None)) is not None else argument
        for argument in rest
    ]


def add_method_option(command: argparse.ArgumentParser) -> None:
    add_option(
        command,
        "--method PAIR=TARGET",
        f"let TARGET decide the pairs of two types (repeatable); TARGET is {TARGET_HELP}",
        action="append",
        default=[],
        type=target_of_pair,
    )


def _add_explained_method(command: argparse._ActionsContainer) -> None:
    add = partial(add_option, command)
    add(
        "--method TARGET",
        "NAME[,ARG=VALUE] of a method, or your own Python function: FILE.py:FUNCTION or MODULE:FUNCTION",
    )
    add("--float {f32,f64}", "the precision of the numbers that it is given (f64)")


def add_explain_options(command: argparse.ArgumentParser) -> None:
    add = partial(add_option, command)
    _add_explained_method(command)
    add("--full", "list the statements of helper functions, too")
    add("--hex", "show the bits of floats")
    add("--html FILE", "write a page that steps offline, instead of the listing")
    add("--json")


def add_map_options(command: argparse.ArgumentParser) -> None:
    add = partial(add_option, command)
    add("--handle PROBE.END", "such as cut.end, ray.direction or tri.vertices[0]", required=True)
    add("--method TARGET", f"what decides (repeatable): {TARGET_HELP}", action="append", default=[])
    add("--other Q", "only the pairs with this one; with all unless given")
    add("--size N", "positions a row (256)", type=map_size, default=256)
    add("--scale UNITS", "scene units a pixel (the camera's picture)", type=positive_number)
    add(
        "--show {agreement,verdict,differences,t,feature,line}",
        "what the colours are: agreement with exact, hit or miss, where the methods differ, the error of t, "
        "the feature or axis that decides (exactly), the line of a method's source that decides",
        default="agreement",
    )
    add("-o, --output FILE.png")
    add("--json", "print the counts, and where each pixel is")
    add_target_options(command)


def map_size(text: str) -> int:
    from hitscope.maps.plane import LARGEST_MAP

    return count_up_to(LARGEST_MAP)(text)


def add_judge_options(command: argparse.ArgumentParser) -> None:
    add = partial(add_option, command)
    add("target TARGET", TARGET_HELP, nargs="?")
    add("--pair PAIR", "PROBE_PRIMITIVE, e.g. segment_aabb")
    add(
        "--new LANG",
        "write the skeleton of a TARGET for PAIR, to standard output or a new file -o FILE: "
        "c, cpp, rust, csharp, javascript, glsl or python",
    )
    add("--builtin", "judge every method of the catalogue, or of --pair")
    add("--cases N", "number of cases of each generator (1000; with --builtin 200)", type=positive)
    add("--seed S", "seed of the first case; the next ones follow (0)", type=int, default=0)
    add("--generator G", "only this generator of cases (repeatable)", action="append")
    add(
        "--cases-from FILE",
        "judge your own cases, too (repeatable): of a log of calls, a scene or a folder of scenes; "
        "--generator cases judges them alone",
        action="append",
    )
    _add_t_tolerance(command)
    add("-j, --jobs N", "number of processes (the cores)", type=positive)
    add("--dask ADDRESS", "judge on the workers of this Dask scheduler")
    add(
        "-o, --output DIR",
        "shrink the pairs that fail, and save them as scenes in place of those of earlier runs of TARGET",
    )
    add(
        "--as FRAMEWORK",
        "write the pairs that fail as tests, beside the scenes or to standard output: "
        "pytest, gtest, catch2, rust, nunit or vitest",
        dest="framework",
    )
    add(
        "--mesh FILE",
        "shoot rays from inside a closed mesh (OBJ, PLY, STL, glTF) at its faces, edges and vertices, and "
        "count those that leak: --cases N of each aim (250000)",
    )
    add(
        "--fix",
        "look for the wrong line of a function in Python, C or C++, and for the change that makes it right, "
        "which new cases prove",
    )
    add("--write", "with --fix: make the first of the changes in the file, which is kept as NAME.bak")
    add("--baseline FILE", "list apart what this file knows; only new or worse differences make the exit status 1")
    add("--update", "write the differences that are found into that file; not in CI")
    add("--json")
    add_target_options(command)


def _add_t_tolerance(command: argparse.ArgumentParser) -> None:
    words = "ulps, and units along the probe, by which a t may be off (8,0)"
    add_option(command, "--t-tolerance ULPS[,ABS]", words, type=two_numbers)


def add_collect_options(command: argparse.ArgumentParser) -> None:
    add = partial(add_option, command)
    command.description = (
        "Judge the calls that a program logged with an exporter, a file that --new writes and that says how it is "
        "used, and keep the wrong ones as scenes. Calls are judged in the precision that they were logged in, or "
        "in that of --float where their numbers have it."
    )
    add("logs LOG", "what a program with an exporter logged", nargs="*", type=Path)
    add(
        "-o, --output DIR",
        "save the worst wrong call of each kind as a scene; with --new, the new file (standard output)",
    )
    add(
        "--new LANG",
        "write the exporter, with which a program logs its calls: c (and C++), rust, csharp or python; "
        "or cmake, a function that makes ctest judge",
        choices=("c", "rust", "csharp", "python", "cmake"),
    )
    add(
        "--shrink PAIR=TARGET",
        "make the calls of a pair simpler that TARGET, the code that was called, gets wrong as they are, too "
        "(repeatable): a log alone has no answer to another call",
        action="append",
        default=[],
        type=target_of_pair,
    )
    _add_t_tolerance(command)
    add("--json")
    add_target_options(command)


def size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (is_count(width, LARGEST_PICTURE) and is_count(height, LARGEST_PICTURE)):
        expected = f"expected WxH in pixels up to {LARGEST_PICTURE}, e.g. 1280x800"
        raise argparse.ArgumentTypeError(f"{expected}, found {text!r}")
    return int(width), int(height)


def target_of_pair(text: str) -> tuple[str, str]:
    pair, separator, target = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"expected PAIR=TARGET, e.g. segment_aabb=exact, found {text!r}")
    return pair, target


def precondition(text: str) -> str:
    from hitscope.errors import HitscopeError
    from hitscope.targets.judging import rules

    try:
        return rules.precondition(text)
    except HitscopeError as error:
        raise argparse.ArgumentTypeError(error.message) from None


def positive(text: str) -> int:
    if not is_count(text, sys.maxsize):
        raise argparse.ArgumentTypeError(f"expected a positive integer up to {sys.maxsize}, found {text!r}")
    return int(text)


def number(text: str) -> float:
    """Return a finite number, at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"expected a number, at least 0, found {text!r}")
    return value


def positive_number(text: str) -> float:
    if not (value := number(text)):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text!r}")
    return value


def two_numbers(text: str) -> tuple[float, float]:
    """Return the two numbers of ULPS[,ABS], or of ABS[,REL]; the second one is 0 unless it is given."""
    first, separator, second = text.partition(",")
    return number(first), number(second) if separator else 0.0


def tolerance(text: str) -> "Tolerance":
    from hitscope.scene.model import Tolerance

    absolute, relative = two_numbers(text)
    return Tolerance(absolute=absolute, relative=relative)


def count_up_to(largest: int) -> Callable[[str], int]:
    """Return the type of an argument that is an integer from 1 to the largest."""

    def count(text: str) -> int:
        if not is_count(text, largest):
            raise argparse.ArgumentTypeError(f"expected an integer from 1 to {largest}, found {text!r}")
        return int(text)

    return count


def is_count(text: str, largest: int) -> bool:
    """Whether a text is an integer from 1 to the largest; int refuses thousands of digits."""
    return text.isdecimal() and len(text) <= len(str(largest)) and 0 < int(text) <= largest
