"""The process that draws a turntable: a thread would hold the interpreter's lock, for which the window waits.

`python -m hitscope.viewer.files.turntable SCENE FILE TURNTABLE`, where the last argument is a `Turntable` in JSON,
prints a dot for each frame. It ends when its standard input does, with the window.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import msgspec

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.outputs import write_output
from hitscope.scene import ENDING, Scene, load, save
from hitscope.viewer.state.turntable import Turntable
from hitscope.worker_processes import step_back

DOT = "."
"""The mark that is printed for a frame."""
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
    progress.begin(frames)
    counted = 0
    while process.poll() is None:
        time.sleep(POLL_SECONDS)
        number = dots.stat().st_size
        progress.advance(number - counted)
        counted = number


def main(scene: str, path: str, turntable: str) -> int:
    """Draw the turntable of a scene into a file, or print the problem as an error; return the exit status."""
    step_back()
    Thread(target=_end_with_input, daemon=True).start()
    from hitscope.render.offscreen import evaluate_to_draw
    from hitscope.render.offscreen import write_turntable as draw_turntable
    from hitscope.render.renderer import Settings

    shown = msgspec.json.decode(turntable, type=Turntable)
    try:
        report = evaluate_to_draw(load(Path(scene)))
        with progress.reporting_to(_print_dot):
            settings = Settings(shown.size, shown.theme, pixel_ratio=shown.pixel_ratio)
            draw_turntable(report, Path(path), settings, shown.seconds, shown.camera, shown.hidden)
    except HitscopeError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _print_dot(fraction: float | None) -> None:
    if fraction is not None:
        print(end=DOT, flush=True)


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
