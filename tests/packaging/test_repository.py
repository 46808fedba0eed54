"""The README agrees with the software, and no file names a machine."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]

MACHINE_PATH = r"(?<![\w.])/(?:farm|home|root|work|Users)/\w"
REGISTRY = r"pypi\.org|pythonhosted\.org|deb\.debian\.org|index-ur[l]|registry *="


@pytest.mark.parametrize("traces", [MACHINE_PATH, REGISTRY], ids=["machine path", "registry"])
def test_no_file_names_a_machine_path_or_a_registry(traces: str, checkout: Path, files: list[str]) -> None:
    assert "pyproject.toml" in files
    found = [
        f"{name}: {line.strip()}"
        for name in files
        if b"\0" not in (content := (checkout / name).read_bytes())
        for line in content.decode().splitlines()
        if re.search(traces, line)
    ]
    assert found == []


@pytest.fixture
def readme(checkout: Path) -> str:
    return (checkout / "README.md").read_text(encoding="utf-8")


def test_scene_in_the_readme_passes_its_check(hitscope: Command, readme: str, tmp_path: Path) -> None:
    (scene,) = re.findall(r"```json\n(.*?)```", readme, re.DOTALL)
    path = tmp_path / "readme.scene.json"
    path.write_text(scene, encoding="utf-8")
    done = hitscope("check", path)
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_text(scene.replace('"hit": true', '"hit": false'), encoding="utf-8")
    assert hitscope("check", path).returncode == 1


def test_commands_in_the_readme_exist(hitscope: Command, readme: str) -> None:
    commands = re.findall(r"^\| `hitscope \[?(\w+)", readme, re.MULTILINE)
    assert {"open", "eval", "check", "render"} <= set(commands)
    for command in commands:
        done = hitscope(command, "--help")
        assert done.returncode == 0, f"{command}: {done.stderr}"


def test_the_readmes_table_of_methods_is_the_catalogue(hitscope: Command, readme: str) -> None:
    (table,) = re.findall(r"(?<=<!-- hitscope methods --markdown -->\n)(.*?)\n(?=<!-- end -->)", readme, re.DOTALL)
    assert table == hitscope("methods", "--markdown").stdout.rstrip("\n"), (
        "put the output of `hitscope methods --markdown` between its two comments in README.md"
    )


def test_links_in_the_readme_lead_somewhere(readme: str, files: list[str]) -> None:
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", readme)
    assert links
    assert set(links) <= set(files)
