"""Animated files: GIF, and MP4 where ffmpeg is installed."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageOps

from hitscope.errors import HitscopeError

RATES = {".gif": 15, ".mp4": 30}
"""The frames of a second, by the ending of the file."""
ENDINGS = tuple(RATES)
TICK_MS = 10
"""The unit in which a GIF file keeps durations."""
LARGEST_ERROR, FEW = 24, 0.005
"""A GIF file gets new colours where more than the `FEW`th part of a frame is off by more than this of 255."""
COMPRESSION = ("-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
"""Arguments for a file that all players read, from the first byte on, and without visible loss."""
COLOURS = ("-vf", "scale=out_color_matrix=bt709", "-colorspace", "bt709")
"""Without these, players guess how the colours are coded by the size of the picture."""
Frames: TypeAlias = Iterator[tuple[NDArray[np.uint8], float]]
"""Pictures (height, width, 3), shown one after the other, each with the second at which it ends."""


def require_animation(path: Path) -> None:
    """Raise HitscopeError, before the work, for an MP4 file without ffmpeg to write it."""
    if path.suffix.lower() == ".mp4":
        try:
            _ffmpeg()
        except (ImportError, RuntimeError):
            raise HitscopeError(f"{path}: an MP4 file needs ffmpeg: pip install 'hitscope[video]'") from None


def animation(frames: Frames, ending: str) -> bytes:
    """The bytes of a file with one of the `ENDINGS`, which shows at least one frame; raises HitscopeError.

    All frames get the size of the first one. A GIF file repeats for ever.
    """
    if ending != ".gif":
        return _mp4(frames, RATES[ending])
    data, images = BytesIO(), _images(frames)
    next(images).save(data, format="GIF", save_all=True, append_images=images, loop=0)
    return data.getvalue()


def _images(frames: Frames) -> Iterator[Image.Image]:
    """The frames in 255 colours with their durations, one at a time, as all would not fit into memory.

    The colours stay as long as they fit: what does not move takes no room in the file then.
    """
    size: tuple[int, ...] = ()
    began, palette = 0, None
    for pixels, end in frames:
        size = size or pixels.shape[1::-1]
        frame = _fitted(pixels, size)
        if palette is None or not _has_colours(palette, frame):
            # This method keeps the colours of a few pixels, such as those of lines.
            palette = frame.quantize(255, Image.Quantize.MAXCOVERAGE, kmeans=2)
        image = frame.quantize(palette=palette, dither=Image.Dither.NONE)
        ended = round(end * 1000 / TICK_MS) * TICK_MS
        image.info["duration"], began = ended - began, ended
        yield image


def _has_colours(palette: Image.Image, frame: Image.Image) -> bool:
    """Whether nearly all pixels of a frame have about their colour in a palette."""
    shown = frame.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB")
    errors = np.asarray(ImageChops.difference(shown, frame)).max(axis=2)
    return bool((errors > LARGEST_ERROR).mean() < FEW)


def _mp4(frames: Frames, rate: int) -> bytes:
    """The bytes of a file of `rate` frames a second; all of them get the size of the first one."""
    first = next(frames)
    height, width = first[0].shape[:2]
    below, beside = height % 2, width % 2  # the colours of 2 x 2 pixels are one
    size = f"{width + beside}x{height + below}"
    with TemporaryDirectory(prefix="hitscope-") as folder, TemporaryFile() as errors:
        path = Path(folder) / "animation.mp4"
        source = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(rate), "-i", "-")
        command = [_ffmpeg(), "-v", "error", *source, *COLOURS, *COMPRESSION, str(path)]
        with suppress(BrokenPipeError), subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors) as process:
            assert process.stdin
            try:
                shown = 0
                for pixels, end in chain([first], frames):
                    fitted = np.asarray(_fitted(pixels, (width, height)))
                    data = np.pad(fitted, ((0, below), (0, beside), (0, 0)), "edge").tobytes()
                    while shown < round(end * rate):
                        process.stdin.write(data)
                        shown += 1
                process.stdin.close()
            except BrokenPipeError:  # it has ended, and says why
                raise
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            errors.seek(0)
            *_, last_line = errors.read().decode(errors="replace").strip().splitlines() or ["it says nothing"]
            raise HitscopeError(f"ffmpeg cannot write the animation: {last_line}")
        return path.read_bytes()


def _fitted(pixels: NDArray[np.uint8], size: tuple[int, ...]) -> Image.Image:
    """The picture in the size (width, height), which a window may have left."""
    return ImageOps.pad(Image.fromarray(pixels), size)  # type: ignore[arg-type]


def _ffmpeg() -> str:
    """The path of ffmpeg; raises ImportError and RuntimeError."""
    import imageio_ffmpeg

    return str(imageio_ffmpeg.get_ffmpeg_exe())
