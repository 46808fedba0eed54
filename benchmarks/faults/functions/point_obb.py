# pair: point_obb
# hitscope: require=max-coordinate=1e300
from hitscope import Obb, Point


def local(point: tuple[float, ...], box: Obb) -> list[float]:
    offset = [p - c for p, c in zip(point, box.center, strict=True)]
    return [sum(x * u for x, u in zip(offset, axis, strict=True)) for axis in box.axes]


def is_rotated(box: Obb) -> bool:
    """Whether the axes are unit vectors at right angles but for rounding."""
    for i, u in enumerate(box.axes):
        for j, v in enumerate(box.axes):
            if abs(sum(a * b for a, b in zip(u, v, strict=True)) - (i == j)) > 1e-14:
                return False
    return True


def hit(probe: Point, primitive: Obb) -> bool | None:
    if not is_rotated(primitive):
        return None
    for i, s in enumerate(local(probe.position, primitive)):
        if s > primitive.half_extents[i]:
            return False
        if s < -primitive.half_extents[i]:
            return False
    return True
