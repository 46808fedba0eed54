"""The pictures of a report: the scene, framed on the pair that fails. There may be no OpenGL to draw them."""

import re
from base64 import b64encode
from contextlib import ExitStack, suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from hitscope.check.failures import Failure
from hitscope.errors import HitscopeError
from hitscope.outputs import write_output

INLINE_BYTES = 2_500_000
"""The most bytes of the pictures in a page, in base64."""
_NAME = re.compile(r"[0-9a-f]{16}\.png")


class Images:
    """The pictures of a page, named by their content: an older page keeps its own until it is replaced."""

    def __init__(self, page: Path, inline_bytes: int = INLINE_BYTES) -> None:
        """Write none yet; the folder is named after the page's file."""
        self.folder = page.with_name(f"{page.stem}_files")
        self.beside: set[str] = set()
        """The names of those in the folder."""
        self._room = inline_bytes

    def source(self, png: bytes) -> str:
        """Return the URL of a picture, which becomes a file if the page has no room; raises HitscopeError."""
        inline = f"data:image/png;base64,{b64encode(png).decode()}"
        if not self.beside and len(inline) <= self._room:
            self._room -= len(inline)
            return inline
        name = f"{sha256(png).hexdigest()[:16]}.png"
        if name not in self.beside:
            try:
                self.folder.mkdir(exist_ok=True)
            except OSError as error:
                raise HitscopeError(f"{self.folder}: cannot be made a folder: {error.strerror}") from error
            write_output(self.folder / name, [png])
            self.beside.add(name)
        return f"{quote(self.folder.name)}/{name}"

    def remove_others(self) -> None:
        """Remove the pictures of an older page, and the folder if nothing is left in it."""
        with suppress(OSError):  # there is no such folder
            for path in self.folder.iterdir():
                if _NAME.fullmatch(path.name) and path.name not in self.beside:
                    path.unlink()
            self.folder.rmdir()  # fails unless it is empty


if TYPE_CHECKING:
    from hitscope.evaluate import Report

SIZE = (480, 300)
COLOURS = 64
"""The number of colours of a picture, which makes it small."""


class Pictures(ExitStack):
    """Draws pictures in one context, which is opened for the first of them and closed at the end of a `with`."""

    def __init__(self) -> None:
        super().__init__()
        self.lack = ""
        """Why there are no pictures, in words; "" while there are."""
        self._context: Any = None
        self._renderer: Any = None
        self._builder: Any = None
        self._report: Report | None = None

    def png(self, report: "Report", failure: Failure, pair: tuple[int, int] | None) -> bytes:
        """Return a PNG file of a scene with what fails selected; b"" where it cannot be drawn."""
        if self.lack:
            return b""
        try:
            if self._renderer is None:
                from hitscope.offscreen_context import offscreen_context
                from hitscope.render.renderer import Renderer

                self._context = self.enter_context(offscreen_context())
                self._renderer = Renderer(self._context)
        except (HitscopeError, ImportError) as error:
            self.lack = str(error)
            return b""
        with suppress(HitscopeError):
            return self._png(report, failure, pair)
        return b""

    def _png(self, report: "Report", failure: Failure, pair: tuple[int, int] | None) -> bytes:
        from PIL import Image

        from hitscope.draw.builder import Builder
        from hitscope.draw.selection_geometry import framed
        from hitscope.draw.target import Marked, targets_of
        from hitscope.render.camera import Camera, Viewport
        from hitscope.render.offscreen import draw_pixels
        from hitscope.render.renderer import Settings

        if self._report is not report:
            self._report, self._builder = report, Builder(self._builder)
        viewport = Viewport(0, 0, *SIZE)
        camera = Camera.of_view(report.scene.view, self._builder.corners(report), viewport)
        selection = targets_of(failure.probe, failure.primitive)
        if pair is not None:
            selection = targets_of(report.probes[pair[0]].id, report.elements[pair[1]].id)
            picture, whole = self._builder.picture(report), self._builder.extent(report)
            camera = camera.frame(framed(picture, selection, whole).corners, viewport)
        self._builder.set_camera(camera.eye, camera.target)
        shown = self._builder.picture(report).pairs.find(selection[-1:])
        drawn = self._builder.build(report, Marked(selection=selection, pair=shown))
        pixels = draw_pixels(self._context, self._renderer, drawn, camera, Settings(SIZE))
        data = BytesIO()
        few = Image.fromarray(pixels).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(data, format="PNG")
        return data.getvalue()
