"""One linear probe against many boxes in compiled code: the same verdicts as pair by pair without rounding."""

import subprocess
import sys

import cases
import numpy as np
import pytest

from hitscope.geometry import exact
from hitscope.geometry.exact import boxes as boxes_module
from hitscope.geometry.exact.boxes import Boxes
from hitscope.geometry.exact.kernels import UNSURE, filter_boxes
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment, Triangle

LINEAR = ("segment", "ray", "line")


def assert_as_pair_by_pair(probe, boxes):
    found = Boxes(boxes).hit_by(probe)
    assert found.tolist() == [exact.meet(probe, box) for box in boxes]


@pytest.mark.parametrize("kind", (*LINEAR, "triangle"))
def test_hard_cases(kind):
    for seed in range(150):
        probe, box = cases.pair(f"{kind}_aabb", seed)
        others = [cases.pair(f"{kind}_aabb", 10_000 + 20 * seed + k)[1] for k in range(20)]
        assert_as_pair_by_pair(probe, [box, *others])


def grid(size):
    """Give the unit boxes of an integer grid."""
    cells = [(float(x), float(y), float(z)) for x in range(size) for y in range(size) for z in range(size)]
    return [Aabb((x, y, z), (x + 1, y + 1, z + 1)) for x, y, z in cells]


@pytest.mark.parametrize(
    "probe",
    [
        Segment((0.0, 0.0, 3.0), (7.0, 7.0, 3.0)),
        Segment((0.0, 3.0, 3.0), (7.0, 3.0, 3.0)),
        Segment((7.0, 0.0, 1.0), (0.0, 7.0, 6.0)),
        Segment((3.0, 3.0, 3.0), (3.0, 3.0, 3.0)),
        Ray((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
        Ray((6.0, 3.0, 3.0), (-2.0, 0.0, 0.0)),
        Line((0.0, 7.0, 3.5), (1.0, -1.0, 0.0)),
        Line((3.0, 3.0, 3.0), (0.0, 0.0, 0.0)),
        Triangle((0.0, 0.0, 3.0), (7.0, 0.0, 3.0), (0.0, 7.0, 3.0)),
        Triangle((0.0, 0.0, 0.0), (7.0, 0.0, 7.0), (0.0, 7.0, 3.5)),
        Triangle((0.0, 0.0, 0.0), (3.5, 3.5, 3.5), (7.0, 7.0, 7.0)),
        Triangle((1.0, 2.0, 3.0), (1.0, 2.0, 3.0), (1.0, 2.0, 3.0)),
    ],
)
def test_along_the_faces_and_edges_of_a_grid(probe):
    assert_as_pair_by_pair(probe, grid(7))


def test_a_grid_is_settled_without_fractions(monkeypatch):
    monkeypatch.setattr(boxes_module, "meet", None)
    assert Boxes(grid(7)).hit_by(Segment((0.0, 0.0, 0.0), (7.0, 7.0, 7.0))).sum() == 7 + 6 * 6
    # A triangle in the plane z = 3 touches the boxes below and above it.
    assert Boxes(grid(7)).hit_by(Triangle((0.0, 0.0, 3.0), (7.0, 0.0, 3.0), (0.0, 7.0, 3.0))).sum() == 2 * (
        49 - 15
    )


@pytest.mark.parametrize("exponent", [-1074, -600, -300, 300, 600, 1020])
@pytest.mark.parametrize("kind", LINEAR)
def test_touching_at_any_magnitude(kind, exponent):
    unit = 2.0**exponent
    boxes = [Aabb(tuple(unit * n for n in box.lo), tuple(unit * n for n in box.hi)) for box in grid(3)]
    start, along = (0.0, 3 * unit, unit), (3 * unit, -3 * unit, 0.0)
    end = tuple(a + b for a, b in zip(start, along, strict=True))
    probe = {"segment": Segment(start, end), "ray": Ray(start, along), "line": Line(start, along)}[kind]
    assert_as_pair_by_pair(probe, boxes)
    assert Boxes(boxes).hit_by(probe).any()


def test_the_filter_alone_is_never_wrong_and_mostly_sure():
    random = np.random.default_rng(1)
    center, half = random.uniform(-1, 1, (5000, 3)), random.uniform(0, 0.2, (5000, 3))
    bounds = np.stack([center - half, center + half], axis=1)
    boxes = [Aabb(tuple(lo), tuple(hi)) for lo, hi in bounds]
    probe = Segment((-1.0, -0.9, -0.8), (1.0, 0.9, 0.7))
    seen = []

    def watched(verdicts, *rest):
        filter_boxes(verdicts, *rest)
        seen.append(verdicts.copy())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hitscope.geometry.exact.kernels.filter_boxes", watched)
        found = Boxes(bounds).hit_by(probe)
    (verdicts,) = seen
    assert not (verdicts == UNSURE).any()
    assert found.tolist() == verdicts.astype(bool).tolist() == [exact.meet(probe, box) for box in boxes]
    assert 10 < found.sum() < 1000


def test_without_a_folder_to_keep_compiled_code_in():
    code = (
        "from numba.core import caching; caching.CompileResultCacheImpl._locator_classes = [];"
        "import numpy; from hitscope import Segment; from hitscope.geometry.exact.boxes import Boxes;"
        "boxes = Boxes(numpy.array([[[0, 0, 0], [1, 1, 1]], [[2, 0, 0], [3, 1, 1]]]));"
        "print(boxes.hit_by(Segment((0.5, 0.5, -1.0), (0.5, 1.5, 1.0))).tolist())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("[True, False]\n", "")
