"""The viewer's picture, panels and all, drawn on the screen or offscreen."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.render.renderer import Renderer
from hitscope.viewer.app import App
from hitscope.viewer.frontend import Frontend
from hitscope.viewer.panels.gui_painter import GuiPainter
from hitscope.viewer.picture.paper import Paper


class Painter:
    """Draws one frontend in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        renderer = Renderer(context)
        self.pack = renderer.pack
        self.paper = Paper(context, renderer)
        self._gui = GuiPainter(context)

    def picture(self, app: App) -> NDArray[np.uint8]:
        """Give the scene as it is seen, without the panels: (height, width, 3), row 0 at the top."""
        texture = self.paper.show(app.draw_list(), app.view, app.picture_theme, whole=True)
        pixels = np.frombuffer(texture.read(alignment=1), np.uint8)
        return np.ascontiguousarray(pixels.reshape(texture.height, texture.width, 3)[::-1])

    def paint(self, frontend: Frontend, target: moderngl.Framebuffer, whole: bool = False) -> None:
        """Draw the viewer as it is now over all of `target`; `whole` never takes a reduced picture."""
        app = frontend.app
        colours = app.colours()
        if colours is not None:
            self.paper.colour(colours)
        picture = self.paper.show(app.draw_list(), app.view, app.picture_theme, whole, app.builder)
        self._gui.paint(frontend.gui.drawn, picture, frontend.gui.images, app.size, target)
