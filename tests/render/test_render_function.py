"""`hitscope.render`: the picture that the command makes, as an image."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import hitscope
from hitscope import Aabb, HitscopeError, Ray
from hitscope.evaluate import evaluate
from hitscope.extras import missing
from hitscope.render.offscreen import picture_of, write_png
from hitscope.render.renderer import Settings

MADE = hitscope.scene({"box": Aabb((1, -1, -1), (2, 1, 1))}, [Ray((0, 0, 0), (1, 0, 0))])
SIZE = (160, 100)


def test_the_picture_is_that_of_the_command(tmp_path: Path) -> None:
    write_png(tmp_path / "a.png", picture_of(evaluate(MADE), Settings(SIZE)))
    image = hitscope.render(MADE, SIZE)
    assert (image.mode, image.size) == ("RGB", SIZE)
    assert np.array_equal(np.asarray(image), np.asarray(Image.open(tmp_path / "a.png")))
    assert np.array_equal(np.asarray(hitscope.render(evaluate(MADE), SIZE)), np.asarray(image))
    assert hitscope.render(MADE, SIZE, transparent=True, grid=False).getpixel((0, 0)) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("arguments", "more", "message"),
    [
        ((MADE, (0, 5)), {}, "a picture is 1 to 16384 pixels wide and high, not 0x5"),
        ((MADE, 5), {}, "render: size: expected (width, height) in pixels, found 5"),
        ((MADE, (5, 2.5)), {}, "render: size: expected (width, height) in pixels, found [5, 2.5]"),
        ((MADE, SIZE), {"samples": 0}, "a picture has 1 or more samples a pixel, not 0"),
        ((MADE, SIZE), {"samples": None}, "render: samples: expected a whole number, found null"),
        (("x.scene.json",), {}, 'render: scene: expected a Scene or a Report, found "x.scene.json"'),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(arguments: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(HitscopeError) as caught:
        hitscope.render(*arguments, **more)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("package", ["PIL", "moderngl"])
def test_a_missing_package_is_named_with_what_brings_it(package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
import hitscope
try:
    hitscope.render(hitscope.scene())
except hitscope.HitscopeError as error:
    print(error)
print(hitscope.scene()._repr_html_())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    words = f"render: {missing(package)}"
    assert done.stdout.splitlines() == [words, "<p>0 primitives, 0 probes</p>"]
