"""The shadows of two bodies on each candidate axis, as bars one over the other."""

from math import isfinite
from typing import NamedTuple

from hitscope.explain.charts.axes import AxisChart, AxisRow
from hitscope.explain.charts.marks import Drawing, Scale, Sheet, Tone, width_of
from hitscope.numerals import typeset, typeset_name

ROW = 1.55
INDEX = 1.5
SMALL = 0.85


class _Place(NamedTuple):
    """Where an axis is drawn: the sides of its bars, the width of all, the length that they show, its top."""

    left: float
    right: float
    width: float
    span: float
    top: float


def draw_axes(chart: AxisChart, width: float) -> Drawing:
    """Draw the axes on a width in em."""
    sheet = Sheet()
    names = [axis_name(row) for row in chart.rows]
    labels = min(max((width_of(name, SMALL) for name in names), default=0.0), 0.45 * width) + INDEX + 0.7
    left, right = labels + 0.4, width - 5.9
    words = _words(chart, names)
    top = sheet.paragraph(0.4, 0.1, width - 0.8, words, "hit" if chart.hit else "miss") + 0.8
    probe, primitive = chart.names
    if probe == primitive:
        probe, primitive = f"probe {probe}", f"primitive {primitive}"
    second = 1.6 + width_of(primitive, SMALL) + 0.9
    sheet.bar(0.4, 1.3, top - 0.2, top + 0.2, "primitive", 0.9)
    sheet.text((1.6, top), primitive, "quiet", size=SMALL)
    sheet.bar(second, second + 0.9, top - 0.2, top + 0.2, "probe", 0.9)
    sheet.text((second + 1.2, top), probe, "quiet", size=SMALL)
    sheet.text((width - 0.4, top), "gap or −overlap", "quiet", "right", size=SMALL)
    span = max((size for row in chart.rows if isfinite(size := _size(row))), default=1.0) or 1.0
    top += 0.8
    for k, row in enumerate(chart.rows):
        with sheet.row(k, top, top + ROW, 1.0 if k < chart.tried or k == chart.marked else 0.45):
            _draw_row(sheet, row, k, k == chart.marked, _Place(left, right, width, span, top))
        top += ROW
    if chart.left_out:
        sheet.text((0.4, top + 0.8), f"{chart.left_out:,} more axes", "quiet", size=SMALL)
        top += 1.4
    return sheet.drawing(width, top + 0.3, f"Separating axes: {words}")


def axis_name(row: AxisRow) -> str:
    """Return the features that an axis comes from."""
    own, theirs = (None if name is None else typeset_name(name) for name in (row.probe, row.primitive))
    if row.kind == "edge cross edge":
        return f"{theirs} × {own}".replace(" × edge", " ×")
    if row.kind == "edge normal":
        return f"across {own or theirs}"
    if row.kind == "nearest points":
        return "nearest points"
    if own and theirs:
        return f"{theirs}, {own}" if own != theirs else own
    return f"{theirs}" if theirs else f"{own} of probe"


def _draw_row(sheet: Sheet, row: AxisRow, index: int, is_marked: bool, place: _Place) -> None:
    left, right, width, span, top = place
    middle = top + ROW / 2
    sheet.text((INDEX, middle), str(index + 1), "quiet", "right", size=0.75)
    if is_marked:
        sheet.frame(0.25, width - 0.1, top + 0.06, top + ROW - 0.06, "miss" if row.separates else "hit")
    sheet.text((INDEX + 0.4, middle), axis_name(row), "quiet" if row.degenerate else "text", size=SMALL)
    if row.probe_shadow is None or row.primitive_shadow is None:
        sheet.text(((left + right) / 2, middle + 0.02), "parallel edges", "quiet", "middle", size=0.75)
        sheet.text((width - 0.4, middle), "–", "quiet", "right", size=SMALL)
        return
    ends = [value for value in (*row.probe_shadow, *row.primitive_shadow) if isfinite(value)]
    center = (min(ends) + max(ends)) / 2 if ends else 0.0
    scale = Scale(center - 0.52 * span, center + 0.52 * span, left, right)
    strength = 0.3 if row.degenerate else 0.95
    from_both = sorted(map(scale.at, (*row.probe_shadow, *row.primitive_shadow)))
    between: Tone = "miss" if row.separates else "hit"
    # Of the four ends, the gap or the overlap is between the middle two.
    inner = from_both[1], max(from_both[2], from_both[1] + 0.12)
    sheet.bar(*inner, middle - 0.48, middle + 0.48, between, 0.25 * strength)
    bars: list[tuple[tuple[float, float], float, Tone]]
    bars = [(row.primitive_shadow, -0.25, "primitive"), (row.probe_shadow, 0.25, "probe")]
    for (start, end), y, whose in bars:
        first, last = scale.at(start), scale.at(end)
        sheet.bar(first, max(last, first + 0.15), middle + y - 0.17, middle + y + 0.17, whose, strength)
    tone: Tone = "miss" if row.separates and not row.degenerate else "text" if is_marked else "quiet"
    sheet.text((width - 0.4, middle), typeset(row.gap), tone, "right", size=SMALL)


def _words(chart: AxisChart, names: list[str]) -> str:
    if chart.marked is None:
        return "Hit: no axis has a direction" if chart.hit else "Miss"
    row = chart.rows[chart.marked]
    if chart.hit:
        verb = "touching" if row.gap == 0 else f"overlap of {typeset(-(row.gap or 0.0))}, the least,"
        return f"Hit: {verb} along {chart.marked + 1}, {names[chart.marked]}"
    return f"Miss: a gap of {typeset(row.gap)} along {chart.marked + 1}, {names[chart.marked]}"


def _size(row: AxisRow) -> float:
    if row.probe_shadow is None or row.primitive_shadow is None:
        return 0.0
    (a, b), (c, d) = row.probe_shadow, row.primitive_shadow
    return max(b, d) - min(a, c)
