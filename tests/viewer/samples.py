"""The items that the scenes of several tests are made of."""

from hitscope.scene import Scene
from hitscope.scene.bulk import AabbsPrimitive
from hitscope.scene.items import AabbPrimitive, RayProbe, SegmentProbe, TrianglePrimitive
from hitscope.scene.model import Expectation, FileCamera, FileView

BOX = AabbPrimitive(id="box", center=(0.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0))
BEHIND = AabbPrimitive(id="behind", min=(-2.0, -2.0, -4.0), max=(2.0, 2.0, -3.0))
SAIL = TrianglePrimitive(id="sail", vertices=((2.0, -1.0, 0.0), (4.0, -1.0, 0.0), (3.0, 1.0, 0.0)))
ABOVE = SegmentProbe(id="above", start=(-3.0, 2.0, 0.0), end=(3.0, 2.0, 0.0))
RAY = RayProbe(id="ray", origin=(-3.0, -0.5, 0.5), direction=(1.5, 0.0, 0.0))
FRONT = (0.5, 0.8, 1.0)
"""A point of the box's front, beside every line and handle."""
CLOUD = AabbsPrimitive(
    id="cloud", min=[[-1.0, -1.0, -1.0], [3.0, 0.0, 0.0]], max=[[1.0, 1.0, 1.0], [4.0, 1.0, 1.0]]
)
WEDGE = "v -1 -1 1\nv 1 -1 1\nv 0.8 1 1\nv -1 1 -1\nf 1 2 3\nf 1 3 4\n"
"""A mesh of two triangles, as an OBJ file."""
VIEW = FileView(camera=FileCamera(eye=(3.0, 4.0, 12.0), target=(0.0, 0.0, 0.0)))


def box_and_two_probes(**fields):
    """A segment that passes above a box and a ray that hits it."""
    parts = {"primitives": (BOX,), "probes": (ABOVE, RAY), "view": VIEW}
    return Scene(version=1, **(parts | fields))


def two_boxes(**fields):
    """A segment through the left one of two boxes, of which both are expected to be hit."""
    parts = {
        "primitives": (
            AabbPrimitive(id="left", center=(-2.0, 0.0, 0.0), half_extents=(1.0, 1.0, 1.0)),
            AabbPrimitive(id="right", min=(1.0, 2.0, -1.0), max=(3.0, 4.0, 1.0)),
        ),
        "probes": (
            SegmentProbe(id="cut", start=(-6.0, 0.25, 0.0), end=(2.0, 0.25, 0.0)),
            RayProbe(id="up", origin=(9.0, 0.0, 0.0), direction=(0.0, 2.0, 0.0)),
        ),
        "expect": (
            Expectation(probe="cut", primitive="left", hit=True),
            Expectation(probe="cut", primitive="right", hit=True, t_enter=0.5, why="as it was drawn"),
            Expectation(probe="up", hits=("left",)),
        ),
    }
    return Scene(version=1, **(parts | fields))
