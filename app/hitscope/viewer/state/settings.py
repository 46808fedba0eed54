"""The user's settings and their defaults, and the limits at which the viewer changes how it works."""

import math
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from hitscope.draw.element_arrays import BULK_BATCH_FROM
from hitscope.viewer.state.rebinding import EXPECTED_KEYS

RECENT = 12
"""The number of recent files that are kept."""

SMALLEST_SCALE, LARGEST_SCALE = 0.5, 3
"""The range of the size of everything in the window."""

SnapKind: TypeAlias = Literal["vertex", "edge", "parallel", "boundary", "face", "grid"]
SNAP_KINDS: Final[tuple[SnapKind, ...]] = get_args(SnapKind)
"""The kinds of features that drags snap to, in the order in which they are searched."""
Palette: TypeAlias = Literal["red-green", "blue-orange"]
ThemeName: TypeAlias = Literal["dark", "light"]
Keys: TypeAlias = Annotated[str | tuple[str, ...], Meta(description=f"{EXPECTED_KEYS}, or an array of such keys")]
_EXPECTED_SCALE = f"a number from {SMALLEST_SCALE} to {LARGEST_SCALE}"
Scale: TypeAlias = Annotated[float, Meta(ge=SMALLEST_SCALE, le=LARGEST_SCALE, description=_EXPECTED_SCALE)]
Width: TypeAlias = Annotated[float, Meta(gt=0, description="a width greater than 0, in points")]


class Settings(Struct, frozen=True, kw_only=True):
    """The user's settings; a field's description is the expected value in messages."""

    theme: Annotated[ThemeName, Meta(description='"dark" or "light"')] = "dark"
    palette: Annotated[Palette, Meta(description='"red-green" or "blue-orange"')] = "red-green"
    up: Annotated[Literal["y", "z"], Meta(description='"y" or "z"')] = "y"
    """The axis that points up in a new scene."""
    grid_step: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="a length greater than 0, in scene units, or null")
    ] = None
    """The step of drags and arrow keys; null means the finest visible lines of the grid."""
    grid: Annotated[bool, Meta(description="true or false")] = True
    labels: Annotated[bool, Meta(description="true or false")] = False
    """Whether ids are written into the picture."""
    snapping: Annotated[bool, Meta(description="true or false")] = False
    snap_to: Annotated[
        tuple[SnapKind, ...], Meta(description=f"an array with some of {', '.join(SNAP_KINDS)}")
    ] = SNAP_KINDS
    panel_widths: Annotated[
        dict[str, Width], Meta(description="an object with a width in points for the name of each panel")
    ] = {}
    closed_parts: Annotated[
        tuple[str, ...], Meta(description="an array with the names of the panels' parts that are closed")
    ] = ("Numbers",)
    ui_scale: Scale = 1.0
    """The size of everything in the window, as a multiple of what the screen suggests."""
    recent: Annotated[
        tuple[str, ...], Meta(max_length=RECENT, description=f"an array of at most {RECENT} paths")
    ] = ()
    """The files opened last, the latest first."""
    bindings: Annotated[
        dict[str, Keys], Meta(description="an object with the keys, or an array of keys, of each command by name")
    ] = {}
    window: Annotated[
        tuple[int, int, Annotated[int, Meta(gt=0)], Annotated[int, Meta(gt=0)]] | None,
        Meta(description="left, top, width and height of the window, or null"),
    ] = None
    """Where the window was when it was closed, in the units of the operating system."""
    solved_lessons: Annotated[
        tuple[str, ...], Meta(description="an array with the names of lessons and the paths of one's own")
    ] = ()
    """The lessons that were solved, by name, see `gallery.name_of`."""
    first_start_seen: Annotated[bool, Meta(description="true or false")] = False


PLAIN: Final = Settings(first_start_seen=True)
"""The settings of a window without a settings file."""


@dataclass(frozen=True)
class Limits:
    """Thresholds of one viewer, given when it is made."""

    patience_s: float = math.inf
    """Seconds to wait for an evaluation or a save before it goes on in the background; a window waits 0 s here."""
    background_from: int = 10_000
    """Primitives from which a changed scene is evaluated in the background, and drags in it are not autosaved."""
    bulk_batch_from: int = BULK_BATCH_FROM
    """Shapes from which a bulk item is laid out apart from other items."""
    rough_from: int = 100
    """Items from which a drag rounds their numbers only when it ends."""
    snap_targets: int = 4096
    """The most elements that a drag snaps to; of more, those near the mouse."""


LIMITS = Limits()
