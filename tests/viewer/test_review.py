"""Reviewing scenes that differ from their expectations, one after the other, in a window."""

from pathlib import Path

import numpy as np
import pytest

from hitscope.draw.items import Role
from hitscope.draw.target import Target, targets_of
from hitscope.evaluate.expectation_words import change
from hitscope.scene.model import Expectation
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.state.messages import Review
from hitscope.viewer.state.settings import PLAIN
from hitscope.viewer.window.host import DesktopHost
from tests.viewer.user import SIZE, WINDOWED, DiskUser

SCENE = """{ "version": 1, "name": "NAME",
  "probes": [{"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}],
  "primitives": [
    {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1.0, 1e0, 10e-1]},
    {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]}
  ],
  "expect": [
    {"probe": "cut", "primitive": "near", "t_enter": 0.5},
    {"probe": "cut", "primitive": "far", "hit": true}
  ]
}
"""
ACCEPTED = SCENE.replace('"t_enter": 0.5', '"t_enter": 0.25').replace('"hit": true', '"hit": false')
FIRST = targets_of("cut", "near")


@pytest.fixture
def review(tmp_path, home, widgets, monkeypatch):
    """A function that opens a review of so many scenes, a.json and so on, and returns its user."""
    monkeypatch.chdir(tmp_path)
    users = []

    def opened(number=3, size=SIZE):
        paths = [Path(f"{name}.json") for name in "abcdefgh"[:number]]
        for path in paths:
            path.write_bytes(SCENE.replace("NAME", path.stem).encode())
        host = DesktopHost(SettingsFile(), lambda *_: np.zeros((2, 3, 3), np.uint8))
        reviewed = Review(dict.fromkeys(paths, FIRST))
        listed = DocumentList.of(paths)
        state = open_state(listed, size, files=host.files, settings=PLAIN, limits=WINDOWED, review=reviewed)
        users.append(DiskUser(state, host, widgets=widgets))
        users[-1].move((1.0, 1.0))
        return users[-1]

    yield opened
    for user in users:
        user.end()
        user.host.close()


def shown(user):
    return user.state.session.scene.name


def choices(user):
    return [(one.document.path.stem, one.choice) for one in user.state.messages.review.decided]


def content(name):
    return Path(f"{name}.json").read_bytes().decode()


def selected_pair(user):
    session = user.state.session
    pair = user.state.selection.pair(session.picture, hover=False)
    return session.report.probes[pair[0]].id, session.report.elements[pair[1]].id


def test_a_r_and_s_decide_and_show_the_next_scene_with_its_failing_pair(review):
    user = review(3)
    assert shown(user) == "a" and selected_pair(user) == ("cut", "near")
    user.keys("A")
    assert shown(user) == "b" and selected_pair(user) == ("cut", "near")
    assert user.state.messages.notice == "Accepted 2 values in a.json; Ctrl+Z takes it back"
    user.keys("R")
    assert user.state.messages.notice == "Rejected b.json: its file stays; Ctrl+Z takes it back"
    assert shown(user) == "c"
    user.keys("S")
    assert choices(user) == [("a", "accepted"), ("b", "rejected"), ("c", "skipped")]
    assert content("a") == ACCEPTED.replace("NAME", "a")
    assert [content(name) for name in "bc"] == [SCENE.replace("NAME", name) for name in "bc"]
    assert not user.state.session.unsaved


def test_undo_takes_the_last_decisions_back_and_restores_the_files(review):
    user = review(2)
    user.keys("A", "A")
    assert content("b") == ACCEPTED.replace("NAME", "b")
    user.keys("Ctrl+Z")
    assert shown(user) == "b" and choices(user) == [("a", "accepted")]
    assert content("b") == SCENE.replace("NAME", "b")
    assert user.state.session.report.mismatches
    user.keys("Ctrl+Z")
    assert shown(user) == "a" and choices(user) == [] and selected_pair(user) == ("cut", "near")
    assert content("a") == SCENE.replace("NAME", "a")
    assert not user.state.session.unsaved
    user.keys("Ctrl+Z")
    assert user.state.messages.notice == "Nothing to undo"
    user.keys("A")
    assert content("a") == ACCEPTED.replace("NAME", "a")


def test_undo_takes_back_edits_of_the_scene_before_the_decision(review):
    user = review(2)
    user.keys("R", "Right")
    assert user.state.session.document.edited
    user.keys("Ctrl+Z")
    assert not user.state.session.document.edited and choices(user) == [("a", "rejected")]
    user.keys("Ctrl+Z")
    assert choices(user) == []


def test_what_is_accepted_is_found_in_the_file_and_not_in_an_edit(review):
    user = review(2)
    user.keys("Right", "Right")
    assert user.state.session.document.edited
    user.keys("A")
    assert content("a") == ACCEPTED.replace("NAME", "a")
    assert not user.state.session.unsaved
    user.keys("Ctrl+Z")
    assert shown(user) == "a" and content("a") == SCENE.replace("NAME", "a")


def test_a_decision_can_be_changed_while_others_are_left(review):
    user = review(3)
    user.keys("A", "[")
    assert shown(user) == "a"
    user.keys("R")
    assert choices(user) == [("a", "rejected")] and content("a") == SCENE.replace("NAME", "a")
    assert shown(user) == "b"


def test_a_file_that_another_program_wrote_is_not_overwritten(review):
    user = review(2)
    user.keys("A")
    Path("a.json").write_text(other := SCENE.replace("NAME", "other"))
    user.keys("Ctrl+Z")
    assert "another program has written it" in user.state.messages.problem
    assert content("a") == other and choices(user) == [("a", "accepted")]
    assert shown(user) == "b"


def test_a_file_that_cannot_be_read_any_more_is_not_decided_about(review):
    user = review(2)
    Path("a.json").unlink()
    user.keys("A")
    assert "a.json" in user.state.messages.problem
    assert choices(user) == [] and shown(user) == "a"


def test_the_picture_shows_what_is_expected(review):
    user = review(1)
    found = user.interface.draw_list
    assert found.single.boxes.roles.tolist() == [Role.HIT, Role.MISS]
    assert found.markers.positions[found.markers.roles == Role.ENTRY].tolist() == [[0, 0.5, 0.5]]
    user.keys("O")
    expected = user.interface.draw_list
    assert expected.single.boxes.roles.tolist() == [Role.HIT, Role.HIT]
    positions = expected.markers.positions[expected.markers.roles == Role.ENTRY].tolist()
    assert positions == [[1, 0.5, 0.5]]
    user.keys("O")
    assert user.interface.draw_list.single.boxes.roles.tolist() == [Role.HIT, Role.MISS]


def test_another_scene_is_shown_as_it_was_found(review):
    user = review(2)
    user.keys("O", "S")
    assert not user.state.messages.review.shows_expected


def test_the_card_names_what_differs_and_its_buttons_decide(review):
    user = review(2)
    assert user.sees("difference 0") and user.sees("difference 1")
    user.click_on("difference 1")
    assert selected_pair(user) == ("cut", "far")
    user.click_on("review shows expected")
    assert user.state.messages.review.shows_expected
    user.click_on("review_accept")
    user.click_on("review_reject")
    assert choices(user) == [("a", "accepted"), ("b", "rejected")]
    assert not user.sees("review_accept")
    user.click_on("undo")
    assert choices(user) == [("a", "accepted")] and shown(user) == "b"
    user.click_on("review_skip")
    user.click_on("quit")
    assert user.state.host.closed


@pytest.mark.parametrize("size", [(800, 600), (640, 480)])
def test_the_strip_fits_below_the_picture_of_a_small_window(review, size):
    user = review(1, size)
    left, top, width, height = user.state.display.layout.strip
    for name in ("review_skip", "review_reject", "review_accept"):
        found = user.find(name)
        assert left <= found.left and found.right <= left + width
        assert top <= found.top and found.bottom <= top + height


def test_the_keys_do_what_they_do_elsewhere_without_a_review(open_viewer):
    user = open_viewer(SCENE)
    user.keys("R")
    assert user.state.tool.gizmo_mode == "scale"
    snaps = user.state.tool.snapping
    user.keys("S")
    assert user.state.tool.snapping != snaps
    assert not user.sees("review_accept")


def test_the_scene_is_edited_beside_its_review(review):
    user = review(1)
    user.state.selection.select(Target("probe", "cut"))
    user.keys("Delete")
    assert not user.state.session.scene.probes
    user.keys("Ctrl+Z")
    assert user.state.session.report.mismatches


def test_a_scene_whose_probe_was_disabled_is_accepted_without_a_change(review):
    user = review(1)
    Path("a.json").write_text(
        SCENE.replace("]}],", '], "enabled": false}],').replace("0.5]}]", '0.5], "enabled": false}]')
    )
    user.keys("A")
    (decided,) = user.state.messages.review.decided
    assert not decided.still_differs and decided.update.changes == ()


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        ({"t_enter": 0.25}, {"t_enter": 0.5}, "t enter 0.25 \N{RIGHTWARDS ARROW} 0.5"),
        ({"t_enter": 0.1}, {"t_enter": 0.1 + 2e-9}, "t enter 0.1 \N{RIGHTWARDS ARROW} 0.100000002"),
        (
            {"normal": (0, 1, 0)},
            {"normal": (0, 1, 1e-7)},
            "normal (0, 1, 0) \N{RIGHTWARDS ARROW} (0, 1, 1e\N{MINUS SIGN}7)",
        ),
        ({"hit": True}, {"hit": False}, "hit \N{RIGHTWARDS ARROW} miss"),
    ],
)
def test_a_change_shows_the_digits_that_differ(was, now, words):
    of = {"probe": "cut", "primitive": "near"}
    assert change(Expectation(**of, **was), Expectation(**of, **now)) == words
