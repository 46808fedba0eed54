"""The gallery's list, and the survey that checks its scenes and draws their thumbnails."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.scene import Scene, save
from hitscope.scene.items import AabbPrimitive, PointProbe
from hitscope.scene.model import Expectation
from hitscope.viewer.files import survey as survey_module
from hitscope.viewer.files.file_inputs import LARGEST_TEXT, list_recent, shown_in_survey
from hitscope.viewer.files.survey import KEPT_SECONDS, SIZE, begin_survey
from hitscope.viewer.state.gallery import START, START_HERE, TITLES, examples

SCENE = Scene(
    version=1,
    name="A box",
    description="One point, e.g. this one. And more of it.",
    primitives=(AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0)),),
    probes=(PointProbe(id="p", position=(0.5, 0.5, 0.5)),),
    expect=(Expectation(probe="p", primitive="box", hit=True),),
)


@pytest.fixture
def folder(tmp_path):
    """A gallery: a scene that is well, one that is not, and a broken one."""
    folder = tmp_path / "new-theme"
    folder.mkdir()
    save(SCENE, folder / "a.scene.json")
    save(replace(SCENE, expect=(Expectation(probe="p", hits=()),)), folder / "b.scene.json")
    (folder / "c.scene.json").write_text("{")
    return folder


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The user's cache."""
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "thumbnails"


def surveyed(folder, theme="dark"):
    """The findings of a whole survey, by path."""
    survey = begin_survey([example.path for example in examples(folder)], theme)
    findings = list(filter(None, survey.results()))
    assert list(survey.results(0)) == []
    survey.end()
    return {Path(finding.path): finding for finding in findings}


@pytest.mark.usefixtures("cache")
def test_a_survey_imports_nothing_from_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "msgspec.py").write_text("open('pwned', 'w')", encoding="utf-8")
    survey = begin_survey([], "dark")
    assert list(filter(None, survey.results())) == []
    survey.end()
    assert not (tmp_path / "pwned").exists()


def test_every_shipped_scene_has_a_theme_a_name_and_a_line():
    shipped = examples()
    assert {example.path for example in shipped} == set(SCENES.rglob("*.scene.json"))
    assert {path.parent.name for path, *_ in shipped} <= set(TITLES)
    themes = [example.theme for example in shipped]
    assert themes == sorted(themes, key=[START, *TITLES.values()].index)
    assert themes.count(START) == len(START_HERE)
    for example in shipped:
        assert example.name != example.path.name
        assert len(example.line) > 10, example
        assert example.line.endswith((".", "!", "?", ":")), example


def test_what_is_not_known_is_listed_by_its_name(folder):
    listed = examples(folder.parent)
    assert [example.theme for example in listed] == ["New theme"] * 3
    assert [example.name for example in listed] == ["A box", "A box", "c.scene.json"]
    assert listed[0].line == "One point, e.g. this one."
    assert listed[2].line == ""


def test_recent_files_are_listed_without_reading_large_ones(folder):
    large = folder / "large.scene.json"
    large.write_text('{"name": "Large"}' + " " * LARGEST_TEXT)
    paths = [
        str(folder / name) for name in ("a.scene.json", "c.scene.json", "large.scene.json", "gone.scene.json")
    ]
    listed = list_recent([*paths, str(folder)], 7)
    assert [(file.name, file.line, file.missing) for file in listed.files] == [
        ("A box", "One point, e.g. this one.", False),
        ("", "", False),
        ("", "", False),
        ("", "", True),
        ("", "", False),
    ]
    assert shown_in_survey(map(Path, paths)) == [folder / "a.scene.json", folder / "c.scene.json"]


def test_the_survey_finds_for_each_scene_whether_it_meets_its_expectations(folder, cache):
    findings = surveyed(folder)
    assert len(findings) == 3
    problems = [findings[folder / f"{name}.scene.json"].problem for name in "abc"]
    assert problems[:2] == ["", "expected box to be missed by p"]
    assert problems[2].startswith(f"{folder / 'c.scene.json'}:1:2: ")
    assert [findings[folder / f"{name}.scene.json"].fails for name in "abc"] == [False, True, False]


def test_thumbnails_are_drawn_once_for_each_look(folder, cache):
    findings = surveyed(folder)
    thumbnail = findings[folder / "a.scene.json"].thumbnail
    with Image.open(thumbnail) as picture:
        assert picture.size == SIZE
        assert len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)) > 100
    now = os.stat(thumbnail).st_mtime
    os.utime(thumbnail, (now - 100, now - 100))
    drawn = os.stat(thumbnail)
    old = cache / "old.png"
    old.write_bytes(b"")
    os.utime(old, (0, now - KEPT_SECONDS - 100))
    again = surveyed(folder)
    assert again == findings
    assert os.stat(thumbnail).st_ino == drawn.st_ino
    assert os.stat(thumbnail).st_mtime > drawn.st_mtime
    assert not old.exists()
    light = surveyed(folder, "light")
    assert light[folder / "a.scene.json"].thumbnail != thumbnail


def test_where_no_thumbnail_can_be_kept_they_are_there_until_the_end(folder, cache, monkeypatch):
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(folder / "a.scene.json"))  # which is no folder
    findings = surveyed(folder)
    thumbnail = findings[folder / "a.scene.json"].thumbnail
    with Image.open(thumbnail) as picture:
        assert picture.size == SIZE
    survey_module._temporary_folder().cleanup()
    assert not os.path.exists(thumbnail)
    survey_module._temporary_folder.cache_clear()


def test_where_no_thumbnail_can_be_written_all_else_is_there(folder, monkeypatch):
    monkeypatch.setattr(survey_module, "_thumbnails", lambda: folder / "a.scene.json" / "none")
    findings = surveyed(folder)
    assert findings[folder / "a.scene.json"].thumbnail is None
    assert findings[folder / "b.scene.json"].problem == "expected box to be missed by p"


def test_a_survey_can_be_ended_at_once(cache):
    survey = begin_survey([example.path for example in examples()], "dark")
    survey.end()
    with pytest.raises(HitscopeError, match="its process ended with -9"):
        list(survey.results())


def test_the_list_needs_no_window_and_nothing_that_draws():
    libraries = {"pyglet", "imgui_bundle", "moderngl", "numba", "PIL"}
    code = f"import sys, hitscope.viewer.state.gallery as g; g.examples(); print({libraries} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
