"""The process that evaluates the scenes of the gallery and draws their thumbnails.

`python -m hitscope.viewer.files.survey THEME FOLDER SCENE ...` prints one `SceneSurveyed` a line. Thumbnails are
cached in the folder by a hash of the scene, the theme and the code that draws. In a thread, a survey of seconds
would hold the interpreter's lock, for which the window would wait after every OpenGL call.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import msgspec

from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.folders import cache_folder
from hitscope.resources import SHADERS
from hitscope.scene import loads
from hitscope.viewer.state.inputs import SceneSurveyed
from hitscope.worker_processes import step_back

SIZE = (384, 240)
"""Width and height of a thumbnail in pixels; at half the size its lines are as fine as those of the picture."""
KEPT_SECONDS = 30 * 24 * 3600
"""The time after which an unused thumbnail is deleted."""


class SurveyProcess:
    """A running `survey`, which evaluates and draws scenes one after the other, and its findings so far."""

    def __init__(self, paths: Iterable[Path], theme: str) -> None:
        self.theme = theme
        self.findings: list[SceneSurveyed] = []
        program = [sys.executable, "-P", "-m", "hitscope.viewer.files.survey"]
        self._process = subprocess.Popen(
            [*program, theme, _thumbnails(), *map(str, paths)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._thread = Thread(target=self._read, name="survey", daemon=True)
        self._thread.start()
        self._taken = 0

    def new_findings(self) -> list[SceneSurveyed]:
        new = self.findings[self._taken :]
        self._taken += len(new)
        return new

    def done(self, seconds: float = 0.0) -> bool:
        """Whether no scene is left, after waiting for at most some seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        self._process.kill()
        self._thread.join()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.endswith(b"\n"):  # a line without a line break was cut off
                self.findings.append(msgspec.json.decode(line, type=SceneSurveyed))


def _thumbnails() -> str:
    """The folder of the thumbnails; where it cannot be written, a temporary one of this process."""
    try:
        folder = cache_folder() / "thumbnails"
        folder.mkdir(parents=True, exist_ok=True)
    except (HitscopeError, OSError):
        return _temporary_folder().name
    return str(folder) if os.access(folder, os.W_OK) else _temporary_folder().name


@cache
def _temporary_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="hitscope-")


def survey(path: Path, theme: str, folder: Path, drawing: bytes) -> SceneSurveyed:
    """Evaluate one scene and cache its thumbnail in `folder`; `drawing` is the hash of the code that draws."""
    try:
        data = path.read_bytes()
        report = evaluate(loads(data, str(path), path.parent))
        problem = next((mismatch.words for mismatch in report.mismatches), "")
    except (HitscopeError, OSError) as error:
        return SceneSurveyed(0, str(path), str(error))
    key = sha256(b"\0".join([theme.encode(), drawing, data])).hexdigest()
    thumbnail = folder / f"{key[:32]}.png"
    try:
        if thumbnail.exists():
            os.utime(thumbnail)
        else:
            _draw(report, theme, thumbnail)
    except (HitscopeError, OSError):  # without OpenGL there is no thumbnail
        return SceneSurveyed(0, str(path), problem, fails=bool(problem))
    return SceneSurveyed(0, str(path), problem, str(thumbnail), bool(problem))


def main(theme: str, thumbnails: str, *paths: str) -> None:
    """Survey all scenes, print each `SceneSurveyed` as JSON, and delete old thumbnails."""
    step_back()
    folder = Path(thumbnails)
    drawing = _hash_of_drawing()
    for path in paths:
        finding = survey(Path(path), theme, folder, drawing)
        sys.stdout.buffer.write(msgspec.json.encode(finding) + b"\n")
        sys.stdout.buffer.flush()
    for thumbnail in folder.glob("*.png"):
        if thumbnail.stat().st_mtime < time.time() - KEPT_SECONDS:
            thumbnail.unlink(missing_ok=True)


def _draw(report: Report, theme: str, path: Path) -> None:
    from hitscope.render.offscreen import picture_of, write_png
    from hitscope.render.palette import THEMES
    from hitscope.render.renderer import Settings

    path.parent.mkdir(parents=True, exist_ok=True)
    write_png(path, picture_of(report, Settings(SIZE, THEMES[theme])))


def _hash_of_drawing() -> bytes:
    """A hash of the code and the shaders that draw, and of the thumbnail's size."""
    key = sha256(repr(SIZE).encode())
    specs = map(find_spec, ("hitscope.draw", "hitscope.render"))
    packages = [Path(spec.origin).parent for spec in specs if spec and spec.origin]
    for folder in (*packages, SHADERS):
        for path in sorted(path for path in folder.iterdir() if path.is_file()):
            key.update(path.name.encode() + b"\0" + path.read_bytes())
    return key.digest()


if __name__ == "__main__":
    main(*sys.argv[1:])
