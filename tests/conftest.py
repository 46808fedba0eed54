"""Fixtures for the tests of several rooms."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
def as_any_user() -> Callable[[], None]:
    """A `preexec_fn` with which the permissions of files hold for root, too."""

    def drop() -> None:
        drop_of_bounding_set, overrides = 24, (1, 2)  # PR_CAPBSET_DROP; CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        for capability in overrides if os.geteuid() == 0 else ():
            if ctypes.CDLL(None, use_errno=True).prctl(drop_of_bounding_set, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "prctl")

    return drop
