"""A group of primitives: hits, tallies and bits are those of the pairs, in every reading and on any threads."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from hitscope.geometry import exact, group, threads
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact.batch import ExactBatch
from hitscope.geometry.group import CompiledCode, Group, Thresholds
from hitscope.geometry.registry import choose, methods
from hitscope.geometry.shapes import Aabb, Segment
from tests.geometry import cases

COMPILED = [("segment_aabb", "exact"), ("triangle_aabb", "critical_points"), ("aabb_triangle", "sat13")]
EVERY = [(pair, method.name) for method in methods() for pair in method.pairs if pair in cases.PAIRS]


def shapes_of(pair, probes=5, primitives=101):
    """Make some probes and some primitives, all of one scale."""
    first, shapes = cases.batch(pair, 7, primitives)
    return [first, *(cases.batch(pair, 7 + k, 1)[0] for k in range(1, probes))], shapes


def expected(chosen, probes, primitives):
    return np.array([[group.decide(chosen, probe, primitive) for primitive in primitives] for probe in probes])


def assert_answers(chosen, probes, primitives, found, **settings):
    asked = Group(primitives, **settings)
    assert [asked.hits(chosen, probe).tolist() for probe in probes] == found.tolist()
    bundle = Shapes.of(probes)
    tally = asked.tally(chosen, bundle)
    assert tally.primitives.tolist() == found.any(axis=0).tolist()
    assert tally.probes.tolist() == found.any(axis=1).tolist()
    assert asked.bits(chosen, bundle).tolist() == np.packbits(found, axis=1, bitorder="little").tolist()


def compiled_at_once(**thresholds):
    """The settings of a group that compiles for the first pair."""
    return {
        "thresholds": Thresholds(compile_pairs=0, compile_exact_pairs=0, **thresholds),
        "code": CompiledCode(),
    }


@pytest.mark.parametrize(("pair", "name"), EVERY, ids=["-".join(row) for row in EVERY])
def test_every_method_of_every_pair_answers_for_a_few(pair, name):
    chosen, (probes, primitives) = choose(pair, name), shapes_of(pair, 2, 9)
    assert_answers(chosen, probes, primitives, expected(chosen, probes, primitives))


@pytest.mark.parametrize(("pair", "name"), COMPILED)
def test_compiled_answers_are_the_same_for_any_tiles_and_threads(pair, name):
    chosen, (probes, primitives) = choose(pair, name), shapes_of(pair)
    found = expected(chosen, probes, primitives)
    assert found.any()
    assert_answers(chosen, probes, primitives, found, **compiled_at_once())
    small = {"tile_probes": 2, "tile_pairs": 32}
    assert_answers(chosen, probes, primitives, found, **compiled_at_once(**small))
    assert_answers(chosen, probes, Shapes.of(primitives), found, **compiled_at_once(**small, thread_pairs=0))


def test_arguments_reach_compiled_code():
    probes, primitives = shapes_of("segment_aabb")
    by_default, blind = choose("segment_aabb", "slab_ericson"), {"name": "slab_ericson", "epsilon": 1e9}
    settings = compiled_at_once()
    assert Group(primitives, **settings).hits(by_default, probes[0]).tolist() != []
    chosen = choose("segment_aabb", blind)
    assert_answers(chosen, probes, primitives, expected(chosen, probes, primitives), **settings)


def test_no_probes_hit_nothing():
    probes, primitives = shapes_of("segment_aabb")
    none = Shapes.of(probes)[:0]
    tally = Group(primitives).tally(choose("segment_aabb", "exact"), none)
    assert (tally.primitives.any(), tally.probes.size) == (False, 0)
    assert Group(primitives).bits(choose("segment_aabb", "exact"), none).shape == (0, 13)


def test_code_is_prepared_in_the_background_while_verdicts_are_given():
    chosen, (probes, primitives) = choose("segment_aabb", "slab_efficient"), shapes_of("segment_aabb")
    asked = Group(primitives, Thresholds(prepare_primitives=100), CompiledCode())
    found = expected(chosen, probes, primitives)
    assert not asked.ready(chosen, type(probes[0]))
    preparing = threading.Thread(target=asked.prepare, args=(chosen, type(probes[0])))
    preparing.start()
    while preparing.is_alive():
        assert asked.hits(chosen, probes[0], compile=False).tolist() == found[0].tolist()
    assert asked.ready(chosen, type(probes[0]))
    assert_answers(chosen, probes, primitives, found)


def test_nothing_is_to_be_prepared_for_few_primitives_or_what_is_only_interpreted():
    assert Group(shapes_of("segment_aabb")[1]).ready(choose("segment_aabb", "exact"), cases.Segment)
    polyhedra = [
        cases.pair("segment_polyhedron", seed)[1] for seed in range(2)
    ] * group.THRESHOLDS.prepare_primitives
    for name in ("exact", "clip_planes"):
        assert Group(polyhedra).ready(choose("segment_polyhedron", name), cases.Segment)


def test_a_method_that_has_decided_many_pairs_is_compiled():
    chosen, (probes, primitives) = choose("segment_aabb", "exact"), shapes_of("segment_aabb", 1, 400)
    asked = Group(primitives, Thresholds(compile_exact_pairs=1000), CompiledCode())
    for times in range(4):
        assert bool(asked.code.ready) == (times >= 3)
        asked.hits(chosen, probes[0], compile=times > 0)


def test_without_compiling_a_large_group_is_decided_without_numba():
    code = (
        "import sys, numpy; from hitscope import Segment; from hitscope.geometry.group import Group;"
        "from hitscope.geometry.arrays import Shapes; from hitscope.geometry.registry import choose;"
        "from hitscope.geometry.shapes import Aabb; lo = numpy.arange(600_000.0).reshape(-1, 3);"
        "group = Group(Shapes.from_fields(Aabb, lo, lo + 1)); exact = choose('segment_aabb', 'exact');"
        "print(group.hits(exact, Segment((0.0, 1.0, 2.0), (9.0, 10.0, 11.0)), compile=False).sum());"
        "print('numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("4\nFalse\n", "")


@pytest.mark.parametrize("pair", ["segment_triangle", "obb_obb", "triangle_triangle", "ray_parallelepiped"])
def test_exact_is_what_meets(pair):
    probes, primitives = shapes_of(pair)
    chosen = choose(pair, "exact")
    assert Group(primitives).hits(chosen, probes[0]).tolist() == [exact.meet(probes[0], p) for p in primitives]


@pytest.mark.parametrize("pair", ["segment_aabb", "ray_obb", "line_triangle"])
def test_a_hierarchy_changes_no_answer_and_follows_what_moves(pair):
    chosen = choose(pair, "exact")
    probes, primitives = shapes_of(pair)
    asked = Group(primitives, Thresholds(prepare_primitives=1, hierarchy_primitives=1))
    assert not asked.ready(chosen, type(probes[0]))
    asked.prepare(chosen, type(probes[0]))
    assert asked.ready(chosen, type(probes[0]))
    others = cases.batch(pair, 99, len(primitives))[1]
    for now, shapes in ((asked, primitives), (asked.moved(others), others)):
        now.prepare(chosen, type(probes[0]))
        found = expected(chosen, probes, shapes)
        assert [now.hits(chosen, one).tolist() for one in probes] == found.tolist()
        tally = now.tally(chosen, Shapes.of(probes))
        assert tally.primitives.tolist() == found.any(axis=0).tolist()
        assert tally.probes.tolist() == found.any(axis=1).tolist()


def test_very_many_pairs_are_searched_in_a_hierarchy(monkeypatch):
    monkeypatch.setattr(Group, "_tiles", None)
    probes, primitives = shapes_of("ray_triangle")
    chosen = choose("ray_triangle", "exact")
    found = expected(chosen, probes, primitives)
    asked, bundle = Group(primitives, Thresholds(hierarchy_pairs=1)), Shapes.of(probes)
    tally = asked.tally(chosen, bundle)
    assert tally.primitives.tolist() == found.any(axis=0).tolist()
    assert tally.probes.tolist() == found.any(axis=1).tolist()
    for block in (1 << 27, 2 * len(primitives)):
        asked = Group(primitives, Thresholds(hierarchy_pairs=1, hierarchy_block=block))
        assert asked.bits(chosen, bundle).tolist() == np.packbits(found, axis=1, bitorder="little").tolist()


def test_the_threads_of_a_query_do_not_measure_the_primitives_each(monkeypatch):
    measured, measure = [], ExactBatch._measured
    monkeypatch.setattr(ExactBatch, "_measured", lambda *both: measured.append(both) or measure(*both))
    segment = Segment((-2.0, 0.1, 0.2), (2.0, 0.3, 0.1))
    center = np.random.default_rng(0).uniform(-1, 1, (4000, 3))
    boxes, every = Shapes.from_fields(Aabb, center - 0.1, center + 0.1), choose("segment_aabb", "exact")
    several = Group(boxes, Thresholds(thread_pairs=0, tile_pairs=100))
    several.prepare(every, Segment)
    measured.clear()
    vars(several._exact_batch).pop("bounds")
    assert several.hits(every, segment).tolist() == [exact.meet(segment, box) for box in boxes]
    assert len(measured) == 1


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux limits the cores of a process")
def test_a_process_that_may_use_one_core_decides_on_the_thread_that_asks(monkeypatch):
    monkeypatch.setattr(threads, "_pool", lambda: pytest.fail("a tile on another thread"))
    probes, shapes = shapes_of("segment_aabb")
    chosen, allowed = choose("segment_aabb", "exact"), os.sched_getaffinity(0)
    many = Group(shapes, Thresholds(compile_exact_pairs=1, thread_pairs=1, tile_pairs=8))
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert many.hits(chosen, probes[0]).tolist() == expected(chosen, probes[:1], shapes)[0].tolist()
    finally:
        os.sched_setaffinity(0, allowed)
