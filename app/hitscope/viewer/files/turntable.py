"""The process that draws a turntable: a thread would hold the interpreter's lock, for which the window waits.

`python -m hitscope.viewer.files.turntable SCENE FILE TURNTABLE`, where the last argument is a `Turntable` in JSON,
prints a dot for each frame. It ends when its standard input does, with the window.
"""

import os
import sys
from pathlib import Path
from threading import Thread

import msgspec

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.scene import load
from hitscope.viewer.state.turntable import Turntable

NICENESS = 10
"""The priority of the process, so that the window stays responsive."""
DOT = "."
"""The mark that is printed for a frame."""


def main(scene: str, path: str, turntable: str) -> int:
    """Draw the turntable of a scene into a file, or print the problem as an error; return the exit status."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    Thread(target=_end_with_input, daemon=True).start()
    from hitscope.render.offscreen import evaluate_to_draw
    from hitscope.render.turntable import write_turntable

    shown = msgspec.json.decode(turntable, type=Turntable)
    try:
        report = evaluate_to_draw(load(Path(scene)))
        with progress.reporting_to(_print_dot):
            write_turntable(
                *(report, Path(path), shown.size, shown.theme, shown.seconds),
                pixel_ratio=shown.pixel_ratio,
                camera=shown.camera,
                hidden=shown.hidden,
            )
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
