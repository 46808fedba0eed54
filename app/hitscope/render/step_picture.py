"""The picture of one step of a method: the scene with the values, and under it the line of source that ran."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from itertools import product
from textwrap import dedent, wrap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hitscope.draw.builder import Builder
from hitscope.draw.step_marks import StepLabel, step_marks
from hitscope.draw.target import Marked, Target
from hitscope.errors import HitscopeError
from hitscope.evaluate import Report
from hitscope.evaluate.verdict_words import hit_or_miss
from hitscope.explain import Explanation, Step
from hitscope.explain.snapshot import value_text
from hitscope.explain.step_words import branch_words, changed_values, comparison_words
from hitscope.explain.value_pictures import value_pictures
from hitscope.render.camera import Camera, Viewport
from hitscope.render.lettering import LEADING, Box, Sheet
from hitscope.render.offscreen import picture
from hitscope.render.palette import Theme
from hitscope.render.renderer import Settings
from hitscope.render.view import View

MOST_LINES = 6
"""The most lines of source, and of values, in a caption."""


class CaptionLine(NamedTuple):
    """A line of the caption: source is loud, other text quiet."""

    text: str
    is_loud: bool
    number: str = ""


def caption(explanation: Explanation, k: int, pair: str) -> Iterator[CaptionLine]:
    """Yield the lines of the caption of step k of a run on a pair with this name."""
    steps = explanation.trace.steps
    step = steps[k]
    notes = ((explanation.trace.deciding_step, "the decision"), (explanation.wrong_step, "the wrong line"))
    heading = explanation.chosen.method.name, pair, f"step {k + 1} of {len(steps)}"
    yield CaptionLine(" · ".join((*heading, *(note for at, note in notes if at == k))), False)
    yield from _source(step, explanation.chosen.method.fault if k == explanation.wrong_step else "")
    if step.ends_loop:
        yield CaptionLine(branch_words(step), False)
    parameters = inspect.signature(explanation.chosen.method.function).parameters
    given = {name: value for name, value in step.values.items() if name in parameters}
    before = steps[k - 1].values if k else given
    comparisons = (f"{compared.text}: {comparison_words(compared)}" for compared in step.comparisons)
    for text in [*_changes(before, step), *comparisons][:MOST_LINES]:
        yield CaptionLine(text, False)
    if k == len(steps) - 1:
        yield CaptionLine(explanation.trace.error or f"answer: {hit_or_miss(explanation.hit)}", True)


def _source(step: Step, fault: str) -> Iterator[CaptionLine]:
    """Yield the lines of a statement; of a long one the first, that of the loop's pass, and the fault's."""
    lines = step.source.expandtabs().splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    shown = set(range(len(lines)))
    if len(lines) > MOST_LINES:
        faults = [row for row, line in enumerate(lines) if fault and fault in line]
        shown = {0, _row_of_pass(step), *faults[:1]}
    for row in sorted(shown):
        yield CaptionLine(lines[row][indent:], True, str(step.line + row))


def _row_of_pass(step: Step) -> int:
    """In the header of a loop over a written list the row of the element that the pass is of; else 0."""
    try:
        (loop,) = ast.parse(f"{dedent(step.source)} pass").body
    except (SyntaxError, ValueError):
        return 0
    passes = step.iterations
    if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Tuple | ast.List) or not passes:
        return 0
    elements = loop.iter.elts
    return elements[passes[-1].number - 1].lineno - 1 if passes[-1].number <= len(elements) else 0


def _changes(before: Mapping[str, Any], step: Step) -> Iterator[str]:
    for name, value in changed_values(step, before).items():
        was = f", was {value_text(before[name])}" if name in before else ""
        yield f"{name} = {value_text(value)}{was}"


LETTERS, LEAST_LETTERS = 44, 9.0
"""Sizes of the font in the height of a picture, and the least size in points."""
NEAR = 0.7
"""From a point to its label, in sizes of the font."""
QUIET, PANEL = 0.55, 0.82
"""How much of the outline's colour quiet text has, and the opacity of the caption's panel."""


def step_index(explanation: Explanation, step: int | str) -> int:
    """Return the index of step 1 and on, -1 and back, "decision" or "wrong-line"; raises HitscopeError."""
    trace, method = explanation.trace, explanation.chosen.method.name
    count = len(trace.steps)
    if step == "wrong-line":
        if explanation.wrong_step is None:
            found = "one without a line that is known to be" if explanation.is_wrong else "a right answer"
            raise HitscopeError(f"{method}: expected a wrong answer for the step wrong-line, found {found}")
        return explanation.wrong_step
    number = trace.deciding_step + 1 if step == "decision" else int(step)
    index = number - 1 if number > 0 else count + number
    if not 0 <= index < count:
        raise HitscopeError(f"{method}: expected a step from 1 to {count}, or from -{count} to -1, found {step}")
    return index


def step_picture(
    report: Report, explanation: Explanation, step: int, probe: str, primitive: str, settings: Settings
) -> NDArray[np.uint8]:
    """Draw the scene in its own view, with the values of a step on a pair, their names, and a caption."""
    builder, viewport = Builder(), Viewport(0, 0, *settings.size)
    camera = Camera.of_view(report.scene.view, builder.corners(report), viewport)
    marks = step_marks(value_pictures(explanation, step), explanation.hit)
    builder.set_camera(camera.eye, camera.target)
    # Of several primitives the one that is tested is outlined.
    partner = Target("primitive", primitive) if len(report.elements) > 1 else None
    drawn = builder.build(report, Marked(partner=partner))
    image = Image.fromarray(picture(marks.on(drawn), camera, settings))
    sheet = Sheet(image, max(viewport.height / LETTERS, LEAST_LETTERS * settings.pixel_ratio))
    lines = list(caption(explanation, step, f"{probe} × {primitive}"))
    taken = [_draw_caption(sheet, lines, settings.theme)]
    _draw_labels(sheet, marks.labels, View(camera, viewport, settings.pixel_ratio), taken, settings.theme)
    return np.asarray(image)


def _draw_caption(sheet: Sheet, lines: list[CaptionLine], theme: Theme) -> Box:
    """Write the caption on a panel at the lower left, and return the panel's area."""
    width, height = sheet.image.size
    margin = pad = sheet.size
    gutter = sheet.width("0" * (1 + max((len(line.number) for line in lines), default=0)))
    columns = sheet.columns(width - 2 * margin - 2 * pad - gutter)
    rows = [
        line._replace(text=part, number="" if k else line.number)
        for line in lines
        for k, part in enumerate(_wrapped(line.text, columns))
    ]
    inner = max(sheet.width(row.text) for row in rows)
    top = height - margin - 2 * pad - len(rows) * sheet.line_height + (LEADING - 1) * sheet.size
    box = (margin, top, margin + 2 * pad + gutter + inner, height - margin)
    sheet.panel(box, theme.background_bottom, PANEL, theme.outline)
    quiet = mixed(theme.outline, theme.background_bottom, QUIET)
    for k, row in enumerate(rows):
        y = top + pad + k * sheet.line_height
        sheet.write(margin + pad, y, [(row.number, quiet)])
        sheet.write(margin + pad + gutter, y, [(row.text, theme.outline if row.is_loud else quiet)])
    return box


def _wrapped(text: str, columns: int) -> list[str]:
    indent = " " * (len(text) - len(text.lstrip()))
    return wrap(text, columns, subsequent_indent=f"{indent}    ", drop_whitespace=True) or [""]


def _draw_labels(sheet: Sheet, labels: tuple[StepLabel, ...], view: View, taken: list[Box], theme: Theme) -> None:
    """Write the labels where they cover neither each other nor the caption; quiet ones only if there is room."""
    for label in labels:
        x, y, depth = view.project(label.point)[0].tolist()
        text = f"{label.name} = {label.text}" if label.stands_out else label.name
        if depth > 0 and (box := _free_box(sheet, x, y, text, taken)) is not None:
            taken.append(box)
            loud = theme.roles[label.role]
            colour = loud if label.stands_out else mixed(loud, theme.background_bottom, QUIET + 0.15)
            sheet.write(box[0], box[1], [(text, colour)], theme.halo)


def _free_box(sheet: Sheet, x: float, y: float, text: str, taken: list[Box]) -> Box | None:
    """A free area beside a point of the picture; None where there is none."""
    width, height = sheet.width(text), sheet.size
    near = NEAR * sheet.size
    for away in (near, 2.2 * near, 3.6 * near):
        beside = product((x + away, x - away - width), (y - away - height, y + 0.6 * away))
        centred = product([x - width / 2], (y - 1.6 * away - height, y + 1.6 * away))
        for left, top in (*beside, *centred):
            box = (left, top, left + width, top + height)
            is_inside = min(box[:2]) >= 0 and box[2] <= sheet.image.width and box[3] <= sheet.image.height
            if is_inside and not any(_overlap(box, other) for other in taken):
                return box
    return None


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def mixed(colour: str, other: str, part: float) -> str:
    """A mixture of two colours written as #rrggbb, with `part` of the first."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(part * a + (1 - part) * b) for a, b in pairs).hex()
