"""Fixtures for the tests of several rooms."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def hitscope() -> Command:
    """A function that runs `hitscope ARGUMENTS...` in a process of its own, and returns its status and output."""

    def run(*arguments: object, stdin: str | None = None, cwd: Path | None = None):
        command = [sys.executable, "-m", "hitscope", *map(str, arguments)]
        return subprocess.run(command, input=stdin, cwd=cwd, capture_output=True, text=True, check=False)

    return run
