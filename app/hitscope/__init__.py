"""hitscope: see, step through, prove and regression-test geometric intersection tests."""

from importlib import import_module
from sys import modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hitscope.errors import HitscopeError as HitscopeError
    from hitscope.evaluate import Report as Report
    from hitscope.evaluate import Verdict as Verdict
    from hitscope.evaluate import evaluate as evaluate
    from hitscope.evaluate import hits as hits
    from hitscope.evaluate import intersect as intersect
    from hitscope.explain.python_interface import explain as explain
    from hitscope.geometry.shapes import Aabb as Aabb
    from hitscope.geometry.shapes import Line as Line
    from hitscope.geometry.shapes import Obb as Obb
    from hitscope.geometry.shapes import Parallelepiped as Parallelepiped
    from hitscope.geometry.shapes import Plane as Plane
    from hitscope.geometry.shapes import Point as Point
    from hitscope.geometry.shapes import Polyhedron as Polyhedron
    from hitscope.geometry.shapes import Ray as Ray
    from hitscope.geometry.shapes import Segment as Segment
    from hitscope.geometry.shapes import Triangle as Triangle
    from hitscope.scene import Scene as Scene
    from hitscope.scene import SceneError as SceneError
    from hitscope.scene.load import load as load
    from hitscope.targets.target import Skip as Skip

__version__ = "0.1.0"

_PUBLIC = {
    "hitscope.errors": ("HitscopeError",),
    "hitscope.evaluate": ("Report", "Verdict", "evaluate", "hits", "intersect"),
    "hitscope.explain.python_interface": ("explain",),
    "hitscope.geometry.shapes": (
        "Aabb",
        "Line",
        "Obb",
        "Parallelepiped",
        "Plane",
        "Point",
        "Polyhedron",
        "Ray",
        "Segment",
        "Triangle",
    ),
    "hitscope.scene": ("Scene", "SceneError"),
    "hitscope.scene.load": ("load",),
    "hitscope.targets.target": ("Skip",),
}
"""The public names of each module, which is imported when one of them is first used."""
_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = sorted(_MODULES)  # noqa: PLE0605 - type checkers read the imports above


class _Package(ModuleType):
    """This module: it imports public names when they are first used, and keeps them before its submodules."""

    def __getattr__(self, name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        found = getattr(import_module(_MODULES[name]), name)
        setattr(self, name, found)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        # The import of the submodule `evaluate` would hide the function of that name.
        if name not in _MODULES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*__all__, "__version__"]


modules[__name__].__class__ = _Package
