"""Literals of numbers, vectors, shapes and arrays in programming languages, and the structs that hold them."""

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

WIDTH = 100
"""The most columns of a line."""
INDENT = "    "
Value: TypeAlias = Any
"""A number, a bool, a text, a vector, a shape, or a list of values of one type."""


class Language(NamedTuple):
    """How a language writes values and their declarations, as templates of `str.format`."""

    label: str
    vector: str
    """Three numbers."""
    made: tuple[str, str, str]
    """A value of a struct: what is before its parts, a part with its name, and what is after them."""
    array: tuple[str, str, str]
    """Before the values of an array, after them, and after the only one."""
    declared: str
    """A member or constant."""
    declared_array: str
    member: str
    struct: str
    """Its members stand in it one by one."""
    constant: str
    number: Callable[[float], str] = repr
    types: Mapping[str, str] = MappingProxyType({})
    """The names of types that are others than in C++."""
    true: str = "true"
    false: str = "false"
    name: Callable[[str], str] = str
    """Returns the name of a constant, from words between underscores."""
    comment: str = "//"
    last_comma: str = ""
    """The comma after the last part of a value that has several lines."""
    omits_defaults: bool = False
    """Whether parts of a struct are left out that have their default value."""

    def declare(self, name: str, value_type: tuple[str, int | None]) -> str:
        """Return the declaration of a member or constant of a type, or of an array of a size."""
        of, size = value_type
        template = self.declared if size is None else self.declared_array
        return template.format(name=name, type=self.types.get(of, of), size=size)

    def struct_of(self, name: str, members: Mapping[str, tuple[str, int | None]]) -> str:
        """Return the declaration of a struct with members of these types."""
        declared = (self.declare(member, value_type) for member, value_type in members.items())
        return self.struct.format(name=name, members="".join(map(self.member.format, declared)))


CPP = Language(
    label="C++",
    vector="{{{}, {}, {}}}",
    made=("{{", "{value}", "}"),
    array=("{{", "}", "}"),
    declared="{type} {name}",
    declared_array="{type} {name}[{size}]",
    member="    {};\n",
    struct="struct {name} {{\n{members}}};\n",
    constant="const {declared} = {value};\n",
)
C = CPP._replace(label="C", struct="typedef struct {{\n{members}}} {name};\n")
GLSL = CPP._replace(
    label="GLSL",
    number="{!r}lf".format,
    vector="dvec3({}, {}, {})",
    made=("{type}(", "{value}", ")"),
    array=("{type}[{size}](", ")", ")"),
    types={"Vec3": "dvec3"},
)
"""From version 4.00 on, which has doubles."""
CSHARP = CPP._replace(
    label="C#",
    vector="new Vec3 {{ x = {}, y = {}, z = {} }}",
    made=("new {type} {{ ", "{name} = {value}", " }"),
    array=("new {type}[] {{ ", " }", " }"),
    declared_array="{type}[] {name}",
    member="    public {};\n",
    struct="public struct {name}\n{{\n{members}}}\n",
    constant="public static readonly {declared} = {value};\n",
    name=lambda words: "".join(map(str.capitalize, words.split("_"))),
)
RUST = CPP._replace(
    label="Rust",
    vector="Vec3 {{ x: {}, y: {}, z: {} }}",
    made=("{type} {{ ", "{name}: {value}", " }"),
    array=("[", "]", "]"),
    declared="{name}: {type}",
    declared_array="{name}: [{type}; {size}]",
    member="    pub {},\n",
    struct="#[derive(Clone, Copy, Debug, PartialEq)]\npub struct {name} {{\n{members}}}\n",
    constant="pub const {declared} = {value};\n",
    types={"double": "f64"},
    name=str.upper,
)
RUST_AS_C = RUST._replace(struct=RUST.struct.replace("derive(Clone, Copy, Debug, PartialEq)", "repr(C)"))
"""Rust with structs that are laid out as in C."""
PYTHON = CPP._replace(
    label="Python",
    vector="Vec3({}, {}, {})",
    made=("{type}(", "{name}={value}", ")"),
    array=("[", "]", "]"),
    declared="{name}: {type}",
    declared_array="{name}: list[{type}]",
    member="    {}\n",
    struct="class {name}(NamedTuple):\n{members}",
    constant="{name} = {value}\n",
    types={"double": "float"},
    true="True",
    false="False",
    comment="#",
    last_comma=",",
)
"""From 3.9 on, without any package."""
SHAPES = PYTHON._replace(vector="({}, {}, {})", array=("(", ")", ",)"), omits_defaults=True)
"""Python with the shapes of hitscope, and plain tuples."""


def in_float32(number: float) -> str:
    """Return the digits that tell a number from the others in float32."""
    with np.errstate(over="ignore"):  # an exact t may be beyond float32, and is infinite there
        return str(np.float32(number))


def type_of(value: Value) -> tuple[str, int | None]:
    """Return the type of a value as C++ names it, of an array that of its values, and the length of the array."""
    if isinstance(value, bool):
        return "bool", None
    if isinstance(value, int | float):
        return "double", None
    if hasattr(value, "_fields"):
        return type(value).__name__, None
    if _is_vector(value):
        return "Vec3", None
    return type_of(value[0])[0], len(value)


def _is_vector(value: Value) -> bool:
    """Return whether a value is a vector, and not an array of other numbers: a frustum has six offsets."""
    return len(value) == 3 and isinstance(value[0], int | float)


def literal(language: Language, value: Value, indent: str = "", width: float = WIDTH) -> str:
    """Return a value below an indentation, on one line if it fits."""
    if isinstance(value, bool):
        return language.true if value else language.false
    if isinstance(value, int | float):
        return language.number(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if hasattr(value, "_fields"):
        before, part, after = language.made
        fields, defaults = value._asdict(), value._field_defaults if language.omits_defaults else {}
        parts = [
            part.format(name=name, value=literal(language, field, indent + INDENT, width))
            for name, field in fields.items()
            if field != defaults.get(name)
        ]
        begin = before.format(type=type(value).__name__)
        return bracketed(begin, parts, after, indent, language.last_comma, width)
    if _is_vector(value):
        return language.vector.format(*map(language.number, value))
    before, after, after_one = language.array
    of, size = type_of(value) if value else ("", 0)
    of = language.types.get(of, of)
    parts = [literal(language, part, indent + INDENT, width) for part in value]
    end = after_one if size == 1 else after
    return bracketed(before.format(type=of, size=size), parts, end, indent, language.last_comma, width)


def bracketed(
    before: str, parts: Sequence[str], after: str, indent: str, last_comma: str, width: float = WIDTH
) -> str:
    """Return parts between what is before and after them, on one line if they fit, else each on its own."""
    line = before + ", ".join(parts) + after
    if len(indent + line) <= width - len(INDENT) and "\n" not in line:
        return line
    inside = f",\n{indent}{INDENT}".join(parts) + last_comma
    return f"{before.rstrip()}\n{indent}{INDENT}{inside}\n{indent}{after.lstrip(' ,')}"
