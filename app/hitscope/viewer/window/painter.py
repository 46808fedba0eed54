"""Painting the viewer, its picture and its panels, on the screen or offscreen."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.render.renderer import Renderer
from hitscope.viewer.interface.picture import draw_list
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.state import State
from hitscope.viewer.window.exported_picture import exported_picture
from hitscope.viewer.window.gui_painter import GuiPainter
from hitscope.viewer.window.picture_texture import PictureTexture


class Painter:
    """The painter of one user interface in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._renderer = Renderer(context)
        self.pack = self._renderer.pack
        self.texture = PictureTexture(context, self._renderer)
        self._gui = GuiPainter(context)

    def picture(self, state: State, options: PictureOptions) -> NDArray[np.uint8]:
        """The picture without the panels; see `exported_picture`."""
        drawn = draw_list(state)
        # The renderer draws one picture at a time.
        self.texture.show(drawn, state.display.view, state.display.picture_theme, whole=True)
        return exported_picture(self._context, self._renderer, state, drawn, options)

    def paint(self, interface: UserInterface, target: moderngl.Framebuffer, whole: bool = False) -> None:
        """Draw the viewer over all of `target`; `whole` draws the full picture at once."""
        state = interface.state
        view, theme = state.display.view, state.display.picture_theme
        picture = self.texture.show(interface.draw_list, view, theme, whole, state.session.builder)
        self._gui.paint(
            interface.gui.drawn, picture, interface.gui.images, interface.gui.canvases, state.display.size, target
        )
