"""Shapes and verdicts as constants in source code: plain structs and arrays that compile as they are.

Every number is a float64, in the shortest decimal that is read back as the same.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from hitscope.evaluate import Verdict
from hitscope.geometry.shapes import Shape

WIDTH = 100
ANSWERS = ("state", "side", "t_enter", "t_exit", "point", "normal", "distance")
INDENT = "    "
Value: TypeAlias = Any
"""A float, a bool, a vector, a shape, or a list of values of one type."""


class Field(NamedTuple):
    """The declaration of a field or a constant: its type, its name, and its length if it is an array."""

    type: str
    name: str
    size: int | None


class CPlusPlus:
    """C++, from C++11 on; the base of the other languages, which say what they write in another way."""

    label = "C++"
    comment = "//"
    vector_type, boolean_type = "Vec3", "bool"
    true, false = "true", "false"
    beginning = "struct Vec3 {\n    double x, y, z;\n};\n"
    end = ""
    indent = ""
    """The indentation of the declarations."""

    def number(self, value: float) -> str:
        """A number."""
        return repr(value)

    def vector(self, numbers: Sequence[str]) -> str:
        """A vector of three numbers."""
        return f"{{{', '.join(numbers)}}}"

    def made(self, type_name: str, fields: Mapping[str, str]) -> tuple[str, list[str], str]:
        """A value of a struct: what is before its parts, the parts, and what is after them."""
        return "{", list(fields.values()), "}"

    def array(self, type_name: str, values: list[str]) -> tuple[str, list[str], str]:
        """An array: what is before its values, the values, and what is after them."""
        return "{", values, "}"

    def struct(self, name: str, fields: Sequence[Field], comment: str) -> str:
        """The declaration of a struct below a comment."""
        lines = "".join(f"{INDENT}{self._declared(field)};\n" for field in fields)
        return f"{comment}struct {name} {{\n{lines}}};\n"

    def constant(self, field: Field, value: str) -> str:
        """The definition of a constant."""
        return f"const {self._declared(field)} = {value};\n"

    def name(self, words: str) -> str:
        """The name of a constant, from words between underscores."""
        return words

    def _declared(self, field: Field) -> str:
        return f"{field.type} {field.name}" + ("" if field.size is None else f"[{field.size}]")


class Glsl(CPlusPlus):
    """GLSL, from version 4.00 on, which has doubles."""

    label = "GLSL"
    vector_type = "dvec3"
    beginning = "#version 400\n"

    def number(self, value: float) -> str:
        return f"{value!r}lf"

    def vector(self, numbers: Sequence[str]) -> str:
        return f"dvec3({', '.join(numbers)})"

    def made(self, type_name: str, fields: Mapping[str, str]) -> tuple[str, list[str], str]:
        return f"{type_name}(", list(fields.values()), ")"

    def array(self, type_name: str, values: list[str]) -> tuple[str, list[str], str]:
        return f"{type_name}[{len(values)}](", values, ")"


class CSharp(CPlusPlus):
    """C#."""

    label = "C#"
    beginning = "public struct Vec3\n{\n    public double x, y, z;\n}\n"
    end = "}\n"
    indent = INDENT

    def vector(self, numbers: Sequence[str]) -> str:
        return "new Vec3 {{ x = {}, y = {}, z = {} }}".format(*numbers)

    def made(self, type_name: str, fields: Mapping[str, str]) -> tuple[str, list[str], str]:
        return f"new {type_name} {{ ", [f"{name} = {value}" for name, value in fields.items()], " }"

    def array(self, type_name: str, values: list[str]) -> tuple[str, list[str], str]:
        return f"new {type_name}[] {{ ", values, " }"

    def struct(self, name: str, fields: Sequence[Field], comment: str) -> str:
        lines = "".join(f"{INDENT}public {self._declared(field)};\n" for field in fields)
        return f"{comment}public struct {name}\n{{\n{lines}}}\n"

    def constant(self, field: Field, value: str) -> str:
        return f"public static readonly {self._declared(field)} = {value};\n"

    def name(self, words: str) -> str:
        return "".join(word.capitalize() for word in words.split("_"))

    def _declared(self, field: Field) -> str:
        return f"{field.type}{'' if field.size is None else '[]'} {field.name}"


class Rust(CPlusPlus):
    """Rust."""

    label = "Rust"
    beginning = (
        "#[derive(Clone, Copy, Debug, PartialEq)]\n"
        "pub struct Vec3 {\n    pub x: f64,\n    pub y: f64,\n    pub z: f64,\n}\n"
    )

    def vector(self, numbers: Sequence[str]) -> str:
        return "Vec3 {{ x: {}, y: {}, z: {} }}".format(*numbers)

    def made(self, type_name: str, fields: Mapping[str, str]) -> tuple[str, list[str], str]:
        return f"{type_name} {{ ", [f"{name}: {value}" for name, value in fields.items()], " }"

    def array(self, type_name: str, values: list[str]) -> tuple[str, list[str], str]:
        return "[", values, "]"

    def struct(self, name: str, fields: Sequence[Field], comment: str) -> str:
        lines = "".join(f"{INDENT}pub {self._declared(field)},\n" for field in fields)
        return f"{comment}#[derive(Clone, Copy, Debug, PartialEq)]\npub struct {name} {{\n{lines}}}\n"

    def constant(self, field: Field, value: str) -> str:
        return f"pub const {self._declared(field)} = {value};\n"

    def name(self, words: str) -> str:
        return words.upper()

    def _declared(self, field: Field) -> str:
        of = {"double": "f64"}.get(field.type, field.type)
        return f"{field.name}: " + (of if field.size is None else f"[{of}; {field.size}]")


class Python(CPlusPlus):
    """Python, from 3.9 on, without any package."""

    label = "Python"
    comment = "#"
    boolean_type, true, false = "bool", "True", "False"
    beginning = (
        "from typing import NamedTuple\n\n\nclass Vec3(NamedTuple):\n    x: float\n    y: float\n    z: float\n"
    )

    def vector(self, numbers: Sequence[str]) -> str:
        return f"Vec3({', '.join(numbers)})"

    def made(self, type_name: str, fields: Mapping[str, str]) -> tuple[str, list[str], str]:
        return f"{type_name}(", [f"{name}={value}" for name, value in fields.items()], ")"

    def array(self, type_name: str, values: list[str]) -> tuple[str, list[str], str]:
        return "[", values, "]"

    def struct(self, name: str, fields: Sequence[Field], comment: str) -> str:
        lines = "".join(f"{INDENT}{self._declared(field)}\n" for field in fields)
        return f"{comment}class {name}(NamedTuple):\n{lines}"

    def constant(self, field: Field, value: str) -> str:
        return f"{field.name} = {value}\n"

    def _declared(self, field: Field) -> str:
        of = {"double": "float"}.get(field.type, field.type)
        return f"{field.name}: " + (of if field.size is None else f"list[{of}]")


LANGUAGES = {language.label: language for language in (CPlusPlus(), CSharp(), Rust(), Python(), Glsl())}


def as_code(
    label: str, shapes: Mapping[tuple[str, str], Sequence[Shape]], verdicts: Iterable[Verdict] = ()
) -> str:
    """Source code in the language of that label: each item a constant, each verdict a comment and a constant.

    `shapes` are those of each item, by its kind ("probe" or "primitive") and id; several make an array.
    """
    language, names = LANGUAGES[label], _Names()
    structs: dict[str, str] = {}
    constants: list[str] = []
    name_of: dict[tuple[str, str], str] = {}
    for (kind, item), given in shapes.items():
        values = list(given)
        parts = _parts(values[0] if len(values) == 1 else values)
        name = name_of[kind, item] = names.free([kind, item], [end for end, _ in parts])
        for end, value in parts:
            _declare(language, value, structs)
            constants.append(_constant(language, name + end, value))
    for verdict in verdicts:
        probe, primitive = name_of["probe", verdict.probe], name_of["primitive", verdict.primitive]
        lines = _in_words(verdict, language.name(probe), language.name(primitive))
        comment = "".join(f"{language.comment} {line}\n" for line in lines)
        name = names.free([probe, "hits", primitive], [""])
        constants.append("\n" + comment + _constant(language, name, verdict.hit))
    body = "".join(constants).lstrip("\n")
    if language.end:
        body = "public static class Copied\n{\n" + re.sub(r"(?m)^(?=.)", language.indent, body) + language.end
    gap = "\n\n" if language.comment == "#" else "\n"
    return gap.join([language.beginning, *structs.values(), body])


class _Names:
    """Names in plain letters, all different in every language; as they begin with a kind, none is a keyword."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def free(self, words: Sequence[str], ends: Sequence[str]) -> str:
        """A name of these words that is free with each of the ends."""
        parts = re.findall(r"[a-z0-9]+", "_".join(words).lower())
        stem = "_".join(parts if len(parts) > 1 else [*parts, "item"])
        for number in count(1):
            name = stem if number == 1 else f"{stem}_{number}"
            given = {f"{name}{end}".replace("_", "") for end in ends}
            if not given & self._taken:
                self._taken |= given
                return name
        raise AssertionError


def _parts(value: Value) -> list[tuple[str, Value]]:
    """The constants of an item, each with the end of its name: a polyhedron is a list of its parts."""
    if not hasattr(value, "_fields"):
        return [("", value)]
    lists = {name: part for name, part in value._asdict().items() if name in value._field_defaults}
    return [(f"_{name}", list(part)) for name, part in lists.items() if part] if lists else [("", value)]


def _type(language: CPlusPlus, value: Value) -> tuple[str, int | None]:
    """The type of a value, of an array that of its values, and the length of the array."""
    if isinstance(value, bool):
        return language.boolean_type, None
    if isinstance(value, float):
        return "double", None
    if hasattr(value, "_fields"):
        return type(value).__name__, None
    if isinstance(value[0], float):
        return language.vector_type, None
    return _type(language, value[0])[0], len(value)


def _declare(language: CPlusPlus, value: Value, structs: dict[str, str]) -> None:
    """Add the declarations of the structs of a value, inner ones first."""
    if isinstance(value, list):
        _declare(language, value[0], structs)
    elif hasattr(value, "_fields") and type(value).__name__ not in structs:
        fields = []
        for name, part in value._asdict().items():
            type_name, size = _type(language, part)
            fields.append(Field(type_name, name, size))
        name, meaning = type(value).__name__, (type(value).__doc__ or "").partition("\n")[0]
        structs[name] = language.struct(name, fields, f"{language.comment} {meaning}\n")


def _constant(language: CPlusPlus, name: str, value: Value) -> str:
    type_name, size = _type(language, value)
    field = Field(type_name, language.name(name), size)
    return language.constant(field, _literal(language, value, language.indent))


def _literal(language: CPlusPlus, value: Value, indent: str) -> str:
    """A value, on one line if it fits."""
    if isinstance(value, bool):
        return language.true if value else language.false
    if isinstance(value, float):
        return language.number(value)
    if hasattr(value, "_fields"):
        inner = {name: _literal(language, part, indent + INDENT) for name, part in value._asdict().items()}
        before, parts, after = language.made(type(value).__name__, inner)
    elif isinstance(value[0], float):
        return language.vector([language.number(number) for number in value])
    else:
        type_name, _ = _type(language, value[0])
        before, parts, after = language.array(
            type_name, [_literal(language, part, indent + INDENT) for part in value]
        )
    line = before + ", ".join(parts) + after
    if len(indent + line) <= WIDTH - len(INDENT) and "\n" not in line:
        return line
    lines = (",\n" + INDENT).join(part.replace("\n", "\n" + INDENT) for part in parts)
    return f"{before.rstrip()}\n{INDENT}{lines}\n{after.lstrip()}"


def _in_words(verdict: Verdict, probe: str, primitive: str) -> list[str]:
    """The answer that is expected of a pair."""
    answers = ((name, getattr(verdict, name)) for name in ANSWERS)
    given = [f"{name} = {value}" for name, value in answers if value is not None]
    hit = "hit" if verdict.hit else "no hit"
    return [
        f"{probe} against {primitive}, by the method {verdict.method}: {hit},",
        *(f"  {line}" for line in given),
    ]
