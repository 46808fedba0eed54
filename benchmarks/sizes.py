"""The sizes of the benchmark: in full, or just enough to show that everything runs."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """The numbers of shapes and rays that are measured, and the time."""

    primitives: int
    methods: int | None
    """The number of methods, the first of which is exact, that are measured with each pair; None means all."""
    matrix: int
    """The number of segments, and of boxes, of the figure of all pairs."""
    faces: int
    rays: int
    boxes: int
    box_rays: int
    bundle: int
    scaling: tuple[int, ...]
    judged: tuple[str, ...]
    """The pairs that are judged in a campaign."""
    seconds: float
    """The seconds that the contenders of a figure share."""


FULL = Sizes(
    primitives=1_000_000,
    methods=None,
    matrix=10_000,
    faces=1_300_000,
    rays=1_000_000,
    boxes=1_000_000,
    box_rays=100_000,
    bundle=10_000,
    scaling=(10**3, 10**4, 10**5, 10**6, 10**7),
    judged=(
        *("segment_aabb", "ray_aabb", "segment_triangle", "ray_triangle"),
        *("segment_obb", "ray_obb", "triangle_aabb"),
    ),
    seconds=4,
)
QUICK = Sizes(
    primitives=5_000,
    methods=2,
    matrix=300,
    faces=3_000,
    rays=1_000,
    boxes=1_000,
    box_rays=1_000,
    bundle=100,
    scaling=(10**3, 10**4),
    judged=("segment_aabb",),
    seconds=0.02,
)
