"""The items that numbers in a text can be, the likeliest reading first."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.errors import HitscopeError, quoted
from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Vec3
from hitscope.scene import Scene
from hitscope.scene.decimals import difference, scalar_product, total
from hitscope.scene.edits import Kind
from hitscope.scene.items import Item, Single
from hitscope.scene.model import PRIMITIVES, PROBES
from hitscope.scene.number_text import Row, Vector, rows_of

Fields: TypeAlias = Mapping[str, Any]

BULK_FROM = 100
"""From so many items of one type on they are pasted as one bulk item."""
ROLES = {
    "direction": "direction dir d rd heading velocity",
    "origin": "origin orig org o ro",
    "start": "start begin from src source",
    "end": "end stop to dst dest destination target",
    "min": "min mins minimum lo low lower bmin pmin",
    "max": "max maxs maximum hi high upper bmax pmax",
    "half_extents": "half extent extents halfextent halfextents halfsize",
    "size": "size sizes dimensions s",
    "center": "center centre c middle",
    "axis": "axis axes basis",
    "normal": "normal n",
    "offset": "offset distance dist constant d w",
    "rotation": "rotation rot quaternion quat orientation q",
    "radius": "radius r",
    "motion": "motion displacement sweep",
    "position": "point position pos p at hit location",
}
"""The words that name a part of a shape, by its role; for numbers, those in OF_SCALARS count."""
OF_SCALARS = ("offset", "rotation", "radius")
SHAPES = {
    "capsule": "capsule pill",
    "segment": "segment seg edge",
    "ray": "ray raycast",
    "line": "line",
    "triangle": "triangle tri face",
    "obb": "obb oriented",
    "sphere": "sphere ball",
    "aabb": "aabb box bbox bounds aabox box3 bounds3 bounding",
    "plane": "plane",
}
"""The words that name a type of item; of several, that of the first type here counts."""
ROUNDED = ("obb", "aabb", "triangle")
"""The types of items that a radius beside them rounds."""


class Found(NamedTuple):
    """An item, or some of its fields: its type word, and its fields."""

    word: str
    fields: Fields


class Form(NamedTuple):
    """A way to give an item by numbers."""

    word: str
    roles: tuple[str, ...]
    """The role of each number or vector."""
    note: str = ""
    """The way in words, where others are likely, too."""
    fields: Callable[..., Fields] | None = None
    """The fields of the item, from those; None where the roles are their names."""
    unnamed: bool = False
    """Whether vectors without names may be meant so."""

    def found(self, values: Iterable[Any]) -> Found:
        """The item that is given so."""
        given = dict(zip(self.roles, values, strict=True)) if self.fields is None else self.fields(*values)
        return Found(self.word, given)


class Reading(NamedTuple):
    """The items that a text can be."""

    found: tuple[Found, ...]
    note: str = ""
    """How the numbers are read, where that is not the only way."""
    is_named: bool = False
    """Whether the words beside the numbers say so."""
    is_partial: bool = False
    """Whether some fields are missing, so that it only changes an item."""

    @property
    def words(self) -> set[str]:
        return {item.word for item in self.found}

    @property
    def has_role(self) -> bool:
        """Whether some of it can be either probes or primitives."""
        return any(word in PROBES and word in PRIMITIVES for word in self.words)


def readings_of(text: str, item: Item | None = None) -> list[Reading]:
    """The readings of a text, also those of some fields of `item`; raises HitscopeError if there is none."""
    rows = _records(_with_radii(rows_of(text)))
    if not any(row.vectors for row in rows) and not any(map(_forms_of, rows)):
        rows = _without_index(rows) or _transposed(rows)
    made = [reading for reading in (*_partial(rows, item), *_named(rows), *_unnamed(rows)) if _is_valid(reading)]
    if not made:
        counts = {3 * len(row.vectors) + len(row.scalars) for row in rows}
        numbers = f"{max(counts)} in a line" if counts else quoted(" ".join(text.split()))
        raise HitscopeError(f"expected three, six or nine numbers, such as (1, 2, 3), found {numbers}")
    return [reading for i, reading in enumerate(made) if reading.found not in (other.found for other in made[:i])]


def fits(reading: Reading, item: Item) -> bool:
    return [found.word for found in reading.found] == [item.word]


def with_fields(item: Single, reading: Reading) -> Single:
    """The item with the fields of a reading that fits; raises HitscopeError where they define no shape."""
    fields = reading.found[0].fields
    given = next((group for group in item.either if fields.keys() & {*group}), ())
    others = {name: UNSET for group in item.either if group != given for name in group if name not in given}
    if item.at_most_one and fields.keys() & {*item.at_most_one}:
        others |= dict.fromkeys(item.at_most_one, UNSET)
    return replace(item, **{**others, **fields})


def as_scene(reading: Reading, role: Kind) -> Scene:
    """The items as a scene; those that can be either are probes or primitives as `role` says."""
    first, second = (PROBES, PRIMITIVES) if role == "probe" else (PRIMITIVES, PROBES)
    items: dict[int, list[Item]] = {0: [], 1: []}
    groups: dict[tuple[str, bool], list[Fields]] = {}
    for found in reading.found:
        groups.setdefault((found.word, "motion" in found.fields), []).append(found.fields)
    for (word, is_cast), fields in groups.items():
        structs = PROBES if is_cast else first if word in first else second
        bulk = structs.get(f"{word}s")
        alike = len(reading.words) == 1 and all(given.keys() == fields[0].keys() for given in fields)
        if alike and len(fields) >= BULK_FROM and bulk is not None:
            columns: dict[str, Any] = {name: [given[name] for given in fields] for name in fields[0]}
            made: list[Item] = [bulk(**columns)]
        else:
            made = [structs[word](**given) for given in fields]
        items[structs is PROBES] += made
    return Scene(version=1, primitives=tuple(items[False]), probes=tuple(items[True]))  # type: ignore[arg-type]


# Forms


def _through(start: Vec3, end: Vec3) -> Fields:
    return {"origin": start, "direction": difference(end, start)}


def _from_corners(p: Vec3, q: Vec3) -> Fields:
    return {"min": tuple(map(min, p, q)), "max": tuple(map(max, p, q))}


def _from_center(center: Vec3, size: Vec3) -> Fields:
    return {"center": center, "half_extents": tuple(length / 2 for length in size)}


def _through_point(point: Vec3, normal: Vec3) -> Fields:
    return {"normal": normal, "offset": rounded(scalar_product(point, normal))}


def _box(center: Vec3, half: Vec3, *axes: Vec3) -> Fields:
    return {"center": center, "half_extents": half, "axes": axes}


def _turned_box(center: Vec3, half: Vec3, quaternion: Any) -> Fields:
    return {"center": center, "half_extents": half, "quaternion_xyzw": quaternion}


FORMS = (
    Form("point", ("position",), unnamed=True),
    Form("segment", ("start", "end"), unnamed=True),
    Form("ray", ("origin", "direction"), "origin and direction", unnamed=True),
    Form("ray", ("start", "end"), "through the second point", _through, unnamed=True),
    Form("line", ("origin", "direction"), "origin and direction", unnamed=True),
    Form("line", ("start", "end"), "through both points", _through),
    Form("segment", ("origin", "direction"), "origin and vector", lambda p, d: {"start": p, "end": total(p, d)}),
    Form("aabb", ("min", "max"), "min and max"),
    Form("aabb", ("corner", "corner"), "two corners", _from_corners, unnamed=True),
    Form("aabb", ("center", "half_extents"), "center and half extents", unnamed=True),
    Form("aabb", ("center", "size"), "center and size", _from_center),
    Form("aabb", ("min", "size"), "min and size", lambda low, size: {"min": low, "max": total(low, size)}),
    Form("obb", ("center", "half_extents", "axis", "axis", "axis"), "", _box),
    Form("obb", ("center", "half_extents")),
    Form("obb", ("center", "half_extents", "rotation"), "", _turned_box),
    Form("plane", ("normal", "offset"), "normal·p = offset"),
    Form("plane", ("normal", "offset"), "normal·p + offset = 0", lambda n, d: {"normal": n, "offset": 0.0 - d}),
    Form("point", ("position", "normal"), "without the normal", lambda position, normal: {"position": position}),
    Form("plane", ("position", "normal"), "point and normal", _through_point),
    Form("sphere", ("center", "radius")),
    Form("capsule", ("start", "end", "radius")),
    Form("triangle", ("vertex", "vertex", "vertex"), "", lambda *vertices: {"vertices": vertices}, unnamed=True),
)
"""Every way to give an item; of those with the same roles, the likeliest first."""
SAME_ROLES = (
    ({"direction"}, {"start": "origin", "position": "origin"}),
    ({"end"}, {"origin": "start", "position": "start"}),
    ({"half_extents"}, {"origin": "center", "position": "center"}),
    ({"size"}, {"origin": "min", "position": "min", "start": "min"}),
    ({"normal"}, {"origin": "position", "center": "position"}),
    ({"radius"}, {"": "center", "origin": "center", "position": "center"}),
)
"""Roles that beside certain others mean another one."""

_FORMS_OF = {
    roles: [form for form in FORMS if tuple(sorted(form.roles)) == roles]
    for roles in {tuple(sorted(form.roles)) for form in FORMS}
}
_LENGTHS = {"offset": 1, "rotation": 4, "radius": 1}
"""The number of numbers of a role, if it is no vector."""
_WITH_NUMBER = {
    form.word: form.roles
    for form in FORMS
    if [_LENGTHS.get(role) for role in form.roles] in ([None, 1], [None, None, 1])
}
"""The roles of the vectors, one or two, and of the number of each type that is given by these."""
_ROLE_OF_VECTOR = {
    word: role for role, words in reversed(ROLES.items()) if role not in OF_SCALARS for word in words.split()
}
_ROLE_OF_SCALAR = {word: role for role in OF_SCALARS for word in ROLES[role].split()}
_SHAPE_OF = {word: shape for shape, words in SHAPES.items() for word in words.split()}


# Readings


@lru_cache(maxsize=1024)
def _role(words: tuple[str, ...]) -> str:
    """The role of a vector: that of the last word which names one, "position" only if no other does; else ""."""
    roles = [role for word in words if (role := _ROLE_OF_VECTOR.get(word))]
    if "half_extents" in roles:
        return "half_extents"
    return next((role for role in reversed(roles) if role != "position"), roles[-1] if roles else "")


@lru_cache(maxsize=1024)
def _shape(words: tuple[str, ...]) -> str:
    """The type that is named among the words; "" for none."""
    named = {_SHAPE_OF.get(word) or _SHAPE_OF.get(word.rstrip("s")) for word in words}
    return next((shape for shape in SHAPES if shape in named), "")


def _parts(row: Row) -> tuple[str, list[str], list[Any]]:
    """The type that a row names, and the role and the value of each part that has one."""
    words = row.words + tuple(word for vector in row.vectors for word in vector.words)
    if not row.vectors and row.scalars:
        words += row.scalars[0].words
    shape, vectors = _shape(words), list(row.vectors)
    values = [scalar.value for scalar in row.scalars]
    scalar_roles = [_ROLE_OF_SCALAR.get(scalar.words[-1]) if scalar.words else None for scalar in row.scalars]
    named = _WITH_NUMBER.get(shape, ())
    if not vectors and named and len(values) == 3 * len(named) - 2:
        parts = [tuple(values[k : k + 3]) for k in range(0, len(values) - 1, 3)]
        return shape, [*named], [*parts, values[-1]]
    roles: list[str] = [_role(vector.words) for vector in vectors]
    found: list[Any] = [vector.values for vector in vectors]
    if len(values) == 4 and scalar_roles[0] == "rotation":
        return shape, [*roles, "rotation"], [*found, tuple(values)]
    for word, (vector, *more, number) in _WITH_NUMBER.items():
        numbers = [
            value
            for value, role, scalar in zip(values, scalar_roles, row.scalars, strict=True)
            if role == number or (shape == word and not scalar.words)
        ]
        # A center and a radius are those of capsules, too, which have more numbers.
        is_one = shape == word or roles == ["normal"] or (not shape and values == numbers)
        if more and len(numbers) == 1 and len(roles) == 2:
            ends = [vector, *more]
            if {*roles} == {*ends} or (shape == word and {*roles} <= {"", "vertex", "position", *ends}):
                return shape, [*(roles if {*roles} == {*ends} else ends), number], [*found, *numbers]
        elif not more and len(numbers) == len(roles) == 1 and is_one:
            same = next((others for beside, others in SAME_ROLES if number in beside), {})
            role = same.get(roles[0], roles[0])
            if role == vector or (shape == word and not role):
                roles, found = [vector, number], [*found, *numbers]
    for beside, others in SAME_ROLES:
        if beside & {*roles}:
            roles = [others.get(role, role) for role in roles]
    return shape, roles, found


def _forms_of(row: Row) -> list[tuple[Form, Found]]:
    """The forms in which the words of a row give an item, with a radius and a motion beside it."""
    rest, more = row, dict[str, Any]()
    motions = [vector for vector in row.vectors if _role(vector.words) == "motion"]
    radii = [scalar for scalar in row.scalars if _ROLE_OF_SCALAR.get((*scalar.words[-1:], "")[0]) == "radius"]
    if len(motions) == 1:
        rest = rest._replace(vectors=tuple(vector for vector in rest.vectors if vector is not motions[0]))
        more["motion"] = motions[0].values
    # The sphere around a box has a radius of its own.
    if len(radii) == 1 and (shape := _parts(rest)[0]) in ROUNDED and _shape(radii[0].words) in ("", shape):
        rest = rest._replace(scalars=tuple(scalar for scalar in rest.scalars if scalar is not radii[0]))
        more["radius"] = radii[0].value
    made = _plain_forms_of(rest)
    return [(form, Found(word, {**fields, **more})) for form, (word, fields) in made] if more else made


def _plain_forms_of(row: Row) -> list[tuple[Form, Found]]:
    shape, roles, values = _parts(row)
    if not any(roles):
        of_shape = [form for form in FORMS if form.word == shape and len(form.roles) == len(roles)]
        fitting = [form for form in of_shape if _LENGTHS.keys().isdisjoint(form.roles)]
        fitting = [form for form in fitting if form.unnamed] or fitting
        return [(form, form.found(values)) for form in fitting]
    if roles == ["position"]:
        return []
    fitting = _FORMS_OF.get(tuple(sorted(roles)), [])
    fitting = [form for form in fitting if form.word == shape] or fitting
    made = []
    for form in fitting:
        parts = sorted(zip(roles, values, strict=True), key=lambda part: form.roles.index(part[0]))
        made.append((form, form.found(value for _, value in parts)))
    return made


def _with_radii(rows: Sequence[Row]) -> list[Row]:
    """The rows, a radius in a line of its own beside the center in the line before it."""
    joined: list[Row] = []
    for row in rows:
        is_radius = not row.vectors and [scalar.words[-1:] for scalar in row.scalars] in ([("radius",)], [("r",)])
        if is_radius and joined and len(joined[-1].vectors) == 1 and not joined[-1].scalars:
            joined[-1] = joined[-1]._replace(scalars=row.scalars)
        else:
            joined.append(row)
    return joined


def _cut(row: Row) -> list[Row]:
    """The row, or a row for each of its items where words before their vectors tell the types of all."""
    starts = [i for i, vector in enumerate(row.vectors) if i == 0 or _shape(vector.words)]
    if len(starts) < 2:
        return [row]
    cut = [Row(row.words, row.vectors[i:j], ()) for i, j in zip(starts, [*starts[1:], None], strict=True)]
    with_number = [i for i, part in enumerate(cut) if _shape(part.vectors[0].words) in _WITH_NUMBER]
    numbers = [n for n in row.scalars if not n.words or n.words[-1] in _ROLE_OF_SCALAR]
    if len(numbers) == len(with_number):
        for i, number in zip(with_number, numbers, strict=True):
            cut[i] = cut[i]._replace(scalars=(number,))
    return cut if all(map(_forms_of, cut)) else [row]


def _records(rows: Sequence[Row]) -> list[Row]:
    """The rows, those with several items cut and those with parts of one item joined."""
    made: list[Row] = []
    is_open = False  # whether parts in the next rows may belong to the last record
    for row in chain.from_iterable(map(_cut, rows)):
        is_generic = any(_role(vector.words) in ("", "position") for vector in row.vectors)
        if is_generic or row.scalars or _forms_of(row):
            made.append(row)
            is_open = False
            continue
        for vector in row.vectors:
            named = vector._replace(words=(*row.words, *vector.words))
            before = made.pop().vectors if is_open else ()
            if _role(named.words) in [_role(other.words) for other in before]:
                made.append(Row((), before, ()))
                before = ()
            made.append(Row((), (*before, named), ()))
            is_open = not before or not _forms_of(made[-1])
    return made


def _partial(rows: Sequence[Row], item: Item | None) -> Iterator[Reading]:
    if item is None or len(rows) != 1 or not isinstance(item, Single):
        return
    if any(form.word == item.word for form, _ in _forms_of(rows[0])):
        return
    _, roles, values = _parts(rows[0])
    fields = dict(zip(roles, values, strict=True))
    if fields and len(fields) == len(roles) and fields.keys() <= {*item.__struct_fields__}:
        yield Reading((Found(item.word, fields),), f"only {' and '.join(fields)}", is_named=True, is_partial=True)


def _named(rows: Sequence[Row]) -> Iterator[Reading]:
    """The readings by the words beside the numbers; numbers without words are points."""
    rows = [row for row in rows if row.vectors or _forms_of(row)]
    forms = [_forms_of(row) for row in rows]
    if not any(forms):
        return
    for i in range(max(map(len, forms))):
        found: list[Found] = []
        for row, made in zip(rows, forms, strict=True):
            points = [Found("point", {"position": vector.values}) for vector in row.vectors]
            found += [made[min(i, len(made) - 1)][1]] if made else points
        notes = dict.fromkeys(made[min(i, len(made) - 1)][0].note for made in forms if made)
        yield Reading(tuple(found), "; ".join(filter(None, notes)), is_named=True)


def _unnamed(rows: Sequence[Row]) -> Iterator[Reading]:
    """The readings of the vectors alone, whatever they are called; those of one line belong together."""
    vectors = [vector.values for row in rows for vector in row.vectors]
    sizes = {len(row.vectors) for row in rows if row.vectors}
    size = max(sizes) if sizes in ({2}, {3}) else 0
    for form in sorted((form for form in FORMS if form.unnamed), key=lambda form: len(form.roles) != size):
        step = len(form.roles)
        if vectors and len(vectors) % step == 0 and (not size or step in (1, size)):
            parts = (vectors[i : i + step] for i in range(0, len(vectors), step))
            yield Reading(tuple(map(form.found, parts)), form.note)
    numbers = [_plain_numbers(row) for row in rows]
    if len(numbers) == 3 and vectors and 0 < len(numbers[0]) == len(numbers[1]) == len(numbers[2]):
        columns = zip(*numbers, strict=True)
        yield Reading(tuple(Found("point", {"position": column}) for column in columns), "in columns")


def _without_index(rows: Sequence[Row]) -> list[Row]:
    """The rows without their first number, where that counts them; else none."""
    numbers = [_plain_numbers(row) for row in rows]
    size = len(numbers[0]) if numbers else 0
    counted = [row[0] - i for i, row in enumerate(numbers) if len(row) == size > 3 and size % 3 == 1]
    if len(numbers) < 2 or len(counted) < len(numbers) or set(counted) not in ({0.0}, {1.0}):
        return []
    starts = range(1, size, 3)
    return [Row((), tuple(Vector((), row[i : i + 3]) for i in starts), ()) for row in numbers]  # type: ignore[arg-type]


def _transposed(rows: Sequence[Row]) -> list[Row]:
    """The columns as rows, where three rows are all there is."""
    numbers = [_plain_numbers(row) for row in rows]
    if len(numbers) != 3 or any(len(row) != len(numbers[0]) for row in numbers):
        return list(rows)
    return [Row((), (Vector((), (x, y, z)),), ()) for x, y, z in zip(*numbers, strict=True)]


def _plain_numbers(row: Row) -> tuple[float, ...]:
    if row.words or any(part.words for part in row.vectors) or any(part.words for part in row.scalars):
        return ()
    return (*(x for vector in row.vectors for x in vector.values), *(scalar.value for scalar in row.scalars))


def _is_valid(reading: Reading) -> bool:
    try:
        for word, fields in () if reading.is_partial else reading.found:
            (PRIMITIVES | PROBES)[word](**fields)
    except (HitscopeError, TypeError):  # not a ray with a radius
        return False
    return True
