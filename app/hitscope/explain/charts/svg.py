"""Charts as SVG that stands by itself, in a page or as a file, on a light or a dark ground."""

from html import escape

from hitscope.explain.charts import chart_of, draw
from hitscope.explain.charts.marks import Drawing, Mark, Zone
from hitscope.explain.explanation import Explanation

EM = 14
WIDTH = 44.0
ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
COLOURS = {
    "text": ("#20262f", "#d9dee7"),
    "quiet": ("#4d5765", "#9aa4b4"),
    "line": ("#c3c9d3", "#3a424e"),
    "field": ("#e7eaee", "#272d36"),
    "probe": ("#1263c4", "#4aa8ff"),
    "primitive": ("#66707d", "#a9b1be"),
    "hit": ("#007838", "#3ddc84"),
    "miss": ("#c9262d", "#ff5d5d"),
    "entry": ("#8f5a00", "#ffd75e"),
    "exit": ("#8a45e0", "#c79bff"),
    "interval": ("#0a7f7c", "#5ee6e0"),
}
"""The colour of each tone on a light and on a dark ground."""


def chart_svgs(explanation: Explanation) -> list[str]:
    """Return the charts of an explanation; a page lights the `zone` whose `data-row` is `row_at` of a step."""
    chart = chart_of(explanation)
    return [] if chart is None else [svg(draw(chart, WIDTH))]


def svg(drawing: Drawing) -> str:
    """Return a drawing as SVG. Its colours are CSS variables, `--chart-probe` and so on, which a page may set."""
    width, height = (round(size * EM) for size in (drawing.width, drawing.height))
    title = escape(drawing.title)
    body = "\n".join((*(_zone(zone, width) for zone in drawing.zones), *map(_element, drawing.marks)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-label="{title}" font-family="system-ui, sans-serif"'
        f' font-size="{EM}"><title>{title}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n'
    )


def _zone(zone: Zone, width: int) -> str:
    """Return the ground of a row with the strip at its left, both invisible until a page lights the row."""
    box = f'y="{zone.top * EM:.5g}" height="{(zone.bottom - zone.top) * EM:.5g}"'
    ground = f'<rect class="zone" data-row="{zone.row}" {box} width="{width}"/>'
    return f'{ground}<rect class="strip" {box} width="3"/>'


def _style() -> str:
    light, dark = (
        "".join(f"--{tone}:var(--chart-{tone},{colours[ground]});" for tone, colours in COLOURS.items())
        for ground in range(2)
    )
    used = "".join(f".chart .{tone}{{color:var(--{tone})}}" for tone in COLOURS)
    used += ".chart .zone,.chart .strip{fill:none}.chart .zone.lit{fill:var(--field)}"
    used += ".chart .zone.lit+.strip{fill:var(--probe)}"
    return f".chart{{{light}}}@media(prefers-color-scheme:dark){{.chart{{{dark}}}}}{used}"


STYLE = _style()


def _element(mark: Mark) -> str:
    points = [(x * EM, y * EM) for x, y in mark.points]
    (x, y), (right, bottom) = points[0], points[-1]
    faint = "" if mark.strength >= 1 else f' opacity="{mark.strength:.3g}"'
    of_row = "" if mark.row is None else f' data-row="{mark.row}"'
    common = f'class="{mark.tone}"{faint}{of_row}'
    match mark.kind:
        case "text":
            size = "" if mark.size == 1 else f' font-size="{EM * mark.size:.4g}"'
            return (
                f'<text {common} x="{x:.5g}" y="{y:.5g}" dy=".35em" fill="currentColor"'
                f' text-anchor="{ANCHORS[mark.align]}"{size}>{escape(mark.text)}</text>'
            )
        case "dot":
            return f'<circle {common} cx="{x:.5g}" cy="{y:.5g}" r="{mark.size * EM:.4g}" fill="currentColor"/>'
        case "bar" | "frame":
            paint = 'fill="currentColor"' if mark.kind == "bar" else 'fill="none" stroke="currentColor" rx="3"'
            box = f'x="{x:.5g}" y="{y:.5g}" width="{right - x:.5g}" height="{bottom - y:.5g}"'
            return f"<rect {common} {box} {paint}/>"
        case "polygon":
            joined = " ".join(f"{x:.5g},{y:.5g}" for x, y in points)
            return f'<polygon {common} points="{joined}" fill="currentColor"/>'
    dashes = ' stroke-dasharray="3 3"' if mark.kind == "dashes" else ""
    ends = f'x1="{x:.5g}" y1="{y:.5g}" x2="{right:.5g}" y2="{bottom:.5g}"'
    return f'<line {common} {ends} stroke="currentColor" stroke-width="{mark.size:.3g}"{dashes}/>'
