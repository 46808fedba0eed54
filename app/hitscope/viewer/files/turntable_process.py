"""The process that draws a turntable, as the window sees it."""

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.outputs import write_output
from hitscope.scene import ENDING, Scene, save
from hitscope.viewer.state.turntable import Turntable

POLL_SECONDS = 0.05


def write_turntable(scene: Scene, turntable: Turntable, path: Path) -> None:
    """Write a turntable of a scene to a file, and count its frames as progress; raises HitscopeError.

    An exception of the progress' listener kills the process, and leaves the file as it was.
    """
    with TemporaryDirectory(prefix="hitscope-") as folder:
        source, drawn = Path(folder) / f"scene{ENDING}", Path(folder) / f"turntable{path.suffix}"
        save(scene, source)
        dots, errors = Path(folder) / "dots", Path(folder) / "errors"
        text = msgspec.json.encode(turntable).decode()
        command = [sys.executable, "-P", "-m", "hitscope.viewer.files.turntable", str(source), str(drawn), text]
        with (
            dots.open("wb") as output,
            errors.open("wb") as problem,
            subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=problem,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            ) as process,
        ):
            try:
                _follow(process, dots, turntable.frames(path))
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            words = errors.read_text("utf-8", "replace").strip().splitlines()
            raise HitscopeError(words[-1] if words else f"{path}: its process ended with {process.returncode}")
        data = drawn.read_bytes()
        progress.advance(0)
        write_output(path, [data])


def _follow(process: subprocess.Popen[bytes], dots: Path, frames: int) -> None:
    """Count the frames of a process as progress, until it ends."""
    progress.begin(frames)
    counted = 0
    while process.poll() is None:
        time.sleep(POLL_SECONDS)
        number = dots.stat().st_size
        progress.advance(number - counted)
        counted = number
