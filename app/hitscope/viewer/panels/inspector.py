"""The panel section of the selected item, with a field for each of its numbers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from imgui_bundle import ImVec2, imgui, imgui_ctx
from imgui_bundle import icons_fontawesome_6 as icons
from msgspec import UNSET

from hitscope import numerals
from hitscope.draw.target import Target
from hitscope.errors import HitscopeError, json_path
from hitscope.scene import bulk_rows, conversions, fields
from hitscope.scene.bulk import Bulk
from hitscope.scene.items import Item, Single
from hitscope.viewer.actions import inspector_edits
from hitscope.viewer.panels import signs, style, text, widgets
from hitscope.viewer.panels.style import FAINT, QUIET, TEXT, WARNING, pixels
from hitscope.viewer.panels.widgets import TextField
from hitscope.viewer.state.edit_targets import find_item
from hitscope.viewer.state.state import State

MEANINGS = {
    "position": "The point's coordinates.",
    **dict.fromkeys(("min", "lo"), "The corner where x, y and z are least."),
    **dict.fromkeys(("max", "hi"), "The corner where x, y and z are greatest."),
    "center": "The middle of the box or sphere.",
    "radius": "The distance of the surface from the center, the axis or the core; not negative.",
    "motion": "The shape is cast: it moves by t times this vector, t from 0 to 1, without turning.",
    "eye": "Where the camera is.",
    "target": "A point that the camera looks at.",
    "up": "A direction that is upward in the camera's picture.",
    "fov_deg": "The camera's vertical field of view, in degrees.",
    "aspect": "The width of the camera's picture, in heights.",
    "near": "The distance of the near plane from the eye, along the view.",
    "far": "The distance of the far plane; without it the frustum has no end.",
    "matrix": "Four rows: clip = matrix * (x, y, z, 1).",
    "origin": "The point of a ray or line at t = 0; for a parallelepiped, the vertex where its edges start.",
    "normal": "Perpendicular to the plane, toward its front; of any length.",
    "scale": "The mesh is scaled by this first, then rotated, then translated; negative mirrors it.",
    "translate": "A vector added to every vertex, last.",
    "a": "The first vertex.",
    "b": "The second vertex.",
    "c": "The third vertex; seen counterclockwise, a, b, c are the front.",
    "start": "The start of the segment, t = 0, or of the capsule's axis.",
    "end": "The end of the segment, t = 1, or of the capsule's axis.",
    "direction": "A vector of any length; t is in multiples of it.",
    "half_extents": "Half of the box's size along each of its axes; not negative.",
    "vertices": "Seen counterclockwise, it is the front of a triangle.",
    "offset": "dot(normal, p) = offset on the plane.",
    "planes": "Inside, dot(normal, p) <= offset for every plane.",
    "axes": "The box's unit axes, one in each row, stored as they are.",
    "quaternion_xyzw": "A rotation, x y z w; not necessarily of unit length.",
    "euler_xyz_deg": "Degrees: R = Rz Ry Rx.",
    "edges": "Three vectors from the origin, of any directions.",
}
NUMBER_FORMS = {
    "decimal": (
        "The shortest text that reads back as the same float64; with ≈ it is rounded to fit. "
        "You can type 1/3, too, and paste x, y, z over a row."
    ),
    "hex": "The exact float64: 0x1.8p-1 is 1.5 times 2 to the power of -1. You can type both forms in either.",
}
EXTENDED = "Round the shape by a radius, or cast it along a motion."
FORMS = {
    "corners": "Store the box as min and max.",
    "center": "Store the box as center and half extents; the corners are center ± half extents, rounded.",
    "none": "Store no rotation: only for a box that is not rotated.",
    "axes": "Store the rotation as the box's three axes, to which the other forms are rounded.",
    "quaternion": "Store the rotation as a quaternion, from which the axes are rounded once.",
    "Euler": "Store the rotation as three angles in degrees.",
    "one scale": "Scale the mesh alike along every axis.",
    "three scales": "Scale the mesh along each axis of its file.",
}
"""The forms in which an item can be stored; see `fields`."""
NUMBER_WIDTH, LEAST_FIELD = 20.0, 52.0
"""The widths of the number of a vertex or a plane, and of fields below which four take two rows, in points."""


class Inspector:
    """The section of the item that was selected last."""

    def __init__(self, state: State) -> None:
        self._session, self._selection, self._dialogs = state.session, state.selection, state.dialogs
        self._state, self._do = state, state.do
        self._entry = TextField()
        self._form = "decimal"
        self._problem: tuple[str, str] | None = None
        """The key of the field with an invalid text, and the message."""
        self._refused: dict[tuple[Target, fields.NumberPath], str] = {}
        """Invalid texts of the same item; each may become valid together with the next number."""
        self._enters = False
        """Whether the next number that is drawn gets the keyboard."""
        self._extended: Target | None = None
        """The item that shows a radius and a motion, though it has none."""
        self._edited: tuple[Target, Item] | None = None
        """The item that `_refused` belongs to."""

    def show(self) -> None:
        target = self._selection.last
        if target is None:
            return
        several = len(self._selection.targets)
        aside = f"last of {several:,} selected" if several > 1 else ""
        if not widgets.section(self._state, "Item", aside, meaning="The numbers of the selected item."):
            return
        _, item, element = find_item(self._session.scene, target)
        if self._edited is None or self._edited[0] != target or self._edited[1] is not item:
            if self._refused:
                self._problem = None
            self._edited, self._refused = (target, item), {}
        self._enters = self._dialogs.types_numbers
        self._name(target, item, element)
        if several > 1:
            kinds = Counter(other.kind for other in self._selection.targets)
            widgets.paragraphs([", ".join(numerals.counted(n, kind) for kind, n in sorted(kinds.items()))], QUIET)
        if element is None:
            self._options(target, item)
        if isinstance(item, Bulk):
            self._bulk(target, item, element)
        else:
            # A radius and a motion that the shape could have are left out unless they were asked for.
            offered = () if self._extended == target else fields.WITHOUT
            left_out = [name for name in offered if getattr(item, name, None) is UNSET]
            self._numbers(target, (row for row in fields.number_rows(item) if row[0] not in left_out))
            names = " and ".join(map(fields.label_of, left_out))
            if names and widgets.button(f"{icons.ICON_FA_PLUS}  {text.sentence(names)}", EXTENDED):
                self._extended = target
        if self._enters:
            self._do(inspector_edits.stop_typing_numbers)
        widgets.vertical_space(0.3)
        self._form = widgets.choice("form", NUMBER_FORMS, self._form)

    def _name(self, target: Target, item: Item, element: int | None) -> None:
        key = f"id {target.kind} {target.id}"
        kind = "" if isinstance(item, Single) else item.word
        kind = kind if element is None else f"{item.element_word} of {item.word}"
        room = imgui.get_content_region_avail().x - (text.width(kind) + pixels(10) if kind else 0)
        typed = self._entry.show(key, target.id, max(room, pixels(60)), read_only=element is not None)
        widgets.tooltip("The item's id. Expectations refer to it and follow when it is renamed.")
        if kind:
            imgui.same_line(0, pixels(8))
            start = imgui.get_cursor_screen_pos()
            text.draw_at(start.x, start.y + pixels(3), kind, QUIET)
            imgui.dummy(ImVec2(text.width(kind), imgui.get_text_line_height()))
            widgets.tooltip("The item's type in the scene file.")
        if typed is not None:
            self._do(self._try, key, inspector_edits.rename, target, typed)
        self._complaint(key)
        if isinstance(item, Single):
            self._type_and_role(target, item)

    def _type_and_role(self, target: Target, item: Single) -> None:
        roles = {role: role.capitalize() for role in conversions.OTHER}
        missing = [role for role in roles if not conversions.has_role(item, role)]
        types = {word: word for word in conversions.types_of(item, target.kind)}
        width = (imgui.get_content_region_avail().x - pixels(4)) / 2
        role = widgets.dropdown("role", roles, target.kind, width, missing)
        widgets.tooltip("A probe is tested against every primitive. Its expectations go when its role changes.")
        imgui.same_line(0, pixels(4))
        word = widgets.dropdown("type", types, item.word, width)
        widgets.tooltip("The item's type in the scene file. Another one keeps the set, where it can hold it.")
        if role != target.kind:
            self._do(self._try, "type", inspector_edits.set_role, target, role)
        elif word != item.word:
            self._do(self._try, "type", inspector_edits.set_type, target, word)
        self._complaint("type")

    def _options(self, target: Target, item: Item) -> None:
        form = fields.form_of(item)
        if form is not None:
            now = widgets.choice("box", {name: FORMS[name] for name in fields.forms_of(item)}, form)
            if now != form:
                self._do(self._try, "form", inspector_edits.set_form, target, now)
            self._complaint("form")
        if target.kind == "probe":
            with imgui_ctx.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(pixels(2), pixels(2))):
                changed, enabled = imgui.checkbox("Enabled##enabled", item.enabled)  # type: ignore[attr-defined]
            widgets.tooltip("A disabled probe is not evaluated.")
            if changed:
                self._do(self._try, "enabled", inspector_edits.set_enabled, target, enabled)

    def _bulk(self, target: Target, item: Bulk, element: int | None) -> None:
        size = len(item.shapes)
        words = [f"{size:,} {item.element_word}{'' if size == 1 else 's'}"]
        if item.file:
            words.append(f"from {item.file.name}")
        widgets.paragraphs(words, QUIET)
        widgets.tooltip("The number of shapes, each with its own verdict, and the file of their numbers.")
        if element is not None:
            # Its fields are editable where it can be changed alone.
            try:
                self._numbers(target, fields.number_rows(bulk_rows.element(item, element)))
            except HitscopeError:
                self._numbers(target, fields.number_rows(item.shapes[element]), read_only=True)
                widgets.paragraphs(["These numbers come from the file and cannot be edited here."], FAINT)
        if rows := list(fields.number_rows(item)):
            whole = Target(*target.item)
            if element is not None:
                text.paragraph(f"All of {whole.id}", TEXT)
                self._options(whole, item)
            self._numbers(whole, rows)

    def _numbers(
        self, target: Target, numbers: Iterable[tuple[str, list[fields.NumberRow]]], *, read_only: bool = False
    ) -> None:
        for field, rows in numbers:
            with text.small():
                text.paragraph(text.sentence(fields.label_of(field)), QUIET)
            if field in MEANINGS:
                in_file = f"In the scene file: {field}" if "_" in field else ""
                widgets.tooltip("\n".join(filter(None, [MEANINGS[field], in_file])))
            for i, row in enumerate(rows):
                self._row(target, row, str(i) if len(rows) > 1 else "", read_only)

    def _row(self, target: Target, row: fields.NumberRow, number: str, read_only: bool) -> None:
        start, aside = imgui.get_cursor_screen_pos(), pixels(NUMBER_WIDTH) if number else 0.0
        room = imgui.get_content_region_avail().x - aside
        if self._form == "decimal":
            across, font, written = len(row.values), None, numerals.whole
        else:
            across, font, written = 1, style.font(style.MONO), numerals.in_hex
        if across == 4 and room < across * pixels(LEAST_FIELD):
            across = 2
        width = (room - (across - 1) * pixels(4)) / across
        with text.small():
            text.draw_at(start.x, start.y + pixels(4), number, FAINT)
        keys = [_field_id(target, path) for path in row.paths]
        for i, (key, path, name, value) in enumerate(zip(keys, row.paths, row.names, row.values, strict=True)):
            if i % across:
                imgui.same_line(0, pixels(4))
            else:
                imgui.set_cursor_screen_pos(ImVec2(start.x + aside, imgui.get_cursor_screen_pos().y))
            if self._enters:
                imgui.set_keyboard_focus_here()
            known, refused = written(value), self._refused.get((target, path))
            label = name if len(name) == 1 else ""
            typed = self._entry.show(
                key, known, width, label=label, read_only=read_only, right=True, refused=refused, font=font
            )
            if self._enters and imgui.is_item_active():
                self._do(inspector_edits.stop_typing_numbers)
            self._enters = False
            forms = numerals.whole(value), numerals.in_hex(value)
            widgets.tooltip("\n".join([text.sentence(fields.name_of(path)), *forms]))
            if typed == known:
                self._problem = None
                del self._refused[target, path]
            elif typed is not None:
                texts = fields.split_vector(typed, len(row.paths))
                given = {path: typed} if texts is None else dict(zip(row.paths, texts, strict=True))
                self._do(self._enter, target, key, given)
        for key in keys:
            self._complaint(key)

    def _enter(self, state: State, target: Target, key: str, given: Mapping[fields.NumberPath, str]) -> None:
        """Set typed numbers together with those refused before, or alone; keep them as refused if both fail."""
        before = {path: typed for (of, path), typed in self._refused.items() if of == target}
        taken = {**before, **given}
        if not (before and self._try(state, key, inspector_edits.set_numbers, target, taken)):
            problem, taken = self._problem, dict(given)
            if not self._try(state, key, inspector_edits.set_numbers, target, given):
                self._refused |= {(target, path): typed for path, typed in given.items()}
                return
            left = [path for path in before if path not in given]
            if problem is not None and left:
                self._problem = _field_id(target, left[0]), problem[1]
        self._refused = {
            (of, path): typed for (of, path), typed in self._refused.items() if path not in taken or of != target
        }
        if self._edited is not None:
            self._edited = self._edited[0], find_item(state.session.scene, target)[1]

    def _try(self, state: State, key: str, edit: Callable[..., None], *given: Any) -> bool:
        """Make an edit and return whether it succeeded; else keep the message for the field `key`."""
        self._problem = None
        try:
            edit(state, *given)
        except HitscopeError as error:
            self._problem = key, error.message
        return self._problem is None

    def _complaint(self, key: str) -> None:
        if self._problem is not None and self._problem[0] == key:
            widgets.paragraphs([f"{signs.PROBLEM} {self._problem[1]}"], WARNING)


def _field_id(target: Target, path: fields.NumberPath) -> str:
    """The ImGui id of a number's field, such as "field probe cut $.start[0]"."""
    return f"field {target.kind} {target.id} {json_path(path)}"
