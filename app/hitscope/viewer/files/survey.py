"""The process that evaluates scenes and draws thumbnails, cached by a hash of scene, theme and drawing code."""

import os
import time
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from hitscope.errors import HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.folders import cache_folder
from hitscope.resources import SHADERS
from hitscope.scene import loads
from hitscope.viewer.state.inputs import SceneSurveyed
from hitscope.worker_processes import Background, Tell

SIZE = (384, 240)
"""Width and height of a thumbnail in pixels; at half the size its lines are as fine as those of the picture."""
KEPT_SECONDS = 30 * 24 * 3600
"""The time after which an unused thumbnail is deleted."""


def begin_survey(paths: Iterable[Path], theme: str) -> Background[SceneSurveyed]:
    """Start the process, which evaluates and draws scenes one after the other."""
    return Background(_survey_all, [*paths], theme, _thumbnails())


def _thumbnails() -> Path:
    """The folder of the thumbnails; where it cannot be written, a temporary one of this process."""
    try:
        folder = cache_folder() / "thumbnails"
        folder.mkdir(parents=True, exist_ok=True)
    except (HitscopeError, OSError):
        return Path(_temporary_folder().name)
    return folder if os.access(folder, os.W_OK) else Path(_temporary_folder().name)


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


def _survey_all(tell: Tell[SceneSurveyed], paths: Iterable[Path], theme: str, folder: Path) -> None:
    drawing = _hash_of_drawing()
    for path in paths:
        tell(survey(path, theme, folder, drawing))
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
