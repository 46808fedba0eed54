"""Functions in GLSL: what the graphics driver answers, and what is said where it cannot run them."""

from fractions import Fraction

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.geometry import exact
from hitscope.geometry.shapes import rational
from hitscope.offscreen_context import offscreen_context
from hitscope.targets.case_arrays import UNWRITTEN, CaseArrays
from hitscope.targets.cases import Cases, case_width, layout
from hitscope.targets.options import target_specs
from hitscope.targets.process import open_target
from hitscope.targets.runners import load_runner
from hitscope.targets.target import HIT, MISS
from tests.targets.called import call

SLABS = """// The slabs of a box, in a helper's order.
vec2 ordered(float a, float b) {{ return a < b ? vec2(a, b) : vec2(b, a); }}

bool hit(vec3 origin, vec3 direction, vec3 lo, vec3 hi, inout float t_enter)
{{
    vec2 x = ordered((lo.x - origin.x) / direction.x, (hi.x - origin.x) / direction.x);
    vec2 y = ordered((lo.y - origin.y) / direction.y, (hi.y - origin.y) / direction.y);
    vec2 z = ordered((lo.z - origin.z) / direction.z, (hi.z - origin.z) / direction.z);
    float enter = max(max(x.s, y.s), max(z.s, {least}));
    if (enter > min(min(x.t, y.t), z.t)) return false;
    t_enter = enter;
    return true;
}}
"""


def rays_and_boxes(count):
    """Random cases of ray_aabb on a grid, without parallel faces, on which float32 does not round."""
    random = np.random.default_rng(1)
    direction = random.choice([-4.0, -2.0, -1.0, 1.0, 2.0, 4.0], (count, 3))
    lo = random.integers(-12, 4, (count, 3))
    numbers = np.hstack(
        [random.integers(-8, 8, (count, 3)), direction, lo, lo + random.integers(0, 17, (count, 3))]
    )
    return np.ascontiguousarray(numbers, np.float32)


@pytest.fixture
def write(tmp_path):
    def written(source, name="mine.glsl"):
        path = tmp_path / name
        path.write_bytes(source if isinstance(source, bytes) else source.encode())
        return path

    return written


@pytest.fixture(scope="module")
def truth():
    cases = Cases("ray_aabb", rays_and_boxes(300))
    pairs = [cases.shapes(k) for k in range(len(cases))]
    return cases.numbers, np.array([exact.meet(*map(rational, pair)) for pair in pairs])


@pytest.mark.parametrize("version", ["", "#version 330\n", "/* #version 110 */\n  # version 330 core // mine\n"])
def test_a_right_function_agrees_with_exact_and_returns_t(write, truth, version):
    numbers, hit = truth
    called = call(f"{write(version + SLABS.format(least='0.0'))}:hit", "ray_aabb", numbers)
    assert 30 < hit.sum() < 270
    assert (called.hit == hit).all() and called.failures == {}
    assert np.isnan(called.t_enter[~hit]).all()
    for row, t in zip(numbers[hit].tolist(), called.t_enter[hit].tolist(), strict=True):
        origin, direction, lo, hi = (row[k : k + 3] for k in range(0, 12, 3))
        enters = [
            min((Fraction(end) - Fraction(o)) / Fraction(d) for end in ends)
            for o, d, *ends in zip(origin, direction, lo, hi, strict=True)
        ]
        assert t == max(0, *enters)


def test_a_wrong_function_differs_from_exact(write, truth):
    numbers, hit = truth
    called = call(f"{write(SLABS.format(least='-1e9'))}:hit", "ray_aabb", numbers)
    assert ((called.hit == HIT) & ~hit).any() and not (hit & (called.hit == MISS)).any()


def test_the_numbers_reach_a_shader_bit_by_bit(write):
    """Ends of the range, which a driver may change where it calculates, and -0.0 and denormal numbers."""
    numbers = np.zeros((6, 9), np.float32)
    numbers[:, 8] = [1e-45, -0.0, 1.1754942e-38, 3.4028235e38, -1e-40, 1.0]
    source = "bool hit(vec3 p, vec3 lo, vec3 hi, inout float t) { t = hi.z; return floatBitsToInt(t) < 0; }"
    called = call(f"{write(source)}:hit", "point_aabb", numbers)
    assert called.t_enter.tobytes() == numbers[:, 8].tobytes()
    assert called.hit.tolist() == [0, 1, 0, 0, 1, 0]


def _types(field):
    return ["vec3" if field.is_vector else "float"] * field.parts


@pytest.mark.parametrize("pair", ["obb_obb", "parallelepiped_triangle", "triangle_plane", "point_plane"])
def test_each_number_of_a_case_is_its_own_parameter(write, pair):
    kinds = [kind for part in layout(pair) for field in part for kind in _types(field.in_vectors)]
    assert len(kinds) <= 16, "the attributes of a vertex on every driver"
    names = [
        f"{name}.{axis}" if kind == "vec3" else name
        for name, kind in zip("abcdefghijklmnop", kinds, strict=False)
        for axis in "xyz"[: 3 if kind == "vec3" else 1]
    ]
    parameters = ", ".join(f"{kind} {name}" for kind, name in zip(kinds, "abcdefghijklmnop", strict=False))
    total = " + ".join(f"{k}.0 * {name}" for k, name in enumerate(names, 1))
    source = f"bool hit({parameters}, inout float t) {{ t = {total}; return true; }}"
    called = call(f"{write(source)}:hit", pair, np.eye(case_width(pair), dtype=np.float32))
    assert called.t_enter.tolist() == list(range(1, case_width(pair) + 1))


def opened(path, function="hit", pair="point_aabb", real=None):
    """Open a target, and return what the report says about it."""
    (spec,) = target_specs(f"{path}:{function}", pair, real=real)
    with open_target(spec) as target:
        return target.about


def failure(path, *given, **named):
    with pytest.raises(HitscopeError) as caught:
        opened(path, *given, **named)
    assert "\n" not in caught.value.message
    return caught.value.message.removeprefix(f"{path}: ")


FINE = "bool hit(vec3 p, vec3 lo, vec3 hi, inout float t) { return false; }\n"


@pytest.mark.parametrize("version", ["", "#version 330\n", "// mine\n#version 330\n"])
def test_an_error_is_the_drivers_with_the_line_in_the_users_file(write, capsys, version):
    source = f"{version}\n{FINE}\nfloat two() {{ return undeclared; }}\n"
    message = failure(write(source))
    line = source[: source.index("undeclared")].count("\n") + 1
    assert message.startswith("expected GLSL that compiles, found: ")
    assert f"0:{line}(" in message and "`undeclared' undeclared" in message
    assert "`undeclared' undeclared" in capsys.readouterr().err


def test_an_unknown_function_and_wrong_parameters_say_what_is_expected(write):
    path = write(FINE)
    signature = "bool {}(vec3, vec3, vec3, inout float), as point_aabb needs it, found: "
    assert failure(path, "hitt").startswith("expected " + signature.format("hitt"))
    assert "no function with name 'hitt'" in failure(path, "hitt")
    wrong = failure(path, pair="point_plane")
    assert wrong.startswith("expected bool hit(vec3, vec3, float, inout float), as point_plane needs it, found: ")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (FINE + "bool more();\nbool two() { return more(); }\n", "unresolved reference to function `more'"),
        ("#version 999\n" + FINE, "GLSL 9.99 is not supported"),
        (FINE + "\0", "found: "),
        (b"", "no function with name 'hit'"),
        (FINE + "void main() {}\n", "main"),
    ],
)
def test_broken_files_are_refused_in_words(write, source, words):
    path = write(source)
    assert words in failure(path)


def test_bytes_that_are_not_utf8_in_a_comment_do_no_harm(write):
    path = write(b"// caf\xe9\n" + FINE.encode())
    assert opened(path)


def test_float64_and_a_missing_file_are_refused(write, tmp_path):
    assert "expected --float f32" in failure(write(FINE), real="float64")
    assert "expected a file, found none" in failure(tmp_path / "none.glsl")


def test_the_report_can_name_the_driver(write):
    with offscreen_context() as context:
        assert opened(write(FINE)) == context.info["GL_RENDERER"] != ""


def test_a_driver_that_writes_nothing_gives_no_old_answers(write):
    """As without a framebuffer, where Mesa runs nothing: the answers of the call before must not stand."""
    numbers = np.zeros((3, 9), np.float32)
    (spec,) = target_specs(f"{write(FINE)}:hit", "point_aabb")
    runner = load_runner(spec)
    answers = CaseArrays.of_numbers(numbers)
    runner.run(answers)
    assert answers.hit.tolist() == [MISS] * 3
    runner._framebuffer.release()
    runner.run(answers)
    assert answers.hit.tolist() == [UNWRITTEN] * 3
