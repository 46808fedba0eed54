# pair: ray_aabb
from hitscope import Aabb, Ray

FAR = float("inf")


def hit(probe: Ray, primitive: Aabb) -> tuple[bool, float | None]:
    (ox, oy, oz), (dx, dy, dz) = probe
    (min_x, min_y, min_z), (max_x, max_y, max_z) = primitive

    if dx != 0:
        tx1 = (min_x - ox) / dx
        tx2 = (max_x - ox) / dx
        tmin = min(tx1, tx2)
        tmax = max(tx1, tx2)
    else:
        if ox < min_x or ox > max_x:
            return False, None
        tmin = -FAR
        tmax = FAR

    if dy != 0:
        ty1 = (min_y - oy) / dy
        ty2 = (max_y - oy) / dy
        tmin = max(tmin, min(ty1, ty2))
        tmax = min(tmax, max(ty1, ty2))
    elif oy < min_y or oy > max_y:
        return False, None

    if dz != 0:
        tz1 = (min_z - oz) / dz
        tz2 = (max_z - oz) / dz
        tmin = max(tmin, min(tz1, tz2))
        tmax = min(tmax, max(tz1, tz2))
    elif oz < min_z or oz > max_z:
        return False, None

    if tmax < 0 or tmin > tmax:
        return False, None
    return True, max(tmin, 0.0)
