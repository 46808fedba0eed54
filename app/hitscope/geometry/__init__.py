"""Pure mathematics: shapes, methods and their catalogue. Knows no file, scene, colour or window."""

from hitscope.geometry import (
    bodies_plane,
    box_box,
    exact,  # isort: split - the referee stands first in every list
    faces_polyhedron,
    linear_aabb,
    linear_obb,
    linear_parallelepiped,
    linear_plane,
    linear_polyhedron,
    linear_triangle,
    point_box,
    point_plane,
    point_polyhedron,
    point_triangle,
    triangle_aabb,
    triangle_box,
    triangle_triangle,
)

__all__ = [
    "bodies_plane",
    "box_box",
    "exact",
    "faces_polyhedron",
    "linear_aabb",
    "linear_obb",
    "linear_parallelepiped",
    "linear_plane",
    "linear_polyhedron",
    "linear_triangle",
    "point_box",
    "point_plane",
    "point_polyhedron",
    "point_triangle",
    "triangle_aabb",
    "triangle_box",
    "triangle_triangle",
]
