"""What dragging a handle does to a probe; the handles are those of `draw.probes.handle_points`, in that order.

The start handle of a ray or line moves it as a whole; its tip, at origin + direction, turns it about its origin.
"""

from msgspec.structs import replace

from hitscope.draw.extent import LARGEST
from hitscope.geometry.shapes import Vec3
from hitscope.scene.model import AnyProbe, LineProbe, RayProbe, SegmentProbe, TriangleProbe


def moved(probe: AnyProbe, handle: int, to: Vec3) -> AnyProbe:
    """Give the probe with one of its handles at another place."""
    match probe:
        case SegmentProbe():
            return replace(probe, start=to) if handle == 0 else replace(probe, end=to)
        case RayProbe() | LineProbe() if handle == 0:
            return replace(probe, origin=to)
        case RayProbe() | LineProbe():
            return replace(probe, direction=_difference(to, probe.origin))
        case TriangleProbe():
            a, b, c = (to if i == handle else vertex for i, vertex in enumerate(probe.vertices))
            return replace(probe, vertices=(a, b, c))


def drawn(kind: str, start: Vec3, end: Vec3) -> AnyProbe:
    """Give a new probe of a kind, "segment" or "ray", drawn from one point to another."""
    if kind == "segment":
        return SegmentProbe(start=start, end=end)
    return RayProbe(origin=start, direction=_difference(end, start))


def _difference(a: Vec3, b: Vec3) -> Vec3:
    x, y, z = (max(-LARGEST, min(LARGEST, p - q)) for p, q in zip(a, b, strict=True))
    return x, y, z
