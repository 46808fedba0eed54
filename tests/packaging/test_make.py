"""The Makefile and its helpers in .ci/, run as a person or a fresh machine would run them."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(checkout: Path, fresh_environment: dict[str, str]) -> Run:
    def run(*command: str | Path, **environment: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            check=False,
            cwd=checkout,
            env=fresh_environment | {name: str(value) for name, value in environment.items()},
            capture_output=True,
            text=True,
        )

    return run


def write_command(folder: Path, name: str, script: str) -> None:
    path = folder / name
    with path.open("x") as file:  # never through a link into the system
        file.write(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_help_lists_every_target(run: Run, checkout: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (checkout / "Makefile").read_text(), re.MULTILINE)
    assert set(targets) >= {"run", "test", "lint", "check", "bench", "render", "clean"}
    listed = re.findall(r"^make (\w+) +\w", run("make").stdout, re.MULTILINE)
    assert listed == targets


def test_run_without_a_display_checks_and_renders_every_scene(run: Run, checkout: Path, tmp_path: Path) -> None:
    gallery, pictures = tmp_path / "scenes", tmp_path / "pictures"
    scenes = {"bulk/gem", "bulk/more/towers", "aabb"}
    shutil.copytree(checkout / "scenes/bulk", gallery / "bulk", ignore=shutil.ignore_patterns("*.scene.json"))
    shutil.copytree(gallery / "bulk", gallery / "bulk/more")
    for name, shown in zip(sorted(scenes), ("matrix/aabb", "bulk/gem", "bulk/towers"), strict=True):
        shutil.copy(checkout / f"scenes/{shown}.scene.json", gallery / f"{name}.scene.json")
    done = run("make", "run", f"SCENES={gallery}", f"GALLERY={pictures}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no display" in done.stdout
    assert {str(path.relative_to(pictures).with_suffix("")) for path in pictures.rglob("*.png")} == scenes
    for name in scenes:
        assert f"{name}.scene.json" in done.stdout
        assert str(pictures / f"{name}.png") in done.stdout


def test_the_scenes_of_make_are_the_gallery(run: Run) -> None:
    assert "hitscope check scenes\n" in run("make", "--dry-run", "check").stdout
    assert "gallery.py scenes build/gallery\n" in run("make", "--dry-run", "render").stdout


def test_the_tests_of_make_quick_are_there(run: Run, checkout: Path) -> None:
    (command,) = (line for line in run("make", "--dry-run", "quick").stdout.splitlines() if "-m pytest" in line)
    paths = re.findall(r"tests/\S+", command)
    assert paths and all((checkout / path).exists() for path in paths)
    assert '-m "not thorough"' in command


def test_ci_runs_make_test_in_the_checkout(run: Run, checkout: Path, tmp_path: Path) -> None:
    write_command(tmp_path, "make", 'echo "$PWD: make $*"')
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = run("sh", "-c", 'cd / && "$0"', checkout / ".ci/run", PATH=path)
    assert done.stdout == f"{checkout}: make test\n"


def test_old_python_is_refused_by_name_and_version(run: Run, tmp_path: Path) -> None:
    old = 'import collections, sys; sys.version_info = collections.namedtuple("v", "major minor")(3, 9); '
    write_command(tmp_path, "python3.9", f"shift; exec python3 -c '{old}'\"$1\"")
    done = run("make", "check", f"VENV={tmp_path}/venv", PYTHON=tmp_path / "python3.9")
    assert done.returncode != 0
    assert f"Python 3.11 or newer is needed, '{tmp_path}/python3.9' is 3.9" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.fixture
def bare_machine(tmp_path: Path) -> Path:
    """A search path where nothing is but the few commands that every Linux has."""
    write_command(tmp_path, "env", 'exec /usr/bin/env "$@"')
    write_command(tmp_path, "id", "echo 1000")
    write_command(tmp_path, "uname", "echo Linux")
    return tmp_path


def test_missing_packages_come_through_apt(run: Run, bare_machine: Path) -> None:
    write_command(bare_machine, "apt-get", 'echo "apt-get $* ($DEBIAN_FRONTEND)"')
    write_command(bare_machine, "sudo", 'echo -n "sudo "; exec "$@"')
    done = run("/bin/sh", ".ci/setup", "display", PATH=bare_machine, DEBIAN_FRONTEND="dialog")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:] == [
        "sudo apt-get -qq update (dialog)",
        "sudo apt-get -qq install -y --no-install-recommends xvfb xdotool (noninteractive)",
    ]


def test_without_apt_one_line_says_what_to_install(run: Run, bare_machine: Path) -> None:
    done = run("/bin/sh", ".ci/setup", "display", PATH=bare_machine)
    assert done.returncode != 0
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "xvfb xdotool" in line
