"""The numbers of an item, one by one: as text, from text, and put back; and the forms that it may be given in."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import Fault, HitscopeError, quoted
from hitscope.geometry.shapes import Aabb, Frame, Shape
from hitscope.scene.bulk import MeshPrimitive
from hitscope.scene.forms import IDENTITY
from hitscope.scene.items import AabbFields, Item, ObbFields
from hitscope.scene.rotations import apart, euler_of, quaternion_of
from hitscope.scene.save import EXACT_INTEGERS

NumberPath: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead from an item to one of its numbers."""
T = TypeVar("T", bound=Item)

AXES = "xyz"
QUATERNION = "xyzw"
EXPECTED = 'a number such as 0.1, -2, 1e-3, 1/3 or, in hex, "0x1.8p-1"'
TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3}(?!\d))?|[-+*/()]")
"""A number or a sign of a calculation."""
ROTATIONS = {"axes": "axes", "quaternion": "quaternion_xyzw", "Euler": "euler_xyz_deg"}
"""How the rotation of a box may be given, and the field of each form."""
DEFAULT_PLACEMENT = {"scale": 1.0, "quaternion_xyzw": (0.0, 0.0, 0.0, 1.0), "translate": (0.0, 0.0, 0.0)}
"""How a mesh is placed where the file does not say."""


class NumberRow(NamedTuple):
    """Numbers that stand side by side, and what to call each."""

    label: str
    places: tuple[NumberPath, ...]
    names: tuple[str, ...]
    values: tuple[float, ...]


def number_rows(item: Item | Shape) -> Iterator[tuple[str, list[NumberRow]]]:
    """Give each field of numbers of an item, or of a shape, with its rows; of a mesh also those left out."""
    for name in item.__struct_fields__ if isinstance(item, Item) else item._fields:
        value = _value(item, name)
        if name not in ("id", "file", "enabled") and isinstance(value, float | tuple) and value != ():
            yield name, list(_rows(name, (name,), value))


def _value(item: Item | Shape, name: str) -> Any:
    """Give what a field is; of a mesh what it stands for where it is not given."""
    value = getattr(item, name)
    return DEFAULT_PLACEMENT.get(name, value) if value is UNSET and isinstance(item, MeshPrimitive) else value


def _rows(label: str, place: NumberPath, value: Any) -> Iterator[NumberRow]:
    if isinstance(value, float):
        yield NumberRow(label, (place,), (label,), (value,))
    elif isinstance(value, tuple) and all(isinstance(number, float) for number in value):
        names = tuple(QUATERNION if len(value) == 4 else AXES[: len(value)])
        yield NumberRow(label, tuple((*place, i) for i in range(len(value))), names, value)
    elif isinstance(value, tuple) and not hasattr(value, "_fields"):
        for i, part in enumerate(value):
            yield from _rows(f"{label} {i}", (*place, i), part)
    else:  # a half-space: its normal, and its offset beside it
        (row,) = _rows(label, (*place, "normal"), value.normal)
        yield row._replace(
            places=(*row.places, (*place, "offset")),
            names=(*row.names, "≤"),
            values=(*row.values, value.offset),
        )


def name_of(place: NumberPath) -> str:
    """Say which number is meant, e.g. "center y" or "vertices 2 z"."""
    *path, last = place
    words = [str(step) for step in path]
    if isinstance(last, int) and words:
        return " ".join([*words, QUATERNION[last]])
    return " ".join([*words, str(last)])


def to_text(value: float) -> str:
    """Give the shortest text that reads back as the same float64, as the scene file has it."""
    if value.is_integer() and abs(value) < EXACT_INTEGERS and str(value) != "-0.0":
        return str(int(value))
    return repr(value)


def to_hex(value: float) -> str:
    """Give the very float64 in hex, without trailing zeros."""
    return re.sub(r"\.?0*p", "p", value.hex())


def parse_number(text: str) -> float:
    """Read a decimal or a hex number, or a sum or product of such numbers that is rounded once.

    Raises HitscopeError, in words, for what is none or not finite.
    """
    given = text.strip().replace("−", "-")
    try:
        value = float.fromhex(given) if re.match(r"[+-]?0x", given, re.IGNORECASE) else float(given)
    except OverflowError:
        value = float("inf")
    except ValueError:
        value = _calculated(given, text)
    if value - value != 0:
        raise HitscopeError(f"expected a number that float64 can hold, found {quoted(text)}")
    return value


def _calculated(given: str, text: str) -> float:
    """Calculate with numbers exactly, and round once; e.g. 1/3 or 2*(0.1 + 0.2)."""
    try:
        return float(Calculation(given).value)
    except (OverflowError, ZeroDivisionError):
        return float("inf")
    except ValueError:
        found = quoted(text) if given else "nothing"
        raise HitscopeError(f"expected {EXPECTED}, found {found}") from None


class Calculation:
    """Numbers, + - * / and brackets, by recursive descent; what is none raises ValueError."""

    def __init__(self, text: str) -> None:
        self._tokens = TOKEN.findall(text)
        if "".join(self._tokens) != "".join(text.split()):
            raise ValueError(text)
        self.value = self._sum()
        if self._tokens:
            raise ValueError(text)

    def _take(self, wanted: str) -> str:
        """Give the next sign where it is one of those wanted, else nothing."""
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in wanted else ""

    def _sum(self) -> Fraction:
        value = self._product()
        while sign := self._take("+-"):
            following = self._product()
            value = value + following if sign == "+" else value - following
        return value

    def _product(self) -> Fraction:
        value = self._factor()
        while sign := self._take("*/"):
            following = self._factor()
            value = value * following if sign == "*" else value / following
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
    """Give the numbers of a vector that is typed or pasted whole, e.g. "1, 2, 3" or "[1 2 3]"; else None."""
    inside = re.sub(r"^\s*[\[({]|[\])}]\s*$", "", text).strip().rstrip(",;")
    parts = re.split(r"[,;]", inside)
    if len(parts) == 1 and not re.search(r"(?<![eEpP])[+*/(]|- ", inside):
        parts = inside.split()
    return parts if len(parts) == count > 1 else None


def with_numbers(item: T, values: Mapping[NumberPath, float]) -> T:
    """Give the item with other numbers; raises a Fault, or HitscopeError, where it then defines no shape."""
    if isinstance(item, AabbFields) and item.min is not UNSET:
        for axis, name in enumerate(AXES):
            lo, hi = (values.get((end, axis), getattr(item, end)[axis]) for end in ("min", "max"))
            if lo > hi:
                typed, other = ("min", "max") if ("min", axis) in values else ("max", "min")
                least, most = to_text(lo), to_text(hi)
                number, bound = (least, most) if typed == "min" else (most, least)
                way = "above" if typed == "min" else "below"
                raise HitscopeError(f"{typed} {name} {number} would be {way} {other} {name} {bound}")
    fields: dict[str, Any] = {}
    for (field, *rest), value in values.items():
        name = str(field)
        fields[name] = _put(fields.get(name, _value(item, name)), rest, value)
    return replace(item, **fields)


def _put(whole: Any, place: list[str | int], value: float) -> Any:
    if not place:
        return value
    step, *rest = place
    if isinstance(step, str):
        return replace(whole, **{step: _put(getattr(whole, step), rest, value)})
    return (*whole[:step], _put(whole[step], rest, value), *whole[step + 1 :])


def forms_of(item: Item) -> tuple[str, ...]:
    """Give the forms that an item may be given in, where there are several."""
    match item:
        case AabbFields():
            return "corners", "centre"
        case ObbFields():
            return "none", *ROTATIONS
        case MeshPrimitive():
            return "one scale", "three scales"
    return ()


def form_of(item: Item) -> str | None:
    """Give the form of an item that could be given in another one."""
    match item:
        case AabbFields():
            return "corners" if item.min is not UNSET else "centre"
        case ObbFields():
            return next((form for form, name in ROTATIONS.items() if getattr(item, name) is not UNSET), "none")
        case MeshPrimitive():
            return "three scales" if isinstance(item.scale, tuple) else "one scale"
    return None


def in_form(item: T, form: str) -> T:
    """Give the item in another form, its numbers rounded to nearest; raises a Fault where it has no such form."""
    match item:
        case AabbFields():
            return replace(item, **_box(item.shape, form))
        case ObbFields():
            return replace(item, **dict.fromkeys(ROTATIONS.values(), UNSET) | _rotation(item.shape.axes, form))
        case MeshPrimitive(scale=scale):
            factors = scale if isinstance(scale, tuple) else (1.0 if scale is UNSET else scale,) * 3
            if form == "one scale" and len(set(factors)) > 1:
                raise Fault(("scale",), "the same scale along every axis", str(list(factors)))
            return replace(item, scale=factors[0] if form == "one scale" else factors)
    raise TypeError(f"a {item.word} has but one form")


def _box(box: Aabb, form: str) -> dict[str, Any]:
    """Give the fields of a box by its corners or by its centre, the others being left out."""
    lo, hi = box
    center = tuple(a / 2 + b / 2 for a, b in zip(lo, hi, strict=True))
    half_extents = tuple(b / 2 - a / 2 for a, b in zip(lo, hi, strict=True))
    if form == "corners":
        return {"min": lo, "max": hi, "center": UNSET, "half_extents": UNSET}
    return {"min": UNSET, "max": UNSET, "center": center, "half_extents": half_extents}


def rounding_note(before: Item, after: Item) -> str:
    """Say what rounding changes where an item is given in another form; nothing where it is the same set."""
    match before, after:
        case AabbFields(), AabbFields() if before.shape != after.shape:
            return "no float64 centre and half extents give the same corners"
        case ObbFields(), ObbFields():
            by = apart(before.shape.axes, after.shape.axes)
            return f"its axes change by up to {by:.2g}" if by else ""
    return ""


def _rotation(axes: Frame, form: str) -> dict[str, Any]:
    match form:
        case "axes":
            return {"axes": axes}
        case "quaternion":
            return {"quaternion_xyzw": quaternion_of(axes)}
        case "Euler":
            return {"euler_xyz_deg": euler_of(axes)}
    if apart(axes, IDENTITY):
        raise Fault(("axes",), "a box that is not turned, to leave its rotation out", "one that is")
    return {}
