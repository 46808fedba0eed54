"""What drags snap to is chosen by a click, and kept in the settings."""

from hitscope.scene.items import SegmentProbe
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.state.settings import PLAIN, SNAP_KINDS, Settings
from tests.viewer.samples import BOX, box_and_two_probes

IT = SegmentProbe(id="it", start=(-3.0, 0.0, 2.0), end=(2.5, 0.0, 2.0))


def corner(user):
    """The status line while the segment's end is dragged close to a corner of the box."""
    x, y = user.pixel((1.0, 1.0, 1.0))
    user.drag(user.pixel(user.item("it").end), (x + 3, y - 2), release=False)
    said = user.state.tool.drag.hint
    user.keys("Escape")
    user.release()
    return said


def test_a_click_on_a_word_lets_drags_snap_to_it_or_not(open_items):
    user = open_items(BOX, probes=(IT,))
    assert not any(user.sees(kind) for kind in SNAP_KINDS), "without snapping there is nothing to choose"
    user.keys("S")
    assert "corner of box" in corner(user)
    user.click_on("vertex")
    assert user.state.tool.snap_to == frozenset(SNAP_KINDS) - {"vertex"}
    assert "corner of box" not in corner(user)
    for kind in SNAP_KINDS:
        if kind != "vertex":
            user.click_on(kind)
    assert user.state.tool.snap_to == frozenset() and "of box" not in corner(user)
    user.click_on("vertex")
    assert "corner of box" in corner(user)


def test_the_settings_say_what_is_snapped_to(open_viewer):
    settings = Settings(snapping=True, snap_to=("edge",), first_start_seen=True)
    user = open_viewer(box_and_two_probes(probes=(IT,)), settings=settings)
    assert "edge of box" in corner(user)
    assert PLAIN.snap_to == SNAP_KINDS


def test_an_unknown_kind_is_reported_and_all_kinds_are_used(tmp_path):
    (tmp_path / "settings.json").write_text('{"snap_to": ["vertex", "corner"]}')
    file = SettingsFile(tmp_path / "settings.json")
    assert file.settings.snap_to == SNAP_KINDS
    assert "expected an array with some of vertex, edge, parallel, boundary, face, grid" in file.problems[0]
