import os
import subprocess
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement


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


def needed(text: str) -> Iterator[str]:
    """The distribution that is required, and those that it needs with the extras that are."""
    requirement = Requirement(text)
    yield requirement.name
    for each in distribution(requirement.name).requires or ():
        marker = Requirement(each).marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)):
            yield from needed(each)


@pytest.fixture(scope="session")
def link_packages() -> Callable[[str, Path], None]:
    """A function that links what hitscope needs, with the extras that are named, into a folder of packages."""

    def link(hitscope: str, folder: Path) -> None:
        for name in {*needed(hitscope)} - {"hitscope"}:
            there = distribution(name)
            for entry in {file.parts[0] for file in there.files or ()} - {"..", "__pycache__"}:
                (folder / entry).symlink_to(Path(str(there.locate_file(entry))).resolve())

    return link
