"""A map is the verdicts of `eval` with its handle at each position, by the method and exactly."""

import json
from io import BytesIO
from math import ulp

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

import hitscope
from hitscope import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.maps import Code, find_handle, plane_facing, position_map
from hitscope.maps.colours import legend
from hitscope.maps.position_map import MapMethod, nearest_wrong, others_of
from hitscope.scene import Scene, loads
from hitscope.scene.edits import index_of, replace_items
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs

SCENE = {
    "version": 1,
    "primitives": [
        {"id": "flat", "type": "triangle", "vertices": [[0, 0, 0], [24, 24, 0], [24, 12, 0]]},
        {"id": "box", "type": "aabb", "center": [12, 12, 12], "half_extents": [1, 2, 3]},
        {"id": "globe", "type": "sphere", "center": [14, 12, 12], "radius": 2},
        {"id": "many", "type": "aabbs", "min": [[8, 8, 8], [11, 9, 11]], "max": [[9, 11, 11], [12, 11.2, 12]]},
    ],
    "probes": [
        {"id": "down", "type": "ray", "origin": [12, 12, 1], "direction": [0, 0, -1]},
        {"id": "up", "type": "ray", "origin": [12, 12, 1], "direction": [0, 0, 1]},
        {"id": "cut", "type": "segment", "start": [9, 11, 11], "end": [15, 13, 12.5]},
        {"id": "a.b", "type": "triangle", "vertices": [[14, 11, 11], [15, 11, 12], [14.5, 15, 12]]},
        {"id": "turned", "type": "obb", "center": [14.5, 12, 12], "half_extents": [1, 1, 1]},
        {"id": "ball", "type": "sphere", "center": [14.5, 12, 12], "radius": 1.5},
    ],
}
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return loads(json.dumps(SCENE).encode(), "x")


def moved(scene, handle, vector):
    """The scene with the handle at a vector, as the window stores it."""
    kind, name, _ = handle.target
    return replace_items(scene, kind, {index_of(scene, kind, name): handle.numbers.store(vector)})


def mapped(scene, name, other, methods, scale, size=16, real=None, **more):
    handle = find_handle(scene, name)
    plane = plane_facing(handle.numbers.vector, X, Y, scale, size)
    others = others_of(scene, handle, other)
    probe = handle.item.word if handle.target.kind == "probe" else "segment"
    primitive = {"flat": "triangle", "box": "aabb", "globe": "sphere", "many": "aabb"}[
        other or handle.name.partition(".")[0]
    ]
    pair = f"{probe}_{primitive}"
    with OpenTargets() as opened:
        every = []
        for text in methods:
            (spec,) = target_specs(text, pair, real=real)
            every.append(MapMethod(text, {pair: opened[spec]}, spec.real))
        return handle, position_map(handle, plane, every, others, **more)


@pytest.mark.parametrize(
    ("name", "other", "methods", "scale"),
    [
        ("down.origin", "flat", ("moller_trumbore", "barycentric", "woop"), 2.0**-49),
        ("up.direction", "box", ("kay_kajiya",), 0.05),
        ("cut.end", "box", ("slab_ericson", "sat_segment"), 0.5),
        ("cut.start", "box", ("slab_ericson",), 0.75),
        ("a.b.vertices[2]", "box", ("sat13",), 0.25),
        ("turned.center", "box", ("exact",), 0.4),
        ("turned.face -x", "box", ("exact",), 0.25),
        ("ball.center", "box", ("exact",), 0.25),
        ("ball.radius", "box", ("exact",), 0.25),
        ("cut.end", "globe", ("quadratic", "haines"), 0.5),
    ],
)
def test_each_pixel_is_what_eval_says_with_the_handle_there(scene, name, other, methods, scale):
    handle, found = mapped(scene, name, other, methods, scale)
    random = np.random.default_rng(7)
    seen = set()
    for x, y in random.integers(0, 16, (30, 2)).tolist():
        report = evaluate(moved(scene, handle, found.plane.position(x, y)))
        i, j = index_of(scene, "probe", handle.target.id), report.elements.index_of(other)
        truth = report.verdict(i, j, "exact").hit
        assert found.hit[y, x] == truth
        for method in found.methods:
            said = report.verdict(i, j, method.name).hit
            code = (Code.RIGHT_MISS, Code.WRONG_MISS, Code.WRONG_HIT, Code.RIGHT_HIT)[2 * said + truth]
            assert (method.codes[y, x], method.hit[y, x]) == (code, said)
            seen.add(code)
    assert len(seen) > 1


def test_the_classroom_picture_counts_both_kinds_of_errors(scene):
    _, found = mapped(scene, "down.origin", "flat", ("barycentric", "woop"), 2.0**-49, size=128)
    wrong, watertight = found.methods
    assert wrong.wrong_hits > wrong.wrong_misses > 0 and wrong.wrong == wrong.wrong_hits + wrong.wrong_misses
    assert watertight.wrong == 0


def test_a_handle_of_a_primitive_is_mapped_against_the_probes(scene):
    handle = find_handle(scene, "box.center")
    only = replace(scene, probes=(scene.probes[2],))
    plane = plane_facing(handle.numbers.vector, X, Y, 0.5, 16)
    with OpenTargets() as opened:
        target = opened[target_specs("exact", "segment_aabb")[0]]
        found = position_map(
            handle, plane, [MapMethod("exact", {"segment_aabb": target})], others_of(only, handle)
        )
    assert 0 < found.hit.sum() < 256
    x, y = 3, 5
    report = evaluate(moved(only, handle, plane.position(x, y)))
    assert found.hit[y, x] == report.verdict(0, report.elements.index_of("box")).hit


def test_a_pixel_is_hit_where_any_of_several_is(scene):
    _, both = mapped(scene, "cut.end", "many", ("exact",), 0.5, size=32)
    handle = find_handle(scene, "cut.end")
    each = [
        position_map(handle, both.plane, (), others_of(scene, handle, name)).hit for name in ("many[0]", "many[1]")
    ]
    assert np.array_equal(both.hit, each[0] | each[1]) and each[1].any()


def test_positions_are_computed_from_left_to_right():
    plane = plane_facing((0.1, 12.0, 1e9), (0.6, 0.8, 0.0), (0.0, 0.0, 1.0), 0.3, 8)
    positions = plane.positions()
    for index, (x, y) in enumerate((x, y) for y in range(8) for x in range(8)):
        expected = tuple(o + x * r + y * u for o, r, u in zip(plane.origin, plane.right, plane.up, strict=True))
        assert tuple(positions[index].tolist()) == expected == plane.position(x, y)


@pytest.mark.parametrize("scale", [2.0**-49, 2.0**-48, 1e-300, 5e-15])
def test_the_microscope_ends_at_one_ulp_a_pixel_and_keeps_to_the_numbers(scale):
    plane = plane_facing((12.0, 12.0, 1.0), X, Y, scale, 256)
    assert plane.position(128, 128) == (12.0, 12.0, 1.0)
    assert plane.scale >= ulp(12.0)
    xs = {plane.position(x, 0)[0] for x in range(256)}
    assert len(xs) == 256


def test_an_axis_but_for_rounding_is_that_axis():
    plane = plane_facing((1.0, 2.0, 3.0), (1.0, 1e-17, -1e-16), (0.0, -1.0, 1e-12), 0.5, 4)
    assert (plane.right, plane.up) == ((0.5, 0.0, 0.0), (0.0, -0.5, 0.0))


def test_float32_is_judged_on_its_own_numbers(scene):
    _, found = mapped(scene, "down.origin", "flat", ("moller_trumbore",), 2.0**-20, real="float32")
    assert found.methods[0].codes.shape == (16, 16)
    assert {Code.RIGHT_HIT, Code.RIGHT_MISS} <= set(found.methods[0].codes.ravel().tolist())


def test_an_error_of_t_is_found_when_it_is_asked_for(scene):
    _, found = mapped(scene, "cut.start", "box", ("slab_ericson",), 0.01, with_t=True)
    _, without = mapped(scene, "cut.start", "box", ("slab_ericson",), 0.01)
    assert without.methods[0].t_ulps is None
    assert np.array_equal(found.methods[0].codes, without.methods[0].codes)
    assert found.methods[0].t_ulps is not None and 0 < np.nanmax(found.methods[0].t_ulps) < 100


class Slab:
    """A slab test as three kinds of functions."""

    def hit(self, segment, box):
        near, far = 0.0, 1.0
        for start, end, low, high in zip(segment.start, segment.end, box.lo, box.hi, strict=True):
            if end == start:
                if not low <= start <= high:
                    return False
                continue
            a, b = (low - start) / (end - start), (high - start) / (end - start)
            near, far = max(near, min(a, b)), min(far, max(a, b))
        return near <= far

    __call__ = hit


def slab(segment, box):
    return Slab().hit(segment, box)


def test_functions_of_python_are_methods_as_texts_are(scene):
    given = [slab, Slab().hit, Slab(), lambda *pair: bool(slab(*pair)), "slab_ericson"]
    found = hitscope.map(scene, "cut.end", given, other="box", scale=0.25, size=24)
    assert [method.name.rpartition(":")[2] for method in found.methods] == [
        "slab", "hit", "Slab", "<lambda>", "slab_ericson"
    ]  # fmt: skip
    for method in found.methods:
        assert np.array_equal(method.codes, found.methods[-1].codes)
    assert {0, 1} == {*found.methods[0].hit.ravel().tolist()}
    alone = hitscope.map(scene, "cut.end", slab, other="box", scale=0.25, size=24)
    assert np.array_equal(alone.methods[0].codes, found.methods[0].codes)


def test_a_function_that_raises_has_no_answer(scene):
    found = hitscope.map(scene, "cut.end", [lambda segment, box: 1 / 0], other="box", size=4)
    assert (found.methods[0].codes == Code.FAILED).all()


@pytest.mark.parametrize("methods", [3, [None], ["slab_ericson", 2.0]])
def test_what_is_no_method_is_refused_in_words(scene, methods):
    with pytest.raises(
        HitscopeError, match=r"^map: methods\[[01]\]: expected a method, a TARGET or a function, found"
    ):
        hitscope.map(scene, "cut.end", methods)


def test_a_notebook_shows_the_picture_of_a_map(scene):
    found = hitscope.map(scene, "cut.end", ["slab_ericson", "sat_segment"], other="box", size=32, show="verdict")
    data = found._repr_png_()
    with Image.open(BytesIO(data)) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 16)}
    entries = [entry.colour for entry in legend(found, "verdict")]
    assert len(entries) == 2 and colours >= {*entries}
    assert repr(found).startswith("<Map of cut.end, 32 × 32 positions, ")
    assert "slab_ericson: nothing wrong here" in repr(found) and len(repr(found)) < 300


def test_the_command_counts_and_says_where_each_pixel_is(hitscope, tmp_path):
    (tmp_path / "x.scene.json").write_text(json.dumps({**SCENE, "probes": SCENE["probes"][:1]}), encoding="utf-8")
    run = hitscope(
        "map", "x.scene.json", "--handle", "down.origin", "--other", "flat", "--method", "barycentric",
        "--scale", "1.7763568394002505e-15", "--size", "32", "-o", "map.png", "--json", cwd=tmp_path,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    document = json.loads(run.stdout)
    assert document["size"] == 32 and document["scale"] == 2.0**-49
    (method,) = document["methods"]
    assert method["wrong"] == method["wrong_hits"] + method["wrong_misses"] > 0
    assert (tmp_path / "map.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("handle", ["down.end", "down", "none.end", "many.center", "flat[0].a", "."])
def test_an_unknown_handle_is_refused_with_those_that_there_are(hitscope, tmp_path, handle):
    (tmp_path / "x.scene.json").write_text(json.dumps(SCENE), encoding="utf-8")
    run = hitscope("map", "x.scene.json", "--handle", handle, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1 and "expected a handle (down.origin, down.tip, " in run.stderr


@pytest.mark.parametrize(
    ("method", "is_found"), [("barycentric", True), ("moller_trumbore", True), ("woop", False)]
)
def test_the_nearest_wrong_position_is_found_outwards(scene, method, is_found):
    handle = find_handle(scene, "down.origin")
    start = plane_facing((12.01, 12.0, 1.0), X, Y, 1e-3, 16)
    others = others_of(scene, handle, "flat")
    with OpenTargets() as opened:
        given = MapMethod(method, {"ray_triangle": opened[target_specs(method, "ray_triangle")[0]]})
        found = nearest_wrong(
            lambda plane: position_map(handle, plane, [given], others).methods[0], start, largest=1e-2
        )
    assert (found is not None) == is_found
    if found is not None:
        report = evaluate(moved(scene, handle, found.vector))
        index = report.elements.index_of("flat")
        assert report.verdict(0, index, method).hit != report.verdict(0, index, "exact").hit
