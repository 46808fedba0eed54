"""`hitscope bench` as users meet it: its contenders agree; their costs are not tested."""

import json
import platform
import subprocess
import sys

import pytest

from hitscope.cli import main
from hitscope.resources import SCENES

# One run is shared by all these tests, so one process runs them.
pytestmark = pytest.mark.xdist_group("bench")

FIGURES = {
    *(
        "segment_aabb",
        "segment_obb",
        "segment_triangle",
        "segment_sphere",
        "triangle_aabb",
        "ray_aabb",
        "all_pairs",
    ),
    *("segment_aabb_pairs", "segment_triangle_pairs"),
    *("closest_incoherent_asteroid", "closest_camera_asteroid", "closest_incoherent_terrain"),
    *("closest_camera_terrain", "build", "refit", "closest_boxes", "start", "load_npz", "load_json"),
    *("evaluate", "memory"),
    "judged_segment_aabb",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    picture = tmp_path_factory.mktemp("bench") / "scaling.png"
    command = [sys.executable, "-m", "hitscope", "bench", "--quick", "--json", "--plot", str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, picture


@pytest.fixture(scope="module")
def document(run):
    return json.loads(run[0])


def test_every_figure_is_measured(document):
    assert {figure["name"] for figure in document["figures"]} == FIGURES
    for figure in document["figures"]:
        judged = [row for row in figure["rows"] if row["judged"]]
        assert judged, figure["name"]
        assert all(row["value"] is not None for row in judged), figure["name"]


def test_all_contenders_agree(document):
    rows = [
        (figure["title"], row["contender"], row["note"])
        for figure in document["figures"]
        for row in figure["rows"]
    ]
    notes = [row for row in rows if row[2] and "install" not in row[2]]
    assert notes == []
    notes = [note for scaling in document["scalings"] for note in scaling["notes"].values()]
    assert [note for note in notes if "install" not in note] == []


def test_ratios_are_to_the_yardstick_of_the_same_figure(document):
    compared = 0
    for figure in document["figures"]:
        by_name = {row["contender"]: row for row in figure["rows"]}
        base = by_name.get(figure["yardstick"])
        for row in figure["rows"]:
            if base and row["value"] is not None:
                assert row["ratio"] > 0
                compared += 1
            else:
                assert row["ratio"] is None
        assert base is None or base["ratio"] == 1
    assert compared > 20


def test_small_sizes_have_no_goal(document):
    assert {figure["goal"] for figure in document["figures"]} == {None}


def test_the_machine_is_described_and_not_named(run, document):
    machine = document["machine"]
    assert machine["python"] == platform.python_version()
    assert machine["cpu"]
    assert {"numpy", "numba", "C", "embreex", "open3d", "pyrr"} <= machine.keys()
    assert platform.node() not in run[0].split('"')


def test_scalings_give_points_and_growth_and_a_picture(run, document):
    assert [scaling["name"] for scaling in document["scalings"]] == ["one_probe", "one_ray", "bundle"]
    for scaling in document["scalings"]:
        (own,) = (series for series in scaling["series"] if series["contender"] == "exact, BVH")
        assert [point["count"] for point in own["points"]] == [1000, 10000]
        assert own["growth_per_decade"] > 0
    assert run[1].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_scenes_own_pairs_are_measured_by_every_method(capsys):
    scene = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"
    assert main(["bench", "--quick", "--json", str(scene)]) == 0
    found = json.loads(capsys.readouterr().out)["figures"]
    assert {figure["name"] for figure in found} == {"triangle_aabb"}
    names = {row["contender"] for figure in found for row in figure["rows"]}
    assert {"exact", "sat13", "sat13_edges"} <= names
    assert all(scene.name in figure["title"] for figure in found)


def test_results_are_printed_as_tables(capsys):
    assert main(["bench", "--quick", str(SCENES / "triangle-aabb-szauer" / "unit-test.scene.json")]) == 0
    printed = capsys.readouterr().out
    assert "unit-test.scene.json, tri: one triangle against 6 aabbs" in printed
    assert "sat13" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.scene.json"], "absent.scene.json: "),
        (["--plot", "nowhere/scaling.png"], "nowhere/scaling.png: expected a file in an existing folder"),
        (["--plot", "scaling.nonsense"], "scaling.nonsense: expected a name that ends in "),
        (["--plot", "scaling.png", "some.scene.json"], "found both"),
    ],
)
def test_bad_usage_is_refused_before_anything_is_measured(arguments, message, capsys):
    assert main(["bench", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert (captured.err.count("\n"), captured.out) == (1, "")


def test_a_picture_without_matplotlib_is_refused(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["bench", "--plot", "scaling.png"]) == 2
    assert "expected the package matplotlib" in capsys.readouterr().err


def test_a_bundle_of_rays_on_triangles_is_measured_by_closest_hits_too(tmp_path, capsys):
    faces = [[[x, 0, 0], [x + 1, 0, 0], [x, 1, 0]] for x in range(4)]
    rays = {"origin": [[0.2, 0.2, 1], [2.2, 0.3, 1], [9, 9, 1]], "direction": [[0, 0, -1]] * 3}
    scene = tmp_path / "bundle.scene.json"
    primitives, probes = [{"type": "triangles", "vertices": faces}], [{"id": "sun", "type": "rays", **rays}]
    scene.write_text(json.dumps({"version": 1, "primitives": primitives, "probes": probes}))
    assert main(["bench", "--quick", "--json", str(scene)]) == 0
    found = json.loads(capsys.readouterr().out)["figures"]
    assert {figure["name"] for figure in found} == {"ray_triangle", "closest"}
    for figure in found:
        assert figure["title"].startswith("bundle.scene.json, sun: ")
        notes = {row["contender"]: row["note"] for row in figure["rows"] if "installed" not in row["note"]}
        assert "exact, BVH" in notes
        assert set(notes.values()) == {""}
