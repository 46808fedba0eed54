"""The process that surveys the gallery, as the window sees it.

A survey takes seconds: a thread would hold the interpreter's lock, for which the window would wait after every
OpenGL call.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import msgspec

from hitscope.errors import HitscopeError
from hitscope.folders import cache_folder
from hitscope.viewer.state.gallery import SurveyFinding


class SurveyProcess:
    """A running `survey`, which evaluates and draws scenes one after the other, and its findings so far."""

    def __init__(self, paths: Iterable[Path], theme: str) -> None:
        """Start the process, with pictures in a theme."""
        self.theme = theme
        self.findings: list[SurveyFinding] = []
        command = [
            sys.executable,
            "-P",
            "-m",
            "hitscope.viewer.files.survey",
            theme,
            _thumbnails(),
            *map(str, paths),
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._thread = Thread(target=self._read, name="survey", daemon=True)
        self._thread.start()
        self._taken = 0

    def new_findings(self) -> list[SurveyFinding]:
        """The findings since the last call."""
        new = self.findings[self._taken :]
        self._taken += len(new)
        return new

    def done(self, seconds: float = 0.0) -> bool:
        """Whether no scene is left, after waiting for at most some seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._thread.join()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.endswith(b"\n"):  # a line without a line break was cut off
                self.findings.append(msgspec.json.decode(line, type=SurveyFinding))


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
