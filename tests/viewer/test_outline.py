"""What the outliner lists: by name, hits only, mismatches only; bulk items element by element."""

import pytest

from hitscope.evaluate import evaluate
from hitscope.scene import Scene
from hitscope.scene.model import AabbPrimitive, AabbsPrimitive, Expectation, PointProbe
from hitscope.viewer.outline import Outline

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


def listed(text="", which="all"):
    """Give the names that are listed."""
    report = evaluate(SCENE)
    found = Outline().of(report, text, which)
    return [SCENE.probe_ids[i] for i in found.probes], [report.elements[int(j)].id for j in found.elements]


def test_everything_is_listed_that_is_not_filtered():
    probes, elements = listed()
    assert probes == ["in", "out", "off"] and len(elements) == 131


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


def test_a_name_stands_for_all_elements():
    assert len(listed("cloud")[1]) == len(listed("cloud[")[1]) == 130


def test_hits_only():
    assert listed(which="hits") == (["in"], ["Cloud[7]"])


def test_mismatches_only_lists_probes_and_primitives_of_what_fails():
    assert listed(which="mismatches") == (["in", "out"], ["Cloud[3]", "box-12"])
    assert listed("box", "mismatches") == ([], ["box-12"])
