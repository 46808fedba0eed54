"""The dialog that exports a picture, and the pictures that it exports."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.offscreen_context import offscreen_context
from hitscope.scene import Scene, save
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.panels.labels import verdict_lines
from hitscope.viewer.state.dialogs import ExportPicture, PictureOptions
from hitscope.viewer.state.documents import Document, DocumentList
from hitscope.viewer.state.inputs import Refresh
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.window.host import DesktopHost, copy_png
from hitscope.viewer.window.painter import Painter
from hitscope.viewer.window.replay import screenshot
from tests.viewer.samples import BOX, RAY, box_and_two_probes
from tests.viewer.user import DiskUser

SIZE = (800, 600)


@pytest.fixture(scope="module")
def context_and_painter():
    with offscreen_context() as context:
        yield context, Painter(context)


@pytest.fixture
def painter(context_and_painter):
    """A painter in an OpenGL context of its own."""
    context, painter = context_and_painter
    with context:  # a screenshot of the test before leaves none current
        yield painter


@pytest.fixture
def user(tmp_path, home, painter, widgets):
    """A user of a box and two probes with a host, who can export pictures."""
    path = tmp_path / "box.scene.json"
    save(box_and_two_probes(), path)
    host = DesktopHost(SettingsFile(), painter.picture)
    user = DiskUser(open_state(DocumentList([Document(path)]), SIZE), host, widgets=widgets)
    user.keys("Shift+F12")
    yield user
    user.end()


def exported(user, name="box.png"):
    """The exported picture, as it was read."""
    with Image.open(Path(user.state.session.document.path).parent / name) as picture:
        return picture.mode, np.array(picture)


def test_a_picture_of_the_size_on_the_screen_has_its_pixels(user):
    left, top, width, height = user.state.display.layout.picture
    user.click_on("Save")
    mode, pixels = exported(user)
    assert (mode, pixels.shape) == ("RGB", (height, width, 3))
    assert user.state.messages.notice.startswith("Saved ")
    user.pass_time(5000)
    user.move((1.0, 1.0))  # the toast is gone
    shown = screenshot(user.interface)[top : top + height, left : left + width]
    below_compass, above_hints = slice(120, height - 40), slice(0, width)
    assert (pixels[below_compass, above_hints] == shown[below_compass, above_hints]).all()


def test_a_larger_picture_shows_the_same_with_more_pixels(user):
    _, _, width, height = user.state.display.layout.picture
    user.click_on("scale 2×")
    user.enter("path", "large")
    _, large = exported(user, "large.png")
    assert large.shape == (2 * height, 2 * width, 3)
    user.keys("Shift+F12")
    user.click_on("scale 1×")
    user.click_on("Save")
    _, small = exported(user)
    halved = large.reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
    assert np.abs(halved - small).mean() < 3
    assert np.abs(halved - small.mean(axis=(0, 1))).mean() > 5, "an empty picture would pass"


def test_a_transparent_picture_covers_only_what_is_drawn(user):
    user.click_on("Transparent background")
    user.click_on("Grid")
    user.click_on("Save")
    mode, pixels = exported(user)
    alpha = pixels[..., 3]
    assert mode == "RGBA" and (alpha[0] == 0).all() and (alpha[-1] == 0).all()
    left, top, *_ = user.state.display.layout.picture
    x, y = (round(a - b) for a, b in zip(user.pixel(RAY.origin), (left, top), strict=True))
    assert alpha[y, x] == 255
    assert 0.02 < (alpha > 0).mean() < 0.6


def test_a_transparent_picture_on_the_background_is_the_opaque_one(painter, open_viewer):
    state = open_viewer(box_and_two_probes(), size=SIZE).state
    opaque = painter.picture(state, PictureOptions()).astype(float)
    clear = painter.picture(state, PictureOptions(transparent=True)).astype(float)
    alpha = clear[..., 3:] / 255
    rows = np.linspace(0, 1, len(opaque))[:, None, None]
    top, bottom = (
        np.array(list(bytes.fromhex(colour[1:])), float)
        for colour in (state.display.theme.background_top, state.display.theme.background_bottom)
    )
    composed = clear[..., :3] * alpha + (1 - alpha) * (top + (bottom - top) * rows)
    assert np.abs(composed - opaque).max() < 4


def test_without_the_grid_nothing_else_is_lost(painter, open_viewer):
    state = open_viewer(box_and_two_probes(), size=SIZE).state
    bare, ruled = (
        painter.picture(state, PictureOptions(transparent=True, grid=grid))[..., 3] for grid in (False, True)
    )
    assert (bare <= ruled.astype(int) + 1).all() and (ruled > 0).mean() > (bare > 0).mean() + 0.05


def test_labels_are_written_into_the_picture_and_legend_and_verdicts_below(painter, open_viewer):
    state = open_viewer(box_and_two_probes(), size=SIZE).state
    _, _, width, height = state.display.layout.picture
    plain = painter.picture(state, PictureOptions())
    labelled = painter.picture(state, PictureOptions(labels=True))
    assert labelled.shape == plain.shape and 0 < (labelled != plain).any(axis=2).mean() < 0.1
    heights = [height]
    for options in (PictureOptions(verdicts=True), PictureOptions(verdicts=True, legend=True)):
        noted = painter.picture(state, options)
        assert (noted[:height] == plain).all() and noted.shape[1:] == (width, 3)
        assert np.ptp(noted[heights[-1] :].astype(int)) > 100, "nothing is written there"
        assert len(noted) > heights[-1] + 15
        heights.append(len(noted))
    doubled = painter.picture(state, PictureOptions(scale=2, verdicts=True, legend=True))
    assert abs(len(doubled) - 2 * heights[-1]) <= 8


def test_an_export_leaves_the_window_as_it_was(painter, open_viewer):
    user = open_viewer(box_and_two_probes(), size=SIZE)
    before = screenshot(user.interface)
    painter.picture(user.state, PictureOptions(scale=2, transparent=True, labels=True, legend=True, verdicts=True))
    user.pass_time(20)
    assert (screenshot(user.interface) == before).all()
    user.take(Refresh)
    user.click_on("probe above")
    assert user.selected == ["above"]


def test_the_choices_are_those_of_the_last_export(user):
    user.click_on("Labels")
    user.click_on("scale 4×")
    user.keys("Escape")
    assert user.state.dialogs.dialog is None
    user.keys("Shift+F12")
    assert user.state.dialogs.picture == PictureOptions(scale=4, labels=True)


def test_an_existing_file_is_overwritten_only_after_a_question(user, tmp_path):
    (tmp_path / "box.png").write_text("mine")
    user.click_on("Save")
    assert user.sees("Overwrite") and (tmp_path / "box.png").read_text() == "mine"
    user.click_on("Back")
    assert isinstance(user.state.dialogs.dialog, ExportPicture)
    user.click_on("Save")
    user.click_on("Overwrite")
    assert exported(user)[0] == "RGB"


@pytest.mark.parametrize(
    "typed, says",
    [
        ("no folder/a.png", "expected a folder to save in, found none: "),
        (" ", "expected the name of a file to save as, found none"),
        ("folder", "expected the name of a file to save as, found a folder: "),
    ],
)
def test_a_path_that_cannot_be_written_is_refused_in_one_line(user, tmp_path, typed, says):
    (tmp_path / "folder").mkdir()
    user.enter("path", typed)
    problem = user.state.dialogs.dialog.problem
    assert problem.startswith(says) and "\n" not in problem


def test_a_disk_that_fails_is_reported_and_the_old_file_stays(user, tmp_path, monkeypatch):
    (tmp_path / "box.png").write_text("mine")
    user.click_on("Save")

    def fail(*_):
        raise OSError(28, "No space left on device", str(tmp_path / "box.png"))

    monkeypatch.setattr(os, "replace", fail)
    user.click_on("Overwrite")
    assert "No space left on device" in user.state.messages.problem
    assert (tmp_path / "box.png").read_text() == "mine"


def test_without_a_system_dialog_browse_says_so(user):
    user.click_on("Browse")
    assert user.state.dialogs.dialog.problem.startswith("This machine has no dialog to choose a file")


def test_a_picture_too_large_for_the_graphics_card_is_refused(painter, open_viewer):
    user = open_viewer(box_and_two_probes(), size=SIZE)
    with pytest.raises(HitscopeError, match=r"a picture is 1 to \d+ pixels wide and high, not "):
        painter.picture(user.state, PictureOptions(scale=64))


@pytest.mark.parametrize("size", [(1280, 800), (800, 600)])
@pytest.mark.parametrize("form", ["Picture", "Turntable, MP4"])
def test_at_twice_the_size_the_whole_dialog_is_in_the_window(open_viewer, size, form):
    user = open_viewer(box_and_two_probes(), size=size, settings=Settings(ui_scale=2.0, first_start_seen=True))
    user.keys("Shift+F12")
    user.click_on(f"form {form}")
    first, last = user.find("form Picture"), user.find("Cancel")
    assert 0 <= first.top - 20 < last.bottom + 20 <= size[1] and 0 <= first.left < last.right <= size[0]


@pytest.fixture
def no_desktop(monkeypatch):
    """No desktop and no programs."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")


def test_without_a_program_for_the_clipboard_it_is_said_which_one_is_missing(user, no_desktop, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    user.click_on("Copy")
    assert user.state.messages.problem == (
        "cannot copy a picture on this desktop: install xclip, or save it to a file"
    )


@pytest.mark.parametrize("program, variable", [("xclip", "DISPLAY"), ("wl-copy", "WAYLAND_DISPLAY")])
def test_a_picture_is_copied_by_the_program_of_the_desktop(
    user, no_desktop, monkeypatch, tmp_path, program, variable
):
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / program).write_text(f"#!/bin/sh\n/bin/cat >'{tmp_path}/copied'\necho \"$@\" >'{tmp_path}/asked'\n")
    (programs / program).chmod(0o755)
    monkeypatch.setenv(variable, ":0")
    monkeypatch.setenv("PATH", str(programs))
    user.click_on("Copy")
    _, _, width, height = user.state.display.layout.picture
    assert user.state.messages.notice == f"Copied a picture of {width:,} × {height:,} pixels"
    assert "image/png" in (tmp_path / "asked").read_text()
    with Image.open(tmp_path / "copied") as picture:
        assert picture.size == (width, height)


def test_a_program_for_the_clipboard_that_fails_is_reported(no_desktop, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("shutil.which", lambda name: name)

    def fail(command, **_):
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(HitscopeError, match="cannot copy a picture: xclip failed: "):
        copy_png(b"")


def test_the_verdicts_name_what_is_hit_nearest_first_and_what_is_missed():
    assert list(verdict_lines(evaluate(box_and_two_probes()))) == ["above misses box", "ray hits box at t 1.333"]


def test_the_verdicts_of_many_primitives_are_counted():
    rows = [[float(3 * i), -1.0, -1.0] for i in range(20)]
    boxes = AabbsPrimitive(id="row", min=rows, max=[[x + 1, 1.0, 1.0] for x, _, _ in rows])
    report = evaluate(Scene(version=1, primitives=(BOX, boxes), probes=(RAY,)))
    assert list(verdict_lines(report)) == ["ray hits 21 of 21"]
