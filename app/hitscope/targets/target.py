"""A target, and its answers."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from traceback import walk_tb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError, escaped
from hitscope.targets import case_arrays, cases

C_ENDINGS = (".c",)
CPP_ENDINGS = (".cpp", ".cc", ".cxx")
LIBRARY_ENDINGS = (".so", ".dll", ".dylib")
COMMAND = "exec:"

KINDS = {
    **dict.fromkeys((*C_ENDINGS, *CPP_ENDINGS), "c_source"),
    **dict.fromkeys(LIBRARY_ENDINGS, "library"),
    ".glsl": "shader",
    ".py": "python_function",
}

_SINGLE_COLON = re.compile(r"(?<!:):(?!:)")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class TargetText(NamedTuple):
    kind: str
    """The name of the module of `runners` that calls it; of a Python function without --batch."""
    location: str
    """A file, a module of Python, a command, or a method of the catalogue with its arguments."""
    function: str = ""

    @property
    def file(self) -> Path:
        """The file of a source or of a module of Python; a module that is not found has none there."""
        if self.kind != "python_function" or self.location.endswith(".py"):
            return Path(self.location)
        module = Path(*self.location.split("."))
        names = f"{module}.py", module / "__init__.py"
        found = (Path(folder) / name for folder in ("", *sys.path) for name in names)
        return next(filter(Path.is_file, found), Path(f"{module}.py"))

    @classmethod
    def of(cls, text: str) -> "TargetText":
        """Split a text at its last single colon that is no drive's; without one it names a method."""
        if text.startswith(COMMAND):
            return cls("command", text.removeprefix(COMMAND))
        starts = [found.start() for found in _SINGLE_COLON.finditer(text)]
        colons = [start for start in starts if start != 1 or not _DRIVE.match(text)]
        if not colons:
            return cls("catalogue_method", text)
        location, function = text[: colons[-1]], text[colons[-1] + 1 :]
        return cls(KINDS.get(PurePath(location).suffix.lower(), "python_function"), location, function)


HIT, MISS, OUTSIDE, FAILED, NOT_CALLED = 1, 0, -1, -2, -3
"""The verdicts of a target: outside its contract, crashed or hung, and not called at all."""
OWN_CODE = "your own code"
"""The source of a method that is a target."""
MOST_CRASHES, MOST_HANGS = 100, 3
"""The failures of a generator after which the rest of its cases is not called."""


FLOATS = {"float64": "f64", "float32": "f32"}
REALS = {"f64": "float64", "f32": "float32"}
"""The precisions of cases, as `--float` names them."""
C_REALS = {"float32": "float", "float64": "double"}
"""The names of their numbers in C and languages like it."""


class Failure(NamedTuple):
    """A call that ended without a verdict."""

    hung: bool
    words: str
    """The event, in one line."""


class Answers(NamedTuple):
    """A target's answers to n cases."""

    hit: NDArray[np.int8]
    """(n,): HIT, MISS, OUTSIDE, FAILED or NOT_CALLED."""
    t_enter: cases.Reals
    """(n,), in the precision of the cases; NaN where there is none."""
    normal: cases.Reals | None = None
    """(n, 3), NaN where there is none; None if the target has no normals."""
    failures: Mapping[int, Failure] = {}
    seconds: float = 0.0
    """The time spent in the target's code."""


class Carried(NamedTuple):
    """The options that a target carries with it, in its file or in a `hitscope.toml`, in place of defaults."""

    text: str = ""
    """The TARGET, not a name of a `hitscope.toml`."""
    name: str = ""
    """Its name there, if the user named it by that."""
    file: str = ""
    """The absolute path of the `hitscope.toml` that says something of it."""
    folder: str = ""
    """The absolute folder that relative paths of its flags, and its command, are from; "" for the current one."""
    pair: str = ""
    flags: tuple[str, ...] = ()
    precision: str = ""
    """f32 or f64; empty for that of its kind."""
    boundary: str = ""
    slack: float | None = None
    generators: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    @property
    def given(self) -> str:
        return self.name or self.text


class TargetSpec(NamedTuple):
    """A TARGET with its options, as it can be sent to another process; `process.open_target` opens it there."""

    text: str
    """Its file and function, command or method, e.g. "mine.c:hit"."""
    pair: str
    real: str = "float64"
    """The precision of the cases: "float32" or "float64"."""
    flags: str = ""
    """The compiler's flags, for a source file."""
    batch: bool = False
    """A Python function takes arrays."""
    timeout: float = 10.0
    """Seconds without a finished case after which a call counts as hung."""
    carried: Carried = Carried()
    is_wide: bool = False
    """A source file in C or C++ is compiled with numbers of a wider type. See `runners.wide_source`."""
    variants: str = ""
    """The file of variants of its source to call; a case's last number is its variant. See `runners.variants`."""

    @property
    def code(self) -> TargetText:
        return TargetText.of(self.text)

    @property
    def width(self) -> int:
        return cases.case_width(self.pair) + bool(self.variants)

    @property
    def given(self) -> str:
        """The TARGET as the user named it: the text, or the name of a `hitscope.toml` that stands for it."""
        return self.carried.name or self.text

    @property
    def name(self) -> str:
        """The target's name in reports: as the user named it, and the flags that it does not carry."""
        return self.given if self.carried.flags == (self.flags,) else f"{self.given} {self.flags}".rstrip()

    @property
    def precision(self) -> str:
        """The precision as the command line and scenes name it: f32 or f64."""
        return FLOATS[self.real]


class Skip(Exception):  # noqa: N818 - a user's function says with it what is no error
    """Raised by a user's function for a pair outside its contract: it is neither a hit nor a miss.

    >>> import hitscope
    >>> def of_upright_planes(point, plane):
    ...     if plane.normal[2]:
    ...         raise hitscope.Skip
    ...     return hitscope.intersect(point, plane)
    >>> bool(hitscope.judge(of_upright_planes, "point_plane", cases=5, generator="uniform"))
    True
    """


class TargetFailed(HitscopeError):  # noqa: N818 - a result of a check, not an error of the user's input
    """A call on a pair of a scene that ended without a verdict."""

    def __init__(self, name: str, failure: Failure, index: int, pair: tuple[Any, Any]) -> None:
        """Take the target's name, what happened, and the pair with its index among those of the call."""
        super().__init__(f"{name} crashes on {pair[0]}, {pair[1]}: {failure.words}")
        self.name, self.failure, self.index = name, failure, index


class CallFailed(Exception):  # noqa: N818 - as Failure: a result of the judge's
    """A call on several cases that failed as a whole, in one line; calls on fewer find the one at fault."""


class Runner:
    """In a target's process: calls code of one kind."""

    notes_index = False
    """Whether `run` notes each case's index in `progress` before the call, and its answer before the next."""
    has_normals = False
    """Whether it writes normals."""
    about = ""
    """The name that the report gives beside the target, e.g. the GL driver that it ran on; "" for nothing."""
    files: Sequence[str] = ()
    """The absolute paths of the files that it was made of, beside the one that its text names."""

    def run(self, arrays: case_arrays.CaseArrays) -> dict[int, str]:
        """Call the code on the cases `numbers` (n, k), and fill `hit` (n,), `t_enter` (n,) and `normal` (n, 3).

        `hit` gets HIT, MISS or OUTSIDE; it is UNWRITTEN before, and the last two are NaN. `progress` has one
        element. Returns the failures of calls without a verdict, each in one line, by index. Raises CallFailed
        where the cases are called together and the case at fault is not known; it can be called again afterwards.
        """
        raise NotImplementedError


LONGEST = 200


def one_line(error: BaseException) -> str:
    """Describe an exception; its own text may raise another one, which is left out."""
    try:
        text = str(error)
    except BaseException:
        text = "an exception that cannot be shown"
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def with_line(error: BaseException, folder: Path) -> str:
    """Describe an exception in one line, with the last line of a file below a folder that was running."""
    lines = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    own = [f"{escaped(file.name)}:{line}" for file, line in lines if file.is_relative_to(folder)]
    return f"{one_line(error)} at {own[-1]}" if own else one_line(error)


def cut(text: str) -> str:
    """Return a text in one line, its end left out where it is long."""
    return escaped(" ".join(text[: 10 * LONGEST].split()))[:LONGEST]
