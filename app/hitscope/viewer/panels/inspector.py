"""The panel's part about the selected item: each of its numbers can be typed."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from imgui_bundle import ImVec2, imgui
from imgui_bundle import icons_fontawesome_6 as icons

from hitscope.draw.target import Target
from hitscope.errors import HitscopeError
from hitscope.scene import bulk_rows
from hitscope.scene.model import Bulk, Item
from hitscope.scene.named import split
from hitscope.viewer.app import App
from hitscope.viewer.panels import fields, inspector_edits, text, widgets
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, WARNING, Fonts
from hitscope.viewer.panels.widgets import TextField

MEANINGS = {
    "position": "Where the point is.",
    "min": "The corner where x, y and z are least.",
    "max": "The corner where x, y and z are greatest.",
    "center": "The middle of the box.",
    "origin": "Where the ray or line begins to count, t = 0; of a parallelepiped the vertex its edges start from.",
    "normal": "At right angles to the plane, to its front; of any length.",
    "scale": "The mesh is first scaled by this, then rotated, then moved; negative to mirror it.",
    "translate": "What is added to every vertex, last.",
    "lo": "The corner where x, y and z are least.",
    "hi": "The corner where x, y and z are greatest.",
    "a": "The first vertex.",
    "b": "The second vertex.",
    "c": "The third vertex; seen counter-clockwise, a, b, c are the front.",
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
    "decimal": (
        "The shortest text that reads back as the same float64; with ≈ it is rounded to what there is room for. "
        "1/3 can be typed, too, and x, y, z pasted over a row."
    ),
    "hex": "The very float64: 0x1.8p-1 is 1.5 times 2 to the power of -1. Both forms can be typed in either.",
}
FORMS = {
    "corners": "The box by its min and max.",
    "centre": "The box by its center and half_extents; the corners are center -+ half_extents, rounded.",
    "none": "No rotation: only of a box that is not turned.",
    "axes": "The rotation by the box's three axes: what the other forms are rounded to.",
    "quaternion": "The rotation by a quaternion, from which the axes are rounded once.",
    "Euler": "The rotation by three angles in degrees.",
    "one scale": "The mesh is scaled alike along every axis.",
    "three scales": "The mesh is scaled along each axis of its file.",
}
"""In what forms an item may be given; see `fields`."""
NUMBER = 20.0
"""The room for the number of a vertex or a plane, in points."""
LEAST = 52.0
"""Four numbers that would have less room each, in points, stand two by two."""


class Inspector:
    """The part of the panel that tells of one item."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._entry = TextField()
        self._form = "decimal"
        self._problem: tuple[str, str] | None = None
        """Where something was typed that cannot be, and why not."""
        self._refused: dict[tuple[Target, fields.NumberPath], str] = {}
        """What was typed and cannot be, as long as the item is the same: it may be right with the next number."""
        self._of: tuple[Target, Item] | None = None
        """The item of which that was typed."""

    def show(self, app: App) -> None:
        """Make the part."""
        target = app.selected
        several = len(app.selection)
        aside = f"the last of {several:,} selected" if several > 1 else ""
        if not widgets.section(app, "Item", aside, says="The numbers of what is selected."):
            return
        if target is None:
            widgets.paragraphs(["Click a probe or a primitive to see and type its numbers."], FAINT)
            return
        _, item, element = inspector_edits.find_item(app, target)
        if self._of is None or self._of[0] != target or self._of[1] is not item:
            if self._refused:
                self._problem = None
            self._of, self._refused = (target, item), {}
        self._name(app, target, item, element)
        if several > 1:
            kinds = Counter(other.kind for other in app.selection)
            counted = ", ".join(f"{n:,} {kind}{'s' if n > 1 else ''}" for kind, n in sorted(kinds.items()))
            widgets.paragraphs([counted], QUIET)
        if element is None:
            self._options(app, target, item)
        if isinstance(item, Bulk):
            self._bulk(app, target, item, element)
        else:
            self._numbers(app, target, fields.number_rows(item), read_only=False)
        widgets.vertical_space(0.3)
        self._form = widgets.choice("form", NUMBER_FORMS, self._form, app.points)

    def _name(self, app: App, target: Target, item: Item, element: int | None) -> None:
        key = f"id {target}"
        read_only = element is not None
        kind = item.word if element is None else f"{item.element_word} of {item.word}"
        room = imgui.get_content_region_avail().x - text.width(kind) - 10 * app.points
        typed = self._entry.show(key, target.id, max(room, 60 * app.points), app.points, read_only=read_only)
        widgets.tooltip("Its id, by which expectations name it; they follow when it is renamed.", app.points)
        imgui.same_line(0, 8 * app.points)
        start = imgui.get_cursor_screen_pos()
        text.draw_at(start.x, start.y + 3 * app.points, kind, QUIET)
        imgui.dummy(ImVec2(text.width(kind), imgui.get_text_line_height()))
        widgets.tooltip("What it is, as the scene file calls it.", app.points)
        if typed is not None:
            self._try(key, inspector_edits.rename, app, target, typed)
        self._complaint(key)

    def _options(self, app: App, target: Target, item: Item) -> None:
        form = fields.form_of(item)
        if form is not None:
            now = widgets.choice("box", {name: FORMS[name] for name in fields.forms_of(item)}, form, app.points)
            if now != form:
                self._try("form", inspector_edits.set_form, app, target, now)
            self._complaint("form")
        if target.kind == "probe":
            imgui.push_style_var(imgui.StyleVar_.frame_padding, (2 * app.points, 2 * app.points))
            changed, enabled = imgui.checkbox("enabled", item.enabled)  # type: ignore[attr-defined]
            imgui.pop_style_var()
            widgets.tooltip("A probe that is not enabled is not evaluated.", app.points)
            if changed:
                self._try("enabled", inspector_edits.set_enabled, app, target, enabled)

    def _bulk(self, app: App, target: Target, item: Bulk, element: int | None) -> None:
        size = len(item.shapes)
        said = [f"{size:,} {item.element_word}{'' if size == 1 else 's'}"]
        if item.file:
            said.append(f"from {item.file.name}")
        widgets.paragraphs(said, QUIET)
        widgets.tooltip(
            "How many shapes the item has, each with a verdict of its own, and where their numbers are.",
            app.points,
        )
        if element is not None:
            self._element(app, target, item, element)
        if rows := list(fields.number_rows(item)):
            whole = target._replace(id=split(target.id)[0])
            if element is not None:
                text.paragraph(f"all of {whole.id}", TEXT)
                self._options(app, whole, item)
            self._numbers(app, whole, rows, read_only=False)

    def _element(self, app: App, target: Target, item: Bulk, row: int) -> None:
        """Show one of many shapes, as an item of its own where it can be changed alone."""
        try:
            self._numbers(app, target, fields.number_rows(bulk_rows.element(item, row)), read_only=False)
        except HitscopeError:
            self._numbers(app, target, fields.number_rows(item.shapes[row]), read_only=True)
            widgets.paragraphs(["Its numbers are those of the file: they are shown, not typed."], FAINT)

    def _numbers(
        self, app: App, target: Target, numbers: Iterable[tuple[str, list[fields.NumberRow]]], *, read_only: bool
    ) -> None:
        for field, rows in numbers:
            with text.small():
                text.paragraph(field, QUIET)
            if field in MEANINGS:
                widgets.tooltip(MEANINGS[field], app.points)
            for i, row in enumerate(rows):
                self._row(app, target, row, str(i) if len(rows) > 1 else "", read_only)

    def _row(self, app: App, target: Target, row: fields.NumberRow, number: str, read_only: bool) -> None:
        across = len(row.values) if self._form == "decimal" else 1
        start, aside = imgui.get_cursor_screen_pos(), NUMBER * app.points if number else 0.0
        room = imgui.get_content_region_avail().x - aside
        if across == 4 and room < across * LEAST * app.points:
            across = 2
        width = (room - (across - 1) * 4 * app.points) / across
        font = None if self._form == "decimal" else self._fonts.mono
        failed = None
        with text.small():
            text.draw_at(start.x, start.y + 4 * app.points, number, FAINT)
        for i, (place, name, value) in enumerate(zip(row.places, row.names, row.values, strict=True)):
            if i % across:
                widgets.same_line(app.points)
            else:
                imgui.set_cursor_screen_pos(ImVec2(start.x + aside, imgui.get_cursor_screen_pos().y))
            key = f"{target} {place}"
            known = fields.to_text(value) if self._form == "decimal" else fields.to_hex(value)
            typed = self._entry.show(
                key,
                known,
                width,
                app.points,
                label=name if len(name) == 1 else "",
                read_only=read_only,
                right=True,
                refused=self._refused.get((target, place)),
                font=font,
            )
            widgets.tooltip(
                f"{fields.name_of(place)}\n{fields.to_text(value)}\n{fields.to_hex(value)}", app.points
            )
            if typed == known:
                self._problem = None
                del self._refused[target, place]
            elif typed is not None:
                texts = fields.split_vector(typed, len(row.places))
                given = {place: typed} if texts is None else dict(zip(row.places, texts, strict=True))
                self._enter(app, target, key, given)
            failed = key if self._problem is not None and self._problem[0] == key else failed
        if failed is not None:
            self._complaint(failed)

    def _enter(self, app: App, target: Target, key: str, given: Mapping[fields.NumberPath, str]) -> None:
        """Put typed numbers into the item: with those that were refused before, else alone; else they are kept."""
        before = {place: typed for (of, place), typed in self._refused.items() if of == target}
        together = bool(before) and self._try(key, inspector_edits.set_numbers, app, target, {**before, **given})
        problem = self._problem
        if together:
            taken = {**before, **given}
        elif self._try(key, inspector_edits.set_numbers, app, target, given):
            taken = dict(given)
            left = [place for place in before if place not in given]
            if problem is not None and left:
                self._problem = f"{target} {left[0]}", problem[1]
        else:
            self._refused |= {(target, place): typed for place, typed in given.items()}
            return
        self._refused = {
            (of, place): typed
            for (of, place), typed in self._refused.items()
            if of != target or place not in taken
        }
        if self._of is not None:
            self._of = self._of[0], inspector_edits.find_item(app, target)[1]

    def _try(self, key: str, edit: Callable[..., None], *given: Any) -> bool:
        """Make an edit, or keep why it cannot be; says which."""
        self._problem = None
        try:
            edit(*given)
        except HitscopeError as error:
            self._problem = key, error.message
        return self._problem is None

    def _complaint(self, key: str) -> None:
        if self._problem is not None and self._problem[0] == key:
            widgets.paragraphs([f"{icons.ICON_FA_TRIANGLE_EXCLAMATION} {self._problem[1]}"], WARNING)
