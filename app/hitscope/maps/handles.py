"""The handle that a map moves, and the numbers of its shape for each position."""

from typing import NamedTuple

import numpy as np

from hitscope.draw.handle_targets import HANDLES, HandleTarget, handle_target
from hitscope.draw.shape_drawings import handle_points, main_handles
from hitscope.draw.target import Target
from hitscope.errors import Fault
from hitscope.geometry.arrays import Array, numbers_of
from hitscope.geometry.registry import pair_of
from hitscope.geometry.shapes import Shape
from hitscope.geometry.vector import vec3
from hitscope.scene.edits import Kind, ids_of, items_of
from hitscope.scene.items import Single
from hitscope.scene.model import Scene

FIELD_NAMES = {"direction": "tip", "vertices[0]": "vertex 0", "vertices[1]": "vertex 1", "vertices[2]": "vertex 2"}
"""The names of handles that are fields of a scene file, where the window calls them otherwise."""
SENTINELS = ((3.0, 5.0, 7.0), (11.0, 13.0, 17.0))
"""Two positions by which it is found out where a handle's numbers are stored."""


class Handle(NamedTuple):
    """A handle of a single probe or primitive."""

    target: Target
    item: Single
    name: str
    """The item's id and the handle's name: ID.NAME."""

    @property
    def numbers(self) -> HandleTarget:
        """The stored numbers of the handle: its position, or of a tip the vector from the origin."""
        assert self.target.handle is not None
        return handle_target(self.item, self.target.handle)

    def pair_with(self, other: Shape) -> str:
        moved = self.item.shape
        return pair_of(moved, other) if self.target.kind == "probe" else pair_of(other, moved)

    @property
    def is_stored(self) -> bool:
        """Whether its numbers are stored as they are; others, such as a face, take a hundred times as long."""
        return self._columns() is not None

    def _columns(self) -> list[int] | None:
        """Return the indices of the shape's three numbers that are the handle's, as they are; None if none are."""
        store, numbers = self.numbers.store, np.array(numbers_of(self.item.shape))
        moved = [np.array(numbers_of(store(at).shape)) for at in SENTINELS]
        columns = []
        for parts in zip(*SENTINELS, strict=True):
            found = [k for k in range(len(numbers)) if tuple(row[k] for row in moved) == parts]
            if len(found) != 1:
                return None
            columns += found
        changed = {k for k in range(len(numbers)) if any(row[k] != numbers[k] for row in moved)}
        return columns if changed == set(columns) else None

    def rows(self, vectors: Array) -> Array:
        """Return the numbers of the shape with the handle at n vectors (n, 3), as rows of `Shapes`: (k, n)."""
        if (columns := self._columns()) is None:
            store = self.numbers.store
            every = [numbers_of(store(vec3(vector)).shape) for vector in vectors.tolist()]
            return np.ascontiguousarray(np.array(every, np.float64).T)
        rows = np.repeat(np.array(numbers_of(self.item.shape))[:, None], len(vectors), axis=1)
        rows[columns] = vectors.T
        return rows


def find_handle(scene: Scene, name: str, role: Kind | None = None) -> Handle:
    """Return the handle ID.NAME of a probe, else of a primitive; raises HitscopeError where there is none.

    NAME is a field of the scene file (`start`, `end`, `origin`, `direction`, `position`, `vertices[1]`), or the
    handle's name in the window (`tip`, `vertex 1`, `center`, `face -x`).
    """
    item_id, _, field = name.rpartition(".")
    wanted = FIELD_NAMES.get(field, field)
    known: list[str] = []
    kinds: tuple[Kind, ...] = ("probe", "primitive") if role is None else (role,)
    for kind in kinds:
        for own, item in zip(ids_of(scene, kind), items_of(scene, kind), strict=True):
            if isinstance(item, Single):
                names = [handle_target(item, k).name for k in range(len(handle_points(item)))]
                if own == item_id and wanted in names:
                    return Handle(Target(kind, own, names.index(wanted)), item, name)
                known += [f"{own}.{handle}" for handle in names]
    raise Fault.unknown((), "a handle", known, name)


def mapped_handle(shape: Shape) -> int | None:
    """Return the index of the handle that is mapped unless another is chosen: an end, else the first one."""
    handles = HANDLES[type(shape)]
    names = [] if handles is None else list(map(handles.name, range(main_handles(shape))))
    return names.index("end") if "end" in names else 0 if names else None


def handle_name(probe_id: str, probe: Shape) -> str:
    """Return the name, ID.NAME, of the handle of a probe that is mapped unless another is chosen."""
    handles, index = HANDLES[type(probe)], mapped_handle(probe)
    assert handles is not None and index is not None
    return f"{probe_id}.{handles.name(index)}"
