"""References, by id, to what is hovered, selected or hidden, which survive an edit."""

from typing import NamedTuple, TypeAlias

from hitscope.geometry.shapes import Vec3
from hitscope.scene.edits import Kind


class Target(NamedTuple):
    """A probe, a primitive, an element of a bulk item, or one of the handles of such a thing."""

    kind: Kind
    id: str
    handle: int | None = None


Targets: TypeAlias = tuple[Target, ...]
"""What is selected, in the order in which it was: no handles, and of a bulk item an element or the item."""

Hidden: TypeAlias = frozenset[tuple[Kind, str]]
"""The items that are not shown, by their ids."""

Faces: TypeAlias = tuple[tuple[Target, int, Vec3], ...]
"""The handles of faces that are shown: of which target, the index of the handle, and its point."""
