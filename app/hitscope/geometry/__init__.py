"""Pure mathematics: shapes, methods and their catalogue. Knows no file, scene, colour or window.

A new method is a function with the decorator `registry.method` in the file of its pair, such as `point_box`. It
returns a bool or one of the named tuples of `answers`. Importing a file registers its methods, so each is imported
here.
"""

from hitscope.geometry import (
    bodies_plane,
    box_box,
    exact,
    faces_polyhedron,
    linear_aabb,
    linear_obb,
    linear_parallelepiped,
    linear_plane,
    linear_polyhedron,
    linear_sphere,
    linear_triangle,
    point_box,
    point_plane,
    point_polyhedron,
    point_sphere,
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
    "linear_sphere",
    "linear_triangle",
    "point_box",
    "point_plane",
    "point_polyhedron",
    "point_sphere",
    "point_triangle",
    "triangle_aabb",
    "triangle_box",
    "triangle_triangle",
]
