"""The display of the window: its size, the rectangles of the panels, the theme, and the cameras."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from hitscope.geometry.arrays import Array
from hitscope.render.camera import Viewport
from hitscope.render.palette import THEMES, Theme
from hitscope.render.view import View
from hitscope.scene.model import FileView
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.state.stepping import Stepping
from hitscope.viewer.state.viewpoint import Viewpoint

WIDTHS: Final[Mapping[str, float]] = {"outliner": 250.0, "panel": 320.0}
"""The initial widths of the panels, in points."""
NARROWEST = 220.0
"""The least width of a panel, in points, if that is no more than `LARGEST_IF_SMALL` of the window."""
LARGEST_IF_SMALL = 0.55
STEPS: Final = "steps"
"""The name of the panel of steps, whose height is kept among the panels' widths."""
STEPS_HEIGHT = 0.36
"""The initial height of the panel of steps, as a part of the window's."""
LOWEST_STEPS, HIGHEST_STEPS = 120.0, 0.7
"""The least height of the panel of steps, in points, and its largest part of the window's."""
LOW = 450.0
"""A window lower than this, in points, leaves out explanations such as the legend."""
LARGEST_PART, LARGEST_PARTS = 0.45, 0.6
"""The largest parts of the window's width that one panel, and two together, take."""
ROOM_FOR_TWO = 960.0
"""A window narrower than this, in points, has one panel, with the outliner in one of its tabs."""
BAR_HEIGHT, STATUS_HEIGHT = 34, 26
"""The heights of the command bar and the status line, in points."""


class Layout(NamedTuple):
    """Rectangles in pixels, (0, 0) at the top left of the window; an absent panel has the width 0."""

    bar: Viewport
    picture: Viewport
    """The space between the panels, in whose middle the scene is."""
    drawn: Viewport
    """The rectangle that the scene is drawn in, about the same middle: beside a short panel it is wider."""
    outliner: Viewport
    panel: Viewport
    status: Viewport
    strip: Viewport
    """The lesson or the review below the picture; its height is 0 without one."""
    steps: Viewport
    """The panel of steps; its height is 0 while it is closed."""


class Folding:
    """Which of the panels are folded or short. Written by the commands that fold them, and by refresh."""

    def __init__(self, bar: bool) -> None:
        self.bar = bar
        """Whether the command bar is shown above the panels; recordings made before there was one have none."""
        self.folded: dict[bool, frozenset[str]] = {False: frozenset(), True: frozenset(WIDTHS)}
        """The panels that are folded, without and with the panel of steps."""
        self.is_panel_high = False
        """Whether the panel at the right has an item or a map to show; else it is short."""
        self.strip = 0.0
        """The height of the lesson or the review below the picture, in points."""


class Display:
    """The window's size, layout, theme and cameras; lengths are pixels from the window's top left corner.

    Written by view and appearance commands, camera drags, panel splitters and window resizes.
    """

    def __init__(self, size: tuple[int, int], screen_ratio: float, settings: Settings, bar: bool = True) -> None:
        self.size = size
        self.screen_ratio = screen_ratio
        """The screen's pixels per point, before the user's scale."""
        self.ui_scale = settings.ui_scale
        """The size of everything, as a multiple of what the screen suggests."""
        self.now = 0.0
        """Seconds since the viewer was opened."""
        self.panels = True
        self.folding = Folding(bar)
        self.panel_widths: dict[str, float] = dict(settings.panel_widths)
        """The widths in points of the panels that the user has resized, in place of `WIDTHS`."""
        self.closed_parts: frozenset[str] = frozenset(settings.closed_parts)
        named = settings.theme if settings.palette == "red-green" else f"{settings.theme}-{settings.palette}"
        self.theme = THEMES[named]
        self.grid = settings.grid
        self.labels = settings.labels
        """Whether every item is labelled with its id, and the selected shape with the indices of its vertices."""
        self.nearest_only = False
        """Whether of the hits of each segment, ray and line only the nearest one is shown."""
        self.stepping = Stepping()
        self.viewpoints: dict[Document, Viewpoint] = {}
        self.viewpoint: Viewpoint

    def show(self, document: Document, view: FileView | None, corners: Array) -> None:
        """Take a document's camera: for a new document that of its scene, or one that frames all."""
        if document not in self.viewpoints:
            self.viewpoints[document] = Viewpoint(view, corners, self.full)
        self.viewpoint = self.viewpoints[document]

    @property
    def pixel_ratio(self) -> float:
        return self.screen_ratio * self.ui_scale

    @property
    def layout(self) -> Layout:
        """The bar above, the outliner at the left, the panel at the right, the status line below.

        Without panels the picture fills the window. Beside a short panel the scene stays where it is beside a high
        one. Below the picture, of its width, is the strip; below all, also without panels, the panel of steps.
        """
        folding = self.folding.bar, self.folded, self.folding.is_panel_high, self.folding.strip
        sizes = self.size, self.pixel_ratio, *self.panel_widths.items()
        return _laid_out(self, self.panels, self.stepping.is_open, folding, sizes)

    @property
    def is_short(self) -> bool:
        """Whether the panel at the right, beside an outliner, is only as high as its content."""
        return not (self.folding.is_panel_high or self.has_one_panel)

    @property
    def folded(self) -> frozenset[str]:
        return self.folding.folded[self.stepping.is_open]

    @property
    def has_one_panel(self) -> bool:
        """Whether the window is too narrow for two panels beside the picture."""
        return self.size[0] < ROOM_FOR_TWO * self.pixel_ratio

    @property
    def is_low(self) -> bool:
        return self.size[1] < LOW * self.pixel_ratio

    @property
    def full(self) -> Viewport:
        """The viewport that a window without panels has."""
        return Viewport(0, 0, *self.size)

    @property
    def view(self) -> View:
        """The view of the picture now: the camera and the picture's rectangle."""
        layout = self.layout
        return View(self.viewpoint.camera_for(layout.picture, self.full), layout.drawn, self.pixel_ratio)

    @property
    def picture_theme(self) -> Theme:
        """The theme of the picture; without a visible grid, its lines are transparent."""
        return self.theme if self.grid else replace(self.theme, grid_minor_opacity=0.0, grid_major_opacity=0.0)

    def resize(self, size: tuple[int, int], screen_ratio: float, corners: Array) -> None:
        """Set the window's new size and keep a whole scene framed; `corners` (n, 3) bound the scene."""
        if (size, screen_ratio) != (self.size, self.screen_ratio):
            self.size, self.screen_ratio = size, screen_ratio
            self.viewpoint.fit(corners, self.full)

    def advance(self, now: float) -> bool:
        """Advance the camera's motion to the time `now`, in seconds; True if it goes on."""
        self.now = now
        return self.viewpoint.advance(now)


@lru_cache(maxsize=1)  # a frame asks for it twenty times
def _laid_out(display: Display, *_given: object) -> Layout:
    (width, height), ratio, widths = display.size, display.pixel_ratio, {**WIDTHS, **display.panel_widths}
    dock = outliner = panel = top = below = status = 0
    if display.stepping.is_open:
        wanted_height = widths[STEPS] * ratio if STEPS in widths else height * STEPS_HEIGHT
        dock = round(min(max(wanted_height, LOWEST_STEPS * ratio), height * HIGHEST_STEPS))
        height -= dock
    if display.panels:
        left, right = (max(widths[name], NARROWEST) * ratio for name in WIDTHS)
        least = min(NARROWEST * ratio, width * LARGEST_IF_SMALL)
        right = min(right, max(width * LARGEST_PART, least))
        if display.has_one_panel:
            left = 0.0
        less = min(1.0, width * LARGEST_PARTS / (left + right)) if left else 1.0
        outliner = round(left * less) if "outliner" not in display.folded else 0
        panel = round(right * less) if "panel" not in display.folded else 0
        top, status = round(BAR_HEIGHT * ratio) if display.folding.bar else 0, round(STATUS_HEIGHT * ratio)
        below = round(display.folding.strip * ratio)
    middle, tall = max(width - outliner - panel, 1), max(height - top - status - below, 1)
    beside = panel if display.is_short else 0
    return Layout(
        bar=Viewport(0, 0, width, top),
        picture=Viewport(outliner, top, middle, tall),
        drawn=Viewport(outliner - beside, top, middle + 2 * beside, tall),
        outliner=Viewport(0, top, outliner, max(height - top, 1)),
        panel=Viewport(width - panel, top, panel, tall if display.is_short else max(height - top, 1)),
        status=Viewport(outliner, height - status, middle + beside, status),
        strip=Viewport(outliner, top + tall, middle + beside, below),
        steps=Viewport(0, height, width, dock),
    )
