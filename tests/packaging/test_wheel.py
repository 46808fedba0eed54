"""The wheel, installed into an empty environment away from the checkout, is hitscope with its gallery."""

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

# One worker builds and installs the wheel for all these tests.
pytestmark = pytest.mark.xdist_group("wheel")


class Installed:
    """A virtual environment with the wheel and its dependencies, and nothing else."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self.home = home
        self.commands = home / ("Scripts" if os.name == "nt" else "bin")
        self.environment = environment

    def run(self, command: str, *arguments: str | Path) -> str:
        done = subprocess.run(
            [self.commands / command, *arguments],
            check=False,
            cwd=self.home,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def value(self, expression: str) -> str:
        return self.run("python", "-c", f"import hitscope, hitscope.resources; print({expression})")


def build_wheel(source: Path, folder: Path, *options: str) -> Path:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *options, "--wheel-dir", folder]
    subprocess.run([*pip, source], check=True)
    (wheel,) = folder.iterdir()
    return wheel


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(checkout, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory, fresh_environment: dict[str, str]
) -> Installed:
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=True)
    environment = Installed(home, fresh_environment)
    environment.run("python", "-m", "pip", "install", "--quiet", wheel)
    return environment


@pytest.fixture(scope="module")
def version(checkout: Path) -> str:
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_carries_the_package_and_its_data_and_nothing_else(
    wheel: Path, files: list[str], version: str
) -> None:
    package = {name.removeprefix("app/") for name in files if name.startswith("app/hitscope/")}
    data = {f"hitscope/{name}" for name in files if name.startswith(("assets/", "scenes/", "shaders/"))}
    for kind in ("hitscope/assets/", "hitscope/scenes/", "hitscope/shaders/"):
        assert any(name.startswith(kind) for name in data), f"the checkout has no {kind}"
    carried = {name for name in names_in(wheel) if not name.startswith(f"hitscope-{version}.dist-info/")}
    assert carried == package | data


def test_sdist_builds_the_same_wheel(wheel: Path, checkout: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path]
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    (sdist,) = tmp_path.iterdir()
    rebuilt = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation")
    assert names_in(rebuilt) == names_in(wheel)


def test_command_and_package_have_the_same_version(installed: Installed, version: str) -> None:
    assert installed.run("hitscope", "--version") == f"hitscope {version}"
    assert installed.run("python", "-m", "hitscope", "--version") == f"hitscope {version}"
    assert installed.value("hitscope.__version__") == version


def test_installed_gallery_passes_its_check(installed: Installed, files: list[str]) -> None:
    scenes = Path(installed.value("hitscope.resources.SCENES"))
    assert scenes.is_relative_to(installed.home.resolve())
    printed = installed.run("hitscope", "check", scenes)
    gallery = [name for name in files if name.startswith("scenes/") and name.endswith(".scene.json")]
    assert gallery
    for name in gallery:
        assert Path(name).name in printed


def test_installed_shaders_render_a_scene(installed: Installed, tmp_path: Path) -> None:
    scenes = Path(installed.value("hitscope.resources.SCENES"))
    picture = tmp_path / "picture.png"
    installed.run("hitscope", "render", min(scenes.rglob("*.scene.json")), "-o", picture, "--size", "320x200")
    header = picture.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:24])) == (320, 200)
