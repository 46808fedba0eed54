"""`hitscope.render`: the picture of a scene, drawn without a window."""

from typing import TYPE_CHECKING

from hitscope.errors import ArgumentFault, Fault, HitscopeError, shown
from hitscope.evaluate import Report
from hitscope.extras import missing
from hitscope.scene.model import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (1280, 800)
"""The pixels of a picture, if nothing else is asked for."""


def render(
    scene: Scene | Report,
    size: tuple[int, int] = SIZE,
    *,
    samples: int = 4,
    transparent: bool = False,
    grid: bool = True,
) -> "Image":
    """Return the picture of a scene, or of its report, as a PIL.Image of `size` = (width, height) pixels.

    What is hit is green, the rest red, seen as the scene's view says. It needs OpenGL, but no window or display.
    Raises HitscopeError where there is no OpenGL, and where a package is missing.

    >>> import hitscope
    >>> made = hitscope.scene({"box": hitscope.Aabb((0, 0, 0), (1, 1, 1))})
    >>> hitscope.render(made, size=(320, 200)).size
    (320, 200)
    """
    checked = _checked(size, samples)
    if not isinstance(scene, Scene | Report):
        raise ArgumentFault("render", Fault(("scene",), "a Scene or a Report", shown(scene)))
    try:
        from PIL import Image

        from hitscope.render.offscreen import evaluate_to_draw, picture_of
        from hitscope.render.palette import DARK, without_grid_and_axes
        from hitscope.render.renderer import Settings
    except ModuleNotFoundError as error:
        raise HitscopeError(f"render: {missing(error.name) or error}") from None
    report = scene if isinstance(scene, Report) else evaluate_to_draw(scene)
    theme = DARK if grid else without_grid_and_axes(DARK)
    return Image.fromarray(picture_of(report, Settings(checked, theme, samples, transparent=transparent)))


def _checked(size: object, samples: object) -> tuple[int, int]:
    """Return a size in pixels; raises HitscopeError for anything else, and for samples that are none."""
    numbers = list(size) if isinstance(size, tuple | list) else []
    if len(numbers) != 2 or not all(isinstance(side, int) and not isinstance(side, bool) for side in numbers):
        raise ArgumentFault("render", Fault(("size",), "(width, height) in pixels", shown(size)))
    if not isinstance(samples, int):
        raise ArgumentFault("render", Fault(("samples",), "a whole number", shown(samples)))
    return numbers[0], numbers[1]
