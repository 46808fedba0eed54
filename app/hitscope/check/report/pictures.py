"""The pictures of a report: the scene, framed on the pair that fails. There may be no OpenGL to draw them."""

from contextlib import ExitStack
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

from hitscope.check.failures import Failure
from hitscope.errors import HitscopeError

if TYPE_CHECKING:
    from hitscope.evaluate import Report

SIZE = (480, 300)
SAMPLES = 4
COLOURS = 64
"""The number of colours of a picture, which makes it small."""


class Pictures:
    """Draws pictures in one context, which is opened for the first of them and closed at the end of a `with`."""

    def __init__(self) -> None:
        self.lack = ""
        """Why there are no pictures, in words; "" while there are."""
        self._open = ExitStack()
        self._context: Any = None
        self._renderer: Any = None
        self._builder: Any = None
        self._report: Report | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the context."""
        self._open.close()

    def png(self, report: "Report", failure: Failure, pair: tuple[int, int] | None) -> bytes:
        """Return a PNG file of a scene with what fails selected; b"" where it cannot be drawn."""
        if self.lack:
            return b""
        try:
            if self._renderer is None:
                self._begin()
        except (HitscopeError, ImportError) as error:
            self.lack = str(error)
            return b""
        try:
            return self._png(report, failure, pair)
        except HitscopeError:
            return b""

    def _begin(self) -> None:
        from hitscope.offscreen_context import offscreen_context
        from hitscope.render.renderer import Renderer

        self._context = self._open.enter_context(offscreen_context())
        self._renderer = Renderer(self._context)

    def _png(self, report: "Report", failure: Failure, pair: tuple[int, int] | None) -> bytes:
        from PIL import Image

        from hitscope.draw.builder import Builder, build
        from hitscope.draw.selection_geometry import framed
        from hitscope.draw.target import Target
        from hitscope.render.camera import Camera, Viewport
        from hitscope.render.offscreen import draw_pixels
        from hitscope.render.palette import DARK

        if self._report is not report:
            self._report, self._builder = report, Builder(self._builder)
        viewport = Viewport(0, 0, *SIZE)
        camera = Camera.of_view(report.scene.view, self._builder.corners(report), viewport)
        selection = [Target("probe", failure.probe)]
        if pair is not None:
            selection = [
                Target("probe", report.probes[pair[0]].id),
                Target("primitive", report.elements[pair[1]].id),
            ]
            picture, whole = self._builder.picture(report), self._builder.extent(report)
            camera = camera.frame(framed(picture, selection, whole).corners, viewport)
        elif failure.primitive is not None:
            selection.append(Target("primitive", failure.primitive))
        drawn = build(
            report, selection=tuple(selection), seen_from=(camera.eye, camera.target), builder=self._builder
        )
        context, renderer = self._context, self._renderer
        pixels = draw_pixels(context, renderer, drawn, camera, SIZE, DARK, SAMPLES, 1.0, transparent=False)
        data = BytesIO()
        few = Image.fromarray(pixels).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(data, format="PNG")
        return data.getvalue()
