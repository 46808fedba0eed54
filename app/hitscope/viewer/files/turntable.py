"""Writing a turntable: a process draws it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hitscope import progress
from hitscope.outputs import write_output
from hitscope.scene import Scene
from hitscope.viewer.state.turntable import Turntable
from hitscope.worker_processes import Background, Tell


def write_turntable(scene: Scene, turntable: Turntable, path: Path) -> None:
    """Write a turntable of a scene to a file, and count its frames as progress; raises HitscopeError."""
    with TemporaryDirectory(prefix="hitscope-") as folder:
        drawn = Path(folder) / f"turntable{path.suffix}"
        progress.begin(turntable.frames(path))
        process = Background(_draw, scene, drawn, turntable)
        try:
            for fraction in process.results():
                progress.advance(1 if fraction else 0)
        finally:  # where the progress' listener raises, the file stays as it was
            process.end()
        progress.advance(0)
        write_output(path, [drawn.read_bytes()])


def _draw(tell: Tell[float | None], scene: Scene, path: Path, turntable: Turntable) -> None:
    """Draw the turntable of a scene into a file, and tell of each frame."""
    from hitscope.render.offscreen import evaluate_to_draw
    from hitscope.render.offscreen import write_turntable as draw_turntable
    from hitscope.render.renderer import Settings

    settings = Settings(turntable.size, turntable.theme, pixel_ratio=turntable.pixel_ratio)
    report = evaluate_to_draw(scene)
    with progress.reporting_to(tell):
        draw_turntable(report, path, settings, turntable.seconds, turntable.camera, turntable.hidden)
