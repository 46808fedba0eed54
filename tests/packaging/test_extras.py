"""The packages that are installed on request: what works without them, and what a command says that needs one."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement

import hitscope
from hitscope.extras import EXTRAS, package_of
from hitscope.geometry.exact import meet
from hitscope.geometry.shapes import Aabb, Segment
from hitscope.resources import SCENES

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
APP = Path(hitscope.__file__).parents[1]
SCENE = str(SCENES / "segment-aabb-irlan" / "houses.scene.json")
PAIR = ("--probe", "upper", "--primitive", "c4")
PEERS = {"coal", "embreex", "fcl", "open3d", "point_cloud_utils", "pyrr", "rtree", "trimesh", "warp"}
"""What `hitscope bench` measures where it is installed."""
EACH = """
import json, sys
from hitscope.cli import main
for command in json.loads(sys.argv[1]):
    status = main(command)
    print(f"\\n=== {status}", flush=True)
    print("===", file=sys.stderr, flush=True)
"""

Python = Callable[..., "subprocess.CompletedProcess[str]"]


def named(requirements: Sequence[str]) -> set[str]:
    return {Requirement(text).name for text in requirements}


def brought_by(extra: str) -> set[str]:
    """The distributions that an extra of this project brings, those of the extras that it names included."""
    found = set()
    for text in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(text)
        found |= {requirement.name}.union(*map(brought_by, requirement.extras))
    return found


@pytest.fixture(scope="module")
def slim(tmp_path_factory: pytest.TempPathFactory, link_packages: Callable[[str, Path], None]) -> Python:
    """A function that runs code where the dependencies are installed, and no extra."""
    folder = tmp_path_factory.mktemp("slim")
    link_packages("hitscope", folder)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (folder, APP)))}
    # Processes that it starts must not find what is installed for these tests either.
    python = Path(sys.executable).resolve()

    def run(code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [python, "-S", "-c", code, *arguments],
            check=True,
            cwd=tmp_path_factory.mktemp("here"),
            env=environment,
            capture_output=True,
            text=True,
        )

    return run


def run_each(slim: Python, commands: Sequence[Sequence[str]]) -> list[tuple[int, str]]:
    """The exit status and standard error of each command, run one after the other."""
    done = slim(EACH, json.dumps(commands))
    statuses = [int(line[4:]) for line in done.stdout.splitlines() if line.startswith("=== ")]
    return list(zip(statuses, done.stderr.split("===\n")[:-1], strict=True))


def test_the_dependencies_are_those_of_a_check() -> None:
    assert named(PROJECT["dependencies"]) == {"msgspec", "numpy", "rich"}


def test_commands_of_a_check_run_without_any_extra(slim: Python, tmp_path: Path) -> None:
    target = tmp_path / "mine.py"
    target.write_text("def hit(segment, box):\n    return True\n", encoding="utf-8")
    commands = [
        ["check", str(SCENES)],
        ["check", str(SCENES / "segment-aabb-irlan"), "--method", "segment_aabb=exact", "--json"],
        ["eval", SCENE, "--all-methods"],
        ["eval", SCENE, "--method", f"segment_aabb={target}:hit"],
        ["explain", SCENE, *PAIR, "--float", "f32"],
        ["explain", SCENE, *PAIR, "--method", f"{target}:hit", "--html", str(tmp_path / "why.html")],
        ["methods"],
        ["schema"],
        ["judge", "slab_division_free", "--pair", "segment_aabb", "--cases", "9", "--generator", "uniform"],
    ]
    assert run_each(slim, commands) == [(0, "")] * len(commands)
    assert (tmp_path / "why.html").exists()


def test_a_command_that_needs_more_names_the_extra_that_brings_it_in_one_line(
    slim: Python, tmp_path: Path
) -> None:
    recording = str(Path(__file__).parents[2] / "assets" / "drag.recording")
    shader, mesh, test = tmp_path / "mine.glsl", tmp_path / "mesh.obj", tmp_path / "mine.py"
    shader.write_text("bool hit(vec3 a, vec3 b, vec3 lo, vec3 hi, inout float t) { return true; }\n")
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    test.write_text("def hit(ray, triangle):\n    return True\n")
    commands = {
        "viewer": [
            [],
            ["open", SCENE],
            ["open", "--play", recording],
            ["open", "--play", recording, "-o", "a.png"],
            ["render", SCENE, "-o", "a.png"],
            ["render", SCENE, "-o", "a.mp4"],
            ["check", SCENE, "--method", f"segment_aabb={shader}:hit", "--float", "f32"],
        ],
        "dask": [["judge", "smits", "--pair", "segment_aabb", "--dask", "tcp://127.0.0.1:9"]],
        "compiled": [["judge", f"{test}:hit", "--pair", "ray_triangle", "--mesh", str(mesh)]],
        "bench": [["bench", "--quick", "--plot", "a.png"]],
    }
    expected = [f"pip install 'hitscope[{extra}]'\n" for extra, group in commands.items() for _ in group]
    found = run_each(slim, [command for group in commands.values() for command in group])
    assert [status for status, _ in found] == [2] * len(found)
    assert [error.partition("found none: ")[2] for _, error in found] == expected
    assert all(error.startswith("expected the package ") and error.count("\n") == 1 for _, error in found)


def test_many_pairs_have_the_same_verdicts_without_a_compiler_which_is_noted_once(
    slim: Python, tmp_path: Path
) -> None:
    code = """
import sys
import numpy as np
import hitscope
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.group import Group, Thresholds
from hitscope.geometry.registry import choose
from hitscope.geometry.shapes import Aabb, Segment
numbers = np.load(sys.argv[1])
probes, boxes = Shapes(Segment, numbers["segments"]), Shapes(Aabb, numbers["boxes"])
found = []
for method in ("exact", "slab_ericson"):
    chosen = choose("segment_aabb", method)
    group = Group(boxes, Thresholds(1, 1, 1, 1, 1, 1))
    group.prepare(chosen, Segment)
    assert group.ready(chosen, Segment)
    found += [np.unpackbits(group.bits(chosen, probes), axis=1, count=len(boxes), bitorder="little").astype(bool)]
    assert (group.tally(chosen, probes).primitives == found[-1].any(0)).all()
    assert group.closest(chosen, probes) is None
many = 100_000 // len(boxes)
tiled = (Shapes(part.kind, np.ascontiguousarray(np.tile(part.rows, many))) for part in (probes, boxes))
found += [hitscope.hits(*tiled).reshape(many, -1)]
np.savez(sys.argv[2], *found)
assert "numba" not in sys.modules
"""
    rng = np.random.default_rng(0)
    low = rng.integers(-3, 3, (3, 100)).astype(float)
    numbers = {"segments": rng.integers(-4, 4, (6, 100)).astype(float), "boxes": np.vstack([low, low + 1])}
    segments = [Segment(tuple(row[:3]), tuple(row[3:])) for row in numbers["segments"].T.tolist()]
    boxes = [Aabb(tuple(row[:3]), tuple(row[3:])) for row in numbers["boxes"].T.tolist()]
    verdicts = np.array([[meet(segment, box) for box in boxes] for segment in segments])
    assert verdicts.any() and not verdicts.all()
    np.savez(given := tmp_path / "given.npz", **numbers)
    done = slim(code, str(given), str(tmp_path / "found.npz"))
    assert done.stderr.count("pip install 'hitscope[compiled]'") == done.stderr.count("\n") == 1
    exact, method, of_pairs = np.load(tmp_path / "found.npz").values()
    np.testing.assert_array_equal(exact, verdicts)
    np.testing.assert_array_equal(method, verdicts)
    np.testing.assert_array_equal(of_pairs, np.broadcast_to(np.diagonal(verdicts), of_pairs.shape))


def test_a_folder_of_the_user_is_one_that_is_named_or_none_without_platformdirs(slim: Python) -> None:
    """Where there is none, the callers go on: a library of C is compiled in every run."""
    code = """
import os
from hitscope.errors import HitscopeError
from hitscope.folders import cache_folder
os.environ["HITSCOPE_CACHE_DIR"] = "here"
print(cache_folder())
del os.environ["HITSCOPE_CACHE_DIR"]
try:
    cache_folder()
except HitscopeError as error:
    print(error)
"""
    named, missing = slim(code).stdout.splitlines()
    assert named == "here"
    assert missing.startswith("expected the package platformdirs ")


def test_every_import_is_of_a_dependency_or_of_a_package_that_an_extra_brings() -> None:
    """A missing package is then one line that names the extra, and the extra does bring it."""
    known = {module for extra in EXTRAS.values() for module in extra.modules}
    for extra, (_, modules) in EXTRAS.items():
        assert set(map(package_of, modules)) <= brought_by(extra)
    everything = (
        sys.stdlib_module_names | named(PROJECT["dependencies"]) | known | {"_typeshed", "hitscope", "benchmarks"}
    )
    for file in [*(APP / "hitscope").rglob("*.py"), *(APP.parent / "benchmarks").rglob("*.py")]:
        # The plugin is imported by pytest alone.
        inside = {"benchmarks": PEERS, "pytest_plugin.py": {"pytest"}}
        allowed = everything | inside.get(file.parent.name, set()) | inside.get(file.name, set())
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed, f"{file}:{node.lineno}"
