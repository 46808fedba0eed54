"""The colours of a map, by what is asked of its methods."""

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hitscope.draw.items import Role
from hitscope.geometry.vector import vec3
from hitscope.maps.position_map import CODES, Code, MethodMap, PositionMap
from hitscope.render.palette import DARK, Rgb8, Theme, rgb8
from hitscope.scene.model import MapAspect

Pixels: TypeAlias = NDArray[np.uint8]
"""(h, w, 3), row 0 at the top."""
Aspect: TypeAlias = MapAspect
ASPECTS: Final[dict[Aspect, str]] = {
    "agreement": "Agreement with exact",
    "verdict": "Hit or miss",
    "differences": "Where the methods differ",
    "t": "Error of t",
    "feature": "Which feature or axis decides",
    "line": "Which line decides",
}
"""The questions that a map answers, in words."""
LABELLED: Final[frozenset[Aspect]] = frozenset(("feature", "line"))
"""The aspects that have a label for each position: what decides there."""

CELL = 3
"""The pixels of a position's side, so that a cue besides colour fits in it."""
LARGEST_SQUARE = 2304
"""The pixels of a square up to which a position is a whole cell."""
WRONG = {Code.WRONG_HIT: "#ffe14d", Code.WRONG_MISS: "#b86bff"}
"""Colours that are told apart from green and red, and from each other, in grey too."""
CUES: dict[int, tuple[str, tuple[tuple[int, int], ...]]] = {
    Code.WRONG_HIT: ("#14161a", ((1, 1),)),
    Code.WRONG_MISS: ("#ffffff", ((1, 1),)),
    Code.LEFT_OUT: ("#14161a", ((0, 0), (1, 1), (2, 2))),
}
"""The colour and the pixels of a cue in a cell: a dark dot, a light dot, a stripe."""
MUTED = 0.45
"""How much of the background is in the colours of right verdicts, so that wrong ones stand out."""
T_STEPS = ((0.5, "#24507a"), (1.0, "#2f7f9e"), (4.0, "#46b29d"), (64.0, "#e9c46a"), (4096.0, "#f4873f"))
"""Colours of the error of t up to so many ulps."""
T_BEYOND, NO_T = "#e5383b", "#2a2e35"
LABELS = "#4aa8ff #ffb454 #6bd98f #d888ff #f2668b #4fd6d1 #c4d35a #9aa7ff #e09a6b #8fb8a8 #6a7280"
"""The colours of labels in a text, that of the most frequent first, that of all others last."""


def square(found: PositionMap, method: MethodMap, aspect: Aspect = "agreement", theme: Theme = DARK) -> Pixels:
    """Return the picture of one method of a map."""
    indices, said = _indexed(found, method, aspect, theme)
    colours, shown = [colour for colour, _ in said], indices[::-1]
    cell = CELL if len(shown) * CELL <= LARGEST_SQUARE else 1
    pixels: Pixels = np.repeat(np.repeat(np.array(colours, np.uint8)[shown], cell, axis=0), cell, axis=1)
    if aspect == "agreement" and cell == CELL:
        for code, (colour, cue) in CUES.items():
            rows, columns = np.nonzero(shown == code)
            for y, x in cue:
                pixels[rows * CELL + y, columns * CELL + x] = rgb8(colour)
    return pixels


class Entry(NamedTuple):
    """A colour of a map, and what it says."""

    colour: Rgb8
    words: str
    cue: Rgb8 | None = None
    """The colour of the dot in it, beside which the colour need not be seen."""


def legend(found: PositionMap, aspect: Aspect = "agreement", theme: Theme = DARK) -> Iterator[Entry]:
    """Yield the colours that a map has, with what they say."""
    seen = set()
    for method in found.methods:
        indices, said = _indexed(found, method, aspect, theme)
        prefix = f"{method.name}:" if method.labels is not None and len(found.methods) > 1 else ""
        for index in np.flatnonzero(np.bincount(indices.ravel())).tolist():
            cue = rgb8(CUES[index][0]) if aspect == "agreement" and index in CUES else None
            colour, words = said[index]
            if (entry := Entry(colour, prefix + words, cue)) not in seen:
                seen.add(entry)
                yield entry


def _indexed(
    found: PositionMap, method: MethodMap, aspect: Aspect, theme: Theme
) -> tuple[NDArray[np.intp], list[tuple[Rgb8, str]]]:
    """Return the index of each position's colour, (size, size), and the colours with what they say."""
    hit, miss = (rgb8(theme.roles[role]) for role in (Role.HIT, Role.MISS))
    muted_hit, muted_miss = _muted(hit, theme), _muted(miss, theme)
    if aspect == "verdict":
        return method.hit.astype(np.intp), [(muted_miss, "miss"), (muted_hit, "hit")]
    if aspect == "differences":
        alike = np.all([other.hit == method.hit for other in found.methods], axis=0)
        said = [(rgb8(NO_T), "all agree"), (miss, "miss, others differ"), (hit, "hit, others differ")]
        return np.where(alike, 0, 1 + method.hit).astype(np.intp), said
    if aspect == "t":
        within = ((rgb8(colour), f"t within {ulps:g} ulps") for ulps, colour in T_STEPS)
        said = [(rgb8(NO_T), "no t"), *within, (rgb8(T_BEYOND), "t further off")]
        if method.t_ulps is None:
            return np.zeros(method.codes.shape, np.intp), said
        steps = np.searchsorted([ulps for ulps, _ in T_STEPS], method.t_ulps) + 1
        return np.where(np.isnan(method.t_ulps), 0, steps), said
    if aspect == "agreement" or method.labels is None:
        table = {Code.RIGHT_HIT: muted_hit, Code.RIGHT_MISS: muted_miss, Code.FAILED: (0, 0, 0)}
        table |= {code: rgb8(colour) for code, colour in WRONG.items()}
        table[Code.LEFT_OUT] = rgb8(theme.roles[Role.NEUTRAL])
        return method.codes.astype(np.intp), [(table[code], words) for code, words in enumerate(CODES)]
    said = list(zip(map(rgb8, LABELS.split()), method.labels.names, strict=False))
    return method.labels.indices.astype(np.intp), said


def _muted(colour: Rgb8, theme: Theme) -> Rgb8:
    ground = rgb8(theme.background_bottom)
    return vec3(round(a + MUTED * (b - a)) for a, b in zip(colour, ground, strict=True))
