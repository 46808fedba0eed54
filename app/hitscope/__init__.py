"""hitscope: see, step through, prove and regression-test geometric intersection tests."""

from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, Verdict, evaluate, hits, intersect
from hitscope.explain.python_interface import explain
from hitscope.geometry.shapes import (
    Aabb,
    Line,
    Obb,
    Parallelepiped,
    Plane,
    Point,
    Polyhedron,
    Ray,
    Segment,
    Triangle,
)
from hitscope.scene import Scene, SceneError, load
from hitscope.targets.target import Skip

__version__ = "0.1.0"

__all__ = [
    "Aabb",
    "HitscopeError",
    "Line",
    "Obb",
    "Parallelepiped",
    "Plane",
    "Point",
    "Polyhedron",
    "Ray",
    "Report",
    "Scene",
    "SceneError",
    "Segment",
    "Skip",
    "Triangle",
    "Verdict",
    "evaluate",
    "explain",
    "hits",
    "intersect",
    "load",
]
