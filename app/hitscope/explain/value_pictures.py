"""The geometry of the values of a step, in the scene's coordinates."""

from typing import Literal, NamedTuple, TypeAlias

from hitscope.explain.explanation import Explanation
from hitscope.geometry.shapes import Vec3

PictureKind: TypeAlias = Literal["point", "arrow", "interval", "patch", "side"]
"""Points: one; of an arrow its tail and tip; of an interval its two ends; of a patch its corners in order; of a
side the point whose side it is."""


class ValuePicture(NamedTuple):
    """What a value of a step looks like in the scene."""

    name: str
    """That of the variable, or of the variables, e.g. "t_near, t_far"."""
    kind: PictureKind
    points: tuple[Vec3, ...]
    text: str
    """The value, for a label."""
    is_new: bool
    """Whether the step has set or changed it."""


def value_pictures(explanation: Explanation, step: int) -> tuple[ValuePicture, ...]:
    """Return the pictures of the values after a step; of values that have none there is none."""
    return ()
