"""The wheel, installed into an empty environment away from the checkout, is hitscope with its gallery."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from packaging.metadata import Metadata

from hitscope.geometry.registry import methods

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = [found[1] for text in PROJECT["classifiers"] if (found := re.search(r":: (3\.\d+)$", text))]
"""Those of Python that the classifiers promise."""
# One worker builds and installs the wheel for all these tests of a Python.
pytestmark = pytest.mark.xdist_group("wheel")


def find_pythons() -> Iterator[Path]:
    """The Python that runs the tests, and the others of VERSIONS that this machine has with a venv module."""
    yield Path(sys.executable)
    running = "{}.{}".format(*sys.version_info)
    for version in VERSIONS:
        command = [f"python{version}", "-c", "import ensurepip, sys; print(sys.executable)"]
        # pyenv puts a command on the path for each version, but runs those that are asked for in this way.
        environment = os.environ | {"PYENV_VERSION": version}
        if version == running or shutil.which(command[0]) is None:
            continue
        done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
        if done.returncode == 0:
            yield Path(done.stdout.strip())


class Installed:
    """A virtual environment with the wheel, the extra `viewer` and what they need, and nothing else."""

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
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *options, "--wheel-dir", str(folder)]
    subprocess.run([*pip, source], check=True)
    (wheel,) = folder.iterdir()
    return wheel


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(checkout, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(python, marks=pytest.mark.xdist_group(python.name), id=python.name)
        for python in find_pythons()
    ],
)
def installed(
    request: pytest.FixtureRequest,
    wheel: Path,
    tmp_path_factory: pytest.TempPathFactory,
    fresh_environment: dict[str, str],
    link_packages: Callable[[str, Path], None],
) -> Installed:
    home = tmp_path_factory.mktemp("installed")
    # This environment's pip installs into each: one of its own would take as long as half of the packages.
    subprocess.run([request.param, "-m", "venv", "--without-pip", home], check=True, env=fresh_environment)
    # Python compiles the few modules that are imported; all those of the packages would take most of the time.
    pip = [sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", "--no-compile"]
    if request.param == Path(sys.executable):  # pip has installed what is needed for these tests
        (packages,) = [*home.glob("lib/python*/site-packages"), *home.glob("Lib/site-packages")]
        link_packages("hitscope[viewer]", packages)
        pip.append("--no-deps")
    subprocess.run([*pip, f"{wheel}[viewer]"], check=True, env=fresh_environment)
    return Installed(home, fresh_environment)


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Metadata:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Metadata.from_email(archive.read(name), validate=True)


def tokens(markdown: str) -> Iterator[Token]:
    """What is in a text in Markdown, the words and links of a paragraph one by one."""
    for block in MarkdownIt("commonmark").enable("table").parse(markdown):
        yield from block.children or [block]


def links(markdown: str) -> list[str]:
    """Where the links and pictures of a text in Markdown lead, those that are written in HTML included."""
    found = []
    for token in tokens(markdown):
        if token.type in ("html_inline", "html_block"):
            found += re.findall(r"""(?:href|src)\s*=\s*["']?([^"'\s>]+)""", token.content)
        found += [str(value) for name, value in token.attrs.items() if name in ("href", "src")]
    return found


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_carries_the_package_and_its_data_and_nothing_else(wheel: Path, files: list[str]) -> None:
    package = {name.removeprefix("app/") for name in files if name.startswith("app/hitscope/")}
    read = ("assets/icon.png", "scenes/", "shaders/")
    data = {f"hitscope/{name}" for name in files if name.startswith(read)}
    for kind in read:
        assert any(name.startswith(f"hitscope/{kind}") for name in data), f"the checkout has no {kind}"
    information = f"hitscope-{PROJECT['version']}.dist-info/"
    carried = {name for name in names_in(wheel) if not name.startswith(information)}
    assert carried == package | data


def test_sdist_builds_the_same_wheel(wheel: Path, checkout: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", tmp_path]
    subprocess.run(build, cwd=checkout, check=True, capture_output=True)
    (sdist,) = tmp_path.iterdir()
    rebuilt = build_wheel(sdist, tmp_path / "wheel", "--no-build-isolation")
    assert names_in(rebuilt) == names_in(wheel)


def test_metadata_of_the_wheel_is_valid_and_that_of_the_project(metadata: Metadata) -> None:
    assert (metadata.name, str(metadata.version)) == (PROJECT["name"], PROJECT["version"])
    assert (metadata.license_expression, metadata.license_files) == ("MIT", ["LICENSE"])
    assert metadata.summary == PROJECT["description"]
    assert metadata.classifiers == PROJECT["classifiers"]
    assert metadata.description_content_type == "text/markdown"


def test_classifiers_name_each_python_from_the_oldest_that_is_allowed() -> None:
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    minors = [int(version.removeprefix("3.")) for version in VERSIONS]
    assert minors == list(range(minors[0], minors[-1] + 1))


def test_description_of_the_wheel_has_no_link_into_the_repository(checkout: Path, metadata: Metadata) -> None:
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    relative = [link for link in links(readme) if not link.startswith("https:")]
    assert any(link.endswith(".gif") for link in relative) and any(link.endswith(".md") for link in relative)
    assert metadata.description is not None
    assert [link for link in links(metadata.description) if not link.startswith("https:")] == []
    headings = [line for line in readme.splitlines() if line.startswith("#")]
    assert [line for line in metadata.description.splitlines() if line.startswith("#")] == headings


def test_command_and_package_have_the_same_version(installed: Installed) -> None:
    version = PROJECT["version"]
    assert installed.run("hitscope", "--version") == f"hitscope {version}"
    assert installed.run("python", "-m", "hitscope", "--version") == f"hitscope {version}"
    assert installed.value("hitscope.__version__") == version


def test_installed_gallery_passes_its_check(installed: Installed, files: list[str]) -> None:
    scenes = Path(installed.value("hitscope.resources.SCENES"))
    assert scenes.is_relative_to(installed.home.resolve())
    printed = installed.run("hitscope", "check", "-v", scenes)
    gallery = [name for name in files if name.startswith("scenes/") and name.endswith(".scene.json")]
    assert gallery
    for name in gallery:
        assert Path(name).name in printed


def test_installed_catalogue_has_every_method(installed: Installed) -> None:
    listed = json.loads(installed.run("hitscope", "methods", "--json"))["methods"]
    assert {(row["pair"], row["name"]) for row in listed} == {
        (pair, method.name) for method in methods() for pair in method.pairs
    }


def test_installed_shaders_render_a_scene(installed: Installed, tmp_path: Path) -> None:
    scenes = Path(installed.value("hitscope.resources.SCENES"))
    picture = tmp_path / "picture.png"
    installed.run("hitscope", "render", min(scenes.rglob("*.scene.json")), "-o", picture, "--size", "320x200")
    header = picture.read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:24])) == (320, 200)
