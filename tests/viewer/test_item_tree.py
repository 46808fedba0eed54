"""What the outliner lists: by name, hits only, mismatches only; bulk items element by element."""

import pytest

from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive, RaysProbe
from hitscope.scene.items import AabbPrimitive, PointProbe
from hitscope.scene.model import Expectation
from hitscope.viewer.panels.item_tree import Toggled, trees_of

CLOUD = AabbsPrimitive(
    id="Cloud", center=[[float(i), 0.0, 0.0] for i in range(130)], half_extents=[[0.25] * 3] * 130
)
BOX = AabbPrimitive(id="box-12", min=(4.0, 4.0, 4.0), max=(5.0, 5.0, 5.0))
SCENE = Scene(
    version=1,
    primitives=(CLOUD, BOX),
    probes=(
        PointProbe(id="in", position=(7.0, 0.0, 0.0)),
        PointProbe(id="out", position=(0.5, 0.0, 0.0)),
        PointProbe(id="off", position=(9.0, 0.0, 0.0), enabled=False),
    ),
    expect=(
        Expectation(probe="in", primitive="box-12", hit=True),
        Expectation(probe="in", hits=("Cloud[7]",)),
        Expectation(probe="out", hits=("Cloud[3]",)),
    ),
)


def names(ids, listed):
    """The names in the rows of a list."""
    rows = map(listed.at, range(len(listed)))
    return [ids[k] if element is None else f"{ids[k]}[{element}]" for k, element in rows]


def outlined(text="", which="all", toggled=(), scene=SCENE):
    """The rows of both lists."""
    found = trees_of(evaluate(scene), text, which, frozenset(toggled))
    for listed in found:
        assert [listed.row(*listed.at(row)) for row in range(len(listed))] == list(range(len(listed)))
    return names(scene.probe_ids, found.probes), names(scene.primitive_ids, found.primitives)


def listed(text="", which="all"):
    """The listed probes and the listed shapes of primitives, without the rows of the bulk items."""
    probes, primitives = outlined(text, which)
    return probes, [name for name in primitives if name != "Cloud"]


def test_everything_is_listed_that_is_not_filtered():
    assert outlined() == (["in", "out", "off"], ["Cloud", "box-12"])


def test_an_item_that_is_opened_has_a_row_for_each_of_its_elements_those_that_are_hit_first():
    rows = outlined(toggled=[Toggled("primitive", "Cloud", False)])[1]
    others = (f"Cloud[{i}]" for i in range(130) if i != 7)
    assert rows == ["Cloud", "Cloud[7]", *others, "box-12"]


def test_of_many_primitives_those_that_are_hit_are_listed_first():
    boxes = [AabbPrimitive(id=f"b{i}", min=(i, 0.0, 0.0), max=(i + 0.5, 1.0, 1.0)) for i in range(80)]
    scene = Scene(version=1, primitives=(*boxes,), probes=(PointProbe(id="in", position=(66.25, 0.5, 0.5)),))
    assert outlined(scene=scene)[1] == ["b66", *(f"b{i}" for i in range(80) if i != 66)]


def test_an_item_of_which_some_are_listed_is_open_until_it_is_closed():
    assert outlined("[3]")[1] == ["Cloud", "Cloud[3]"]
    assert outlined("[3]", toggled=[Toggled("primitive", "Cloud", True)])[1] == ["Cloud"]
    assert outlined("[3]", toggled=[Toggled("primitive", "Cloud", False)])[1] == ["Cloud", "Cloud[3]"]


def test_the_elements_of_bundles_are_listed_like_those_of_primitives():
    origins = [[9.0, 9.0, float(i)] for i in range(3)] + [[7.0, 0.0, 0.0]]
    fan = RaysProbe(id="fan", origin=origins, direction=[[0.0, 1.0, 0.0]] * 4)
    off = RaysProbe(id="still", origin=origins, direction=[[0.0, 1.0, 0.0]] * 4, enabled=False)
    fails = Expectation(probe="fan[1]", primitive="box-12", hit=True)
    scene = Scene(version=1, primitives=(CLOUD, BOX), probes=(fan, off), expect=(fails,))
    assert outlined(toggled=[Toggled("probe", "still", False)], scene=scene)[0] == [
        "fan",
        "still",
        *(f"still[{i}]" for i in range(4)),
    ]
    assert outlined(which="hits", scene=scene)[0] == ["fan", "fan[3]"]
    assert outlined(which="wrong", scene=scene)[0] == ["fan", "fan[1]"]
    assert outlined("an[2", scene=scene)[0] == ["fan", "fan[2]"]


def test_a_row_that_is_not_listed_has_no_index():
    listed = trees_of(evaluate(SCENE), "[3]", "all").primitives
    assert (listed.row(0, 3), listed.row(0, 4), listed.row(1, None)) == (1, None, None)
    assert trees_of(evaluate(SCENE), "", "all").primitives.row(0, 3) is None


@pytest.mark.parametrize(
    "text, elements",
    [
        ("BOX", ["box-12"]),
        ("cloud[3]", ["Cloud[3]"]),
        ("ud[12", ["Cloud[12]", *[f"Cloud[{i}]" for i in range(120, 130)]]),
        ("[0", ["Cloud[0]"]),
        ("[130]", []),
        ("[01]", []),
        ("cloud[x", []),
    ],
)
def test_elements_of_bulk_items_are_found_by_their_number(text, elements):
    assert listed(text)[1] == elements


@pytest.mark.parametrize("text", ["cloud", "cloud["])
def test_a_name_stands_for_all_elements(text):
    assert trees_of(evaluate(SCENE), text, "all").primitives.shapes == 130


def test_hits_only():
    assert listed(which="hits") == (["in"], ["Cloud[7]"])


def test_mismatches_only_lists_probes_and_primitives_of_what_fails():
    assert listed(which="wrong") == (["in", "out"], ["Cloud[3]", "box-12"])
    assert listed("box", "wrong") == ([], ["box-12"])


def test_an_index_of_more_digits_than_int_reads_finds_nothing():
    assert outlined(f"Cloud[{'9' * 5000}") == ([], [])
