"""A level of the hierarchies over the primitives: their boxes, and which of them a search for hits enters."""

from typing import NamedTuple

import numpy as np

from hitscope.draw.items import NO_THIN_LINES, Cue, ThinLines
from hitscope.evaluate import Report
from hitscope.geometry.arrays import Array
from hitscope.geometry.shapes import is_linear

CORNERS = np.array([(k >> 2, k >> 1 & 1, k & 1) for k in range(8)])
EDGES = np.array([(p, q) for p in range(8) for q in range(8) if p < q and (p ^ q) in (1, 2, 4)])
SHOWN = 4096
"""In a level of more boxes than this, only those that a search enters are drawn."""


class Level(NamedTuple):
    """The boxes (n, 2, 3) of one level, those that a search enters, its number and that of the deepest level."""

    boxes: Array
    entered: Array
    number: int
    deepest: int

    @property
    def words(self) -> str:
        """The level and its numbers of boxes, for the status line."""
        boxes = "1 box" if len(self.boxes) == 1 else f"{len(self.boxes):,} boxes"
        return f"Level {self.number} of {self.deepest}: {boxes}, {len(self.entered):,} entered"


def level_of(report: Report) -> Level | None:
    """The level of the report's setting, of all its hierarchies together; None if there is none yet."""
    wanted = report.level
    if wanted is None or not (trees := report.hierarchies()):
        return None
    levels = [tree.levels() for tree in trees]
    deepest = max(map(len, levels)) - 1
    if deepest < 0:  # shapes of such sizes that float32 cannot bound them
        return None
    number = min(wanted, deepest)
    probes = [part.shape for part in report.probes.parts if part.shape and is_linear(part.shape)]
    entered = [boxes for tree in trees for probe in probes for boxes in tree.visited(probe)[number : number + 1]]
    boxes = [level[number] for level in levels if number < len(level)]
    return Level(_together(boxes), np.unique(_together(entered), axis=0), number, deepest)


def missing_level_reason(report: Report) -> str:
    """Why no level can be shown although one is set; "" while the hierarchy is being built."""
    if report.lacks_hierarchies:
        return ""
    if not report.hierarchies():
        return "No hierarchy: only boxes and triangles have one"
    return "No hierarchy: these primitives are too large for its boxes of float32"


def lines_of_level(level: Level | None) -> ThinLines:
    """The edges of a level's boxes, and again, more strongly, those of the boxes that a search enters."""
    if level is None:
        return NO_THIN_LINES
    shown = level.boxes if len(level.boxes) <= SHOWN else level.boxes[:0]
    boxes = np.concatenate([shown, level.entered])
    corners = np.take_along_axis(boxes[:, None], CORNERS[None, :, None], axis=2)[:, :, 0]
    ends = corners[:, EDGES].reshape(-1, 2, 3)
    cues = np.where(np.arange(len(ends)) < len(shown) * len(EDGES), np.uint8(Cue.NONE), np.uint8(Cue.TOUCHING))
    none = np.zeros(len(ends), np.intp)
    return ThinLines(ends[:, 0], ends[:, 1], none, cues, none.astype(np.bool_))


def _together(boxes: list[Array]) -> Array:
    return np.concatenate([np.empty((0, 2, 3)), *boxes])
