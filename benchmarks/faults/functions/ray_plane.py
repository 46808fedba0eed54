# pair: ray_plane
from hitscope import Plane, Ray

PARALLEL = 1e-14


def scaled(vector: tuple[float, ...]) -> list[float]:
    largest = max(map(abs, vector)) or 1.0
    return [x / largest for x in vector]


def hit(probe: Ray, primitive: Plane) -> bool | None:
    size = max(map(abs, primitive.normal))
    height, speed, most = -primitive.offset / size, 0.0, 0.0
    for n, o, d in zip(scaled(primitive.normal), probe.origin, scaled(probe.direction), strict=True):
        height += n * o
        speed += n * d
        most = max(most, abs(n * d))
    if abs(speed) <= PARALLEL * most:
        return None
    return height == 0 or (height > 0) == (speed < 0)
