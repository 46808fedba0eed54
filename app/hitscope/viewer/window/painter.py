"""Painting the viewer, its picture and its panels, on the screen or offscreen."""

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.render.renderer import Renderer
from hitscope.viewer.interface.picture import draw_list
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.state import State
from hitscope.viewer.window.gui_painter import GuiPainter
from hitscope.viewer.window.picture_texture import PictureTexture


class Painter:
    """The painter of one user interface in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        renderer = Renderer(context)
        self.pack = renderer.pack
        self.texture = PictureTexture(context, renderer)
        self._gui = GuiPainter(context)

    def picture(self, state: State) -> NDArray[np.uint8]:
        """The picture without the panels, shape (height, width, 3), row 0 at the top."""
        texture = self.texture.show(draw_list(state), state.display.view, state.display.picture_theme, whole=True)
        pixels = np.frombuffer(texture.read(alignment=1), np.uint8)
        return np.ascontiguousarray(pixels.reshape(texture.height, texture.width, 3)[::-1])

    def paint(self, interface: UserInterface, target: moderngl.Framebuffer, whole: bool = False) -> None:
        """Draw the viewer over all of `target`; `whole` draws the full picture at once."""
        state = interface.state
        roles = state.session.builder.element_roles(state.session.report)
        if roles is not None:
            self.texture.update_roles(roles)
        view, theme = state.display.view, state.display.picture_theme
        picture = self.texture.show(interface.draw_list, view, theme, whole, state.session.builder)
        self._gui.paint(interface.gui.drawn, picture, interface.gui.images, state.display.size, target)
