"""The current tool: the drag under way, the gizmo, snapping, and the pressed modifiers."""

from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

from hitscope.draw.target import Targets
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Shape
from hitscope.scene import Scene
from hitscope.scene.edits import Kind
from hitscope.viewer.state.settings import Settings, SnapKind

GizmoMode: TypeAlias = Literal["move", "rotate", "scale"]
PartKind: TypeAlias = Literal["axis", "plane", "ring", "center", "view"]
Pixel: TypeAlias = tuple[float, float]
"""To the right and down from the window's top left corner."""

AXIS_KEYS: Final = {"X": 0, "Y": 1, "Z": 2}
"""The keys that, pressed during a drag, lock it to a coordinate axis, each with that axis."""
SELECTION_BOX: Final = "selection"
"""The armed tool that selects by a rectangle."""


class ArmedShape(NamedTuple):
    """The shape that the next press draws: its role, and its type word in the scene file."""

    role: Kind
    word: str

    @property
    def kind(self) -> type[Shape]:
        return (PROBES | PRIMITIVES)[self.word]

    @property
    def title(self) -> str:
        """The shape in words, such as "box probe"; the role is left out where the type has only one."""
        noun = self.word.replace("aabb", "box").replace("_", " ")
        return f"{noun} {self.role}" if self.word in PROBES and self.word in PRIMITIVES else noun

    @property
    def with_article(self) -> str:
        """The shape in words, such as "an obb probe"."""
        return f"{'an' if self.title[0] in 'aeiou' else 'a'} {self.title}"


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
    """The status line during the drag."""

    def move(self, x: float, y: float) -> None:
        """Update the drag for the mouse at a pixel."""

    def release(self) -> None:
        """End the drag and keep its changes."""

    def cancel(self) -> None:
        """End the drag and undo its changes."""

    def key_down(self, keys: str) -> bool:
        """Handle a pressed key such as "Ctrl+S", which repeats while it is pressed; True if the drag used it."""
        return False

    def key_up(self, key: str) -> None:
        return


class Tool:
    """The state of mouse and keys. Written by pointer and key input, and by tool commands."""

    def __init__(self, settings: Settings) -> None:
        self.drag: Drag | None = None
        self.armed: ArmedShape | Literal["selection"] | None = None
        """The tool of the next press: the shape to draw, or `SELECTION_BOX`."""
        self.gizmo_mode: GizmoMode | None = None
        """The gizmo's mode; None where none is shown."""
        self.own_axes = False
        """Whether the gizmo has the axes of the selected shape, if it has its own, instead of the world's."""
        self.gizmo_part: GizmoPart | None = None
        """The part of the gizmo under the mouse."""
        self.snapping = settings.snapping
        """Whether drags snap; while Ctrl is pressed, the opposite."""
        self.snap_to: frozenset[SnapKind] = frozenset(settings.snap_to)
        self.held_axis: int | None = None
        """The world axis whose key is pressed."""
        self.modifiers: frozenset[str] = frozenset()
        """The pressed modifiers: "Ctrl", "Alt", "Shift"."""
        self.key_prefix = ""
        """The first key of an unfinished sequence."""
        self.last_nudge: Nudge | None = None
        self.pointer: Pixel | None = None
        """The pixel of the mouse, while it is over the picture or a drag is under way."""
        self.pointer_pending = False
        """Whether `pointer` is still to be applied to the drag or the hover."""
        self.selected_before: Targets = ()
        """The selection before the drag under way began."""

    @property
    def snaps(self) -> bool:
        return self.snapping != ("Ctrl" in self.modifiers)

    def point_at(self, x: float, y: float) -> None:
        """Note the pixel of the mouse, which `apply_pointer` applies once an input."""
        self.pointer, self.pointer_pending = (x, y), True

    def set_modifiers(self, modifiers: frozenset[str]) -> None:
        if modifiers != self.modifiers:
            self.modifiers = modifiers
            self.reapply_pointer()

    def set_held_axis(self, axis: int | None) -> None:
        self.held_axis = axis
        self.reapply_pointer()

    def reapply_pointer(self) -> None:
        """Apply the mouse's pixel again, although the mouse did not move."""
        self.pointer_pending = self.pointer is not None

    def cancel_drag(self) -> bool:
        """End the drag and restore what was there before; True if there was one."""
        if self.drag is None:
            return False
        drag, self.drag = self.drag, None
        drag.cancel()
        self.pointer_pending = True
        return True
