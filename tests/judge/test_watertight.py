"""Rays from inside a closed mesh: the meshes that are refused, where rays start, what leaks, and its scenes."""

import json
import re
from fractions import Fraction
from pathlib import Path
from struct import pack
from typing import NamedTuple

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.judge.campaign import Campaign
from hitscope.judge.drawing.closed_mesh import read_closed_mesh
from hitscope.judge.drawing.rays_inside import AIMS, RaysInside
from hitscope.judge.drawing.samplers import RandomBlock
from hitscope.judge.leaks import LEAK
from hitscope.targets.cases import BLOCK
from hitscope.targets.judging.judged import CRASH, WRONG_HIT
from hitscope.targets.judging.precisions import PRECISIONS
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs
from tests.judge.mesh_files import (
    CUBE,
    CUBE_FACES,
    FACES,
    TETRAHEDRON,
    joined,
    scaled,
    sphere,
    turned,
    write_obj,
)

PAIR = "ray_triangle"
C_FILE = Path(__file__).with_name("ray_triangle.c")


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    return write_obj(tmp_path_factory.mktemp("mesh") / "ball.obj", *sphere(6))


class Tallied(NamedTuple):
    """What a row has found, without the times."""

    rays: int
    leaks: int
    left_out: int
    calls: int
    wrong_hits: int
    crashes: int
    hangs: int
    not_run: int
    leaking: list[tuple[int, list[float]]]
    """The seeds and rays that are kept to be shown."""
    crashed: list[str]


def rows_of(mesh, target, seeds=range(BLOCK), real="float32", workers=1, alone_seconds=1.0, **options):
    """Return the rows of a target, one for each aim."""
    targets = target_specs(target, PAIR, real=real, **options)
    campaign = Campaign(targets, seeds, generators=AIMS, mesh=mesh)
    with OpenTargets() as opened:
        campaign.run(opened, workers, alone_seconds=alone_seconds)
    return campaign.rows


def by_aim(rows):
    """Return what rows have found by aim."""
    return {row.generator: tallied(row.tally) for row in rows}


def tallied(tally):
    """Return the counts and examples of a tally."""
    return Tallied(
        tally.cases,
        tally.counts[LEAK],
        tally.left_out,
        tally.calls,
        tally.counts[WRONG_HIT],
        tally.counts[CRASH],
        tally.hangs,
        tally.not_run,
        [(example.seed, example.numbers.tolist()) for example in tally.leaks],
        [example.words for example in tally.examples.values()],
    )


def judged(*arguments, **options):
    """Return what a target's rows have found by aim."""
    return by_aim(rows_of(*arguments, **options))


# What is no closed mesh.


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        (TETRAHEDRON, FACES[1:], r"3 edges of one triangle alone \(e.g. .* of triangle \d\)"),
        (
            *joined((TETRAHEDRON, FACES), (scaled(TETRAHEDRON, -1), turned(FACES)), ([(0, 0, 0), (4, 0, 0)], [])),
            r"a vertex in which separate fans of triangles meet \(\(0\.0, 0\.0, 0\.0\)\)",
        ),
        (
            *joined((TETRAHEDRON, FACES), ([(x, -y, -z) for x, y, z in TETRAHEDRON], FACES)),
            r"an edge of more than two triangles \(\(0.*\) - \(4\.0, 0\.0, 0\.0\) of triangles 0, 1, 4, 5\)",
        ),
        (
            TETRAHEDRON,
            [FACES[0], *turned(FACES[1:2]), *FACES[2:]],
            "3 edges along which both triangles run the same way",
        ),
        (TETRAHEDRON, [*FACES, FACES[3]], "3 edges of more than two triangles"),
        (TETRAHEDRON, [*FACES, (1, 1, 2)], r"a triangle without area \(triangle 4\)"),
        (
            [*TETRAHEDRON, (2, 0, 0)],
            [*FACES[2:], (0, 2, 4), (4, 2, 1), (0, 4, 3), (4, 1, 3), (0, 1, 4), (0, 4, 1)],
            r"2 triangles without area \(e.g. triangle 6\)",
        ),
    ],
    ids=["a hole", "two at a vertex", "two at an edge", "a face turned", "a face twice", "a point", "a line"],
)
def test_what_no_ray_can_be_said_to_be_inside_of_is_refused_in_words(tmp_path, vertices, faces, words):
    path = write_obj(tmp_path / "mesh.obj", vertices, faces)
    with pytest.raises(HitscopeError, match=f"mesh.obj: expected a closed, oriented and manifold .*{words}"):
        read_closed_mesh(path, "float64")


def test_all_that_is_wrong_is_said_at_once(tmp_path):
    path = write_obj(tmp_path / "mesh.obj", TETRAHEDRON, [*FACES[:2], FACES[3], FACES[3], (0, 0, 1)])
    with pytest.raises(
        HitscopeError, match=r"found a triangle without area .*; 2 edges of one .*; 2 edges of more "
    ) as caught:
        read_closed_mesh(path, "float64")
    assert "\n" not in str(caught.value)


def test_the_mesh_judged_is_the_rounded_one(tmp_path):
    near = [(0, 0, 0), (1 + 2**-30, 0, 0), (1, 2**-30, 0), (1, 0, 1)]
    path = write_obj(tmp_path / "mesh.obj", near, FACES)
    assert read_closed_mesh(path, "float64").vertices.dtype == np.float64
    (tmp_path / "far.obj").write_bytes(
        write_obj(tmp_path / "x.obj", scaled(TETRAHEDRON, 1e38), FACES).read_bytes()
    )
    with pytest.raises(HitscopeError, match="in f32, found 2 triangles without area"):
        read_closed_mesh(write_obj(path, [*near[:2], (1, 0, 0), near[3]], FACES), "float32")
    with pytest.raises(HitscopeError, match="expected a mesh whose size is finite in f32"):
        read_closed_mesh(tmp_path / "far.obj", "float32")
    assert len(read_closed_mesh(tmp_path / "far.obj", "float64").triangles) == 4


def test_the_triangles_of_an_stl_share_the_vertices_that_are_equal(tmp_path):
    # -0.0 is 0.0.
    corners = [np.array([CUBE[i] for i in face], np.float32) * np.float32(0.1) for face in CUBE_FACES]
    path = tmp_path / "cube.stl"
    records = b"".join(bytes(12) + corner.tobytes() + bytes(2) for corner in corners)
    path.write_bytes(bytes(80) + pack("<I", len(corners)) + records)
    mesh = read_closed_mesh(path, "float32")
    assert mesh.vertices.shape == (8, 3) and mesh.triangles.shape == (12, 3) and mesh.edges.shape == (18, 2)


def test_a_mesh_without_room_inside_is_refused(tmp_path):
    path = write_obj(tmp_path / "flat.obj", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (2, 1, 0)])
    rays = RaysInside(read_closed_mesh(path, "float64"), most_draws=2)
    with pytest.raises(
        HitscopeError, match=rf"expected a mesh with room inside, found none of {2 * BLOCK} points"
    ):
        rays.origins(0)


# Where rays start, and where they go.


def test_rays_start_strictly_inside_and_not_in_a_cavity(tmp_path):
    path = write_obj(tmp_path / "hollow.obj", *joined((scaled(CUBE, 2), CUBE_FACES), (CUBE, turned(CUBE_FACES))))
    rays = RaysInside(read_closed_mesh(path, "float32"))
    origins = rays.origins(3)
    sizes = np.abs(origins).max(axis=1)
    assert origins.dtype == np.float32 and len(origins) == BLOCK
    assert sizes.min() > 1 and sizes.max() < 2
    assert (rays.origins(3) == origins).all() and (rays.origins(4) != origins).any()
    outside = [(2, 0, 0), (2, 2, 0), (2, 2, 2), (1, 0, 0), (1, 1, 1), (0, 0, 0), (2.5, 0, 0), (0.5, 0, 0)]
    inside = [(1.5, 0, 0), (1.5, 1.5, 1.5), (-1.25, 0, 0.5)]
    found = rays.are_inside(np.array(outside + inside, np.float32), RandomBlock("any", PRECISIONS["float32"]))
    assert found.tolist() == [False] * len(outside) + [True] * len(inside)


def test_rays_go_where_they_are_aimed_but_for_rounding(tmp_path):
    rays = RaysInside(read_closed_mesh(write_obj(tmp_path / "cube.obj", CUBE, CUBE_FACES), "float64"))
    origins = rays.origins(0)
    for aim in AIMS[1:]:
        numbers = rays.aimed(aim, 0)
        assert (numbers[:, :3] == origins).all()
        ends = np.abs(numbers[:, :3] + numbers[:, 3:])
        on_sides = np.count_nonzero(np.abs(ends - 1) < 1e-12, axis=1)
        # The diagonals of the squares are edges, too.
        assert on_sides.min() == {"faces": 1, "edges": 1, "vertices": 3}[aim]
        assert ends.max() < 1 + 1e-12
        assert len(np.unique(ends.round(6), axis=0)) == 1 if aim == "vertices" else len(ends) > 4000
    lengths = np.linalg.norm(rays.aimed("random", 0)[:, 3:], axis=1)
    assert np.abs(lengths - 1).max() < 1e-12


def meets(ray, triangle):
    """Whether a ray meets a triangle, by determinants of integers; None where the ray is along its plane."""
    o, d, a, b, c = (
        # The numbers of float32 are multiples of 2 ** -149.
        [int(Fraction(x) * 2**149) for x in part]
        for part in (ray[:3], ray[3:], triangle[:3], triangle[3:6], triangle[6:])
    )

    def determinant(p, q, r):
        return (
            p[0] * (q[1] * r[2] - q[2] * r[1])
            - p[1] * (q[0] * r[2] - q[2] * r[0])
            + p[2] * (q[0] * r[1] - q[1] * r[0])
        )

    def less(p, q):
        return [x - y for x, y in zip(p, q, strict=True)]

    e, f, s = less(a, b), less(a, c), less(a, o)
    whole = determinant(e, f, d)
    if whole == 0:
        return None
    # o + t d = a - u (a - b) - v (a - c)
    sign = 1 if whole > 0 else -1
    u, v, t = (
        sign * numerator for numerator in (determinant(s, f, d), determinant(e, s, d), determinant(e, f, s))
    )
    return u >= 0 and v >= 0 and u + v <= abs(whole) and t >= 0


@pytest.mark.parametrize("aim", AIMS)
def test_a_ray_is_close_to_every_triangle_that_it_meets_and_meets_one(ball, aim):
    rays = RaysInside(read_closed_mesh(ball, "float32"))
    numbers = rays.aimed(aim, 0)[:24]
    owners, triangles = rays.close_to(numbers)
    for i, ray in enumerate(numbers.tolist()):
        met = {k for k, triangle in enumerate(rays.numbers.tolist()) if meets(ray, triangle)}
        assert met and met <= set(triangles[owners == i].tolist())


# What leaks.

MINE = """
import numpy as np

def f(rays, triangles):
    o, d, a = rays[:, :3], rays[:, 3:], triangles[:, :3]
    e, f, s = triangles[:, 3:6] - a, triangles[:, 6:] - a, o - a
    p, q = np.cross(d, f), np.cross(s, e)
    dot = lambda a, b: (a * b).sum(axis=1)
    with np.errstate(all="ignore"):
        inverse = 1 / dot(e, p)
        u, v, t = dot(s, p) * inverse, dot(d, q) * inverse, dot(f, q) * inverse
    return (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
"""


def test_leaks_and_wrong_hits_are_those_that_fractions_find_among_all_pairs(ball, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(MINE, encoding="utf-8")
    scope = {}
    exec(MINE, scope)
    rays = RaysInside(read_closed_mesh(ball, "float32"))
    tallies = judged(ball, f"{mine}:f", range(100), batch=True)
    assert tallies["edges"].leaks > 0
    for aim, tally in tallies.items():
        leaking = wrong = 0
        for ray in rays.aimed(aim, 0)[:100]:
            said = scope["f"](np.repeat(ray[None], len(rays.numbers), axis=0), rays.numbers)
            leaking += not said.any()
            wrong += sum(meets(ray.tolist(), rays.numbers[k].tolist()) is False for k in np.flatnonzero(said))
        assert (tally.rays, tally.leaks, tally.wrong_hits) == (100, leaking, wrong)


def test_moller_trumbore_in_float32_leaks_at_edges_and_vertices_alone_and_woop_nowhere(ball):
    found = judged(ball, f"{C_FILE}:moller_trumbore")
    assert found["random"].leaks == found["faces"].leaks == 0
    # 9 % have been measured on other meshes.
    assert 0.04 < found["edges"].leaks / BLOCK < 0.2
    assert found["vertices"].leaks > 0
    assert all(tally.leaks == 0 for tally in judged(ball, f"{C_FILE}:woop").values())


def test_exact_leaks_nowhere_and_hits_nothing_that_it_should_not(ball):
    for tally in judged(ball, "exact", range(200), real="float64").values():
        assert (tally.rays, tally.leaks, tally.wrong_hits) == (200, 0, 0)


def test_tallies_are_the_same_however_the_rays_are_spread(ball):
    target = f"{C_FILE}:moller_trumbore"
    whole = judged(ball, target, range(4000, 30000))
    assert all(len(whole[aim].leaking) == 4 for aim in ("edges", "vertices"))
    first, second = rows_of(ball, target, range(4000, 9000)), rows_of(ball, target, range(9000, 30000))
    for row, later in zip(first, second, strict=True):
        row.add(later.parts)
    assert by_aim(first) == whole
    assert judged(ball, target, range(4000, 30000), workers=2, alone_seconds=0.0) == whole


def test_a_crash_costs_one_pair(ball):
    found = judged(ball, f"{C_FILE}:aborts_above", range(3))["random"]
    # The rays that do not crash leak, as the others would.
    assert found.rays == 3 and found.crashes > 0 and found.leaks + found.crashes == 3
    (words,) = found.crashed
    assert "signal 6" in words


def test_too_many_crashes_end_the_aim(ball, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def f(ray, triangle): raise ValueError('never')", encoding="utf-8")
    for tally in judged(ball, f"{mine}:f", range(4000, 6000)).values():
        assert tally.crashes == tally.calls == 100
        assert 0 < tally.rays < 100 and tally.rays + tally.not_run == 2000
        assert tally.crashed == ["ValueError: never at mine.py:1"]


def test_what_is_outside_the_contract_is_no_leak(ball):
    for tally in judged(ball, f"{C_FILE}:leaves_out", range(50)).values():
        assert (tally.rays, tally.leaks, tally.left_out) == (50, 0, 50)


# The command.


def test_each_leak_opens_as_a_scene_that_fails_by_the_target_alone(ball, tmp_path, hitscope):
    target = f"{C_FILE}:moller_trumbore"
    arguments = ("judge", target, "--pair", PAIR, "--mesh", ball, "--float", "f32", "--cases", 500)
    run = hitscope(*arguments, "-o", "found", "--json", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (1, "")
    document = json.loads(run.stdout)
    assert document["mesh"] == {"file": str(ball), "triangles": 288, "vertices": 146}
    tallies = {row["aim"]: row for row in document["tallies"]}
    assert list(tallies) == list(AIMS)
    for row in document["tallies"]:
        assert row["leaks_per_million"] == row["leaks"] * 2000
        assert row["rays"] == 500 and row["calls"] > 500 and row["ns_per_call"] > 0
    assert {found["aim"] for found in document["findings"]} == {"edges", "vertices"}
    assert all(found["kind"] == "leak" and found["triangles"] for found in document["findings"])
    files = sorted(Path(found["file"]).name for found in document["findings"])
    assert len(files) == 8 and files == sorted(path.name for path in (tmp_path / "found").iterdir())
    scene = document["findings"][0]["scene"]
    assert scene["judged"]["float"] == "f32" and len(scene["primitives"]) == len(scene["expect"]) < 20
    assert sum(expected["hit"] for expected in scene["expect"]) == len(document["findings"][0]["triangles"])
    assert hitscope("check", "found", cwd=tmp_path).returncode == 0
    checked = hitscope("check", "found", "--method", f"{PAIR}={target}", cwd=tmp_path)
    assert checked.returncode == 1 and checked.stdout.count("FAIL") == 8, checked.stdout
    assert "NOT" in checked.stdout or "to be hit" in checked.stdout

    # Another mesh's leaks and a campaign's findings beside them stay; those of the same mesh are replaced.
    other = write_obj(tmp_path / "other.obj", *sphere(3))
    hitscope(
        "judge",
        target,
        "--pair",
        PAIR,
        "--mesh",
        other,
        "--float",
        "f32",
        "--cases",
        500,
        "-o",
        "found",
        cwd=tmp_path,
    )
    assert len(list((tmp_path / "found").iterdir())) == 16
    hitscope(
        "judge", target, "--pair", PAIR, "--float", "f32", "--generator", "edges", "-o", "found", cwd=tmp_path
    )
    campaign = len(list((tmp_path / "found").iterdir())) - 16
    assert campaign > 0
    hitscope(*arguments, "-o", "found", "--seed", 7000, cwd=tmp_path)
    assert len(list((tmp_path / "found").iterdir())) == 16 + campaign


def test_the_report_names_the_first_leak_of_each_aim(ball, hitscope):
    target = f"{C_FILE}:moller_trumbore"
    run = hitscope("judge", target, "--pair", PAIR, "--mesh", ball, "--float", "f32", "--cases", 500)
    assert run.returncode == 1 and "288 triangles, closed, oriented and manifold" in run.stdout
    assert run.stdout.count("a ray aimed at an edge leaks through triangle") == 1
    assert run.stdout.count("a ray aimed at a vertex leaks through triangle") == 1
    assert "Ray(origin=(" in run.stdout and not re.search(r"\d\.\d{10}", run.stdout), "float32 has fewer digits"
    run = hitscope("judge", f"{C_FILE}:woop", "--pair", PAIR, "--mesh", ball, "--float", "f32", "--cases", 500)
    assert run.returncode == 0 and "no leak" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("exact", "--pair", "segment_triangle"),
            "expected TARGET and --pair ray_triangle with --mesh, found --pair",
        ),
        (("exact",), "expected TARGET and --pair ray_triangle with --mesh, found no pair"),
        (("--pair", PAIR), "expected TARGET and --pair ray_triangle with --mesh, found no TARGET"),
        (("exact", "--pair", PAIR, "--slack", "0"), "expected --mesh without --slack, found both"),
        (("exact", "--pair", PAIR, "--t-tolerance", "8"), "expected --mesh without --t-tolerance, found both"),
        (("exact", "--pair", PAIR, "--as", "pytest"), "expected --mesh without --as, found both"),
        (("exact", "--pair", PAIR, "--generator", "edges"), "expected --mesh without --generator, found both"),
        (("--builtin", "--pair", PAIR), "expected --mesh without --builtin, found both"),
        (
            ("exact", "--pair", PAIR),
            "hole.obj: expected a closed, oriented and manifold mesh in f64, found 3 edges",
        ),
    ],
)
def test_what_cannot_be_judged_is_one_line_and_exit_2(tmp_path, hitscope, arguments, words):
    mesh = write_obj(tmp_path / "hole.obj", TETRAHEDRON, FACES[1:])
    run = hitscope("judge", *arguments, "--mesh", mesh)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in run.stderr and run.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["none.obj", "mesh.txt"])
def test_a_file_that_is_no_mesh_is_named(tmp_path, hitscope, name):
    (tmp_path / "mesh.txt").write_text("v", encoding="utf-8")
    run = hitscope("judge", "exact", "--pair", PAIR, "--mesh", tmp_path / name)
    assert run.returncode == 2 and run.stderr.startswith("--mesh: expected") and name in run.stderr
