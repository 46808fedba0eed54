"""Fixtures for the tests of several rooms."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import imageio_ffmpeg
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import hitscope as package

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def hitscope() -> Command:
    """A function that runs `hitscope ARGUMENTS...` in a process of its own, and returns its status and output.

    Further options are those of `subprocess.run`.
    """

    def run(*arguments: object, stdin: str | None = None, cwd: Path | None = None, **options: Any):
        command = [sys.executable, "-m", "hitscope", *map(str, arguments)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        return subprocess.run(command, input=stdin, cwd=cwd, check=False, **options)

    return run


@pytest.fixture(scope="session")
def bare_environment() -> dict[str, str]:
    """Environment variables without any but the one with which Python finds the hitscope that is tested."""
    return {"PYTHONPATH": str(Path(package.__file__).parents[1])}


@pytest.fixture(scope="session")
def as_any_user() -> Callable[[], None]:
    """A `preexec_fn` with which the permissions of files hold for root, too."""

    def drop() -> None:
        drop_of_bounding_set, overrides = 24, (1, 2)  # PR_CAPBSET_DROP; CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        for capability in overrides if os.geteuid() == 0 else ():
            if ctypes.CDLL(None, use_errno=True).prctl(drop_of_bounding_set, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")

    return drop


@pytest.fixture(scope="session")
def read_animation() -> Callable[[Path], tuple[NDArray[np.int_], list[float]]]:
    """A function that reads a GIF or MP4 file: its frames (n, height, width, 3), and the seconds of each."""

    def read(path: Path) -> tuple[NDArray[np.int_], list[float]]:
        if path.suffix == ".gif":
            frames, seconds = [], []
            with Image.open(path) as picture:
                for k in range(picture.n_frames):
                    picture.seek(k)
                    frames.append(np.array(picture.convert("RGB")))
                    seconds.append(picture.info["duration"] / 1000)
            return np.array(frames, int), seconds
        number, duration = imageio_ffmpeg.count_frames_and_secs(path)
        with TemporaryDirectory() as folder:
            command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", path, Path(folder) / "%04d.png"]
            subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
            pictures = [np.asarray(Image.open(name), int) for name in sorted(Path(folder).iterdir())]
        return np.array(pictures), [duration / number] * number

    return read
