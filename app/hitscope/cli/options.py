"""The types of command-line arguments, and the options of commands that call users' own code."""

import argparse
import sys
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

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


def add_target_options(command: argparse.ArgumentParser, timeout: float = 10.0) -> None:
    """Add the options that stand wherever a TARGET does; `timeout` is the default of --timeout."""
    group = command.add_argument_group("your own code")
    group.add_argument(
        "--float", choices=("f32", "f64"), help="the precision of the numbers that it is given (f64; of GLSL f32)"
    )
    group.add_argument(
        "--flags", action="append", metavar="FLAGS", help="flags for the compiler of C and C++ (repeatable)"
    )
    group.add_argument("--batch", action="store_true", help="a Python function takes arrays of pairs")
    group.add_argument(
        "--timeout",
        type=positive_number,
        default=timeout,
        metavar="S",
        help=f"seconds without a finished case ({timeout:g})",
    )
    group.add_argument(
        "--boundary",
        choices=("closed", "open", "either"),
        help="whether touching pairs are hits (closed), misses (open), or neither right nor wrong (either)",
    )
    group.add_argument(
        "--slack",
        type=number,
        metavar="N",
        help="ulps up to which a pair may be from the other answer without being an error (0)",
    )
    group.add_argument(
        "--require",
        action="append",
        type=precondition,
        metavar="WHAT",
        help="leave out pairs without it (repeatable): unit-direction of rays and lines, non-degenerate, or "
        "max-coordinate=N",
    )


def add_check_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("paths", nargs="+", metavar="PATH", help="scene files and folders")
    listing = command.add_mutually_exclusive_group()
    listing.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help=f"list the scenes that fail and the summary only (where there are more than {MANY_SCENES})",
    )
    listing.add_argument("-v", "--verbose", action="store_true", help="list every scene, however many")
    command.add_argument("-x", "--exitfirst", action="store_true", help="stop at the first scene that fails")
    command.add_argument(
        "-k",
        dest="selection",
        default="",
        metavar="EXPR",
        help="only the expectations whose FILE::PROBE-PRIMITIVE[METHOD] has these parts, in any case; "
        "with and, or, not and parentheses",
    )
    command.add_argument(
        "-j",
        "--jobs",
        type=positive,
        metavar="N",
        help=f"number of processes (the cores where there are more than {MANY_SCENES} scenes, else 1)",
    )
    command.add_argument(
        "--strict", action="store_true", help="a scene without expectations fails, as does one of a disabled probe"
    )
    command.add_argument(
        "--report",
        type=Path,
        metavar="FILE.html",
        help="write a page with a picture, the numbers and the steps of each failure, which needs no network",
    )
    command.add_argument(
        "--tolerance",
        type=tolerance,
        metavar="ABS[,REL]",
        help="the difference allowed between numbers, in place of the scenes': ABS + REL * |expected| (1e-9)",
    )
    command.add_argument("--update", action="store_true", help="write the exact answers into the files; not in CI")
    command.add_argument(
        "--junit", type=Path, metavar="FILE.xml", help="write the results as JUnit XML, too, as CI servers read it"
    )
    output = command.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true")
    output.add_argument(
        "--format",
        choices=("github",),
        help="annotate scenes that fail on GitHub, and write all failures into the summary of the step",
    )


def add_review_options(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Find the scenes that differ from their expectations, and open the viewer on them one after the other, "
        "with what is expected and what was found. Accept (A) writes the exact answers into the file, as check "
        "--update does; reject (R) and skip (S) leave the file, and its check goes on to fail; Ctrl+Z takes a "
        "decision back. Exit status: 0 where nothing differs or all was accepted, 1 where some scenes still "
        "differ, 2 for a file that cannot be evaluated or written. Nothing is accepted where CI is set."
    )
    command.add_argument("paths", nargs="+", metavar="PATH", help="scene files and folders")
    group = command.add_mutually_exclusive_group()
    group.add_argument("--list", action="store_true", help="only print what differs, as `check` does")
    group.add_argument("--accept", action="store_true", help="accept all without a window")
    group.add_argument("--reject", action="store_true", help="reject all without a window: the files stay")


def add_step_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("a step of a method")
    group.add_argument(
        "--step",
        type=step,
        metavar="N",
        help="draw the values after this step of a method, and its line of source: "
        "from 1, from the end if negative, or decision or wrong-line (the line that makes the answer wrong)",
    )
    group.add_argument("--probe", metavar="P", help="what the method tests")
    group.add_argument("--primitive", metavar="Q", help="what it is tested against")
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
    """Add the option that lets TARGETs decide the pairs of scenes."""
    command.add_argument(
        "--method",
        action="append",
        default=[],
        type=target_of_pair,
        metavar="PAIR=TARGET",
        help=f"let TARGET decide the pairs of two types (repeatable); TARGET is {TARGET_HELP}",
    )


def _add_explained_method(command: argparse._ActionsContainer) -> None:
    """Add the options of the method that is stepped through."""
    command.add_argument(
        "--method",
        metavar="TARGET",
        help="NAME[,ARG=VALUE] of a method, or your own Python function: FILE.py:FUNCTION or MODULE:FUNCTION",
    )
    command.add_argument(
        "--float", choices=("f32", "f64"), help="the precision of the numbers that it is given (f64)"
    )


def add_explain_options(command: argparse.ArgumentParser) -> None:
    _add_explained_method(command)
    command.add_argument("--full", action="store_true", help="list the statements of helper functions, too")
    command.add_argument("--hex", action="store_true", help="show the bits of floats")
    command.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page that steps offline, instead of the listing"
    )
    command.add_argument("--json", action="store_true")


def add_map_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--handle", required=True, metavar="PROBE.END", help="such as cut.end, ray.direction or tri.vertices[0]"
    )
    command.add_argument(
        "--method", action="append", default=[], metavar="TARGET", help=f"what decides (repeatable): {TARGET_HELP}"
    )
    command.add_argument("--other", metavar="Q", help="only the pairs with this one; with all unless given")
    command.add_argument("--size", type=map_size, default=256, metavar="N", help="positions a row (256)")
    command.add_argument(
        "--scale", type=positive_number, metavar="UNITS", help="scene units a pixel (the camera's picture)"
    )
    command.add_argument(
        "--show",
        choices=("agreement", "verdict", "differences", "t", "feature", "line"),
        default="agreement",
        help="what the colours are: agreement with exact, hit or miss, where the methods differ, the error of t, "
        "the feature or axis that decides (exactly), the line of a method's source that decides",
    )
    command.add_argument("-o", "--output", type=Path, metavar="FILE.png")
    command.add_argument("--json", action="store_true", help="print the counts, and where each pixel is")
    add_target_options(command)


def map_size(text: str) -> int:
    from hitscope.maps.plane import LARGEST_MAP

    return count_up_to(LARGEST_MAP)(text)


def add_judge_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("target", nargs="?", metavar="TARGET", help=TARGET_HELP)
    command.add_argument("--pair", metavar="PAIR", help="PROBE_PRIMITIVE, e.g. segment_aabb")
    command.add_argument(
        "--new",
        metavar="LANG",
        help="write the skeleton of a TARGET for PAIR, to standard output or a new file -o FILE: "
        "c, cpp, rust, csharp, javascript, glsl or python",
    )
    command.add_argument(
        "--builtin", action="store_true", help="judge every method of the catalogue, or of --pair"
    )
    command.add_argument(
        "--cases", type=positive, metavar="N", help="number of cases of each generator (1000; with --builtin 200)"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the first case; the next ones follow (0)"
    )
    command.add_argument(
        "--generator", action="append", metavar="G", help="only this generator of cases (repeatable)"
    )
    command.add_argument(
        "--cases-from",
        action="append",
        type=Path,
        metavar="FILE",
        help="judge your own cases, too (repeatable): of a log of calls, a scene or a folder of scenes; "
        "--generator cases judges them alone",
    )
    _add_t_tolerance(command)
    command.add_argument("-j", "--jobs", type=positive, metavar="N", help="number of processes (the cores)")
    command.add_argument("--dask", metavar="ADDRESS", help="judge on the workers of this Dask scheduler")
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="shrink the pairs that fail, and save them as scenes in place of those of earlier runs of TARGET",
    )
    command.add_argument(
        "--as",
        dest="framework",
        metavar="FRAMEWORK",
        help="write the pairs that fail as tests, beside the scenes or to standard output: "
        "pytest, gtest, catch2, rust, nunit or vitest",
    )
    command.add_argument(
        "--mesh",
        type=Path,
        metavar="FILE",
        help="shoot rays from inside a closed mesh (OBJ, PLY, STL, glTF) at its faces, edges and vertices, and "
        "count those that leak: --cases N of each aim (250000)",
    )
    command.add_argument(
        "--fix",
        action="store_true",
        help="look for the wrong line of a function in Python, C or C++, and for the change that makes it right, "
        "which new cases prove",
    )
    command.add_argument(
        "--write",
        action="store_true",
        help="with --fix: make the first of the changes in the file, which is kept as NAME.bak",
    )
    command.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="list apart what this file knows; only new or worse differences make the exit status 1",
    )
    command.add_argument(
        "--update", action="store_true", help="write the differences that are found into that file; not in CI"
    )
    command.add_argument("--json", action="store_true")
    add_target_options(command)


def _add_t_tolerance(command: argparse.ArgumentParser) -> None:
    words = "ulps, and units along the probe, by which a t may be off (8,0)"
    command.add_argument("--t-tolerance", type=two_numbers, metavar="ULPS[,ABS]", help=words)


def add_collect_options(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Judge the calls that a program logged with an exporter, a file that --new writes and that says how it is "
        "used, and keep the wrong ones as scenes. Calls are judged in the precision that they were logged in, or "
        "in that of --float where their numbers have it."
    )
    command.add_argument(
        "logs", nargs="*", type=Path, metavar="LOG", help="what a program with an exporter logged"
    )
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="save the worst wrong call of each kind as a scene; with --new, the new file (standard output)",
    )
    command.add_argument(
        "--new",
        choices=("c", "rust", "csharp", "python", "cmake"),
        metavar="LANG",
        help="write the exporter, with which a program logs its calls: c (and C++), rust, csharp or python; "
        "or cmake, a function that makes ctest judge",
    )
    command.add_argument(
        "--shrink",
        action="append",
        default=[],
        type=target_of_pair,
        metavar="PAIR=TARGET",
        help="make the calls of a pair simpler that TARGET, the code that was called, gets wrong as they are, too "
        "(repeatable): a log alone has no answer to another call",
    )
    _add_t_tolerance(command)
    command.add_argument("--json", action="store_true")
    add_target_options(command)


def size(text: str) -> tuple[int, int]:
    """Return the width and height that WxH says."""
    width, _, height = text.lower().partition("x")
    if not (is_count(width, LARGEST_PICTURE) and is_count(height, LARGEST_PICTURE)):
        raise argparse.ArgumentTypeError(
            f"expected WxH in pixels up to {LARGEST_PICTURE}, e.g. 1280x800, found {text!r}"
        )
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
    """Return a finite number above 0."""
    value = number(text)
    if not value:
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
