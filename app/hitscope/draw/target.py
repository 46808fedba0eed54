"""What the mouse is over or has selected, by id, so that it survives an edit."""

from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["probe", "primitive"]


class Target(NamedTuple):
    """A probe, one of a probe's handles, or a primitive that is coloured by itself."""

    kind: Kind
    id: str
    handle: int | None = None
