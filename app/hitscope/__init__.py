"""hitscope: see, step through, prove and regression-test geometric intersection tests.

The shapes are `Point`, `Segment`, `Ray`, `Line`, `Triangle`, `Aabb`, `Obb`, `Parallelepiped`, `Sphere`,
`Capsule`, `Polyhedron`, `Frustum` and `Plane`; `Rounded` is all within a radius of a flat or solid one, and `Cast`
a bounded one that moves. `Shapes` are many of one type in an array. All but `Plane` can be probes, which hit; all
but the first four and `Cast` can be primitives, which are hit.

- `intersect(probe, primitive)` returns the `Verdict` of one pair: true if they meet, with t, point, normal, state
  and distance. `hits(probes, primitives)` returns those of n pairs as an array of bools.
- `Mesh` answers rays on triangles, `Tree` other linear probes on triangles and boxes: `closest`, `any`, `all`.
- `scene(primitives, probes)` puts shapes together; `evaluate` returns the `Report` of all pairs, `render` a
  picture, `Scene.show` opens a window, `save` and `load` keep scenes in files.
- `judge(function, pair)` puts a function of yours against the exact answers, and returns a Judgement: true if none
  differs, else with the `findings` (pairs that show a difference), the counts in `rows()`, and `save(folder)`.
- `explain(probe, primitive, function)` returns the lines that ran, with their values, and the one that is wrong;
  `map(scene, handle, functions)` the answers for every position of a handle, as arrays and as a picture.

`help(hitscope.judge)` tells more of one name. Everything that is wrong is a `HitscopeError` of one line. Shapes,
scenes, meshes and trees are immutable, can be pickled, and are safe to share between threads.

>>> import hitscope
>>> box = hitscope.Aabb(lo=[1, -1, -1], hi=[2, 1, 1])
>>> verdict = hitscope.intersect(hitscope.Ray([0, 0, 0], [1, 0, 0]), box)
>>> verdict.hit, verdict.t_enter, verdict.point
(True, 1.0, (1.0, 0.0, 0.0))
"""

import builtins
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
    from hitscope.geometry.arrays import Shapes as Shapes
    from hitscope.geometry.bvh import Tree as Tree
    from hitscope.geometry.shapes import Aabb as Aabb
    from hitscope.geometry.shapes import Capsule as Capsule
    from hitscope.geometry.shapes import Cast as Cast
    from hitscope.geometry.shapes import Frustum as Frustum
    from hitscope.geometry.shapes import Line as Line
    from hitscope.geometry.shapes import Obb as Obb
    from hitscope.geometry.shapes import Parallelepiped as Parallelepiped
    from hitscope.geometry.shapes import Plane as Plane
    from hitscope.geometry.shapes import Point as Point
    from hitscope.geometry.shapes import Polyhedron as Polyhedron
    from hitscope.geometry.shapes import Ray as Ray
    from hitscope.geometry.shapes import Rounded as Rounded
    from hitscope.geometry.shapes import Segment as Segment
    from hitscope.geometry.shapes import Sphere as Sphere
    from hitscope.geometry.shapes import Triangle as Triangle
    from hitscope.judge.python_interface import judge as judge
    from hitscope.maps.python_interface import map as map
    from hitscope.render.python_interface import render as render
    from hitscope.scene import Scene as Scene
    from hitscope.scene import SceneError as SceneError
    from hitscope.scene.load import load as load
    from hitscope.scene.python_interface import save as save
    from hitscope.scene.python_interface import scene as scene
    from hitscope.scene.triangle_mesh import Mesh as Mesh
    from hitscope.targets.target import Skip as Skip

__version__ = "0.1.0"

_PUBLIC = {
    "hitscope.judge.python_interface": "judge",
    "hitscope.errors": "HitscopeError",
    "hitscope.evaluate": "Report Verdict evaluate hits intersect",
    "hitscope.explain.python_interface": "explain",
    "hitscope.geometry.arrays": "Shapes",
    "hitscope.geometry.bvh": "Tree",
    "hitscope.geometry.shapes": "Aabb Capsule Cast Frustum Line Obb Parallelepiped Plane Point Polyhedron "
    "Ray Rounded Segment Sphere Triangle",
    "hitscope.render.python_interface": "render",
    "hitscope.maps.python_interface": "map",
    "hitscope.scene": "Scene SceneError",
    "hitscope.scene.load": "load",
    "hitscope.scene.python_interface": "save scene",
    "hitscope.scene.triangle_mesh": "Mesh",
    "hitscope.targets.target": "Skip",
}
"""The public names of each module, which is imported when one of them is first used."""
_MODULES = {name: module for module, names in _PUBLIC.items() for name in names.split()}

__all__ = sorted({*_MODULES} - {*dir(builtins)})  # noqa: PLE0605 - type checkers read the imports above
"""The names of `from hitscope import *`, which hides no function of Python's."""


class _Package(ModuleType):
    """This module: it imports public names when they are first used, and keeps them before its submodules."""

    def __getattr__(self, name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        from hitscope.float_mode import in_default_mode

        try:
            # What a module computes when it is imported is right in any mode, and so is what Python keeps of it.
            found = getattr(in_default_mode(import_module)(_MODULES[name]), name)
        except ModuleNotFoundError as error:
            from hitscope.errors import HitscopeError
            from hitscope.extras import missing

            raise HitscopeError(f"hitscope.{name}: {missing(error.name) or error}") from None
        setattr(self, name, found)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        # The import of the submodule `evaluate` would hide the function of that name.
        if name not in _MODULES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*_MODULES, "__version__"]


modules[__name__].__class__ = _Package
