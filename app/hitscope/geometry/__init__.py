"""Pure mathematics: shapes, methods and their catalogue. Knows no file, scene, colour or window."""

from hitscope.geometry import exact, linear_aabb, linear_obb, linear_triangle, triangle_aabb

__all__ = ["exact", "linear_aabb", "linear_obb", "linear_triangle", "triangle_aabb"]
