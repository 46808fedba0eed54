"""The table of functions that are judged, and the results of a run."""

import shlex
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from hitscope.scene.model import Boundary
from hitscope.targets.judging.rules import Rules
from hitscope.targets.options import target_specs
from hitscope.targets.target import REALS, TargetSpec

TABLE = "functions.json"
RESULTS = "results.json"
FOLDER = Path(__file__).parent
OWN_RANGE = ("engine",)
OWN_SHARE = 16
"""How many times as many cases are drawn of these."""
BOUNDARY = ("faces", "edges", "vertices", "in_plane", "parallel", "nearly_touching")
"""The generators of pairs that touch, nearly touch, or are parallel."""


class Project(Struct, frozen=True, forbid_unknown_fields=True):
    """A project, whose checkout is the folder of its name."""

    source: str
    """The address of a file of that commit, with {} for its path and line."""
    commit: str
    float: str
    flags: str = ""
    """Flags of the compiler, with {} for the checkout."""


class Function(Struct, frozen=True, forbid_unknown_fields=True):
    """A function of a project, and how it is judged."""

    project: str
    name: str
    source: str
    """The path in the checkout and the line, e.g. "src/rmodels.c#L4199"."""
    adapter: str
    """A file of `adapters` and its function, e.g. "raylib.c:ray_box"."""
    pair: str
    says: str
    """The conventions that the function documents, and how the adapter takes them, in a sentence."""
    boundary: Boundary = "either"
    slack: float = 4.0
    require: tuple[str, ...] = ()
    float: str = ""
    """Its precision where that is not the project's."""
    cause: str = "rounding"
    """The cause of its errors, in a word or two."""

    @property
    def key(self) -> str:
        """Its name in results and files."""
        file, _, function = self.adapter.partition(":")
        return f"{Path(file).stem}-{function}"

    @property
    def documented(self) -> Rules:
        """The rules that are fair to it: of its documentation, without what a few roundings decide."""
        return Rules(self.boundary, self.slack, require=("non-degenerate", *self.require))

    @property
    def strict(self) -> Rules:
        """The rules without any tolerance."""
        return self.documented._replace(boundary="open" if self.boundary == "open" else "closed", slack=0.0)

    def file(self, engines: Path) -> Path:
        """Return its source in a folder of checkouts."""
        return engines / self.project / self.source.partition("#")[0]

    def precision(self, project: Project) -> str:
        """Return the precision of its numbers, f32 or f64."""
        return self.float or project.float

    def target(self, project: Project, engines: Path, home: Path = FOLDER) -> TargetSpec:
        """Return the adapter as a target that is compiled with, or imports, the checkout."""
        file, _, function = self.adapter.partition(":")
        checkout, path = engines.resolve() / self.project, home / "adapters" / file
        if path.suffix == ".mjs":
            text, flags = "exec:" + shlex.join(["node", str(path), str(checkout), function]), []
        else:
            text, flags = f"{path}:{function}", [project.flags.replace("{}", str(checkout))]
        (spec,) = target_specs(text, self.pair, real=REALS[self.precision(project)], flags=flags)
        return spec

    def fingerprint(self, project: Project, engines: Path, cases: int, home: Path = FOLDER) -> str:
        """Return what changes with everything that its result follows from."""
        precision = self.precision(project)
        known = self.pair, self.documented, precision, project.flags, cases, OWN_RANGE, OWN_SHARE, BOUNDARY
        adapters = sorted(
            [home / "adapters" / self.adapter.partition(":")[0], *(home / "adapters").glob("cases.*")]
        )
        content = b"".join(file.read_bytes() for file in (*adapters, self.file(engines)))
        return sha256(repr(known).encode() + content).hexdigest()[:16]


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """The projects by name, and their functions."""

    projects: dict[str, Project]
    functions: tuple[Function, ...]


class Counts(Struct, frozen=True):
    """The sums over some generators."""

    cases: int
    left_out: int
    wrong_hits: int
    wrong_misses: int
    crashes: int
    worst_ulps: float
    worst_units: float
    t_99_ulps: float | None
    """The bound of 99 of 100 errors of t; None where it gives no t."""
    t_worst_ulps: float

    @property
    def judged(self) -> int:
        """The cases that are either right or wrong."""
        return self.cases - self.left_out

    def per_million(self, count: int) -> float:
        """Return how many of a million judged cases a count of them is."""
        return count * 1e6 / self.judged if self.judged else 0.0


class Result(Struct, frozen=True):
    """The findings of a run on one function."""

    fingerprint: str
    documented: tuple[Counts, Counts]
    """In the engine's own range and at the boundary, under the rules that are fair to it."""
    strict: tuple[Counts, Counts]
    compiler: str = ""
    has_scene: bool = False

    @property
    def rank(self) -> tuple[float, ...]:
        """The numbers that the page is sorted by, the worst ones the largest: all wrong verdicts per million."""
        return tuple(
            counts.per_million(counts.wrong_hits + counts.wrong_misses + counts.crashes)
            for counts in (*self.documented, *self.strict)
        )


def read_table(home: Path = FOLDER) -> Table:
    """Read the table; raises msgspec.ValidationError."""
    return msgspec.json.decode((home / TABLE).read_bytes(), type=Table)


def read_results(path: Path) -> dict[str, Result]:
    """Read results by the keys of their functions; none where there is no file."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Result]) if path.is_file() else {}


def write_results(path: Path, results: dict[str, Result]) -> None:
    """Write results, in the order of their keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(results.items()))), indent=1) + b"\n")
