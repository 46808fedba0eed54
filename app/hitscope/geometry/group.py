"""Many primitives of one type: their verdicts, by whatever form of a method is the fastest for so many."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.batch import Batch
from hitscope.geometry.exact import meet
from hitscope.geometry.exact.boxes import Boxes
from hitscope.geometry.exact.triangles import Triangles
from hitscope.geometry.registry import EXACT, Chosen, Method
from hitscope.geometry.shapes import Aabb, Line, Ray, Segment, Shape, Triangle

COMPILED_FROM = 2000
"""From so many primitives on, compiled code with its arrays costs less than interpreting."""


class Group:
    """Primitives of one type, and the arrays that compiled code has made of them."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        """Keep at least one shape; arrays are made when they are first needed."""
        self.shapes = shapes
        self._batches: dict[tuple[Method, type], Batch] = {}

    def hits(self, chosen: Chosen, probe: Shape) -> NDArray[np.bool_]:
        """Decide the probe against every primitive; (n,)."""
        method, compiled = chosen.method, len(self.shapes) >= COMPILED_FROM
        if method.name == EXACT:
            if compiled and isinstance(probe, Segment | Ray | Line) and self._arrays is not None:
                return self._arrays.hit_by(probe)
            if compiled and isinstance(probe, Triangle) and isinstance(self._arrays, Boxes):
                return self._arrays.hit_by(probe)
            return np.array([meet(probe, shape) for shape in self.shapes], dtype=np.bool_)
        if compiled and "compiled" in method.readings:
            key = method, type(probe)
            if key not in self._batches:
                self._batches[key] = Batch(method, probe, self.shapes)
            return self._batches[key].run(probe, chosen.arguments).hit
        return np.array([method.hit(probe, shape, **chosen.arguments) for shape in self.shapes], dtype=np.bool_)

    @cached_property
    def _arrays(self) -> Boxes | Triangles | None:
        """The primitives as `exact` decides them in compiled code, where it does."""
        if isinstance(self.shapes[0], Aabb):
            return Boxes([shape for shape in self.shapes if isinstance(shape, Aabb)])
        if isinstance(self.shapes[0], Triangle):
            return Triangles([shape for shape in self.shapes if isinstance(shape, Triangle)])
        return None
