"""The numbers of an item as editable fields, their texts, and the forms in which an item can be stored."""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from hitscope import numerals
from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.geometry.shapes import Aabb, Frame, Obb, Shape
from hitscope.scene.bulk import MeshPrimitive
from hitscope.scene.checked_shapes import IDENTITY
from hitscope.scene.items import Item, ObbPrimitive, Single
from hitscope.scene.number_text import component_texts, value_of
from hitscope.scene.rotations import axes_difference, euler_of, quaternion_of

NumberPath: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead from an item to one of its numbers."""
T = TypeVar("T", bound=Item)

AXES = "xyz"
QUATERNION = "xyzw"
LABELS: Final = {
    "lo": "min",
    "hi": "max",
    "a": "vertex a",
    "b": "vertex b",
    "c": "vertex c",
    "quaternion_xyzw": "quaternion (x y z w)",
    "euler_xyz_deg": "Euler angles (deg)",
}
"""The words for the fields whose names are not made of the words that people use."""
LONGEST_CALCULATION = 150
"""The most characters of a calculation, each of which may be a bracket inside the one before."""
EXPECTED = 'a number such as 0.1, -2, 1e-3, 1/3 or, in hex, "0x1.8p-1"'
TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3}(?!\d))?|[-+*/()]")
"""A number, operator or bracket of a calculation."""
ROTATIONS = {"axes": "axes", "quaternion": "quaternion_xyzw", "Euler": "euler_xyz_deg"}
"""The forms of a box's rotation, and the field of each."""
DEFAULT_PLACEMENT = {"scale": 1.0, "quaternion_xyzw": (0.0, 0.0, 0.0, 1.0), "translate": (0.0, 0.0, 0.0)}
"""The values of a mesh's fields that the file leaves out."""
WITHOUT = {"radius": 0.0, "motion": (0.0, 0.0, 0.0)}
"""The numbers that stand for the fields of a shape that is neither rounded nor cast."""


class NumberRow(NamedTuple):
    """Numbers that stand side by side, with the path and the name of each."""

    label: str
    paths: tuple[NumberPath, ...]
    names: tuple[str, ...]
    values: tuple[float, ...]


def number_rows(item: Item | Shape) -> Iterator[tuple[str, list[NumberRow]]]:
    """Each numeric field of an item or a shape with its rows; of a mesh also the fields that were left out.

    Last come the radius and the motion of an item that may have them, of 0 where they are left out.
    """
    names = item.__struct_fields__ if isinstance(item, Item) else item._fields
    for name in sorted(names, key=lambda name: name in WITHOUT):
        value = _value(item, name)
        if name not in ("id", "file", "enabled") and isinstance(value, float | tuple) and value != ():
            yield name, list(_rows(name, (name,), value))


def _value(item: Item | Shape, name: str) -> Any:
    """The value of a field; of a mesh, the default where it is left out."""
    defaults = DEFAULT_PLACEMENT if isinstance(item, MeshPrimitive) else WITHOUT
    value = getattr(item, name)
    return defaults.get(name, UNSET) if value is UNSET else value


def _rows(label: str, path: NumberPath, value: Any) -> Iterator[NumberRow]:
    if isinstance(value, float):
        yield NumberRow(label, (path,), (label,), (value,))
    elif isinstance(value, tuple) and isinstance(value[0], float):
        names = tuple(QUATERNION if len(value) == 4 else AXES[: len(value)])
        yield NumberRow(label, tuple((*path, i) for i in range(len(value))), names, value)
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        for i, part in enumerate(value):
            yield from _rows(f"{label} {i}", (*path, i), part)
    else:  # a half-space: its normal, and its offset beside it
        (row,) = _rows(label, (*path, "normal"), value.normal)
        paths, names, values = (*row.paths, (*path, "offset")), (*row.names, "≤"), (*row.values, value.offset)
        yield NumberRow(label, paths, names, values)


def label_of(field: str) -> str:
    """The plain words for a field of the scene file or of a shape, such as "half extents"."""
    return LABELS.get(field, field.replace("_", " "))


def name_of(path: NumberPath) -> str:
    """The name of a number, such as "center y", "half extents x" or "vertices 2 z"."""
    field, *steps = path
    words = [label_of(str(field)).partition(" (")[0], *map(str, steps)]
    if steps and isinstance(steps[-1], int):
        words[-1] = QUATERNION[steps[-1]]
    return " ".join(words)


def parse_number(text: str) -> float:
    """Parse a number as a scene file or source code has it, or a calculation such as 1/3, which is rounded once.

    Raises HitscopeError for any other text and for a value that is not finite.
    """
    given = text.strip().replace("−", "-")
    try:
        value = value_of(given)
    except ValueError:
        value = _calculated(given, text)
    if value - value != 0:
        raise HitscopeError(f"expected a number that float64 can hold, found {quoted(text)}")
    return value


def _calculated(given: str, text: str) -> float:
    """The value of a calculation such as 2*(0.1 + 0.2), rounded once; raises HitscopeError for any other text."""
    if len(given) > LONGEST_CALCULATION:
        expected = f"a number, or a calculation of at most {LONGEST_CALCULATION} characters"
        raise HitscopeError(f"expected {expected}, found {len(given):,} characters")
    try:
        return float(Calculation(given).value)
    except (OverflowError, ZeroDivisionError):
        return float("inf")
    except ValueError:
        found = quoted(text) if given else "nothing"
        raise HitscopeError(f"expected {EXPECTED}, found {found}") from None


class Calculation:
    """A recursive-descent parser of numbers, + - * / and brackets; raises ValueError for any other text."""

    def __init__(self, text: str) -> None:
        self._tokens = TOKEN.findall(text)
        if "".join(self._tokens) != "".join(text.split()):
            raise ValueError(text)
        self.value = self._sum()
        if self._tokens:
            raise ValueError(text)

    def _take(self, wanted: str) -> str:
        """Remove and return the next token if it is one of the `wanted` characters; else the empty string."""
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in wanted else ""

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._take("+-"):
            value += self._product() * (1 if sign == "+" else -1)
        return value

    def _product(self) -> Fraction:
        value = self._factor()
        while sign := self._take("*/"):
            value *= self._factor() ** (1 if sign == "*" else -1)
        return value

    def _factor(self) -> Fraction:
        if sign := self._take("+-"):
            return -self._factor() if sign == "-" else self._factor()
        if self._take("("):
            value = self._sum()
            if not self._take(")"):
                raise ValueError("a bracket that is not closed")
            return value
        return Fraction(self._tokens.pop(0) if self._tokens else "")


def split_vector(text: str, count: int) -> list[str] | None:
    """The `count` texts of a vector such as "1, 2, 3" or "vec3(1, 2, 3)"; None if the text is no such vector."""
    texts = component_texts(text)
    if texts is not None and len(texts) == count > 1:
        return texts
    inside = re.sub(r"^\s*[\[({]|[\])}]\s*$", "", text).strip().rstrip(",;")
    parts = re.split(r"[,;]", inside)
    if len(parts) == 1 and not re.search(r"(?<![eEpP])[+*/(]|- ", inside):
        parts = inside.split()
    return parts if len(parts) == count > 1 else None


def with_numbers(item: T, values: Mapping[NumberPath, float]) -> T:
    """The item with other numbers; raises Fault or HitscopeError where they define no shape."""
    if isinstance(item, Single) and hasattr(item, "min") and item.min is not UNSET:
        for axis, name in enumerate(AXES):
            lo, hi = (values.get((end, axis), getattr(item, end)[axis]) for end in ("min", "max"))
            if lo > hi:
                least, most = f"min {name} {numerals.whole(lo)}", f"max {name} {numerals.whole(hi)}"
                above, below = f"{least} would be above {most}", f"{most} would be below {least}"
                raise HitscopeError(above if ("min", axis) in values else below)
    fields: dict[str, Any] = {}
    for (field, *rest), value in values.items():
        name = str(field)
        fields[name] = _replaced_number(fields.get(name, _value(item, name)), rest, value)
    return replace(item, **fields)


def _replaced_number(whole: Any, path: list[str | int], value: float) -> Any:
    """A field's value with the number at a path replaced."""
    if not path:
        return value
    step, *rest = path
    if isinstance(step, str):
        return replace(whole, **{step: _replaced_number(getattr(whole, step), rest, value)})
    return (*whole[:step], _replaced_number(whole[step], rest, value), *whole[step + 1 :])


class FieldForms(NamedTuple):
    """The forms in which the items of one type can be stored."""

    names: tuple[str, ...]
    current: Callable[[Any], str]
    """The form in which an item is stored."""
    fields: Callable[[Any, str], dict[str, Any]]
    """The fields that store an item in a form; raises Fault where it has no such form."""
    rounding_note: Callable[[Any, Any], str] = lambda before, after: ""
    """The change by rounding between two forms of an item, as text; empty where nothing changed."""


def forms_of(item: Item) -> tuple[str, ...]:
    """The forms in which an item can be stored; empty where there is only one."""
    return forms.names if (forms := _forms(item)) else ()


def form_of(item: Item) -> str | None:
    """The form in which an item is stored; None where there is only one."""
    return forms.current(item) if (forms := _forms(item)) else None


def in_form(item: T, form: str) -> T:
    """The item stored in another form, its numbers rounded to nearest; raises Fault where it has no such form."""
    forms = _forms(item)
    assert forms is not None, f"a {item.word} has only one form"
    return replace(item, **forms.fields(item, form))


def rounding_note(before: Item, after: Item) -> str:
    """The change by rounding when an item was stored in another form, as text; empty where nothing changed."""
    forms = _forms(before)
    return forms.rounding_note(before, after) if forms and forms is _forms(after) else ""


def _forms(item: Item) -> FieldForms | None:
    return FIELD_FORMS.get(item.kind if isinstance(item, Single) else type(item))


def _rotation_note(before: ObbPrimitive, after: ObbPrimitive) -> str:
    change = axes_difference(before.plain.axes, after.plain.axes)
    return f"its axes change by up to {numerals.short(change, 2)}" if change else ""


def _scale_fields(item: MeshPrimitive, form: str) -> dict[str, Any]:
    scale = _value(item, "scale")
    factors = scale if isinstance(scale, tuple) else (scale,) * 3
    if form == "one scale" and len(set(factors)) > 1:
        raise Fault(("scale",), "the same scale along every axis", str(list(factors)))
    return {"scale": factors[0] if form == "one scale" else factors}


def _box(box: Aabb, form: str) -> dict[str, Any]:
    """The fields of a box in the form "corners" or "centre", the other fields UNSET."""
    if form == "corners":
        return {"min": box.lo, "max": box.hi, "center": UNSET, "half_extents": UNSET}
    center, half_extents = (tuple(b / 2 + s * a / 2 for a, b in zip(*box, strict=True)) for s in (1, -1))
    return {"min": UNSET, "max": UNSET, "center": center, "half_extents": half_extents}


def _rotation(axes: Frame, form: str) -> dict[str, Any]:
    """The field of a rotation in a form; empty for "none", which raises Fault for a rotated box."""
    match form:
        case "axes":
            return {"axes": axes}
        case "quaternion":
            return {"quaternion_xyzw": quaternion_of(axes)}
        case "Euler":
            return {"euler_xyz_deg": euler_of(axes)}
    if axes_difference(axes, IDENTITY):
        raise Fault(("axes",), "a box without a rotation, to leave out its field", "a rotated box")
    return {}


FIELD_FORMS: dict[type, FieldForms] = {
    Aabb: FieldForms(
        ("corners", "center"),
        lambda box: "center" if box.min is UNSET else "corners",
        lambda box, form: _box(box.plain, form),
        lambda old, new: "no float64 center and half extents give the same corners" * (old.shape != new.shape),
    ),
    Obb: FieldForms(
        ("none", *ROTATIONS),
        lambda box: next((form for form, name in ROTATIONS.items() if getattr(box, name) is not UNSET), "none"),
        lambda box, form: dict.fromkeys(ROTATIONS.values(), UNSET) | _rotation(box.plain.axes, form),
        _rotation_note,
    ),
    MeshPrimitive: FieldForms(
        ("one scale", "three scales"),
        lambda mesh: "three scales" if isinstance(mesh.scale, tuple) else "one scale",
        _scale_fields,
    ),
}
