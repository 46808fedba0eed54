"""The slabs of a box as bars over a common axis of t."""

from fractions import Fraction
from math import floor, inf, isfinite, isnan, log10

from hitscope.explain.charts.marks import Drawing, Scale, Sheet, Tone, width_of
from hitscope.explain.charts.slabs import SlabChart, SlabRow
from hitscope.geometry import exact
from hitscope.geometry.exact import Bound
from hitscope.numerals import typeset, typeset_name

LABELS = 3.6
ROW = 2.4
BAR = 0.7
ENTRY: Tone = "entry"
EXIT: Tone = "exit"
SHORT = 1_000_000
"""The largest denominator of a fraction that is shown as one."""


def draw_slabs(chart: SlabChart, width: float) -> Drawing:
    """Draw the slabs on a width in em."""
    sheet = Sheet()
    lines = _words(chart)
    top = 0.1
    for words, tone in lines:
        top = sheet.paragraph(0.4, top, width - 0.8, words, tone)
    scale = _scale(chart, LABELS, width - 0.6)
    sheet.text((0.4, top + 0.75), "probe", "probe", size=0.85)
    draw_interval(sheet, scale, chart.t_min, chart.t_max, top + 0.4, top + 0.4 + BAR, "probe")
    top += 1.3
    for k in range(len(chart.rows)):
        is_reached = chart.empty_at is None or k <= chart.empty_at
        with sheet.row(k, top, top + ROW, 1.0 if is_reached else 0.45):
            _draw_row(sheet, scale, chart, k, top, is_reached)
        top += ROW
    _draw_common(sheet, scale, chart, top + 0.55)
    draw_ticks(sheet, scale, top + 1.3)
    return sheet.drawing(width, top + 2.9, f"Slabs: {lines[0][0]}")


def _draw_row(sheet: Sheet, scale: Scale, chart: SlabChart, k: int, top: float, is_reached: bool) -> None:
    row = chart.rows[k]
    bar = top + 1.0
    middle = bar + BAR / 2
    sheet.text((0.7, middle), row.axis, size=1.15)
    for t, tone in ((chart.last.t_enter, ENTRY), (chart.last.t_exit, EXIT)):
        if isfinite(t) and scale.holds(t):
            sheet.dashes((scale.at(t), bar), (scale.at(t), top + ROW), tone, 0.6)
    sheet.line((scale.left, middle), (scale.right, middle), "line")
    if row.parallel == "outside":
        sheet.text(
            (scale.left, top + 0.55),
            f"parallel, outside: both t are {typeset(row.near)}",
            "miss",
            size=0.85,
        )
    elif row.parallel == "in a face":
        face = row.face_names[0 if isnan(row.near) else 1]
        words = f"in {typeset_name(face)}: {typeset(row.near)} to {typeset(row.far)}, as 0 · ∞ is NaN"
        sheet.text((scale.left, top + 0.55), words, "quiet", size=0.85)
        sheet.frame(scale.left, scale.right, bar, bar + BAR, "quiet")
    else:
        draw_interval(sheet, scale, row.near, row.far, bar, bar + BAR, "interval")
        _ends(sheet, scale, chart, k, row, top + 0.55)
    if is_reached:
        _left_over(sheet, scale, row, bar + BAR + 0.1)
    for t, is_end, tone in ((row.near, k == chart.entry, ENTRY), (row.far, k == chart.exit, EXIT)):
        if is_end and scale.holds(t):
            sheet.dot((scale.at(t), middle), tone)


def _left_over(sheet: Sheet, scale: Scale, row: SlabRow, top: float) -> None:
    """Draw what the slabs so far leave of the probe, or how far they miss each other."""
    enter, leave = scale.at(row.t_enter), scale.at(row.t_exit)
    if row.is_empty:
        sheet.dashes((leave, top + 0.13), (max(enter, leave + 0.3), top + 0.13), "miss", 1.0, 2.5)
    else:
        sheet.bar(enter, max(leave, enter + 0.15), top, top + 0.26, "hit")


def _ends(sheet: Sheet, scale: Scale, chart: SlabChart, k: int, row: SlabRow, y: float) -> None:
    """Write the near and the far t above the ends of their bar."""
    near, far = (
        f"{typeset_name(face).removeprefix('face ')}  {typeset(t)}"
        for face, t in zip(row.face_names, (row.near, row.far), strict=True)
    )
    if row.parallel:
        sheet.text((scale.left, y), "parallel, between the faces: −∞ to ∞", "quiet", size=0.85)
        return
    room = width_of(near, 0.85), width_of(far, 0.85)
    start = min(max(scale.at(row.near), scale.left), scale.right - sum(room) - 1.0)
    end = max(min(scale.at(row.far), scale.right), start + sum(room) + 1.0)
    sheet.text((start, y), near, "entry" if k == chart.entry else "quiet", size=0.85)
    sheet.text((end, y), far, "exit" if k == chart.exit else "quiet", "right", size=0.85)


def _draw_common(sheet: Sheet, scale: Scale, chart: SlabChart, middle: float) -> None:
    last = chart.last
    sheet.text((0.4, middle), "all", size=0.85)
    if not chart.hit:
        words = f"nothing left after {last.axis}"
        sheet.text(((scale.left + scale.right) / 2, middle), words, "miss", "middle", size=0.92)
        return
    sheet.line((scale.left, middle), (scale.right, middle), "line")
    draw_interval(sheet, scale, last.t_enter, last.t_exit, middle - BAR / 2, middle + BAR / 2, "hit")
    for t, tone in ((last.t_enter, ENTRY), (last.t_exit, EXIT)):
        if scale.holds(t):
            sheet.dot((scale.at(t), middle), tone)


def draw_ticks(sheet: Sheet, scale: Scale, y: float) -> None:
    """Draw the axis of t with round numbers."""
    sheet.line((scale.left, y), (scale.right, y), "quiet")
    for t in ticks(scale.lo, scale.hi):
        x = scale.at(t)
        sheet.line((x, y), (x, y + 0.3), "quiet")
        sheet.text((x, y + 0.95), typeset(t), "quiet", "middle", size=0.8)
    sheet.text((scale.left - 0.7, y + 0.1), "t", "quiet", "right")


def _words(chart: SlabChart) -> list[tuple[str, Tone]]:
    """Return what the slabs say, and what is so without rounding."""
    last = chart.last
    if chart.hit:
        enter = f"enters {_through(chart, 0)} at {typeset(last.t_enter)}"
        leave = f"leaves {_through(chart, 1)} at {typeset(last.t_exit)}"
        words = f"Hit: {'starts inside' if chart.entry is None else enter}, "
        words += "ends inside" if chart.exit is None else leave
    elif last.parallel == "outside":
        words = f"Miss: parallel to the faces across {last.axis}, and outside"
    else:
        words = f"Miss after {last.axis}: entry {typeset(last.t_enter)} is beyond exit {typeset(last.t_exit)}"
    is_hit = chart.exact_enter <= chart.exact_exit
    is_wrong = is_hit != chart.hit
    verdict = f", a {'hit' if is_hit else 'miss'}" if is_wrong else ""
    between = f"{t_text(chart.exact_enter)} to {t_text(chart.exact_exit)}"
    if chart.exact_enter == inf:
        between = "nothing in common"
    unrounded = f"Without rounding: {between}{verdict}"
    return [(words, "hit" if chart.hit else "miss"), (unrounded, "miss" if is_wrong else "quiet")]


def _through(chart: SlabChart, end: int) -> str:
    index = chart.exit if end else chart.entry
    return "" if index is None else typeset_name(chart.rows[index].face_names[end]).removeprefix("face ")


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


def _scale(chart: SlabChart, left: float, right: float) -> Scale:
    """Return a scale for the common part and the probe, with what is near to them."""
    last = chart.last
    core = [t for t in (chart.t_min, chart.t_max, last.t_enter, last.t_exit) if isfinite(t)]
    others = [t for row in chart.rows for t in (row.near, row.far) if isfinite(t)]
    if len(set(core)) < 2:
        core = [*core, *others]
    lo, hi = min(core, default=0.0), max(core, default=1.0)
    size = hi - lo or abs(lo) or 1.0
    shown = [lo, hi, *(t for t in others if lo - size <= t <= hi + size)]
    margin = 0.08 * (max(shown) - min(shown)) or 0.5 * size
    return Scale(min(shown) - margin, max(shown) + margin, left, right)


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
