"""Only the nearest hits are shown, as a user asks for it; and what is shown without any probe."""

import pytest

from hitscope.draw.items import Role
from hitscope.scene import Scene
from hitscope.scene.bulk import MeshPrimitive
from hitscope.scene.items import RayProbe
from hitscope.viewer.interface.user_interface import draw_list
from hitscope.viewer.panels import outliner
from hitscope.viewer.panels.legend import entries_of
from hitscope.viewer.state import session as session_module
from tests.viewer.samples import BEHIND, BOX, RAY, WEDGE
from tests.viewer.user import status_of

INTO = RayProbe(id="into", origin=(0.0, 0.0, 9.0), direction=(0.0, 0.0, -1.0))


@pytest.fixture
def user(open_items):
    """A user of two boxes, one behind the other, and a ray through both."""
    return open_items(BOX, BEHIND, probes=(INTO,))


def roles(user):
    return draw_list(user.state).single.boxes.roles.tolist()


def words(user):
    return {entry.name for entry in entries_of(user.state.session.report)}


@pytest.mark.replayed
def test_a_key_shows_the_nearest_hit_alone_and_all_again(user):
    assert roles(user) == [Role.HIT, Role.HIT]
    user.keys("Shift+N")
    assert roles(user) == [Role.HIT, Role.NEUTRAL]
    assert status_of(user.state).startswith("Only the nearest hit") and "Shift+N" in status_of(user.state)
    assert {"Nearest", "Other"} <= words(user) and not {"Hit", "Miss"} & words(user)
    user.keys("Shift+N")
    assert roles(user) == [Role.HIT, Role.HIT]
    assert {"Hit", "Miss"} <= words(user)


def test_the_nearest_hit_follows_an_edit_and_undo_and_the_scene_is_not_changed(user):
    before = user.state.session.document.scene
    user.keys("Shift+N")
    assert user.state.session.document.scene is before and not user.state.session.document.changed
    user.click_on("primitive box")
    user.keys("Delete")
    assert roles(user) == [Role.HIT]
    user.keys("Ctrl+Z")
    assert roles(user) == [Role.HIT, Role.NEUTRAL]


def test_lists_and_verdicts_stay_those_of_all_hits(user):
    user.keys("Shift+N")
    assert user.state.session.report.hits.all()
    assert user.sees("primitive behind")


def test_the_nearest_hit_is_searched_once_an_edit_and_not_in_a_frame(user, monkeypatch):
    searches = []
    evaluate = session_module.evaluate
    monkeypatch.setattr(
        session_module,
        "evaluate",
        lambda *given, **named: searches.append(evaluate(*given, **named)) or searches[-1],
    )
    user.keys("Shift+N")
    assert [report.nearest_only for report in searches] == [True]
    user.move((500, 400))
    user.pass_time(500, frames=5)
    assert len(searches) == 1


def test_without_a_probe_everything_is_neutral_and_nothing_is_counted_as_missed(open_items, user):
    user.click_on("probe into")
    user.keys("Shift+E")
    assert roles(user) == [Role.NEUTRAL, Role.NEUTRAL]
    assert "Neutral" in words(user) and "Miss" not in words(user)
    user.keys("Shift+E")
    assert roles(user) == [Role.HIT, Role.HIT]


def test_the_outliner_says_that_nothing_is_tested(open_viewer, monkeypatch):
    asides = []
    section = outliner.widgets.section
    monkeypatch.setattr(
        outliner.widgets, "section", lambda *given, **named: asides.extend(given[2:3]) or section(*given, **named)
    )
    open_viewer(Scene(version=1, primitives=(BOX, BEHIND), probes=()))
    assert "2 not tested" in asides
    asides.clear()
    open_viewer(Scene(version=1, primitives=(BOX, BEHIND), probes=(RAY,)))
    assert "1 hit, 1 missed" in asides


def test_a_mesh_in_a_scene_without_probes_is_grey_and_opaque(open_items, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wedge.obj").write_text(WEDGE)
    user = open_items(MeshPrimitive(id="wedge", file="wedge.obj"), probes=())
    drawn = draw_list(user.state)
    assert drawn.single.triangles.roles.tolist() == [Role.NEUTRAL] * 2 and drawn.single.triangles.opaque.all()
