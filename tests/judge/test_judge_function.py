"""`hitscope.judge`: functions of this process and TARGET texts, against exact geometry."""

import json
import runpy
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from math import nan
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import hitscope
from hitscope import HitscopeError
from hitscope.judge.python_interface import Judgement
from hitscope.scene import load
from hitscope.targets.target import TargetSpec
from tests.judge.campaigns import judge as campaign


def slab(ray: Any, box: Any) -> bool:
    """Miss every box behind the origin, and some beside it."""
    near, far = 0.0, float("inf")
    for origin, direction, low, high in zip(ray.origin, ray.direction, box.lo, box.hi, strict=True):
        if abs(direction) > 1e-6:
            a, b = (low - origin) / direction, (high - origin) / direction
            near, far = max(near, min(a, b)), min(far, max(a, b))
    return near <= far


TOUCHING = """
def strict(point, box):
    return all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))
"""


def test_a_function_is_judged_as_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(Path(__file__).read_text().partition("\n\ndef test")[0])
    ours = hitscope.judge(slab, "ray_aabb", cases=50, generator=["uniform", "parallel"])
    spec = TargetSpec(f"{tmp_path}/mine.py:slab", "ray_aabb")
    theirs = campaign([spec], range(50), generators=["uniform", "parallel"])
    for a, b in zip(ours.tallies, theirs, strict=True):
        assert (a.generator, a.tally.cases, a.tally.counts) == (b.generator, b.tally.cases, b.tally.counts)
    assert [row["generator"] for row in ours.rows()] == ["uniform", "parallel"]
    assert not ours and ours.rows()[1]["wrong_hits"] > 0


def test_a_finding_is_a_small_pair_that_shows_the_difference() -> None:
    found = hitscope.judge(slab, "ray_aabb", cases=50, generator=["parallel"])
    for finding in found.findings:
        assert slab(finding.probe, finding.primitive) != bool(hitscope.intersect(finding.probe, finding.primitive))
        assert finding.words.startswith("expected a miss, found a hit")
        assert hitscope.evaluate(finding.scene).mismatches == ()
        assert (finding.generator, finding.kind) == ("parallel", "wrong hit")


def test_the_findings_are_saved_as_scenes(tmp_path: Path) -> None:
    (path,) = hitscope.judge(slab, "ray_aabb", cases=50, generator=["parallel"]).save(tmp_path)
    assert hitscope.evaluate(hitscope.load(path)).mismatches == ()


def test_a_right_function_has_no_findings() -> None:
    found = hitscope.judge(hitscope.intersect, "point_aabb", cases=10)
    assert found and found.findings == () and repr(found).endswith(": no difference in 140 cases>")


def test_a_method_is_judged_by_its_name() -> None:
    assert hitscope.judge("bounds", "point_aabb", cases=5)


def test_a_text_stands_for_the_arguments_that_it_carries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("# hitscope: boundary=either\n" + TOUCHING)
    (tmp_path / "hitscope.toml").write_text(
        '[targets.mine]\nfile = "mine.py:strict"\nslack = 1\ngenerators = ["integer_grid"]\n'
    )
    found = hitscope.judge("mine", "point_aabb", cases=40)
    assert found and (found.rules.boundary, found.rules.slack) == ("either", 1)
    assert [row["generator"] for row in found.rows()] == ["integer_grid"] and "of mine on" in repr(found)
    assert not hitscope.judge("mine", "point_aabb", cases=40, boundary="closed", slack=0.0)


def test_a_function_is_judged_on_what_it_requires() -> None:
    def unit(ray: Any, box: Any) -> bool:
        assert abs(sum(x * x for x in ray.direction) - 1) < 1e-9
        return bool(hitscope.intersect(ray, box))

    assert hitscope.judge(unit, "ray_aabb", cases=20, require="unit-direction")
    assert not hitscope.judge(unit, "ray_aabb", cases=20)
    with pytest.raises(HitscopeError, match=r"judge: require\[0\]: expected unit-direction, .*, found \"unit\""):
        hitscope.judge(unit, "ray_aabb", require="unit")


def test_what_a_function_raises_is_a_finding_but_not_an_interrupt() -> None:
    def fails(probe: Any, primitive: Any) -> bool:
        raise RuntimeError("no way")

    def interrupted(probe: Any, primitive: Any) -> bool:
        raise KeyboardInterrupt

    (finding,) = hitscope.judge(fails, "point_aabb", cases=5, generator=["uniform"]).findings
    assert finding.kind == "crash" and "no way" in finding.words
    with pytest.raises(KeyboardInterrupt):
        hitscope.judge(interrupted, "point_aabb", cases=5, generator=["uniform"])


def test_a_text_is_judged_on_the_workers_of_an_executor(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(Path(__file__).read_text().partition("\n\ndef test")[0])
    more: dict[str, Any] = {"cases": 50, "generator": ["uniform", "parallel"]}
    alone = hitscope.judge(f"{tmp_path}/mine.py:slab", "ray_aabb", **more)
    with ThreadPoolExecutor(2) as pool, patch.object(pool, "submit", wraps=pool.submit) as submit:
        spread = hitscope.judge(f"{tmp_path}/mine.py:slab", "ray_aabb", executor=pool, jobs=2, **more)
    assert submit.call_count == 2
    assert [row.tally.counts for row in spread.tallies] == [row.tally.counts for row in alone.tallies]
    assert spread.findings == alone.findings != ()


@pytest.mark.parametrize(
    ("target", "more", "message"),
    [
        (slab, {"executor": ThreadPoolExecutor()}, "judge: executor: expected a TARGET text beside it, found a f"),
        (slab, {"pair": "ray_box"}, "judge: expected a pair PROBE_PRIMITIVE"),
        (3, {}, "judge: target: expected a function or the text of a TARGET, found 3"),
        (slab, {"cases": 0}, "judge: cases: expected a whole number, at least 1, found 0"),
        (slab, {"jobs": 1.5}, "judge: jobs: expected a whole number, at least 1, found 1.5"),
        (slab, {"seed": -1}, "judge: seed: expected a whole number, at least 0, found -1"),
        (slab, {"generator": ["grid"]}, "judge: generator[0]: expected a generator (uniform,"),
        (slab, {"boundary": "half"}, "judge: boundary: expected a boundary (closed, open, either)"),
        (slab, {"slack": nan}, "judge: slack: expected a number of at least 0, found nan"),
        (slab, {"t_tolerance": (8, -1)}, "judge: t_tolerance: expected a number of at least 0, found -1"),
        (slab, {"t_tolerance": 8}, "judge: t_tolerance: expected two numbers, of ulps and of units, found 8"),
        (slab, {"float": "f16"}, "judge: float: expected a precision (f64, f32)"),
        (slab, {"executor": 4}, "judge: executor: expected an executor as those of concurrent.futures, found 4"),
        (slab, {"flags": "-O2"}, "judge: flags: expected a TARGET text beside it, found a function"),
        ("none.c:hit", {}, "none.c: expected a file, found none"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_words(target: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        hitscope.judge(target, **{"pair": "ray_aabb", **more})
    assert str(caught.value).startswith(message)


EFFICIENT = """\
from math import copysign, inf, nan


def divided(a, b):
    return a / b if b else (nan if a == 0 or a != a else copysign(inf, a) * copysign(1, b))


def greater(a, b):
    return a if a > b else b


def lesser(a, b):
    return a if a < b else b


def hit(ray, box):
    lows, highs = [], []
    for k in range(3):
        inverse = divided(1.0, ray.direction[k])
        a, b = (box.lo[k] - ray.origin[k]) * inverse, (box.hi[k] - ray.origin[k]) * inverse
        lows.append(lesser(a, b))
        highs.append(greater(a, b))
    near = greater(greater(lows[0], lows[1]), greater(lows[2], 0.0))
    far = lesser(lesser(highs[0], highs[1]), lesser(highs[2], inf))
    return near <= far
"""
"""`slab_efficient` in other words: 0 times infinity is NaN, which the last of two comparisons leaves standing."""


def on_faces(folder: Path, text: str) -> Judgement:
    """Judge a function of a file on rays beside, in and along the faces of boxes."""
    (folder / "mine.py").write_text(text)
    return hitscope.judge(f"{folder}/mine.py:hit", "ray_aabb", cases=300, generator=["faces", "parallel"])


def test_the_textbook_method_that_errs_on_the_same_cases_is_named_with_its_cause(tmp_path: Path) -> None:
    judgement = on_faces(tmp_path, EFFICIENT)
    found = judgement.alike
    assert found is not None and found.method == "slab_efficient"
    assert found.wrong == found.both == found.right >= 8 and found.alone == 0
    assert found.cause.startswith("a NaN in its line ") and "inverse[" in found.cause
    assert f"\n    {found.sentence}" in repr(judgement)
    wrong = next(finding for finding in judgement.findings if finding.kind == "wrong miss")
    scope = runpy.run_path(str(tmp_path / "mine.py"))
    listed = repr(hitscope.explain(wrong.probe, wrong.primitive, scope["hit"]))
    assert "It errs as `slab_efficient` does" in " ".join(listed.split())


@pytest.mark.parametrize("answer", ["near > far", "near < far"], ids=["wrong everywhere", "wrong on more"])
def test_a_textbook_method_that_errs_on_some_of_the_same_cases_is_not_named(tmp_path: Path, answer: str) -> None:
    judgement = on_faces(tmp_path, EFFICIENT.replace("near <= far", answer))
    assert judgement.findings and judgement.alike is None


STRICT_C = """\
int hit(const double *ray, const double *box, double *t)
{
    double near = 0, far = 1e308;
    for (int k = 0; k < 3; k++) {
        double direction = ray[3 + k];
        if (direction == 0) {
            if (ray[k] < box[k] || ray[k] > box[3 + k]) return 0;
            continue;
        }
        double a = (box[k] - ray[k]) / direction, b = (box[3 + k] - ray[k]) / direction;
        if (a > b) { double c = a; a = b, b = c; }
        if (a > near) near = a;
        if (b < far) far = b;
    }
    return near < far;
}
"""


def strictly(ray: Any, box: Any) -> bool:
    """Answer as STRICT_C does, without rounding."""
    near, far = Fraction(0), Fraction(1e308)
    for start, direction, low, high in zip(*map(partial(map, Fraction), (*ray, *box)), strict=True):
        if direction == 0:
            if not low <= start <= high:
                return False
            continue
        a, b = sorted(((low - start) / direction, (high - start) / direction))
        near, far = max(near, a), min(far, b)
    return near < far


@pytest.mark.thorough
def test_rounding_and_logic_of_a_function_in_c_are_told_apart_by_a_wider_type(
    tmp_path: Path, hitscope: Any
) -> None:
    source, folder = tmp_path / "mine.c", tmp_path / "found"
    source.write_text(STRICT_C)
    command = (
        "judge",
        f"{source}:hit",
        "--pair",
        "ray_aabb",
        "--generator",
        "edges",
        "--generator",
        "integer_grid",
    )
    done = hitscope(*command, "--json", "-o", folder)
    causes = set()
    for found in json.loads(done.stdout)["findings"]:
        if found["kind"] not in ("wrong_hit", "wrong_miss"):
            continue
        cause, (path,) = found["why"].partition("; ")[2], [found["file"]]
        scene = load(Path(path))
        probe, primitive = scene.probes[0], scene.primitives[0]
        is_logic = strictly(probe.shape, primitive.shape) != scene.expect[0].hit
        assert cause in ("its logic is wrong, not the rounding" if is_logic else "in a wider type it is right", "")
        causes.add(cause)
        words = ("explain", path, "--probe", scene.probe_ids[0], "--primitive", scene.primitive_ids[0])
        said = " ".join(hitscope(*words, "--method", f"{source}:hit").stdout.split())
        assert {
            "in a wider type it is right": "Rounding is the cause: in a wider type the answer is right.",
            "its logic is wrong, not the rounding": "The logic of this function is wrong, not the rounding;",
            "": "Whether that is the rounding is not known",
        }[cause] in said
    assert len(causes - {""}) == 2
