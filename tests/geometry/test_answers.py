"""Named answers: the parts that the catalogue reads from annotations; features, axes and gaps of known pairs."""

import ast
import math
from pathlib import Path

import pytest

from hitscope import geometry
from hitscope.geometry import answers
from hitscope.geometry.registry import Method, choose, methods
from hitscope.geometry.shapes import (
    Aabb,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Triangle,
    Vec3,
)
from hitscope.geometry.traits import feature_name

UNIT_BOX = Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
OBB = Obb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
CUBOID = Parallelepiped((0.0, 0.0, 0.0), OBB.axes)
RIGHT_ANGLED = Triangle((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
SLANTED = Polyhedron(planes=(Plane((1.0, 1.0, 0.0), 1.0), Plane((-1.0, 0.0, 0.0), 0.0)))


def found(pair, name, probe, primitive):
    return choose(pair, name).method(probe, primitive)


def test_the_catalogue_reads_the_parts_from_the_return_annotation():
    assert choose("segment_aabb", "slab_halfspaces").method.parts == {
        "t_enter": float,
        "t_exit": float,
        "normal": Vec3,
        "feature": int,
    }
    assert choose("triangle_aabb", "critical_points").method.parts == {}


def test_a_method_whose_answer_does_not_begin_with_its_verdict_is_refused():
    def distance_first(probe: Point, box: Aabb) -> tuple[float, bool]:
        return 0.0, True

    with pytest.raises(TypeError, match="distance_first"):
        _ = Method(name="distance_first", function=distance_first, pairs=(), source="").parts


def test_every_file_with_methods_is_imported_by_the_package():
    folder = Path(geometry.__file__).parent
    files = {path.stem for path in folder.glob("*.py") if "\n@method(" in path.read_text(encoding="utf-8")}
    statements = ast.parse(Path(geometry.__file__).read_text(encoding="utf-8")).body
    imported = {name.name for node in statements if isinstance(node, ast.ImportFrom) for name in node.names}
    assert files and files <= imported, "import them in geometry/__init__.py"


def test_every_method_returns_the_type_it_is_annotated_with():
    for method in methods():
        kind = method.function.__annotations__["return"]
        assert kind is bool or kind.__module__ == answers.__name__, method.name


@pytest.mark.parametrize(
    ("pair", "name", "probe", "primitive", "feature"),
    [
        ("segment_aabb", "slab_halfspaces", Segment((-1.0, 0.5, 0.5), (3.0, 0.5, 0.5)), UNIT_BOX, "face -x"),
        ("segment_aabb", "slab_halfspaces", Segment((3.0, 0.5, 0.5), (-1.0, 0.5, 0.5)), UNIT_BOX, "face +x"),
        ("segment_aabb", "slab_halfspaces", Segment((0.5, 0.5, 0.5), (3.0, 0.5, 0.5)), UNIT_BOX, None),
        ("segment_aabb", "slab_halfspaces", Segment((0.5, 2.0, 0.5), (0.5, 3.0, 0.5)), UNIT_BOX, "face +y"),
        ("segment_aabb", "slab_division_free", Segment((0.5, 0.5, -3.0), (0.5, 0.5, -1.0)), UNIT_BOX, "face -z"),
        ("ray_obb", "slab_rotated", Ray((5.0, 0.0, 0.0), (-1.0, 0.0, 0.0)), OBB, "face +x"),
        ("ray_obb", "slab_rotated", Ray((5.0, -2.0, 0.0), (-1.0, 0.0, 0.0)), OBB, "face -y"),
        ("segment_aabb", "slab_ericson", Segment((3.0, 0.5, 0.5), (2.0, 0.5, 0.5)), UNIT_BOX, "slab x"),
        ("segment_aabb", "smits", Segment((-1.0, 0.0, 3.0), (2.0, 0.1, 3.5)), UNIT_BOX, "slab z"),
        ("ray_parallelepiped", "cuboid_slabs", Ray((0.5, 9.0, 0.5), (1.0, 0.0, 0.0)), CUBOID, "slab 1"),
        ("point_aabb", "bounds", Point((0.5, -1.0, 9.0)), UNIT_BOX, "face -y"),
        ("point_polyhedron", "behind_planes", Point((-1.0, 0.0, 0.0)), SLANTED, "plane 1"),
        ("ray_polyhedron", "clip_planes", Ray((5.0, 0.0, 0.0), (-1.0, 0.0, 0.0)), SLANTED, "plane 0"),
        ("ray_parallelepiped", "clip_planes", Ray((0.5, 0.5, 9.0), (0.0, 0.0, -1.0)), CUBOID, "face +2"),
        ("ray_parallelepiped", "clip_planes", Ray((-1.0, 0.5, 0.5), (1.0, 0.0, 0.0)), CUBOID, "face -0"),
        ("ray_triangle", "moller_trumbore", Ray((0.2, -0.1, 1.0), (0.0, 0.0, -1.0)), RIGHT_ANGLED, "edge 0-1"),
        ("ray_triangle", "moller_trumbore", Ray((0.8, 0.8, 1.0), (0.0, 0.0, -1.0)), RIGHT_ANGLED, "edge 1-2"),
        ("ray_triangle", "moller_trumbore", Ray((-0.1, 0.2, 1.0), (0.0, 0.0, -1.0)), RIGHT_ANGLED, "edge 0-2"),
        ("ray_triangle", "barycentric", Ray((0.8, 0.8, 1.0), (0.0, 0.0, -1.0)), RIGHT_ANGLED, "edge 1-2"),
        ("ray_triangle", "barycentric", Ray((0.2, -0.1, 1.0), (0.0, 0.0, -1.0)), RIGHT_ANGLED, "edge 0-1"),
        ("ray_triangle", "barycentric", Ray((0.2, 0.2, 1.0), (0.0, 0.0, 1.0)), RIGHT_ANGLED, "plane"),
        ("ray_triangle", "barycentric", Ray((0.2, 0.2, 1.0), (0.0, 0.0, -1.0)), RIGHT_ANGLED, None),
        ("point_triangle", "barycentric_point", Point((-0.1, 0.2, 0.0)), RIGHT_ANGLED, "edge 0-2"),
        ("point_triangle", "barycentric_point", Point((0.2, 0.2, 1.0)), RIGHT_ANGLED, "plane"),
    ],
)
def test_a_method_names_the_feature_that_decided(pair, name, probe, primitive, feature):
    assert feature_name(primitive, found(pair, name, probe, primitive).feature) == feature


def test_planes_of_hulls_are_named_where_they_are_faces():
    flat = Polyhedron(vertices=RIGHT_ANGLED)
    assert [feature_name(flat, k) for k in range(3)] == ["plane", "plane", None]
    assert feature_name(Polyhedron(vertices=(*RIGHT_ANGLED, (0.0, 0.0, 1.0))), 0).startswith("face ")


def test_a_gap_is_measured_along_the_axis_that_separates():
    answer = found("aabb_aabb", "overlap", UNIT_BOX, Aabb((0.0, 3.0, 0.0), (1.0, 4.0, 1.0)))
    assert answer == answers.Separation(False, (0, 1, 0), 2.0)
    answer = found("aabb_plane", "plane_radius", UNIT_BOX, Plane((0.0, 0.0, 2.0), 8.0))
    assert answer == answers.Separation(False, (0.0, 0.0, 2.0), 6.0)


def test_sets_that_meet_have_no_axis():
    assert found("aabb_aabb", "overlap", UNIT_BOX, UNIT_BOX) is answers.NOT_SEPARATED
    assert all(map(math.isnan, (answers.NOT_SEPARATED.gap, *answers.NOT_SEPARATED.axis)))
