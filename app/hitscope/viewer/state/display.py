"""The display of the window: its size and layout, the theme, and the camera of each document."""

from dataclasses import replace

from hitscope.geometry.arrays import Array
from hitscope.render.camera import Viewport
from hitscope.render.palette import THEMES, Theme
from hitscope.render.view import View
from hitscope.scene.model import FileView
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.layout import LOW, Folding, Layout, has_one_panel, lay_out
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.state.stepping import Stepping
from hitscope.viewer.state.viewpoint import Viewpoint


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
        """The widths in points of the panels that the user has resized; see `layout`."""
        self.closed_parts: frozenset[str] = frozenset(settings.closed_parts)
        self.theme = THEMES[settings.theme_name]
        self.grid = settings.grid
        self.labels = settings.labels
        """Whether every item is labelled with its id, and the selected shape with the indices of its vertices."""
        self.nearest_only = False
        """Whether of the hits of each segment, ray and line only the nearest one is shown."""
        self.stepping = Stepping()
        """The run that the panel below steps through."""
        self.viewpoints: dict[Document, Viewpoint] = {}
        """The camera of each document that was shown."""
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
        return lay_out(
            *self.size,
            self.pixel_ratio,
            self.panels,
            tuple(self.panel_widths.items()),
            self.folding.bar,
            self.stepping.is_open,
            self.folded,
            self.is_short,
            self.folding.strip,
        )

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
        return has_one_panel(self.size[0], self.pixel_ratio)

    @property
    def is_low(self) -> bool:
        return self.size[1] < LOW * self.pixel_ratio

    @property
    def full(self) -> Viewport:
        """The viewport that a window without panels has."""
        return lay_out(*self.size, self.pixel_ratio, panels=False).picture

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
