"""The introduction to the viewer: the first steps and which of them are done."""

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from hitscope.draw.target import Targets
from hitscope.scene import Scene
from hitscope.viewer.state.documents import Document

Step: TypeAlias = Literal["drag", "why", "gallery"]
"""Move a probe, select a primitive that is missed, open the gallery."""
STEPS: Final[tuple[Step, ...]] = get_args(Step)


class Noted(NamedTuple):
    """What the steps are noticed by, as it was before."""

    document: Document
    scene: Scene
    targets: Targets


class Introduction:
    """The card of the first steps. Written by its commands, and by `note_steps` where a step is done."""

    def __init__(self, seen: bool, offers: bool) -> None:
        self.shown = offers and not seen
        """Whether the card is shown."""
        self.seen = seen
        """Whether the steps were done or skipped once, in this window or before."""
        self.offers = offers
        """Whether there are first steps and buttons in an empty scene; older recordings were made without."""
        self.done: frozenset[Step] = frozenset()
        self.noted: Noted | None = None

    @property
    def current(self) -> Step | None:
        """The first step that is not done; None if all are."""
        return next((step for step in STEPS if step not in self.done), None)
