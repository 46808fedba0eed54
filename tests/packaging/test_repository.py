"""The README agrees with the software, and no file names a machine."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

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


@pytest.fixture
def pages(checkout: Path, readme: str) -> str:
    """The README and the pages of docs, one after the other."""
    return "\n".join([readme, *(path.read_text(encoding="utf-8") for path in sorted(checkout.glob("docs/*.md")))])


def test_scene_in_the_readme_passes_its_check(hitscope: Command, readme: str, tmp_path: Path) -> None:
    (scene,) = re.findall(r"```json\n(.*?)```", readme, re.DOTALL)
    path = tmp_path / "readme.scene.json"
    path.write_text(scene, encoding="utf-8")
    done = hitscope("check", path)
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_text(scene.replace('"hit": true', '"hit": false'), encoding="utf-8")
    assert hitscope("check", path).returncode == 1


def test_commands_that_the_pages_show_succeed(hitscope: Command, checkout: Path, pages: str) -> None:
    shown = re.findall(r"^ +hitscope ((?:check|explain) scenes.*)$", pages, re.MULTILINE)
    assert len(shown) > 1
    for command in shown:
        done = hitscope(*command.split(), cwd=checkout)
        assert (done.returncode, done.stderr) == (0, ""), command


@pytest.fixture
def shown_python(pages: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", pages, re.DOTALL)


def test_python_of_the_pages_runs(readme: str, shown_python: list[str], tmp_path: Path) -> None:
    (scene,) = re.findall(r"```json\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "NAME.scene.json").write_text(scene, encoding="utf-8")
    assert len(shown_python) > 1
    for code in shown_python:
        done = subprocess.run(
            [sys.executable, "-c", code], check=False, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


def test_function_in_the_readme_is_as_wrong_as_it_says(
    hitscope: Command, readme: str, shown_python: list[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(shown_python[0], encoding="utf-8")
    command = re.findall(r"^ +hitscope (judge .*)$", readme, re.MULTILINE)[0].split()
    done = hitscope(*command, "--json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    wrong = {row["generator"]: row["wrong_hits"] for row in json.loads(done.stdout)["tallies"]}
    assert (wrong["uniform"], f"`parallel` {wrong['parallel']}\nwrong hits" in readme) == (0, True)
    found = sorted((tmp_path / "found").glob("*.scene.json"))
    assert found
    assert hitscope("check", *found).returncode == 0
    pair = ("--probe", "ray-0", "--primitive", "aabb-0", "--method", "slab_ericson")
    assert "\nMiss, which is right: " in hitscope("explain", found[0], *pair).stdout


def test_commands_of_the_pages_exist(hitscope: Command, pages: str) -> None:
    commands = re.findall(r"^\| `hitscope \[?(\w+)", pages, re.MULTILINE)
    assert {"open", "eval", "check", "render"} <= set(commands)
    for command in commands:
        done = hitscope(command, "--help")
        assert done.returncode == 0, f"{command}: {done.stderr}"


def test_the_page_of_methods_is_the_catalogue(hitscope: Command, checkout: Path) -> None:
    page = (checkout / "assets/methods.md").read_text(encoding="utf-8")
    assert page == hitscope("methods", "--markdown").stdout, "run `make media`"


def test_the_recordings_of_the_readmes_pictures_do_what_they_show(
    hitscope: Command, checkout: Path, tmp_path: Path
) -> None:
    def end_of(recording: Path) -> dict:
        scene = tmp_path / f"{recording.stem}.scene.json"
        done = hitscope("open", "--play", recording, "-o", scene)
        assert done.returncode == 0, done.stderr
        return json.loads(scene.read_text(encoding="utf-8"))

    drag = checkout / "assets/drag.recording"
    start, *_ = drag.read_text(encoding="utf-8").splitlines()
    (before,) = json.loads(json.loads(start)["scenes"][0]["text"])["probes"]
    (after,) = end_of(drag)["probes"]
    assert before["start"] == after["start"] and before["end"] != after["end"]
    assert end_of(checkout / "assets/screenshot.recording")["methods"] == {"triangle_aabb": "sat13_printed"}


def test_the_readmes_moving_picture_moves_and_is_small(checkout: Path) -> None:
    picture = checkout / "assets/drag.gif"
    assert picture.stat().st_size < 2e6
    with Image.open(picture) as frames:
        assert frames.n_frames > 30


def test_links_of_the_pages_lead_somewhere(checkout: Path, files: list[str]) -> None:
    pages = [name for name in files if name.endswith(".md")]
    assert {"README.md", "CONTRIBUTING.md", "docs/architecture.md"} <= set(pages)
    for page in pages:
        links = re.findall(r"\]\((?!https?:)([^)#]+)", (checkout / page).read_text(encoding="utf-8"))
        lost = [link for link in links if not (checkout / page).parent.joinpath(link).is_file()]
        assert lost == [], page


def test_docstrings_begin_with_what_they_name(checkout: Path, files: list[str]) -> None:
    """A noun phrase or an imperative: a reader who has not seen the code knows what the thing is."""
    begins = re.compile(r'"""(?:That|Those|What|Of|The same)\b.*')
    found = [
        f"{name}: {line.strip()}"
        for name in files
        if name.endswith(".py") and name.startswith(("app/", "benchmarks/"))
        for line in (checkout / name).read_text(encoding="utf-8").splitlines()
        if begins.search(line)
    ]
    assert found == []
