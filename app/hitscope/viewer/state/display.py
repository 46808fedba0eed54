"""How the window shows the scene: its size and layout, the theme, and where each document is seen from."""

from dataclasses import replace

from hitscope.draw.items import Array
from hitscope.render.camera import Viewport
from hitscope.render.palette import THEMES, Theme
from hitscope.render.view import View
from hitscope.scene.model import View as SceneView
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.layout import Layout, is_low, lay_out
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.state.viewpoint import Viewpoint


class Display:
    """What is shown and from where; lengths are pixels from the window's top left corner.

    Written by view and appearance commands, camera drags, panel splitters and window resizes.
    """

    def __init__(self, size: tuple[int, int], pixel_ratio: float, settings: Settings) -> None:
        self.size = size
        self.pixel_ratio = pixel_ratio
        """Pixels per point."""
        self.now = 0.0
        """Seconds since the viewer was opened."""
        self.panels = True
        """Whether the panels are shown."""
        self.panel_widths: dict[str, float] = dict(settings.panel_widths)
        """In points, of the panels that were dragged to a width; see `layout`."""
        self.closed_parts: frozenset[str] = frozenset(settings.closed_parts)
        """The parts of the panels that are closed."""
        self.theme = THEMES[settings.look]
        self.grid = settings.grid
        """Whether the grid is shown."""
        self.labels = settings.labels
        """Whether every item has its id beside it, and what is selected the numbers of its vertices."""
        self.viewpoints: dict[Document, Viewpoint] = {}
        """Where each document that was shown is seen from."""
        self.viewpoint: Viewpoint
        """Where the document that is shown is seen from."""

    def show(self, document: Document, view: SceneView | None, corners: Array) -> None:
        """Turn to a document; one that is shown for the first time is seen as its scene says, or framed whole."""
        if document not in self.viewpoints:
            self.viewpoints[document] = Viewpoint(view, corners, self.full)
        self.viewpoint = self.viewpoints[document]

    @property
    def layout(self) -> Layout:
        """Where panels and picture are."""
        return lay_out(*self.size, self.pixel_ratio, self.panels, self.panel_widths)

    @property
    def is_low(self) -> bool:
        """Whether the window has no space for what is only an explanation."""
        return is_low(self.size[1], self.pixel_ratio)

    @property
    def full(self) -> Viewport:
        """The viewport that a window without panels has."""
        return lay_out(*self.size, self.pixel_ratio, panels=False).picture

    @property
    def view(self) -> View:
        """How the picture is seen now."""
        picture = self.layout.picture
        return View(self.viewpoint.seen(picture, self.full), picture, self.pixel_ratio)

    @property
    def picture_theme(self) -> Theme:
        """The colours of the picture; a grid that is not shown has none."""
        return self.theme if self.grid else replace(self.theme, grid_minor_opacity=0.0, grid_major_opacity=0.0)

    def resize(self, size: tuple[int, int], pixel_ratio: float, corners: Array) -> None:
        """Follow the window's size; a scene that is framed whole stays so. `corners` (n, 3) bound the scene."""
        if (size, pixel_ratio) != (self.size, self.pixel_ratio):
            self.size, self.pixel_ratio = size, pixel_ratio
            self.viewpoint.fit(corners, self.full)

    def advance(self, now: float) -> bool:
        """Go on with what moves by itself; True if there is more to come. `now` is in seconds."""
        self.now = now
        return self.viewpoint.advance(now)
