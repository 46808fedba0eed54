"""The generators: reproducible, sound, with hits and misses, and each with what its name promises."""

from fractions import Fraction
from hashlib import sha256
from math import hypot

import numpy as np
import pytest

from hitscope.geometry import exact
from hitscope.geometry.arrays import numbers_of
from hitscope.geometry.kinds import KINDS
from hitscope.geometry.kinds.wrapped import Wrapped
from hitscope.geometry.registry import pairs
from hitscope.geometry.shapes import Aabb, Capsule, Plane, Point, Sphere, word
from hitscope.geometry.traits import is_degenerate
from hitscope.geometry.vector import cross, dot, subtract
from hitscope.judge.drawing import GENERATORS, draw
from hitscope.judge.drawing.drawn_shapes import made_of
from hitscope.judge.drawing.generators import move_one_number, touching
from hitscope.judge.drawing.samplers import RandomBlock
from hitscope.judge.shrinking import is_sound, with_numbers
from hitscope.targets.cases import BLOCK, Cases, kinds
from hitscope.targets.judging.precisions import PRECISIONS
from tests.judge.seeded_cases import generate

FEW, CASES, MANY = 2, 8, 400
REALS = tuple(PRECISIONS)
AIMED = ("faces", "edges", "vertices")
CHECKSUMS = {
    "uniform": ("6cf86861fc306b22", "ac1fce7c56fae710"),
    "log_uniform": ("05d2827d87b2f39a", "a06c2ae2efcdebf4"),
    "integer_grid": ("b6a412da82ea6235", "de252d86a110e681"),
    "engine": ("d04b86a7584c1434", "a4971c686c42d81e"),
    "faces": ("8805f294de80c799", "22af2320c2f5c2a7"),
    "edges": ("c4b8477ff1c64fcd", "36cd910efb723dab"),
    "vertices": ("97c41e2d6ccf7060", "a8eea7507cfb7ee4"),
    "in_plane": ("c02241dd51700570", "2308114467872875"),
    "nearly_touching": ("846ddf1a499a54c9", "bee94744054938dc"),
    "narrow_gap": ("e9372642a4830bf8", "4d31d27855c85c39"),
    "parallel": ("29a053239389f5f2", "aa5a7ecd22f9ce1c"),
    "degenerate": ("3478787c11f4bf73", "5a20832d9fdca7dc"),
    "far_from_origin": ("17dff69e6b901591", "8c2bdd97b8a9ad8b"),
    "extreme": ("d55355abc2cbfcf1", "8ad06b9441ca06a8"),
}
"""Of a block of each generator in both precisions."""
AS_DRAWN = [p for p in pairs() if all(made_of(kind, k == 0)[0] is kind for k, kind in enumerate(kinds(p)))]
"""The pairs whose rows are as they are drawn: what is rounded or cast, and a frustum, is made of others."""
IN_PRECISIONS = [
    (pair, real)
    for k, pair in enumerate(pairs())
    for real in REALS
    if real == "float64" or pair in AS_DRAWN or k % 9 == 0
]
"""Every pair in float64, and in float32 those that are as they are drawn, and a ninth of the others."""


def generators_of(pair, real):
    """Return the generators to look at: all for pairs as drawn in float64, and for the few others in float32.

    For the rest it is a third, by turns.
    """
    if (real == "float64") == (pair in AS_DRAWN):
        return list(GENERATORS)
    return list(GENERATORS)[IN_PRECISIONS.index((pair, real)) % 3 :: 3]


def first_cases(pair, real):
    """Return the first cases of a block of each generator, of this precision and finite.

    A quarter of a block is looked at where a number may overflow.
    """
    found = {}
    for generator in generators_of(pair, real):
        count = BLOCK // 4 if generator == "extreme" else MANY
        cases = draw(generator, pair, 0, real, count)
        assert len(cases) == count and cases.numbers.dtype == real and cases.numbers.flags.c_contiguous
        assert not np.isinf(cases.numbers).any(), generator
        assert "polyhedron" in pair or np.isfinite(cases.numbers).all(), generator
        found[generator] = Cases(pair, cases.numbers[:MANY].copy())
    return found


def some(generator, pair, real="float64", count=CASES):
    """Return the first cases of a block, as shapes."""
    cases = draw(generator, pair, 0, real, count)
    return [cases.shapes(index) for index in range(count)]


def touching_rows(pair, real):
    with np.errstate(invalid="ignore"):  # the NaNs of polyhedra
        return touching(RandomBlock(f"touching {pair}", PRECISIONS[real]), kinds(pair))


@pytest.mark.parametrize("generator", GENERATORS)
def test_every_shape_of_a_block_of_boxes_planes_and_polyhedra_is_sound(generator):
    for pair in ("obb_plane", "aabb_polyhedron"):
        cases = draw(generator, pair, 1, "float32")
        assert all(is_sound(shape) for index in range(0, BLOCK, 32) for shape in cases.shapes(index))


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_block_is_the_same_on_every_machine(generator, real):
    numbers = np.nan_to_num(draw(generator, "obb_polyhedron", 0, real).numbers, nan=0.5)
    checksum = sha256(numbers.astype(numbers.dtype.newbyteorder("<")).tobytes()).hexdigest()
    assert checksum[:16] == CHECKSUMS[generator][REALS.index(real)]


@pytest.mark.parametrize("generator", GENERATORS)
def test_blocks_pairs_and_precisions_have_cases_of_their_own(generator):
    first = draw(generator, "segment_aabb", 0).numbers
    assert np.array_equal(first, draw(generator, "segment_aabb", 0).numbers)
    others = [
        draw(generator, "segment_aabb", 1),
        draw(generator, "segment_aabb", -1),
        draw(generator, "line_aabb", 0),
        draw(generator, "segment_aabb", 0, "float32"),
    ]
    assert not any(np.array_equal(first, other.numbers) for other in others)


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("generator", GENERATORS)
def test_the_first_cases_of_a_block_are_the_same_however_many_are_drawn(generator, real):
    for pair in ("segment_capsule", "cast_rounded_obb_polyhedron", "polyhedron_aabb", "frustum_triangle"):
        few, many = (draw(generator, pair, 2, real, count) for count in (70, BLOCK))
        assert len(few) == 70 and few.numbers.tobytes() == many.numbers[:70].tobytes(), pair


@pytest.mark.parametrize("seed", [0, 7, BLOCK - 1, BLOCK, -1, -BLOCK, 10**12])
def test_a_seed_is_a_place_in_its_block_however_a_run_is_cut(seed):
    cases = draw("engine", "ray_obb", seed // BLOCK)
    assert generate("engine", "ray_obb", seed) == cases.shapes(seed % BLOCK)


def surely_apart(cases):
    """Return which cases are apart by the bounds of their shapes: none of types without bounds."""
    first, second = (KINDS[kind].bounds for kind in kinds(cases.pair))
    if not (first and second):
        return np.zeros(len(cases), np.bool_)
    (lo, hi), (least, greatest) = first(cases.probes.rows), second(cases.primitives.rows)
    return ((lo > greatest) | (hi < least)).any(axis=0)


def has_both(cases):
    """Whether 5 % of few cases are hits and 5 % misses, or of many where few do not tell; no more are decided."""
    are_apart, verdicts = surely_apart(cases), []
    for count in (40, MANY):
        unsure = np.flatnonzero(~are_apart[:count])
        for index in unsure[len(verdicts) :].tolist():
            verdicts.append(exact.meet(*cases.shapes(index)))
            hits = sum(verdicts)
            if min(hits, count - len(unsure) + len(verdicts) - hits) >= count // 20:
                return True
    return False


@pytest.mark.parametrize(("pair", "real"), IN_PRECISIONS)
def test_every_case_is_of_its_pair_and_sound_and_every_generator_has_hits_and_misses(pair, real):
    drawn = first_cases(pair, real)
    for generator, cases in drawn.items():
        for index in range(FEW):
            shapes = cases.shapes(index)
            assert "_".join(map(word, shapes)) == pair
            assert all(map(is_sound, shapes)), (generator, index)
    assert [name for name in drawn.keys() & names_of_both(pair) if not has_both(drawn[name])] == []


def names_of_both(pair):
    """Return the generators of which hits and misses are both frequent."""
    if pair in ("point_plane", "point_triangle"):  # a point is in them only where nothing is rounded
        return ["integer_grid", "in_plane", "nearly_touching"]
    if pair == "line_plane":  # a line misses only a plane that it is parallel to
        return ["parallel", "nearly_touching"]
    rare = {"degenerate", "extreme"}
    if pair.endswith("polyhedron_plane"):  # one of the corners of a face, each rounded, nearly always reaches it
        rare.add("in_plane")
    return [name for name in GENERATORS if name not in rare]


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("pair", AS_DRAWN)
def test_touching_pairs_touch_exactly_and_are_not_rounded(pair, real):
    rows = np.concatenate(touching_rows(pair, real)).T
    assert np.array_equal(rows.astype(real).astype(np.float64), rows, equal_nan=True)
    cases = Cases(pair, np.ascontiguousarray(rows, dtype=real))
    for index in range(CASES):
        probe, primitive = cases.shapes(index)
        if isinstance(probe, Sphere | Capsule) and exact.relation(probe, primitive).state != "touching":
            # Its radius is no number, and rounded.
            by_an_ulp = [np.nextafter(np.dtype(real).type(probe.radius), end).item() for end in (0, np.inf)]
            assert [exact.meet(probe._replace(radius=r), primitive) for r in by_an_ulp] == [False, True], index
        else:
            assert exact.relation(probe, primitive).state in ("touching", "coplanar"), index


def test_rounded_shapes_are_touched_exactly_along_other_ways_than_the_axes():
    drawn = [generate("nearly_touching", "segment_rounded_triangle", seed) for seed in range(MANY)]
    found = [exact.relation(*shapes) for shapes in drawn]
    touched = [each.normal for each in found if each.state == "touching" and each.normal is not None]
    assert sum(int(np.count_nonzero(normal)) > 1 for normal in touched) > 6


@pytest.mark.parametrize("real", REALS)
def test_nearly_touching_pairs_are_a_few_ulps_from_touching(real):
    before = touching_rows("segment_aabb", real)
    after = tuple(rows.copy() for rows in before)
    random = RandomBlock("moves", PRECISIONS[real])
    move_one_number(random, kinds("segment_aabb"), after, random.integers(-4, 4))
    by = [(new - old).astype(real) for old, new in zip(before, after, strict=True)]
    ulps = [np.spacing(np.abs(rows).max(axis=0).astype(real)) for rows in before]
    assert max(np.abs(moves / ulp).max() for moves, ulp in zip(by, ulps, strict=True)) == 4
    assert (np.count_nonzero(np.concatenate(by), axis=0) <= 1).all()
    assert {-1, 0, 1} == set(np.sign(np.concatenate(by)).flat)


def test_a_move_that_a_scene_could_not_hold_is_not_made():
    flat = np.zeros((6, BLOCK))
    random = RandomBlock("flat", PRECISIONS["float64"])
    move_one_number(random, (Aabb, Aabb), (flat, flat.copy()), np.full(BLOCK, 4.0))
    assert (flat[:3] <= flat[3:]).all() and flat.any()


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("pair", [pair for pair in AS_DRAWN if not pair.endswith("plane")])
def test_aimed_probes_come_within_rounding_of_the_primitive(pair, real):
    for generator in AIMED:
        for shapes in some(generator, pair, real, 6):
            assert exact.distance(*shapes) < (1e-4 if real == "float32" else 1e-12), generator


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize(("generator", "pinned"), [("faces", 1), ("edges", 2), ("vertices", 3)])
def test_points_are_aimed_into_faces_at_edges_and_at_vertices(generator, pinned, real):
    numbers = draw(generator, "point_aabb", 0, real).numbers
    point, lo, hi = numbers[:, :3], numbers[:, 3:6], numbers[:, 6:]
    ulp = np.spacing(np.abs(point))
    at_a_bound = (np.abs(point - lo) <= ulp) | (np.abs(point - hi) <= ulp)
    within = (lo - ulp <= point) & (point <= hi + ulp)
    assert within.all() and (at_a_bound.sum(axis=1) >= pinned).all()
    assert (at_a_bound.sum(axis=1) == pinned).mean() > 0.99
    outside = ((point < lo) | (point > hi)).any(axis=1)
    assert 0.05 < outside.mean() < 0.5


@pytest.mark.parametrize("real", REALS)
def test_a_probe_in_the_plane_of_a_triangle_is_there_exactly_or_but_for_rounding(real):
    exactly = 0
    for segment, triangle in some("in_plane", "segment_triangle", real, 200):
        a, b, c = (tuple(map(Fraction, corner)) for corner in triangle)
        normal = cross(subtract(b, a), subtract(c, a))
        for end in segment:
            height = abs(dot(normal, subtract(tuple(map(Fraction, end)), a)))
            assert height <= 64 * Fraction(np.finfo(real).eps.item())
            exactly += height == 0
    assert 150 < exactly < 300


def test_engines_have_unit_directions_sizes_and_world_coordinates_of_their_kind():
    numbers = draw("engine", "ray_aabb", 0, "float32").numbers.astype(np.float64)
    origin, direction, lo, hi = numbers[:, :3], numbers[:, 3:6], numbers[:, 6:9], numbers[:, 9:]
    assert np.abs(np.sqrt((direction**2).sum(axis=1)) - 1).max() < 2e-7
    sizes = (hi - lo)[np.abs(lo).max(axis=1) < 1]
    assert sizes.max() < 1.001e3 and np.median(sizes) == pytest.approx(0.3, rel=0.5) and sizes.min() < 2e-4
    farthest = np.abs(origin).max(axis=1)
    for world in (1, 1e2, 1e4):
        assert ((world / 10 < farthest) & (farthest < world)).mean() == pytest.approx(1 / 3, abs=0.04)


def test_degenerate_pairs_have_a_flat_or_pointlike_shape():
    for pair in pairs():
        if not {"point", "plane", "polyhedron", "frustum"} & set(pair.split("_")):  # a frustum is never flat
            drawn = some("degenerate", pair, count=80)
            share = sum(any(is_degenerate(innermost(shape)) for shape in shapes) for shapes in drawn) / 80
            assert share > 0.5, pair


def innermost(shape):
    """The shape without radius and motion, which is what may be flat."""
    return innermost(shape.inner) if isinstance(shape, Wrapped) else shape


@pytest.mark.parametrize("real", REALS)
def test_parallel_pairs_are_parallel_exactly_or_nearly(real):
    exactly = nearly = 0
    for ray, plane in some("parallel", "ray_plane", real, 800):
        across = hypot(*ray.direction) * hypot(*plane.normal)
        cosine = abs(dot(tuple(map(Fraction, ray.direction)), tuple(map(Fraction, plane.normal))))
        exactly += cosine == 0
        nearly += 0 < cosine < 2.0**20 * np.finfo(real).eps * across
    assert exactly > 100 and nearly > 40


def test_spheres_touch_are_tangent_nested_concentric_points_and_entered_from_inside():
    seen = set()
    for generator in GENERATORS:
        for a, b in some(generator, "sphere_sphere", count=60):
            touching = exact.relation(a, b).state == "touching"
            seen |= (
                {"touching"} if touching else {"nested"} if exact.contains(b, a) and b.radius > a.radius else set()
            )
            seen |= {"concentric"} if a.center == b.center and a.radius and b.radius else set()
            seen |= {"a point"} if not b.radius else set()
        for ray, sphere in some(generator, "ray_sphere", count=60):
            seen.add(f"ray {exact.relation(ray, sphere).state}")
        for sphere, box in some(generator, "sphere_aabb", count=60):
            seen |= (
                {"a box touched"} if exact.relation(sphere, box).state == "touching" and sphere.radius else set()
            )
    rays = {f"ray {state}" for state in ("apart", "touching", "crossing", "inside", "coplanar")}
    assert seen == rays | {"touching", "nested", "concentric", "a point", "a box touched"}


def test_capsules_touch_by_side_and_caps_are_tangent_nested_concentric_thin_and_entered_from_inside():
    seen = set()
    for generator in GENERATORS:
        for a, b in some(generator, "capsule_capsule", count=120):
            witness = exact.witness(a, b)
            if exact.relation(a, b).state == "touching" and a.radius and b.radius and witness:
                seen |= {f"{witness.probe} to {witness.primitive}".replace("start", "a").replace("end", "a")}
            seen |= {"nested"} if exact.contains(b, a) and b.radius > a.radius else set()
            seen |= {"a point"} if not b.radius and b.start == b.end else set()
            seen |= {"a segment"} if not b.radius and b.start != b.end else set()
        for sphere, capsule in some(generator, "sphere_capsule", count=120):
            middle = tuple(p / 2 + q / 2 for p, q in zip(capsule.start, capsule.end, strict=True))
            seen |= {"concentric"} if sphere.center == middle and sphere.radius and capsule.radius else set()
        for ray, capsule in some(generator, "ray_capsule", count=60):
            found = exact.relation(ray, capsule)
            seen.add(f"ray {found.state}")
            if found.normal is not None:
                seen.add(f"ray enters by the {exact.witness(ray, capsule).feature}")
    rays = {f"ray {state}" for state in ("apart", "touching", "crossing", "inside", "coplanar")}
    rays |= {f"ray enters by the {feature}" for feature in ("side", "start cap", "end cap")}
    touching = {"side to side", "side to a cap", "a cap to side", "a cap to a cap"}
    assert rays | touching | {"nested", "concentric", "a point", "a segment"} <= seen


@pytest.mark.parametrize("real", REALS)
def test_magnitudes_are_those_of_the_generators(real):
    def magnitudes(generator):
        numbers = np.abs(draw(generator, "point_aabb", 0, real).numbers[:, 3:6].astype(np.float64))
        return numbers[numbers > 0]

    limits = np.finfo(real)
    assert magnitudes("uniform").max() <= 1
    assert magnitudes("integer_grid").max() == 3 and (magnitudes("integer_grid") % 1 == 0).all()
    spread = 60 if real == "float64" else 20
    wide = magnitudes("log_uniform")
    assert 2.0**-spread <= wide.min() < 2.0 ** (3 - spread) and 2.0 ** (spread - 3) < wide.max() < 2.0 ** (
        1 + spread
    )
    ulps = np.spacing(magnitudes("far_from_origin").astype(real))
    assert 2.0 ** (-43 if real == "float64" else -20) <= ulps.min() and 2.0**-5 <= ulps.max() <= 2.0**-3
    extreme = magnitudes("extreme")
    assert extreme.min() <= 16 * limits.smallest_subnormal and extreme.max() > limits.max / 2


def test_numbers_go_out_of_a_shape_and_back():
    for pair in pairs():
        for shape in generate("extreme", pair, 3):
            assert with_numbers(shape, numbers_of(shape)) == shape
    assert not is_sound(Aabb._make(((1.0, 0.0, 0.0), (0.0, 1.0, 1.0))))
    assert not is_sound(Plane._make(((0.0, 0.0, 0.0), 1.0)))
    assert not is_sound(Point._make(((float("inf"), 0.0, 0.0),)))
