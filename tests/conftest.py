"""Fixtures for the tests of several rooms."""

import ctypes
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import imageio_ffmpeg
import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray
from PIL import Image

import hitscope as package

Command = Callable[..., subprocess.CompletedProcess[str]]

# A case of a property that takes long on a busy machine is not wrong.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# The syntax trees of all tests, in which pytest rewrites assertions, are long no garbage.
gc.set_threshold(10_000, 20, 20)


def pytest_xdist_auto_num_workers() -> int:
    """Run one worker more than there are processors, as some tests wait: for a window, or the end of a limit."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors + 1


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run the tests of a file, which share what they prepare, if no mark groups them otherwise."""
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_collection_finish() -> None:
    """Keep the garbage collector from walking over all tests and modules again and again."""
    gc.freeze()


@pytest.fixture(scope="session")
def hitscope(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    """A function that runs `hitscope ARGUMENTS...` in a process of its own, and returns its status and output.

    `output` is a file that takes the place of standard output. Further options are those of `subprocess.run`;
    without them the process is a fork of a `CommandServer`.
    """
    with ExitStack() as stack:
        server = None
        if hasattr(os, "fork"):  # now, before a test changes where the server finds compiled code
            server = stack.enter_context(CommandServer(tmp_path_factory.mktemp("command")))

        def run(
            *arguments: object,
            stdin: str | None = None,
            cwd: Path | None = None,
            output: str | None = None,
            **options: Any,
        ) -> subprocess.CompletedProcess[str]:
            given = [*map(str, arguments)]
            if server and not options and server.environment == CommandServer.of_interpreter():
                return server.run(given, stdin, cwd, output)
            if output:
                options["stdout"] = stack.enter_context(open(output, "w"))
            command = [sys.executable, "-m", "hitscope", *given]
            options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
            return subprocess.run(command, input=stdin, cwd=cwd, check=False, **options)

        yield run


class CommandServer:
    """The process of `command_server.py`, which saves each command the second that its imports take."""

    def __init__(self, folder: Path) -> None:
        """Start it; standard streams of the commands are files in a folder."""
        program = Path(__file__).with_name("command_server.py")
        self.environment = self.of_interpreter()
        self._streams = [folder / name for name in ("input", "output", "errors")]
        self._process = subprocess.Popen(
            [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.communicate()

    @staticmethod
    def of_interpreter() -> dict[str, str]:
        """The variables of the environment that count when an interpreter starts, or imports a package."""
        prefixes = ("PYTHON", "LANG", "LC_", "NUMBA", "OMP", "OPENBLAS", "LD_")
        return {name: value for name, value in os.environ.items() if name.startswith(prefixes)}

    def run(
        self, arguments: Sequence[str], stdin: str | None, cwd: Path | None, output: str | None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        self._streams[0].write_text(stdin or "")
        for written in self._streams[1:]:
            written.write_bytes(b"")
        given, printed, errors = map(str, self._streams)
        command = {
            "arguments": arguments,
            "folder": str(cwd or Path.cwd()),
            "environment": dict(os.environ),
            "streams": [given, output or printed, errors],
        }
        assert self._process.stdin and self._process.stdout
        print(json.dumps(command), file=self._process.stdin, flush=True)
        status = int(self._process.stdout.readline())
        return subprocess.CompletedProcess(arguments, status, *(file.read_text() for file in self._streams[1:]))


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
def read_animation() -> Callable[[Path], tuple[NDArray[np.int16], list[float]]]:
    """A function that reads a GIF or MP4 file: its frames (n, height, width, 3), and the seconds of each."""

    def read(path: Path) -> tuple[NDArray[np.int16], list[float]]:
        if path.suffix == ".gif":
            frames, seconds = [], []
            with Image.open(path) as picture:
                for k in range(picture.n_frames):
                    picture.seek(k)
                    frames.append(np.array(picture.convert("RGB")))
                    seconds.append(picture.info["duration"] / 1000)
            return np.array(frames, np.int16), seconds
        number, duration = imageio_ffmpeg.count_frames_and_secs(path)
        as_ppm = ("-f", "image2pipe", "-c:v", "ppm", "-")
        command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", path, *as_ppm]
        data = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout
        magic, size, most, _ = data.split(b"\n", 3)
        (width, height), header = map(int, size.split()), len(magic + size + most) + 3
        pictures = np.frombuffer(data, np.uint8).reshape(-1, header + 3 * width * height)[:, header:]
        return pictures.reshape(-1, height, width, 3).astype(np.int16), [duration / number] * number

    return read
