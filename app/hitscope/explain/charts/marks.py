"""The lines, bars, dots and texts of a drawn chart, in em: any widget or file draws them in its own way."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import floor, inf, isfinite, isinf, isnan, log10
from textwrap import wrap
from typing import Literal, NamedTuple, TypeAlias

from hitscope.geometry import exact
from hitscope.geometry.exact import Bound
from hitscope.numerals import typeset

Tone: TypeAlias = Literal[
    "text", "quiet", "line", "field", "probe", "primitive", "hit", "miss", "entry", "exit", "interval"
]
Kind: TypeAlias = Literal["stroke", "dashes", "bar", "frame", "dot", "polygon", "text"]
Align: TypeAlias = Literal["left", "middle", "right"]
At: TypeAlias = tuple[float, float]

CHARACTER = 0.53
"""The width of a digit in em, about."""
LETTER = 0.49
"""The width of a character of a sentence in em, about."""
SHORT = 1_000_000
"""The largest denominator of a fraction that is shown as one."""


class Mark(NamedTuple):
    """One thing that is drawn: a line or a polygon through points, a bar or its frame between two corners.

    A text begins, ends or has its middle at a point, which is on its vertical middle; so has a dot its centre.
    """

    kind: Kind
    points: tuple[At, ...]
    tone: Tone
    text: str = ""
    align: Align = "left"
    strength: float = 1.0
    """The opacity."""
    size: float = 1.0
    """A multiple of a text's size, the radius of a dot, or the width of a line in pixels."""
    row: int | None = None
    """The slab or the axis that it belongs to."""


class Zone(NamedTuple):
    """The height that a slab or an axis has in the drawing, from top to bottom."""

    row: int
    top: float
    bottom: float


class Drawing(NamedTuple):
    """A drawn chart, x to the right and y down."""

    width: float
    height: float
    title: str
    """The subject of the chart, in a sentence."""
    marks: tuple[Mark, ...]
    zones: tuple[Zone, ...] = ()


class Sheet:
    """The marks of a drawing in the making."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self.zones: list[Zone] = []
        self._row: int | None = None
        self._strength = 1.0

    @contextmanager
    def row(self, index: int, top: float, bottom: float, strength: float = 1.0) -> Iterator[None]:
        """Draw a slab or an axis."""
        self.zones.append(Zone(index, top, bottom))
        self._row, self._strength = index, strength
        yield
        self._row, self._strength = None, 1.0

    def _add(self, kind: Kind, points: tuple[At, ...], tone: Tone, strength: float, size: float) -> None:
        self.marks.append(Mark(kind, points, tone, strength=strength * self._strength, size=size, row=self._row))

    def line(self, start: At, end: At, tone: Tone, strength: float = 1.0, width: float = 1.0) -> None:
        self._add("stroke", (start, end), tone, strength, width)

    def dashes(self, start: At, end: At, tone: Tone, strength: float = 1.0, width: float = 1.0) -> None:
        self._add("dashes", (start, end), tone, strength, width)

    def bar(self, left: float, right: float, top: float, bottom: float, tone: Tone, strength: float = 1.0) -> None:
        self._add("bar", ((left, top), (right, bottom)), tone, strength, 1.0)

    def frame(self, left: float, right: float, top: float, bottom: float, tone: Tone) -> None:
        self._add("frame", ((left, top), (right, bottom)), tone, 1.0, 1.0)

    def dot(self, at: At, tone: Tone, radius: float = 0.28) -> None:
        self._add("dot", (at,), tone, 1.0, radius)

    def polygon(self, points: tuple[At, ...], tone: Tone, strength: float = 1.0) -> None:
        self._add("polygon", points, tone, strength, 1.0)

    def text(self, at: At, words: str, tone: Tone = "text", align: Align = "left", size: float = 1.0) -> None:
        self.marks.append(Mark("text", (at,), tone, words, align, self._strength, size, self._row))

    def paragraph(self, x: float, top: float, width: float, words: str, tone: Tone) -> float:
        """Write words on as many lines as they need, and return where the last one ends."""
        for line in wrap(words, max(int(width / LETTER / 0.92), 12)):
            self.text((x, top + 0.65), line, tone, size=0.92)
            top += 1.3
        return top

    def paragraphs(self, width: float, lines: Iterable[tuple[str, Tone]]) -> float:
        """Write the lines over a chart, each a paragraph, and return where the last one ends."""
        top = 0.1
        for words, tone in lines:
            top = self.paragraph(0.4, top, width - 0.8, words, tone)
        return top

    def drawing(self, width: float, height: float, title: str) -> Drawing:
        return Drawing(width, height, title, tuple(self.marks), tuple(self.zones))


class Scale(NamedTuple):
    """A piece of an axis of numbers, and where it is drawn."""

    lo: float
    hi: float
    left: float
    right: float

    def at(self, value: float) -> float:
        """Return where a number is; at an end of the scale if it is beyond it or infinite."""
        if isnan(value):
            return self.left
        if isinf(value) or not self.lo < value < self.hi:
            return self.right if value >= self.hi else self.left
        return self.left + (value - self.lo) / (self.hi - self.lo) * (self.right - self.left)

    def holds(self, value: float) -> bool:
        return self.lo <= value <= self.hi


def width_of(words: str, size: float = 1.0) -> float:
    """Return the width of a text in em, about."""
    return len(words) * CHARACTER * size


def with_unrounded(words: str, hit: bool, is_hit: bool, between: str) -> list[tuple[str, Tone]]:
    """Return the line of a verdict, and that of exact geometry, which names its own where the verdict is wrong."""
    truth = "" if is_hit == hit else f", a {'hit' if is_hit else 'miss'}"
    unrounded = f"Without rounding: {between}{truth}"
    return [(words, "hit" if hit else "miss"), (unrounded, "miss" if truth else "quiet")]


def draw_ticks(sheet: Sheet, scale: Scale, y: float) -> None:
    """Draw the axis of t with round numbers."""
    sheet.line((scale.left, y), (scale.right, y), "quiet")
    for t in ticks(scale.lo, scale.hi):
        x = scale.at(t)
        sheet.line((x, y), (x, y + 0.3), "quiet")
        sheet.text((x, y + 0.95), typeset(t), "quiet", "middle", size=0.8)
    sheet.text((scale.left - 0.7, y + 0.1), "t", "quiet", "right")


def t_text(t: Bound) -> str:
    """Return a t without rounding: a short fraction, or the nearest float64."""
    if isinstance(t, Fraction) and t.denominator <= SHORT and abs(t.numerator) <= SHORT:
        return str(t).replace("-", "−")
    return typeset(exact.rounded(t), None)


def draw_interval(sheet: Sheet, scale: Scale, lo: float, hi: float, top: float, bottom: float, tone: Tone) -> None:
    """Draw an interval, with arrows where it goes on beyond the scale."""
    left, right = scale.at(lo), scale.at(hi)
    goes_back, goes_on = lo < scale.lo and hi >= scale.lo, hi > scale.hi and lo <= scale.hi
    middle, tip = (top + bottom) / 2, 0.6
    if not goes_back and not goes_on and (hi < scale.lo or lo > scale.hi):
        way = -1 if hi < scale.lo else 1
        end = scale.left if way < 0 else scale.right
        sheet.polygon(((end, middle), (end - way * tip, top), (end - way * tip, bottom)), tone, 0.9)
        return
    start, stop = left + tip * goes_back, right - tip * goes_on
    sheet.bar(start, max(stop, start + 0.15), top, bottom, tone, 0.9)
    if goes_back:
        sheet.polygon(((left, middle), (start, top), (start, bottom)), tone, 0.9)
    if goes_on:
        sheet.polygon(((right, middle), (stop, top), (stop, bottom)), tone, 0.9)


def ticks(lo: float, hi: float, most: int = 6) -> list[float]:
    """Return round numbers from lo to hi."""
    if not isfinite(hi - lo) or hi <= lo:
        return []
    exponent = floor(log10((hi - lo) / most))
    steps = (factor * 10.0**exponent for factor in (1, 2, 5, 10, 20, 50))
    step = next((step for step in steps if (hi - lo) / step <= most + 0.5), inf)
    if not isfinite(step) or step <= 0:
        return []
    first = -floor(-lo / step)
    return [k * step + 0.0 for k in range(first, floor(hi / step) + 1)]
