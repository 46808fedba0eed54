"""Painting the viewer, its picture and its panels, on the screen or offscreen."""

from copy import copy

import moderngl
import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray
from PIL import Image

from hitscope.draw.items import DrawList
from hitscope.render.camera import Viewport
from hitscope.render.offscreen import draw_pixels, straight
from hitscope.render.palette import without_grid_and_axes
from hitscope.render.renderer import Renderer, Settings
from hitscope.render.view import View
from hitscope.viewer.actions.saving import size_in_pixels
from hitscope.viewer.interface.user_interface import UserInterface, draw_list
from hitscope.viewer.panels import picture_notes
from hitscope.viewer.panels.gui import Gui
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.state import State
from hitscope.viewer.window.gui_painter import GuiPainter
from hitscope.viewer.window.picture_texture import SAMPLES, PictureTexture


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


def exported_picture(
    context: moderngl.Context, renderer: Renderer, state: State, draw_list: DrawList, options: PictureOptions
) -> NDArray[np.uint8]:
    """The picture (height, width, 3), or 4 where it is transparent; raises HitscopeError for one too large.

    Without other choices it is the picture on the screen, pixel by pixel.
    """
    theme, shown = state.display.picture_theme, state.display.view
    scale = options.factor
    size = size_in_pixels(state, options)
    view = View(shown.camera, Viewport(0, 0, *size), shown.pixel_ratio * scale)
    if not options.grid:
        theme = without_grid_and_axes(theme)
    settings = Settings(size, theme, SAMPLES, view.pixel_ratio, options.transparent)
    pixels = draw_pixels(context, renderer, draw_list, view.camera, settings)
    if scale > 1:
        renderer.release_canvases()
    if not (options.labels or options.legend or options.verdicts):
        return pixels
    notes = _notes(context, state, draw_list, view, options)
    base = Image.new("RGBA", (notes.shape[1], notes.shape[0]))
    base.paste(Image.fromarray(pixels).convert("RGBA"))
    whole = Image.alpha_composite(base, Image.fromarray(notes))
    return np.asarray(whole if options.transparent else whole.convert("RGB"))


def _notes(
    context: moderngl.Context, state: State, draw_list: DrawList, view: View, options: PictureOptions
) -> NDArray[np.uint8]:
    """The notes on a transparent ground (height, width, 4), higher than the picture by those below it."""
    display = copy(state.display)
    display.screen_ratio *= options.factor
    width, height = view.viewport[2:]
    display.size, below = (width, height), 0.0

    def show() -> None:
        nonlocal below
        below = picture_notes.show(state, draw_list, view, options)

    outer = imgui.get_current_context()
    gui, painter = Gui(display, lambda: "", lambda _: None), GuiPainter(context)
    try:
        for _ in range(2):  # the first time to measure what is below
            gui.frames(show, lambda: False, 0.0, 3, 3)
            display.size = width, height + round(below)
        target = context.simple_framebuffer(display.size, components=4)
        target.clear()
        painter.paint(gui.drawn, None, (), {}, display.size, target)
        pixels = np.frombuffer(target.read(components=4, alignment=1), np.uint8)
        target.release()
    finally:
        painter.release()
        gui.close()
        imgui.set_current_context(outer)
    return straight(pixels.reshape(display.size[1], width, 4)[::-1])
