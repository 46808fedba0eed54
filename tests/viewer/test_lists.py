"""The lists in the panels and dialogs: how they share the height, and where they are scrolled to."""

import pytest

from hitscope.scene import Scene
from hitscope.scene.items import AabbPrimitive, SegmentProbe
from tests.viewer.user import SIZE


def segments(count):
    return tuple(SegmentProbe(id=f"seg{i:02}", start=(i, 0, 0), end=(i, 1, 0)) for i in range(count))


def boxes(count):
    return tuple(AabbPrimitive(id=f"box{i:02}", min=(i, 0, 0), max=(i + 0.5, 1, 1)) for i in range(count))


def rows(user, kind):
    """The number of rows of a kind that are drawn."""
    user.find("")
    return sum(label.startswith(f"{kind} ") for label in user.widgets.rectangles)


def test_both_lists_scroll_as_one(open_viewer):
    user = open_viewer(Scene(version=1, primitives=boxes(90), probes=segments(90)))
    assert rows(user, "probe") > 20 > rows(user, "primitive")
    user.move(user.middle_of("probe seg05"))
    user.scroll(-99, user.mouse)
    assert rows(user, "primitive") > 20 > rows(user, "probe")
    outliner = user.state.display.layout.outliner
    assert user.find("primitive box89").bottom < outliner.top + outliner.height


def test_a_closed_list_leaves_its_height_to_the_other(open_viewer):
    user = open_viewer(Scene(version=1, primitives=boxes(30), probes=segments(90)))
    assert user.find("primitive box00") is None or user.find("primitive box00").top > SIZE[1]
    user.click_on("part Probes")
    assert user.find("primitive box00").bottom < SIZE[1] / 2 and not user.sees("probe seg00")


def test_another_search_shows_the_beginning_of_the_list(open_viewer):
    user = open_viewer(Scene(version=1, primitives=boxes(90), probes=()))
    top = user.find("primitive box00").top
    user.move(user.middle_of("primitive box05"))
    user.scroll(-60, user.mouse)
    assert user.find("primitive box00").top < 0
    user.click_on("search")
    user.type("box")
    assert user.find("primitive box00").top == top


@pytest.mark.parametrize("size", [SIZE, (800, 600)])
def test_another_search_in_the_gallery_shows_its_first_card(open_viewer, size):
    user = open_viewer(Scene(version=1, primitives=(), probes=()), size=size)
    user.keys("Ctrl+G")
    first = user.state.dialogs.dialog.examples[0].path
    top = user.find(str(first)).top
    user.move((size[0] / 2, size[1] / 2))
    user.scroll(-30, user.mouse)
    assert user.find(str(first)).top < 0
    user.type("e")
    assert user.find(str(first)) is not None
    shown = [r.top for label, r in user.widgets.rectangles.items() if label.endswith(".scene.json")]
    assert abs(min(shown) - top) < 1
