# pair: ray_aabb
from math import inf

from hitscope import Aabb, Ray


def hit(probe: Ray, primitive: Aabb) -> tuple[bool, float] | bool:
    t_near = 0.0
    t_far = inf
    for o, d, lo, hi in zip(*probe, *primitive, strict=True):
        if d > 0:
            t_in, t_out = (lo - o) / d, (hi - o) / d
        elif d < 0:
            t_in, t_out = (hi - o) / d, (lo - o) / d
        elif lo <= o <= hi:
            continue
        else:
            return False
        t_near = max(t_near, t_in)
        t_far = min(t_far, t_out)
    return t_near <= t_far, t_near
