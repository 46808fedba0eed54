"""Code as users write it: type checkers agree with what runs, and it is checked under `python -O`, too."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

RIGHT = """
from fractions import Fraction

import numpy as np

import hitscope
from hitscope import Aabb, Mesh, Obb, Plane, Point, Polyhedron, Ray, Segment, Shapes, Tree, Triangle

ray = Ray([0, 0, 0], np.array([1.0, 0, 0]))
segment = Segment((0, 0, 0), np.zeros(3, np.float32))
turned = Obb([0, 0, 0], [1, 1, 1], np.eye(3))
other = Obb([0, 0, 0], (1, 1, 1), [[1, 0, 0], (0, 1, 0), np.array([0, 0, 1])])
plane = Plane(np.array([0, 0, 1]), np.float32(2))
wedge = Polyhedron(planes=[((1, 0, 0), 1), Plane([0, 1, 0], 2)])
hull = Polyhedron(vertices=np.eye(3))
triangle = Triangle(*np.eye(3))
point = Point([Fraction(1, 3), 0, np.float32(1)])
box = Aabb(lo=[0, 0, 0], hi=[1, 1, 1])
x: float = ray.origin[0]
row: tuple[float, float, float] = turned.axes[1]
t: float | None = hitscope.intersect(ray, box).t_enter
made = hitscope.scene({"box": box, "boxes": [box, box]}, [ray], expect=[{"probe": "ray-0", "hits": ["box"]}])
mesh = Mesh(np.eye(3), [[0, 1, 2]])
element, ts, points, normals = mesh.closest([0, 0, 0], (1, 1, 1))
both = hitscope.scene([box, mesh], [Shapes.from_fields(Ray, np.zeros((2, 3)), np.ones((2, 3)))])
tree = Tree(Shapes.of([box, box]))
names: list[str] = [row["primitive"] for row in hitscope.evaluate(made).rows()]
hits = hitscope.hits([ray, segment], [box, plane])
"""
WRONG = {
    'Ray("abc", [1, 0, 0])': "Ray: origin: expected an array",
    "Ray([0, 0, 0])": "Ray: direction: expected a value, found none",
    "Ray([0, 0, 0], 1)": "Ray: direction: expected an array",
    "Ray([0, 0, None], [0, 0, 1])": "Ray: origin[2]: expected a number",
    "Plane([0, 0, 1], [1])": "Plane: offset: expected a number",
    "Aabb([0, 0, 0], high=[1, 1, 1])": "Aabb: high: expected a field (lo, hi)",
    "hitscope.scene([3])": "scene: primitives[0]: expected a primitive",
    "hitscope.save(3, 'x.json')": "save: scene: expected a Scene",
    "hitscope.evaluate('x.json')": "evaluate: scene: expected a Scene",
}
"""What is wrong for type checkers and when it runs."""
WRONG_NUMBERS = {
    "Aabb([0, 0, 0], [1, -1, 1])": "Aabb: hi[1]: expected a number >= lo[1] = 0, found -1",
    "Ray([0, 0, float('nan')], [0, 0, 1])": "Ray: origin[2]: expected a finite number, found nan",
    "Shapes.from_fields(Ray, [(0, 0, 0)])": "Shapes.from_fields(Ray): expected 2 fields",
    "Shapes(Ray, np.zeros((3, 3)))": "Shapes: rows: expected a C-contiguous array",
    "Tree(Shapes.of([ray]))": "Tree: shapes: expected Shapes of Aabb or Obb or Triangle or Sphere or Capsule",
    "tree.closest(Shapes.of([box]))": "Tree: probes: expected Shapes of Segment or Ray, found Shapes of Aabb",
    "hitscope.intersect(box, ray)": "intersect: primitive: expected a primitive",
    "hitscope.explain(box, ray)": "explain: primitive: expected a primitive",
    "hitscope.hits([box], [ray])": "hits: primitives[0]: expected a primitive",
    "Mesh(np.eye(3), [(0, 1, 3)])": "Mesh: faces[0][2]: expected the index of one of 3 vertices",
    "mesh.closest([0, 0], [1, 0, 0])": "Mesh.closest: origins: expected an array of numbers",
    "hitscope.render(made, (0, 1))": "a picture is 1 to",
    "hitscope.judge(len, 'ray_box')": "judge: expected a pair",
}
"""What is wrong when it runs."""


def test_mypy_agrees_with_what_runs(tmp_path: Path) -> None:
    (tmp_path / "right.py").write_text(RIGHT)
    lines = [f"wrong_{k} = {text}" for k, text in enumerate(WRONG)]
    (tmp_path / "wrong.py").write_text("\n".join([RIGHT, *lines, ""]))
    command = ["-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"]
    done = subprocess.run(
        [sys.executable, *command, tmp_path / "right.py", tmp_path / "wrong.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"MYPYPATH": str(ROOT / "app"), "PYTHONPATH": str(ROOT / "app")},
    )
    found = {line.split(":")[1] for line in done.stdout.splitlines() if ": error: " in line}
    first = RIGHT.count("\n") + 1
    assert "right.py" not in done.stdout, done.stdout
    assert found == {str(first + k + 1) for k in range(len(WRONG))}, done.stdout


def test_nothing_is_checked_by_asserts_that_o_removes(tmp_path: Path) -> None:
    cases = {**WRONG, **WRONG_NUMBERS}
    (tmp_path / "user.py").write_text(
        f"""{RIGHT}
for text, message in {cases!r}.items():
    try:
        value = eval(text)
    except hitscope.HitscopeError as error:
        print("" if str(error).startswith(message) else f"{{text}}: {{error}}", end="")
    else:
        print(f"{{text}} is {{value}}")
"""
    )
    done = subprocess.run(
        [sys.executable, "-O", tmp_path / "user.py"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
