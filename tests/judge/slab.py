"""A slab test in Python that is right, of which tests make wrong ones."""

SLAB = """\
def hit(segment, box):
    near, far = 0.0, 1.0
    for k in range(3):
        direction = segment.end[k] - segment.start[k]
        if abs(direction) > 0:
            a = (box.lo[k] - segment.start[k]) / direction
            b = (box.hi[k] - segment.start[k]) / direction
            near = max(near, min(a, b))
            far = min(far, max(a, b))
        elif not box.lo[k] <= segment.start[k] <= box.hi[k]:
            return False
    return near <= far
"""
