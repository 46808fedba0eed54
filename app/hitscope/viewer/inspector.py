"""The panel's part about the selected item: each of its numbers can be typed."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from hitscope.draw.target import Target
from hitscope.errors import Fault, HitscopeError
from hitscope.geometry.shapes import Shape
from hitscope.scene.model import Bulk, Item
from hitscope.scene.named import split
from hitscope.viewer import entering, fields, text, widgets
from hitscope.viewer.app import App
from hitscope.viewer.style import FAINT, QUIET, TEXT, WARNING
from hitscope.viewer.widgets import Entry

MEANINGS = {
    "start": "Where the segment begins: t = 0.",
    "end": "Where the segment ends: t = 1.",
    "direction": "A vector of any length; t counts in lengths of it.",
    "half_extents": "Half of the box's size along each of its axes; not negative.",
    "vertices": "Seen counter-clockwise, it is the front of a triangle.",
    "offset": "dot(normal, p) = offset on the plane.",
    "planes": "Inside is where dot(normal, p) <= offset, for each of them.",
    "axes": "The box's unit axes, one in each row, stored as they are.",
    "quaternion_xyzw": "A rotation, x y z w; it need not be unit.",
    "euler_xyz_deg": "Degrees: R = Rz Ry Rx.",
    "edges": "Three vectors from the origin, of any directions.",
}
NUMBER_FORMS = {
    "decimal": "The shortest text that reads back as the same float64.",
    "hex": "The very float64: 0x1.8p-1 is 1.5 times 2 to the power of -1. Both forms can be typed in either.",
}
BOX_FORMS = {
    "corners": "The box by its min and max.",
    "centre": "The box by its center and half_extents; the corners are center -+ half_extents, rounded.",
}


class Inspector:
    """The part of the panel that tells of one item."""

    def __init__(self) -> None:
        self._entry = Entry()
        self._form = "decimal"
        self._problem: tuple[str, str] | None = None
        """Where something was typed that cannot be, and why not."""

    def show(self, app: App) -> None:
        """Make the part."""
        target = app.selected
        if target is None:
            widgets.heading("Item")
            widgets.lines(["Click a probe or a primitive to see and type its numbers."], FAINT)
            return
        _, item, element = entering.item_at(app, target)
        several = len(app.selection)
        widgets.heading("Item", f"the last of {several:,} selected" if several > 1 else "")
        self._name(app, target, item, element)
        if several > 1:
            kinds = Counter(other.kind for other in app.selection)
            counted = ", ".join(f"{n:,} {kind}{'s' if n > 1 else ''}" for kind, n in sorted(kinds.items()))
            widgets.lines([counted], QUIET)
        if element is None:
            self._options(app, target, item)
        if isinstance(item, Bulk):
            self._bulk(app, target, item, element)
        else:
            self._numbers(app, target, item, read_only=False)
        widgets.gap(0.3)
        self._form = widgets.choice("form", NUMBER_FORMS, self._form, app.points)

    def _name(self, app: App, target: Target, item: Item, element: int | None) -> None:
        key = f"id {target}"
        read_only = element is not None
        kind = item.word if element is None else f"{item.element_word} of {item.word}"
        room = imgui.get_content_region_avail().x - text.width(kind) - 8 * app.points
        typed = self._entry.show(key, target.id, max(room, 60 * app.points), app.points, read_only=read_only)
        widgets.hint("Its id, by which expectations name it; they follow when it is renamed.", app.points)
        imgui.same_line(0, 8 * app.points)
        start = imgui.get_cursor_screen_pos()
        text.at(start.x, start.y + 3 * app.points, kind, QUIET)
        imgui.new_line()
        if typed is not None:
            self._try(key, entering.rename, app, target, typed)
        self._complaint(key)

    def _options(self, app: App, target: Target, item: Item) -> None:
        form = fields.form_of(item)
        if form is not None:
            now = widgets.choice("box", BOX_FORMS, form, app.points)
            if now != form:
                self._try("form", entering.set_form, app, target, now)
            self._complaint("form")
        if target.kind == "probe":
            imgui.push_style_var(imgui.StyleVar_.frame_padding, (2 * app.points, 2 * app.points))
            changed, enabled = imgui.checkbox("enabled", item.enabled)  # type: ignore[attr-defined]
            imgui.pop_style_var()
            widgets.hint("A probe that is not enabled is not evaluated.", app.points)
            if changed:
                self._try("enabled", entering.set_enabled, app, target, enabled)

    def _bulk(self, app: App, target: Target, item: Bulk, element: int | None) -> None:
        size = len(item.shapes)
        said = [f"{size:,} {item.element_word}{'' if size == 1 else 's'}"]
        if item.file:
            said.append(f"from {item.file.name}")
        widgets.lines(said, QUIET)
        if element is not None:
            shape = item.shapes[element]
            self._numbers(app, target, shape, read_only=True)
            widgets.lines(["One of many: its numbers are shown, not typed."], FAINT)
        if list(fields.rows(item)):
            whole = target._replace(id=split(target.id)[0])
            text.coloured(f"all of {whole.id}", TEXT)
            self._numbers(app, whole, item, read_only=False)

    def _numbers(self, app: App, target: Target, item: Item | Shape, *, read_only: bool) -> None:
        for field, rows in fields.rows(item):
            with text.small():
                text.coloured(field, QUIET)
            if field in MEANINGS:
                widgets.hint(MEANINGS[field], app.points)
            for row in rows:
                self._row(app, target, row, read_only)

    def _row(self, app: App, target: Target, row: fields.Row, read_only: bool) -> None:
        across = len(row.values) if self._form == "decimal" else 1
        width = widgets.columns(across, app.points)
        failed = None
        for i, (place, name, value) in enumerate(zip(row.places, row.names, row.values, strict=True)):
            if i % across:
                widgets.beside(app.points)
            key = f"{target} {place}"
            known = fields.written(value) if self._form == "decimal" else value.hex()
            label = name if len(name) == 1 else ""
            typed = self._entry.show(key, known, width, app.points, label=label, read_only=read_only, right=True)
            widgets.hint(f"{fields.name_of(place)}\n{fields.written(value)}\n{float(value).hex()}", app.points)
            if typed is not None:
                self._try(key, entering.set_number, app, target, place, typed)
            failed = key if self._problem is not None and self._problem[0] == key else failed
        if failed is not None:
            self._complaint(failed)

    def _try(self, key: str, edit: Callable[..., None], *given: Any) -> None:
        """Make an edit; where it cannot be, keep why."""
        self._problem = None
        try:
            edit(*given)
        except HitscopeError as error:
            self._problem = key, error.words if isinstance(error, Fault) else str(error)

    def _complaint(self, key: str) -> None:
        if self._problem is not None and self._problem[0] == key:
            widgets.lines([f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {self._problem[1]}"], WARNING)
