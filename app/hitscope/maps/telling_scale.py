"""The handle and the scale of a map on which both answers to a pair are seen."""

from math import isfinite

from hitscope.draw.handle_targets import HANDLES
from hitscope.draw.shape_drawings import main_handles
from hitscope.geometry import exact
from hitscope.geometry.shapes import Shape

MARGINS = 8.0
"""The width of a map, in distances of the pair from the other answer."""
FINEST = 2.0**-1000
"""A scale below all others, which stands for one ulp a pixel."""


def mapped_handle(shape: Shape) -> int | None:
    """Return the index of the handle that is mapped unless another is chosen: an end, else the first one."""
    handles = HANDLES[type(shape)]
    names = [] if handles is None else list(map(handles.name, range(main_handles(shape))))
    return names.index("end") if "end" in names else 0 if names else None


def handle_name(probe_id: str, probe: Shape) -> str:
    """Return the name of that handle of a probe, ID.NAME."""
    handles, index = HANDLES[type(probe)], mapped_handle(probe)
    assert handles is not None and index is not None
    return f"{probe_id}.{handles.name(index)}"


def telling_scale(probe: Shape, primitive: Shape, size: int) -> float:
    """Return the scene units a pixel of a map of a pair that is judged wrongly: FINEST if it only touches."""
    relation = exact.relation(probe, primitive)
    margin = exact.way_out(probe, primitive)[0] if relation.hit else abs(exact.distance(probe, primitive))
    scale = MARGINS * margin / size
    return float(f"{scale:.2g}") if scale > FINEST and isfinite(scale) else FINEST
