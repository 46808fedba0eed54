"""Painting the viewer, its picture and its panels, on the screen or offscreen.

The Python backends of imgui-bundle need PyOpenGL beside moderngl, and its pyglet one scales by the pixel ratio
twice on macOS, so Dear ImGui's frames are drawn here.
"""

from copy import copy
from functools import partial
from typing import Any

import moderngl
import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray
from PIL import Image

from hitscope.draw.items import DrawList
from hitscope.render.camera import Viewport
from hitscope.render.offscreen import draw_pixels, pixels_of, straight
from hitscope.render.palette import without_grid_and_axes
from hitscope.render.renderer import Renderer, Settings
from hitscope.render.shaders import program
from hitscope.render.view import View
from hitscope.viewer.actions.saving import size_in_pixels
from hitscope.viewer.interface.user_interface import UserInterface, draw_list
from hitscope.viewer.panels import labels
from hitscope.viewer.panels.gui import FIRST_CANVAS, FIRST_IMAGE, PICTURE, Gui, array_bytes
from hitscope.viewer.state.dialogs import PictureOptions
from hitscope.viewer.state.state import State
from hitscope.viewer.window.picture_texture import SAMPLES, PictureTexture

SHEET = 0
"""The texture unit of glyphs and images."""
_STATUS = imgui.ImTextureStatus


class GuiPainter:
    """Draws the frames of one `Gui` in one OpenGL context and owns its textures."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = program(context, "gui.vert", "gui.frag", sheet=SHEET)
        self._vertices = context.buffer(reserve=imgui.VERTEX_SIZE, dynamic=True)
        self._indices = context.buffer(reserve=imgui.INDEX_SIZE, dynamic=True)
        content = [(self._vertices, "2f 2f 4f1", "position", "texel", "tint")]
        self._shapes = context.vertex_array(self._program, content, self._indices, imgui.INDEX_SIZE)
        self._textures: dict[int, moderngl.Texture] = {}
        self._canvases: dict[int, NDArray[np.uint8]] = {}
        """The pixels in the texture of each canvas."""

    def paint(
        self, gui: Gui, picture: moderngl.Texture | None, size: tuple[int, int], target: moderngl.Framebuffer
    ) -> None:
        """Draw the last frame, which has `size` pixels, and in it the picture of the scene, over a target."""
        for glyphs in gui.drawn.textures or ():
            self._follow(glyphs)
        if not gui.drawn.total_idx_count:
            return
        lists = list(gui.drawn.cmd_lists)
        self._write(self._vertices, [array_bytes(part.vtx_buffer, imgui.VERTEX_SIZE) for part in lists])
        starts = np.cumsum([0, *(part.vtx_buffer.size() for part in lists)]).astype(np.uint32)
        indices = [array_bytes(part.idx_buffer, imgui.INDEX_SIZE).view(np.uint32) for part in lists]
        self._write(self._indices, [own + start for own, start in zip(indices, starts, strict=False)])

        context = self._context
        target.use()
        context.viewport = (0, 0, *size)
        context.enable_only(moderngl.BLEND)
        context.blend_equation = moderngl.FUNC_ADD  # type: ignore[assignment]
        under = moderngl.ONE_MINUS_SRC_ALPHA
        layered = (moderngl.SRC_ALPHA, under, moderngl.ONE, under)
        context.blend_func = layered  # type: ignore[assignment]
        self._program["size"] = size
        first = 0
        for part, own in zip(lists, indices, strict=True):
            for command in part.cmd_buffer:
                name = command.get_tex_id()
                texture = picture if name == PICTURE else self._texture(name, gui)
                assert texture is not None, "a frame with a picture needs one"
                texture.use(SHEET)
                if _clip(target, command.clip_rect, size):
                    context.enable_only(moderngl.NOTHING if name == PICTURE else moderngl.BLEND)
                    self._shapes.render(first=first + command.idx_offset, vertices=command.elem_count)
            first += len(own)
        target.scissor = None  # type: ignore[assignment]

    def release(self) -> None:
        parts: list[Any] = [self._shapes, self._vertices, self._indices, self._program]
        for part in (*parts, *self._textures.values()):
            part.release()

    def _texture(self, name: int, gui: Gui) -> moderngl.Texture:
        """The texture of an id; an image file is read when first drawn, a canvas when it is another array."""
        if name >= FIRST_CANVAS:
            pixels = list(gui.canvases.values())[name - FIRST_CANVAS]
            if self._canvases.get(name) is not pixels:
                if name in self._textures:
                    self._textures[name].release()
                height, width, _ = pixels.shape
                texture = self._context.texture((width, height), 3, pixels.tobytes(), alignment=1)
                texture.filter = moderngl.NEAREST, moderngl.NEAREST
                texture.repeat_x = texture.repeat_y = False
                self._textures[name], self._canvases[name] = texture, pixels
        elif name not in self._textures:
            image = _read(gui.images[name - FIRST_IMAGE])
            self._textures[name] = self._context.texture(image.size, 3, image.tobytes(), alignment=1)
        return self._textures[name]

    def _follow(self, texture: imgui.ImTextureData) -> None:
        """Create, update or release a texture as Dear ImGui requests."""
        name = PICTURE + 1 + texture.unique_id
        if texture.status == _STATUS.want_destroy:
            if name in self._textures:
                self._textures.pop(name).release()
            texture.set_tex_id(0)
            texture.set_status(_STATUS.destroyed)
        elif texture.status != _STATUS.ok or name not in self._textures:
            if name not in self._textures:
                self._textures[name] = self._context.texture((texture.width, texture.height), 4)
            self._textures[name].write(np.ascontiguousarray(texture.get_pixels_array()).tobytes())
            texture.set_tex_id(name)
            texture.set_status(_STATUS.ok)

    @staticmethod
    def _write(buffer: moderngl.Buffer, parts: list[NDArray[Any]]) -> None:
        data = np.concatenate(parts).tobytes()
        buffer.orphan(max(len(data), buffer.size))
        buffer.write(data)


def _read(path: str) -> Image.Image:
    """Read an image file; one that cannot be read becomes a grey pixel."""
    try:
        with Image.open(path) as picture:
            return picture.convert("RGB")
    except OSError:
        return Image.new("RGB", (1, 1), "grey")


def _clip(target: moderngl.Framebuffer, rect: imgui.ImVec4, size: tuple[int, int]) -> bool:
    """Restrict drawing to a rectangle and return whether it has any pixels."""
    left, top = max(int(rect.x), 0), max(int(rect.y), 0)
    right, bottom = min(int(rect.z), size[0]), min(int(rect.w), size[1])
    if right <= left or bottom <= top:
        return False
    target.scissor = (left, size[1] - bottom, right - left, bottom - top)
    return True


class Painter:
    """The painter of one user interface in one OpenGL context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._renderer = Renderer(context)
        self.pack = self._renderer.pack
        self.texture = PictureTexture(context, self._renderer)
        self._gui = GuiPainter(context)

    def picture(self, state: State, options: PictureOptions) -> NDArray[np.uint8]:
        """The picture (height, width, 3 or 4) of the screen, by the options; raises HitscopeError if too large."""
        drawn, theme, shown = draw_list(state), state.display.picture_theme, state.display.view
        # The renderer draws one picture at a time.
        self.texture.show(drawn, shown, theme, whole=True)
        size = size_in_pixels(state, options)
        view = View(shown.camera, Viewport(0, 0, *size), shown.pixel_ratio * options.factor)
        if not options.grid:
            theme = without_grid_and_axes(theme)
        settings = Settings(size, theme, SAMPLES, view.pixel_ratio, options.transparent)
        pixels = draw_pixels(self._context, self._renderer, drawn, view.camera, settings)
        if options.factor > 1:
            self._renderer.release_canvases()
        if not (options.labels or options.legend or options.verdicts):
            return pixels
        notes = _notes(self._context, state, drawn, view, options)
        base = Image.new("RGBA", (notes.shape[1], notes.shape[0]))
        base.paste(Image.fromarray(pixels).convert("RGBA"))
        whole = Image.alpha_composite(base, Image.fromarray(notes))
        return np.asarray(whole if options.transparent else whole.convert("RGB"))

    def paint(self, interface: UserInterface, target: moderngl.Framebuffer, whole: bool = False) -> None:
        """Draw the viewer over all of `target`; `whole` draws the full picture at once."""
        state = interface.state
        view, theme = state.display.view, state.display.picture_theme
        picture = self.texture.show(interface.draw_list, view, theme, whole, state.session.builder)
        self._gui.paint(interface.gui, picture, state.display.size, target)


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
        below = labels.show_notes(state, draw_list, view, options)

    outer = imgui.get_current_context()
    gui, painter = Gui(display, lambda: "", lambda _: None), GuiPainter(context)
    try:
        for _ in range(2):  # the first time to measure what is below
            gui.frames(show, lambda: False, 0.0, 3, 3)
            display.size = width, height + round(below)
        return straight(pixels_of(context, display.size, 4, partial(painter.paint, gui, None, display.size)))
    finally:
        painter.release()
        gui.close()
        imgui.set_current_context(outer)
