"""References, by id, to probes and primitives that are hovered, selected or hidden; they survive an edit."""

from typing import NamedTuple, TypeAlias

from hitscope.geometry.shapes import Vec3
from hitscope.scene.edits import Kind


class Target(NamedTuple):
    """A probe, a primitive, an element of a bulk item, or a handle of one of these."""

    kind: Kind
    id: str
    handle: int | None = None


Targets: TypeAlias = tuple[Target, ...]
"""The selected items and elements, in the order of selection; no handles."""

Hidden: TypeAlias = frozenset[tuple[Kind, str]]
"""The items that are not shown, by their ids."""

FaintHandles: TypeAlias = frozenset[Target]
"""The handles that are drawn faint, each as its target with the index of the handle."""

FaceHandles: TypeAlias = tuple[tuple[Target, int, Vec3], ...]
"""The handles of faces that are shown, each as its target, the index of the handle, and its point."""
