"""A group of primitives: hits, tallies and bits are those of the pairs, whatever reading and threads give them."""

import subprocess
import sys
import threading

import cases
import numpy as np
import pytest

from hitscope.geometry import exact, group
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.group import Group
from hitscope.geometry.registry import choose, methods

COMPILED = [("segment_aabb", "exact"), ("triangle_aabb", "critical_points"), ("aabb_triangle", "sat13")]
EVERY = [(pair, method.name) for method in methods() for pair in method.pairs]


def question(pair, probes=5, primitives=101):
    """Give some probes and some primitives, all of one scale."""
    first, shapes = cases.crowd(pair, 7, primitives)
    return [first, *(cases.crowd(pair, 7 + k, 1)[0] for k in range(1, probes))], shapes


def expected(chosen, probes, primitives):
    return np.array([[group.ask(chosen, probe, primitive) for primitive in primitives] for probe in probes])


def assert_answers(chosen, probes, primitives, found):
    asked = Group(primitives)
    assert [asked.hits(chosen, probe).tolist() for probe in probes] == found.tolist()
    bundle = Shapes.of(probes)
    tally = asked.tally(chosen, bundle)
    assert tally.primitives.tolist() == found.any(axis=0).tolist()
    assert tally.probes.tolist() == found.any(axis=1).tolist()
    assert asked.bits(chosen, bundle).tolist() == np.packbits(found, axis=1, bitorder="little").tolist()


@pytest.fixture
def compiled_at_once(monkeypatch):
    monkeypatch.setattr(group, "COMPILED_FROM", 0)
    monkeypatch.setattr(group, "FILTERED_FROM", 0)
    monkeypatch.setattr(group, "_READY", set())


@pytest.mark.parametrize(("pair", "name"), EVERY, ids=["-".join(row) for row in EVERY])
def test_every_method_of_every_pair_answers_for_a_few(pair, name):
    chosen, (probes, primitives) = choose(pair, name), question(pair, 2, 9)
    assert_answers(chosen, probes, primitives, expected(chosen, probes, primitives))


@pytest.mark.parametrize(("pair", "name"), COMPILED, ids="-".join)
def test_compiled_answers_are_the_same_for_any_tiles_and_threads(pair, name, compiled_at_once, monkeypatch):
    chosen, (probes, primitives) = choose(pair, name), question(pair)
    found = expected(chosen, probes, primitives)
    assert found.any()
    assert_answers(chosen, probes, primitives, found)
    monkeypatch.setattr(group, "TILE_PROBES", 2)
    monkeypatch.setattr(group, "TILE_PAIRS", 32)
    assert_answers(chosen, probes, primitives, found)
    monkeypatch.setattr(group, "THREADED_FROM", 0)
    assert_answers(chosen, probes, Shapes.of(primitives), found)


def test_arguments_reach_compiled_code(compiled_at_once):
    probes, primitives = question("segment_aabb")
    by_default, blind = choose("segment_aabb", "slab_ericson"), {"name": "slab_ericson", "epsilon": 1e9}
    assert Group(primitives).hits(by_default, probes[0]).tolist() != []
    chosen = choose("segment_aabb", blind)
    assert_answers(chosen, probes, primitives, expected(chosen, probes, primitives))


def test_no_probes_hit_nothing():
    probes, primitives = question("segment_aabb")
    none = Shapes.of(probes)[:0]
    tally = Group(primitives).tally(choose("segment_aabb", "exact"), none)
    assert (tally.primitives.any(), tally.probes.size) == (False, 0)
    assert Group(primitives).bits(choose("segment_aabb", "exact"), none).shape == (0, 13)


def test_code_is_prepared_in_the_background_while_verdicts_are_given(monkeypatch):
    monkeypatch.setattr(group, "_READY", set())
    monkeypatch.setattr(group, "PREPARED_FROM", 100)
    chosen, (probes, primitives) = choose("segment_aabb", "slab_efficient"), question("segment_aabb")
    asked, found = Group(primitives), expected(chosen, probes, primitives)
    assert not asked.ready(chosen, type(probes[0]))
    preparing = threading.Thread(target=asked.prepare, args=(chosen, type(probes[0])))
    preparing.start()
    while preparing.is_alive():
        assert asked.hits(chosen, probes[0], compile=False).tolist() == found[0].tolist()
    assert asked.ready(chosen, type(probes[0]))
    assert_answers(chosen, probes, primitives, found)


def test_nothing_is_to_be_prepared_for_few_primitives_or_what_is_only_interpreted():
    assert Group(question("segment_aabb")[1]).ready(choose("segment_aabb", "exact"), cases.Segment)
    polyhedra = [cases.pair("segment_polyhedron", seed)[1] for seed in range(2)] * group.PREPARED_FROM
    for name in ("exact", "clip_planes"):
        assert Group(polyhedra).ready(choose("segment_polyhedron", name), cases.Segment)


def test_what_is_asked_often_is_compiled(monkeypatch):
    monkeypatch.setattr(group, "_READY", set())
    monkeypatch.setattr(group, "_ASKED", group.Counter())
    monkeypatch.setattr(group, "FILTERED_FROM", 1000)
    chosen, (probes, primitives) = choose("segment_aabb", "exact"), question("segment_aabb", 1, 400)
    asked = Group(primitives)
    for times in range(4):
        assert bool(group._READY) == (times >= 3)
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


def test_exact_is_what_meets():
    probes, primitives = question("segment_triangle")
    chosen = choose("segment_triangle", "exact")
    assert Group(primitives).hits(chosen, probes[0]).tolist() == [exact.meet(probes[0], p) for p in primitives]


@pytest.mark.parametrize("kind", ["aabb", "obb", "triangle"])
@pytest.mark.parametrize("probe", ["segment", "ray", "line"])
def test_a_hierarchy_changes_no_answer_and_follows_what_moves(probe, kind, monkeypatch):
    monkeypatch.setattr(group, "TREE_FROM", 1)
    monkeypatch.setattr(group, "PREPARED_FROM", 1)
    pair = f"{probe}_{kind}"
    chosen = choose(pair, "exact")
    probes, primitives = question(pair)
    asked = Group(primitives)
    assert not asked.ready(chosen, type(probes[0]))
    asked.prepare(chosen, type(probes[0]))
    assert asked.ready(chosen, type(probes[0]))
    others = cases.crowd(pair, 99, len(primitives))[1]
    for now, shapes in ((asked, primitives), (asked.moved(others), others)):
        now.prepare(chosen, type(probes[0]))
        found = expected(chosen, probes, shapes)
        assert [now.hits(chosen, one).tolist() for one in probes] == found.tolist()
        tally = now.tally(chosen, Shapes.of(probes))
        assert tally.primitives.tolist() == found.any(axis=0).tolist()
        assert tally.probes.tolist() == found.any(axis=1).tolist()


def test_very_many_pairs_are_searched_in_a_hierarchy(monkeypatch):
    monkeypatch.setattr(group, "TREE_PAIRS", 1)
    monkeypatch.setattr(Group, "_tiles", None)
    probes, primitives = question("ray_triangle")
    chosen = choose("ray_triangle", "exact")
    found = expected(chosen, probes, primitives)
    asked, bundle = Group(primitives), Shapes.of(probes)
    tally = asked.tally(chosen, bundle)
    assert tally.primitives.tolist() == found.any(axis=0).tolist()
    assert tally.probes.tolist() == found.any(axis=1).tolist()
    for pairs in (1 << 27, 2 * len(primitives)):
        monkeypatch.setattr(group, "FOUND_PAIRS", pairs)
        assert asked.bits(chosen, bundle).tolist() == np.packbits(found, axis=1, bitorder="little").tolist()
