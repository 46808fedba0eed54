"""Contenders that are right, wrong, slow, broken or absent in a benchmark, and its C and NumPy kernels."""

from functools import partial

import numpy as np
import pytest

from benchmarks import native, numpy_tests, peers, workloads
from benchmarks.comparison import Contender, CostScaling, Figure, Row, compare, race
from hitscope.evaluate import intersect
from hitscope.geometry.shapes import Ray, Segment

VERDICTS = np.array([True, False, True, True])
COMPILER = native.compiler_version() is not None


def answering(answer):
    return lambda: lambda k: answer


def rows_of(*contenders):
    figure = compare("name", "title", "ns", 4, contenders, 0, yardsticks=("right",), limit=1e9)
    return figure, {row.contender: row for row in figure.rows}


def test_contenders_that_differ_are_counted_and_stop_the_goal_from_being_judged():
    _, rows = rows_of(
        Contender("right", answering(VERDICTS), judged=True), Contender("same", answering(VERDICTS.copy()))
    )
    assert rows["same"].differs == 0
    figure, rows = rows_of(
        Contender("right", answering(VERDICTS), judged=True), Contender("liar", answering(~VERDICTS))
    )
    # The answers of two rounds were compared.
    assert (rows["liar"].differs, rows["liar"].note) == (8, "8 verdicts differ")
    assert rows["liar"].value > 0
    assert (figure.agree, figure.holds) == (False, None)


def test_a_contender_of_a_part_of_the_work_is_compared_with_that_part():
    _, rows = rows_of(Contender("right", answering(VERDICTS)), Contender("part", answering(VERDICTS[:3]), work=3))
    assert (rows["part"].differs, rows["part"].work) == (0, 3)


@pytest.mark.parametrize(
    ("expected", "found", "note"),
    [
        (([3, -1, 5], [0.5, np.nan, 2.0]), ([4, -1, 5], [0.50001, np.inf, 2.0]), ""),
        (([3, -1, 5], [0.5, np.nan, 2.0]), ([4, -1, 5], [0.5, np.inf, 2.001]), "2 t differ"),
        (([3, -1, 5], [0.5, np.nan, 2.0]), ([3, 0, -1], [0.5, 1.0, np.inf]), "4 verdicts differ"),
    ],
)
def test_closest_hits_are_compared_by_verdict_and_by_t_as_float32_can_hold_it(expected, found, note):
    answers = [(np.array(indices), np.array(t)) for indices, t in (expected, found)]
    _, rows = rows_of(Contender("right", answering(answers[0])), Contender("other", answering(answers[1])))
    assert rows["other"].note == note


def test_bits_and_indices_are_compared_one_by_one():
    bits = np.array([[0b1011], [0]], dtype=np.uint8)
    _, rows = rows_of(Contender("right", answering(bits)), Contender("other", answering(bits ^ 0b110)))
    assert rows["other"].differs == 2 * 4
    indices = np.array([1, 5, 7])
    _, rows = rows_of(Contender("right", answering(indices)), Contender("other", answering(np.array([1, 7, 8]))))
    assert rows["other"].differs == 2 * 2


def test_a_contender_that_is_absent_or_fails_has_a_note_and_the_others_are_measured():
    def absent():
        raise ModuleNotFoundError("No module named 'peer'", name="peer")

    def breaks(k):
        raise RuntimeError("no such luck\nand more")

    figure, rows = rows_of(
        Contender("absent", absent),
        Contender("broken", lambda: breaks),
        Contender("right", answering(VERDICTS), judged=True),
    )
    assert (rows["absent"].value, rows["absent"].note) == (None, "peer is not installed")
    assert (rows["broken"].value, rows["broken"].note) == (None, "fails: no such luck")
    assert rows["right"].value > 0
    assert figure.holds is True


def test_contenders_take_turns_and_get_the_number_of_the_round():
    calls = []
    runs = {name: lambda k, name=name: calls.append((name, k)) for name in "ab"}
    times = race(runs, seconds=0)
    assert calls == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert [len(taken) for taken in times.values()] == [3, 3]


def figure(*values, **goal):
    rows = [Row(name, judged=name.startswith("our"), values=(value,)) for name, value in values]
    return Figure("", "", "ms", rows, yardsticks=("C", "C2"), **goal)


def test_the_best_of_ours_is_compared_with_the_fastest_yardstick():
    measured = figure(("ours", 30.0), ("our other", 22.0), ("C", 40.0), ("C2", 20.0), ("NumPy", 1.0))
    assert [measured.ratio(row) for row in measured.rows] == [1.5, 1.1, 2.0, 1.0, 0.05]
    for limit, holds in ((1.2, True), (1.05, False)):
        assert figure(("our", 22.0), ("C", 20.0), limit=limit).holds is holds
    for allowance, holds in ((3.0, True), (1.0, False)):
        assert figure(("our", 22.0), ("C", 20.0), allowance=allowance).holds is holds
    assert figure(("our", 22.0), limit=1.2).holds is None


def test_a_ratio_is_that_of_the_rounds_in_which_both_ran():
    slow = Row("our", judged=True, values=(30.0, 33.0, 36.0))
    # The machine was busy at first; the slow contender sat out when it no longer was.
    base = Row("C", judged=False, values=(20.0, 22.0, 24.0, 2.0, 2.0, 2.0, 2.0))
    measured = Figure("", "", "ns", [slow, base], yardsticks=("C",), limit=2)
    assert (slow.value, base.value) == (33.0, 2.0)
    assert measured.ratio(slow) == 1.5
    assert measured.holds is True


def test_growth_is_the_factor_for_ten_times_as_many():
    scaling = CostScaling("", "", "ns")
    for count, value in ((10**3, 5.0), (10**4, 45.0), (10**5, 500.0)):
        scaling.add(count, Figure("", "", "ns", [Row("all", judged=False, values=(value,))]))
    assert scaling.growth("all") == pytest.approx(10)


PAIRS = {
    "segment_aabb": (workloads.aabbs, workloads.segments(5)),
    "ray_aabb": (workloads.aabbs, workloads.incoherent_rays(5).shapes),
    "segment_obb": (workloads.obbs, workloads.segments(5)),
    "segment_triangle": (workloads.triangles, workloads.segments(5)),
    "triangle_aabb": (workloads.aabbs, workloads.large_triangles(3)),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_c_and_numpy_find_what_is_exact(pair):
    make, probes = PAIRS[pair]
    primitives = make(500)
    kernels = [numpy_tests.vectorized, numpy_tests.chunked]
    if COMPILER:
        kernels += [native.hits, partial(native.hits, threads=2)]
    met = 0
    for probe in probes:
        expected = [intersect(probe, primitive).hit for primitive in primitives]
        met += sum(expected)
        for kernel in kernels:
            assert kernel(pair, primitives)(probe).tolist() == expected
    assert met > 0


def test_without_a_compiler_the_rows_of_c_say_so(monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler --fast")
    monkeypatch.setattr(native, "library", native.library.__wrapped__)
    boxes = workloads.aabbs(10)
    _, rows = rows_of(Contender("C", partial(native.hits, "segment_aabb", boxes)))
    assert rows["C"].note == "no C compiler is installed (no-such-compiler --fast)"
    assert native.compiler_version() is None


@pytest.mark.skipif(not COMPILER, reason="the C kernel is what is tested")
@pytest.mark.parametrize("count", [1, 64, 100, 200])
def test_the_c_kernels_bits_are_its_verdicts(count):
    boxes, segments = workloads.aabbs(count), workloads.segments(7)
    expected = np.stack([native.hits("segment_aabb", boxes)(segment) for segment in segments])
    for threads in (1, 3):
        bits = native.bits(boxes, threads)(segments)
        assert bits.shape == (7, (count + 7) // 8)
        assert np.array_equal(np.unpackbits(bits, axis=1, count=count, bitorder="little"), expected)


@pytest.mark.parametrize("make", workloads.MESHES.values(), ids=workloads.MESHES)
def test_meshes_have_about_the_given_number_of_faces_and_only_float32_numbers(make):
    mesh = make(3000)
    assert 2700 <= len(mesh.faces) <= 3300
    assert mesh.faces.max() == len(mesh.vertices) - 1
    assert np.array_equal(mesh.vertices, mesh.vertices.astype(np.float32))
    again = make(3000)
    assert np.array_equal(mesh.vertices, again.vertices)


def test_boxes_as_triangles_are_closed_and_wind_outwards():
    boxes = workloads.aabbs(3)
    mesh = workloads.mesh_of(boxes)
    assert mesh.faces.shape == (36, 3)
    for k, box in enumerate(boxes):
        a, b, c = mesh.vertices[mesh.faces[12 * k : 12 * k + 12].T]
        normals = np.cross(b - a, c - a)
        center = (np.array(box.lo) + box.hi) / 2
        assert ((normals * (a - center)).sum(axis=1) > 0).all()
        assert np.allclose(normals.sum(axis=0), 0, atol=1e-12)


def test_rays_start_outside_and_the_camera_sees_the_mesh():
    for shoot in workloads.RAYS.values():
        rays = shoot(400)
        assert len(rays) == 400
        assert (abs(rays.origins) > 1).any(axis=1).all()
    mesh = workloads.asteroid(300)
    seen = [any(intersect(ray, face).hit for face in mesh.triangles) for ray in workloads.camera_rays(25).shapes]
    assert 5 < sum(seen) < 25


def test_a_short_segment_meets_as_many_of_a_thousand_boxes_as_of_more():
    def met(count):
        boxes, probes = workloads.aabbs(count), workloads.segments(20, length=4 * count ** (-1 / 3))
        hits = numpy_tests.chunked("segment_aabb", boxes)
        return sum(int(hits(probe).sum()) for probe in probes) / 20

    assert met(1000) > 1
    assert met(64_000) == pytest.approx(met(1000), rel=0.3)


def test_every_peer_answers_a_query_that_is_measured():
    assert {peer.query for peer in peers.PEERS} == {"closest", "ray_aabb", "triangle_aabb"}
    assert peers.installed("numpy") == np.__version__
    assert peers.installed("no-such-package") is None
    # pyrr is always installed, so that at least one peer is really queried.
    (pyrr,) = peers.of_query("ray_aabb")
    boxes, ray = workloads.aabbs(200), Ray((-3.0, 0.1, 0.2), (4.0, 0.0, 0.1))
    assert pyrr.setup(boxes)(ray).tolist() == [intersect(ray, box).hit for box in boxes]
    assert isinstance(workloads.segments(1)[0], Segment)
