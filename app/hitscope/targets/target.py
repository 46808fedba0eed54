"""A target, and its answers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.targets.case_arrays import CaseArrays
from hitscope.targets.cases import Cases, Reals, case_width

HIT, MISS, OUTSIDE, FAILED, NOT_CALLED = 1, 0, -1, -2, -3
"""The verdicts of a target: outside its contract, crashed or hung, and not called at all."""
OWN_CODE = "your own code"
"""The source of a method that is a target."""
MOST_CRASHES, MOST_HANGS = 100, 3
"""The failures of a generator after which the rest of its cases is not called."""


FLOATS = {"float64": "f64", "float32": "f32"}
REALS = {"f64": "float64", "f32": "float32"}
"""The precisions of cases, as `--float` names them."""


class Failure(NamedTuple):
    """A call that ended without a verdict."""

    hung: bool
    words: str
    """The event, in one line."""


class Answers(NamedTuple):
    """A target's answers to n cases."""

    hit: NDArray[np.int8]
    """(n,): HIT, MISS, OUTSIDE, FAILED or NOT_CALLED."""
    t_enter: Reals
    """(n,), in the precision of the cases; NaN where there is none."""
    normal: Reals | None = None
    """(n, 3), NaN where there is none; None if the target has no normals."""
    failures: Mapping[int, Failure] = {}
    """By the index of the case."""
    seconds: float = 0.0
    """The time spent in the target's code."""


class OpenTarget(Protocol):
    """A user's test or a method of the catalogue, ready to be called; it restarts its process after a failure."""

    about: str
    """The name that a report gives beside the target, e.g. the GL driver that it ran on; "" for nothing."""

    files: Sequence[str]
    """The absolute paths of the files that it was made of, beside the one that its text names."""

    def answer(self, cases: Cases, *, most_crashes: int = MOST_CRASHES, most_hangs: int = MOST_HANGS) -> Answers:
        """Call it on every case, in order; what follows so many failures is NOT_CALLED.

        Raises HitscopeError if it fails and cannot be started again.
        """


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
    """f32 or f64."""
    boundary: str = ""
    slack: float | None = None
    generators: tuple[str, ...] = ()
    require: tuple[str, ...] = ()

    @property
    def given(self) -> str:
        """The TARGET as the user named it."""
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
    """The file with the variants of its source that are called in its place, each on cases of its own.

    The last number of a case is then that of its variant. See `runners.variants`.
    """

    @property
    def width(self) -> int:
        """The count of numbers of a case."""
        return case_width(self.pair) + bool(self.variants)

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


class Runner(Protocol):
    """In a target's process: calls code of one kind."""

    notes_index: bool
    """Whether `run` writes the index of each case into `progress` before it calls the code on it, and the answer
    before the next index."""

    has_normals: bool
    """Whether it writes normals."""

    about: str
    """The name that the report gives beside the target, e.g. the GL driver that it ran on; "" for nothing."""

    files: Sequence[str]
    """The absolute paths of the files that it was made of, beside the one that its text names."""

    def run(self, arrays: CaseArrays) -> dict[int, str]:
        """Call the code on the cases `numbers` (n, k), and fill `hit` (n,), `t_enter` (n,) and `normal` (n, 3).

        `hit` gets HIT, MISS or OUTSIDE; it is UNWRITTEN before, and the last two are NaN. `progress` has one
        element. Returns the failures of calls without a verdict, each in one line, by index. Raises CallFailed
        where the cases are called together and the case at fault is not known; it can be called again afterwards.
        """
