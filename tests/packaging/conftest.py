import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def checkout() -> Path:
    return Path(__file__).parents[2]


@pytest.fixture(scope="session")
def files(checkout: Path) -> list[str]:
    """Every file that belongs to the repository, committed or about to be, as a path with slashes."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=checkout,
        check=True,
        capture_output=True,
        text=True,
    )
    return [name for name in listed.stdout.split("\0") if (checkout / name).is_file()]


@pytest.fixture(scope="session")
def fresh_environment() -> dict[str, str]:
    """What a new shell has: nothing of the make, the virtual environment or the display of this run."""
    inherited = ("MAKE", "MFLAGS", "PYTEST", "PYTHON", "VIRTUAL_ENV", "DISPLAY", "WAYLAND_DISPLAY")
    return {name: value for name, value in os.environ.items() if not name.startswith(inherited)}
