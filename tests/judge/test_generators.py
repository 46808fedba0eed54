"""The generators: reproducible, sound, with hits and misses, and each with what its name promises."""

from math import ulp
from random import Random

import pytest

from hitscope.check.judge import GENERATORS, generate
from hitscope.check.judge.shape_items import is_sound, with_numbers
from hitscope.check.judge.touching_pairs import touching
from hitscope.geometry import exact
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.registry import pairs
from hitscope.geometry.shapes import Aabb, Plane, Point, word
from hitscope.geometry.traits import is_degenerate

CASES = 8


@pytest.mark.parametrize("pair", pairs())
def test_every_case_is_of_its_pair_and_can_stand_in_a_scene(pair):
    for generator in GENERATORS:
        for seed in range(CASES):
            shapes = generate(generator, pair, seed)
            assert "_".join(map(word, shapes)) == pair
            assert all(map(is_sound, shapes)), (generator, seed)


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_case_is_made_again_from_its_seed(generator):
    first = [generate(generator, pair, 7) for pair in pairs()]
    assert repr(first) == repr([generate(generator, pair, 7) for pair in pairs()])
    assert repr(first) != repr([generate(generator, pair, 8) for pair in pairs()])


def test_a_case_is_the_same_on_every_machine():
    assert generate("uniform", "point_aabb", 0) == (
        Point((0.7971445471806768, 0.052000290989936415, 0.34793591177691385)),
        Aabb(
            (0.639777048465896, -0.2800720058283157, -0.7799509326910743),
            (1.0870054288178128, 0.6217063996252048, -0.7156230876187575),
        ),
    )


@pytest.mark.parametrize("pair", pairs())
def test_both_verdicts_come_up_in_every_pair(pair):
    cases = [(generator, seed) for generator in GENERATORS for seed in range(30 if "nearly" in generator else 12)]
    hits = [exact.meet(*generate(generator, pair, seed)) for generator, seed in cases]
    # A point lies in a plane or a triangle only if it was put there.
    assert (0.02 if pair in ("point_plane", "point_triangle") else 0.2) < sum(hits) / len(hits) < 0.9
    assert {hit for hit, (generator, _) in zip(hits, cases, strict=True) if generator == "nearly_touching"} == {
        False,
        True,
    }


@pytest.mark.parametrize("pair", pairs())
def test_touching_pairs_touch_exactly(pair):
    for seed in range(CASES):
        relation = exact.relation(*touching(Random(seed), pair))
        assert relation.state in ("touching", "coplanar"), seed


def test_nearly_touching_pairs_are_a_few_ulps_from_touching():
    moves = set()
    for seed in range(60):
        random = Random(f"nearly_touching segment_aabb {seed}")
        touched = touching(random, "segment_aabb")
        for before, after in zip(touched, generate("nearly_touching", "segment_aabb", seed), strict=True):
            largest = max(map(abs, numbers_of(before)))
            changed = [(a, b) for a, b in zip(numbers_of(before), numbers_of(after), strict=True) if a != b]
            assert len(changed) <= 1
            for a, b in changed:
                assert abs(b - a) <= 5 * ulp(largest)
                moves.add(b > a)
    assert moves == {False, True}


def test_degenerate_pairs_have_a_flat_or_pointlike_shape():
    for pair in pairs():
        if not {"point", "plane", "polyhedron"} & set(pair.split("_")):
            share = sum(any(map(is_degenerate, generate("degenerate", pair, seed))) for seed in range(40)) / 40
            assert share > 0.5, pair


def test_parallel_pairs_are_parallel_exactly_or_nearly():
    exactly = nearly = 0
    for seed in range(100):
        ray, plane = generate("parallel", "ray_plane", seed)
        across = [abs(a * b) for a, b in zip(ray.direction, plane.normal, strict=True)]
        cosine = abs(sum(a * b for a, b in zip(ray.direction, plane.normal, strict=True)))
        exactly += cosine == 0
        nearly += 0 < cosine < 1e-6 * max(across, default=0)
    assert exactly > 20 and nearly > 5


def test_magnitudes_are_those_of_the_generators():
    def magnitudes(generator):
        shapes = [generate(generator, "point_aabb", seed)[1] for seed in range(300)]
        return [abs(number) for shape in shapes for number in numbers_of(shape) if number]

    assert max(magnitudes("uniform")) <= 2
    assert max(magnitudes("integer_grid")) <= 6 and all(n.is_integer() for n in magnitudes("integer_grid"))
    assert (
        2.0**-61 < min(magnitudes("log_uniform")) < 2.0**-40 < 2.0**40 < max(magnitudes("log_uniform")) < 2.0**62
    )
    assert min(magnitudes("far_from_origin")) > 500 and max(magnitudes("far_from_origin")) > 1e13
    assert min(magnitudes("extreme")) < 1e-307 and max(magnitudes("extreme")) > 1e306


def test_numbers_go_out_of_a_shape_and_back():
    for pair in pairs():
        for shape in generate("extreme", pair, 3):
            assert with_numbers(shape, numbers_of(shape)) == shape
    assert not is_sound(Aabb._make(((1.0, 0.0, 0.0), (0.0, 1.0, 1.0))))
    assert not is_sound(Plane._make(((0.0, 0.0, 0.0), 1.0)))
    assert not is_sound(Point._make(((float("inf"), 0.0, 0.0),)))
