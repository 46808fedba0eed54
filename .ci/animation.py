"""Draws a recording as an animated GIF: `python animation.py RECORDING OUT.gif`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw

from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.inputs import Move
from hitscope.viewer.window.replay import screenshot, state_of

FRAME_MS = 80
LAST_FRAME_MS = 1500
SIZE = (960, 600)
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
"""The arrow of the mouse in pixels from its tip, as a screenshot has none."""


def frames(recording: Recording) -> Iterator[Image.Image]:
    """The picture at the beginning, then at every FRAME_MS up to the last input."""
    with UserInterface(state_of(recording)) as interface:
        mouse, taken = (0.0, 0.0), 0
        for now in range(0, recording.inputs[-1].at + FRAME_MS, FRAME_MS):
            while taken < len(recording.inputs) and recording.inputs[taken].at <= now:
                given = recording.inputs[taken]
                interface.take(given)
                mouse = (given.x, given.y) if isinstance(given, Move) else mouse
                taken += 1
            interface.advance(now / 1000)
            picture = Image.fromarray(screenshot(interface))
            arrow = [(mouse[0] + x, mouse[1] + y) for x, y in POINTER]
            ImageDraw.Draw(picture).polygon(arrow, fill="white", outline="black")
            yield picture.resize(SIZE, Image.Resampling.LANCZOS)


def animate(source: Path, output: Path) -> None:
    """Write the GIF, all frames in the colours of the first, the middle and the last."""
    drawn = list(frames(Recording.read(source)))
    sample = Image.new("RGB", (SIZE[0], 3 * SIZE[1]))
    for k, frame in enumerate((drawn[0], drawn[len(drawn) // 2], drawn[-1])):
        sample.paste(frame, (0, k * SIZE[1]))
    palette = sample.quantize(255, Image.Quantize.MAXCOVERAGE, kmeans=2)  # keeps the few blue pixels blue
    first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in drawn)
    durations = [FRAME_MS] * len(others) + [LAST_FRAME_MS]
    first.save(output, save_all=True, append_images=others, duration=durations, loop=0)


if __name__ == "__main__":
    animate(Path(sys.argv[1]), Path(sys.argv[2]))
