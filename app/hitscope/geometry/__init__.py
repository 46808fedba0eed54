"""Pure mathematics: shapes, methods and their catalogue. Knows no file, scene, colour or window.

A new method is a function with the decorator `registry.method` in the file of its pair or primitive, such as
`linear_aabb` or `plane`. It returns a bool or one of the named tuples of `answers`. Importing a file registers its
methods, so each is imported here.
"""

from hitscope.geometry import (
    box_box,
    capsule,
    exact,
    linear_aabb,
    linear_obb,
    moving,
    plane,
    point_box,
    polyhedron,
    sphere,
    sphere_body,
    triangle,
    triangle_box,
    view_frustum,
)
