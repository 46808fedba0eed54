"""References, by id, to probes and primitives that are hovered, selected or hidden; they survive an edit."""

from typing import NamedTuple, TypeAlias

from hitscope.geometry.shapes import Vec3
from hitscope.scene.edits import Kind
from hitscope.scene.named_items import split


class Target(NamedTuple):
    """A probe, a primitive, an element of a bulk item, or a handle of one of these."""

    kind: Kind
    id: str
    handle: int | None = None

    @property
    def item(self) -> tuple[Kind, str]:
        """The item that it is, or that it is an element or a handle of."""
        return self.kind, split(self.id)[0]


Targets: TypeAlias = tuple[Target, ...]
"""The selected items and elements, in the order of selection; no handles."""


def targets_of(probe: str, primitive: str | None) -> Targets:
    return Target("probe", probe), *([Target("primitive", primitive)] if primitive else [])


Hidden: TypeAlias = frozenset[tuple[Kind, str]]
"""The items that are not shown, by their ids."""

FaintHandles: TypeAlias = frozenset[Target]
"""The handles that are drawn faint, each as its target with the index of the handle."""

FaceHandles: TypeAlias = tuple[tuple[Target, int, Vec3], ...]
"""The handles of faces that are shown, each as its target, the index of the handle, and its point."""


class Marked(NamedTuple):
    """The targets that a picture marks or leaves out."""

    hovered: Target | None = None
    selection: Targets = ()
    hidden: Hidden = frozenset()
    partner: Target | None = None
    """The target that is paired with the selection."""
    faces: FaceHandles = ()
    pair: tuple[int, int] | None = None
    """The pair (`PairFinder.find`) whose gap is drawn."""
    faint: FaintHandles = frozenset()


UNMARKED = Marked()
