"""The tool in hand: the drag under way, the gizmo, snapping, and the modifiers that are held."""

from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from hitscope.draw.target import Targets
from hitscope.scene import Scene
from hitscope.viewer.state.settings import Settings, SnapKind

GizmoMode: TypeAlias = Literal["move", "rotate", "scale"]
PartKind: TypeAlias = Literal["axis", "plane", "ring", "center", "view"]

AXIS_KEYS: Final = {"X": 0, "Y": 1, "Z": 2}
"""The keys that, held during a drag, lock it to a coordinate axis, each with that axis."""
SELECTION_BOX = "selection"
"""The armed tool that selects by a rectangle."""


class GizmoPart(NamedTuple):
    """A part of a gizmo: `axis` is the row of the frame of an arrow or ring, or that a square is normal to."""

    kind: PartKind
    axis: int | None = None


class Nudge(NamedTuple):
    """The last nudge: the scene that it made, its name in the history, its targets and its time in seconds."""

    scene: Scene
    name: str
    targets: Targets
    at: float


class Drag(Protocol):
    """A drag under way; pixels are from the window's top left corner."""

    hint: str
    """What can be done while it lasts."""

    def move(self, x: float, y: float) -> None:
        """Follow the mouse to a pixel."""

    def release(self) -> None:
        """Keep what was done."""

    def cancel(self) -> None:
        """Restore what was there before."""

    def key_down(self, keys: str) -> bool:
        """Take a key such as "Ctrl+S", which comes again while it is held; True if the drag used it."""
        return False

    def key_up(self, key: str) -> None:
        """Follow a key that is let go."""
        return


class Tool:
    """What the mouse and the held keys are doing. Written by pointer and key input, and by tool commands."""

    def __init__(self, settings: Settings) -> None:
        self.drag: Drag | None = None
        self.armed: str | None = None
        """What the next press draws: a shape's word, or `SELECTION_BOX`."""
        self.gizmo_mode: GizmoMode | None = None
        """What the gizmo does, where one is shown."""
        self.own_axes = False
        """Whether the gizmo has the axes of what is selected, where that has some, not the world's."""
        self.gizmo_part: GizmoPart | None = None
        """The part of the gizmo under the mouse."""
        self.snapping = settings.snapping
        """Whether drags snap; Ctrl held turns it round."""
        self.snap_to: frozenset[SnapKind] = frozenset(settings.snap_to)
        self.axis: int | None = None
        """The world axis whose key is held."""
        self.modifiers: frozenset[str] = frozenset()
        """The modifiers that are held: "Ctrl", "Alt", "Shift"."""
        self.key_prefix = ""
        """The first key of a sequence that was begun."""
        self.last_nudge: Nudge | None = None
        """The last nudge, which the next one continues."""
        self.pointer: tuple[float, float] | None = None
        """The pixel of the mouse, while it is over the picture or a drag is under way."""
        self.pointer_moved = False
        """Whether what follows from `pointer` is still to be done."""
        self.pressed_with: Targets = ()
        """What was selected when the drag under way began."""

    @property
    def snaps(self) -> bool:
        """Whether drags snap now."""
        return self.snapping != ("Ctrl" in self.modifiers)

    def point_at(self, x: float, y: float) -> None:
        """Note the pixel of the mouse; what follows from it is done once an input, by `apply_pointer`."""
        self.pointer, self.pointer_moved = (x, y), True

    def hold(self, modifiers: frozenset[str]) -> None:
        """Follow the modifiers."""
        if modifiers != self.modifiers:
            self.modifiers = modifiers
            self.reapply()

    def hold_axis(self, axis: int | None) -> None:
        """Drag along a world axis, or freely again."""
        self.axis = axis
        self.reapply()

    def reapply(self) -> None:
        """Let what follows from the mouse's pixel be done again."""
        self.pointer_moved = self.pointer is not None

    def cancel_drag(self) -> bool:
        """End the drag as if it had not been; True if there was one."""
        if self.drag is None:
            return False
        drag, self.drag = self.drag, None
        drag.cancel()
        self.pointer_moved = True
        return True
