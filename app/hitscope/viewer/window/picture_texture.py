"""The texture with the scene's picture: drawn when it changes, reduced in motion, at rest sharp, then full."""

import math
import time
from collections.abc import Callable, Iterator

import moderngl

from hitscope.draw.items import DrawList
from hitscope.render.palette import DARK, Theme, rgb
from hitscope.render.renderer import Reduced, Renderer, Settings
from hitscope.render.view import View

REST_SECONDS = 0.08
"""The time after the last input until the full picture replaces a reduced one."""
STEP_SECONDS = 0.03
"""The time that a slow full picture is drawn for between two rounds of input."""
SHARP_STEPS = 4
"""The steps between two rounds of input while a coarse picture becomes sharp, in a tenth of the full time."""
SAMPLES = 4
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swr")
"""The beginnings of the names of software renderers."""
SECONDS_PER_SHAPE = 14e-6
"""The estimate for a full picture by a software renderer, before one is drawn."""
FULL_SECONDS = 0.04
"""The longest time of a full picture that is drawn in motion, too."""
REDUCED_SECONDS = 0.016
"""The longest time of a reduced picture; the panels and the display take nearly as long again."""
EASY_SECONDS = REDUCED_SECONDS / 2
"""The time of a reduced picture below which the next one is reduced less."""
COARSE_FROM = 50_000
"""The number of shapes from which a software renderer begins a level coarser, and so for each doubling."""
LEVELS = tuple(Reduced(points, grain) for points, grain in ((4.0, 1), (4.0, 2), (8.0, 2), (16.0, 3), (32.0, 3)))
"""The ways to reduce a picture, from least to most."""


class PictureTexture:
    """The texture with the picture of the scene."""

    def __init__(
        self,
        context: moderngl.Context,
        renderer: Renderer,
        clock: Callable[[], float] = time.monotonic,
        step_seconds: float = STEP_SECONDS,
    ) -> None:
        """Make an empty texture; `clock` gives seconds, and a step of the full picture takes `step_seconds`."""
        self._context, self._renderer = context, renderer
        self._clock, self._step_seconds = clock, step_seconds
        self._quality = MotionQuality(str(context.info["GL_RENDERER"]))
        self._texture = context.texture((1, 1), 3)
        self._target = context.framebuffer([self._texture])
        self._shown: tuple[DrawList, View, Theme] | None = None
        self._full = True
        self._scene: object = None
        self._unseen = False
        """Whether the first picture of a scene is being drawn."""
        self._steps: Iterator[None] | None = None
        self._is_backdrop = self._has_backdrop = False
        """Whether the steps make the backdrop, which follows a slow full picture, and whether it is made."""
        self._sharpens = False
        """Whether the steps make a coarse picture sharp, before it is drawn in full."""
        self._reduced: Reduced | None = None
        self._spent = 0.0
        self._input_at = 0.0

    def note_input(self) -> None:
        """Note that there was an input, so that the picture is reduced until `REST_SECONDS` have passed."""
        self._input_at = self._clock()

    def note_end(self) -> None:
        """Note that a drag has ended: nothing more is expected, and the full picture is drawn at once."""
        self._input_at = -math.inf

    @property
    def unfinished(self) -> bool:
        """Whether less than the full picture is shown, or the next one in motion would be reduced by much."""
        return not self._full or not (self._has_backdrop or self._quality.reduction is None)

    @property
    def seconds_to_rest(self) -> float:
        """The time to wait before the next step of an unfinished picture."""
        return 0.0 if self._unseen else max(self._input_at + REST_SECONDS - self._clock(), 0.0)

    def show(
        self, draw_list: DrawList, view: View, theme: Theme = DARK, whole: bool = False, scene: object = None
    ) -> moderngl.Texture:
        """The texture with the picture; a reduced picture becomes the full one step by step, one at each call.

        `whole` draws the full picture at once. The first picture of another `scene` is drawn in steps, too, during
        which the texture keeps the one before.
        """
        if self._shown is None or self._shown[0] is not draw_list or self._shown[1:] != (view, theme):
            self._shown = draw_list, view, theme
            self._fit(view, theme)
            self._quality.set_shapes(sum(len(shapes.roles) for batch in draw_list.primitives for shapes in batch))
            self._begin(None if whole else self._quality.reduction)
            self._unseen, self._scene = scene is not self._scene, scene
            self._go_on(self._step_seconds if self._unseen else math.inf)
        elif self.unfinished and self.seconds_to_rest == 0:
            if self._steps is None:
                is_coarse = self._reduced not in (None, LEVELS[0]) and not self._renderer.used_backdrop
                self._begin(LEVELS[0] if is_coarse else None, is_backdrop=self._full)
                self._sharpens = is_coarse
            self._go_on(self._step_seconds * (SHARP_STEPS if self._sharpens else 1))
        if whole and not self._full:
            self._begin(None)
            self._go_on(math.inf)
        return self._texture

    def _fit(self, view: View, theme: Theme) -> None:
        size = view.viewport.width, view.viewport.height
        if self._texture.size != size:
            self._target.release()
            self._texture.release()
            self._texture = self._context.texture(size, 3)
            # The panels' painter shows it pixel by pixel.
            self._texture.filter = moderngl.NEAREST, moderngl.NEAREST
            self._target = self._context.framebuffer([self._texture])
            # A large scene is shown some time after a panel has given way to it.
            self._target.clear(*rgb(theme.background_bottom))

    def _begin(self, reduced: Reduced | None, is_backdrop: bool = False) -> None:
        assert self._shown is not None
        draw_list, view, theme = self._shown
        settings = Settings(self._texture.size, theme, SAMPLES, view.pixel_ratio, reduced=reduced)
        self._steps = self._renderer.steps(draw_list, view.camera, settings, self._target, is_backdrop)
        self._is_backdrop, self._has_backdrop, self._sharpens = is_backdrop, False, False
        self._reduced, self._full, self._spent = reduced, is_backdrop, 0.0

    def _go_on(self, seconds: float) -> None:
        """Draw for some seconds, or to the end."""
        assert self._steps is not None
        began = self._clock()
        for _ in self._steps:
            if seconds < math.inf:
                # Drivers defer drawing: without this all of it would happen later, at once.
                self._context.finish()
                if self._clock() - began > seconds:
                    self._spent += self._clock() - began
                    return
        self._context.finish()
        self._steps, self._unseen = None, False
        self._full, self._has_backdrop = self._reduced is None, self._is_backdrop
        # These take another time than the pictures in motion that are to be reduced by it.
        if not (self._sharpens or self._is_backdrop or self._renderer.used_backdrop):
            self._quality.add_time(self._reduced, self._spent + self._clock() - began)


class MotionQuality:
    """The reduction of the next picture of a scene, from the times of the ones before."""

    def __init__(self, renderer: str) -> None:
        """Begin without a scene; `renderer` is the name that the OpenGL driver reports."""
        self._software = renderer.lower().startswith(SOFTWARE)
        self._shapes = -1
        self.set_shapes(0)

    def set_shapes(self, shapes: int) -> None:
        """Start afresh if the number of shapes has changed."""
        if shapes != self._shapes:
            self._shapes = shapes
            self._full = shapes * SECONDS_PER_SHAPE if self._software else 0.0
            doublings = int(math.log2(max(shapes / COARSE_FROM, 1.0)))
            self._level = min(1 + doublings, len(LEVELS) - 1) if self._full > FULL_SECONDS else 0
            self._excess, self._was_easy = 0.0, False

    @property
    def reduction(self) -> Reduced | None:
        """The reduction of a picture in motion; None for the full picture."""
        return LEVELS[self._level] if self._full > FULL_SECONDS else None

    def add_time(self, reduced: Reduced | None, seconds: float) -> None:
        """Update the quality by the drawing time of a picture."""
        if reduced is None:
            self._full = seconds
            # Only at rest: a picture whose reduction changes while it moves would flicker.
            self._level = max(self._level - self._was_easy, 0)
            self._excess, self._was_easy = 0.0, False
            return
        self._was_easy = seconds < EASY_SECONDS
        # A single slow picture is compensated by the faster ones after it.
        self._excess = max(self._excess + seconds / REDUCED_SECONDS - 1, 0.0)
        if self._excess >= 1:
            self._level = min(self._level + 1, len(LEVELS) - 1)
            self._excess = 0.0
