"""Skeletons of targets: files to begin a test with, which build, run and call everything a miss."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from string import Template
from typing import NamedTuple

from hitscope.errors import Fault, HitscopeError, escaped
from hitscope.geometry import registry, shapes
from hitscope.targets import languages
from hitscope.targets.cases import Field, case_width, fields, kinds, layout
from hitscope.targets.target import C_ENDINGS, C_REALS, CPP_ENDINGS, FLOATS
from hitscope.terminal import command_line

TEMPLATES = Path(__file__).with_name("templates")

T_WORDS: dict[type, str] = {
    shapes.Segment: "the least t from 0 to 1 with start + t * (end - start) in the primitive",
    shapes.Ray: "the least t from 0 on with origin + t * direction in the primitive",
    shapes.Line: "the least t with origin + t * direction in the primitive",
}
"""The answer of the probes that have one beside the verdict."""


def new_target(language: str, pair: str, real: str | None = None, file: str = "") -> str:
    """Return the source of a target that calls every case of a pair a miss; raises HitscopeError.

    `real` is "float32", "float64", or None for the one that a language has, else float64. `file` is the name that
    it gets, by default "mine" and the usual ending.
    """
    if language not in LANGUAGES:
        raise Fault.unknown((), "a language", LANGUAGES, language)
    registry.of_pair(pair)
    if language != "python":
        layout(pair)
    written = LANGUAGES[language]
    real = real or next(reversed(written.reals))
    if real not in written.reals:
        raise HitscopeError(f"expected --float f32 for GLSL, found {FLOATS[real]}")
    probe, primitive = kinds(pair)
    t_enter = f"{written.t_enter} is {T_WORDS[probe]}" if probe in T_WORDS else ""
    number = written.reals[real]
    # In Python what is around a shape has the name of the function that makes it.
    around = (shapes.Cast, shapes.Rounded) if language == "python" else ()
    names = [next((kind for kind in around if issubclass(of, kind)), of).__name__ for of in (probe, primitive)]
    words = registry.pair_words(pair)
    file = file or f"mine{written.endings[0]}"
    build, target = written.commands(file)
    template = Template((TEMPLATES / f"{language}.txt").read_text(encoding="utf-8"))
    return template.substitute(
        title=f"A test of {words[0]} against {words[1]}, for hitscope to compare with the exact verdict.",
        file=_shown(file),
        build=f"\n{written.comment}         ".join(build),
        judge=f"hitscope judge {_shown(target)} --pair {pair}{' --float f32' * (real == 'float32')}",
        answer=f"{t_enter}; leave it where there is none." if t_enter else f"This pair has no {written.t_enter}.",
        probe=names[0],
        primitive=names[1],
        probe_names=", ".join(written.fields("probe", probe)),
        primitive_names=", ".join(written.fields("primitive", primitive)),
        structs="\n\n".join(written.struct(kind, number) for kind in dict.fromkeys((probe, primitive))),
        shapes=", ".join(sorted({*names})),
        number=number,
        reader=CSHARP_READERS.get(number, ""),
        width=0 if language == "python" else case_width(pair),
    )


class SkeletonLanguage(NamedTuple):
    endings: tuple[str, ...]
    """The endings of its files, the usual one first."""
    reals: dict[str, str]
    """The names of the numbers of each precision, the usual one last."""
    commands: Callable[[str], tuple[list[str], str]]
    """Returns how a file is built, and the TARGET to judge."""
    field: str = "{shape}.{name}"
    """How the test writes a field of a shape."""
    names: Callable[[Field], list[str]] = lambda part: [part.name]
    """Returns the names of a field, one or one for each vector."""
    struct: Callable[[type, str], str] = lambda kind, number: ""
    """Returns the declaration of a type of shape, with its numbers of a type."""
    comment: str = "//"
    t_enter: str = "t_enter"

    def fields(self, shape: str, kind: type) -> Iterator[str]:
        """Yield the fields of a shape of a type as the test writes them."""
        for part in fields(kind):
            of = "vec3" if part.in_vectors.is_vector else "float"
            yield from (self.field.format(shape=shape, name=name, type=of) for name in self.names(part))


def _struct_in(language: languages.Language, real: str) -> Callable[[type, str], str]:
    """Return the function that declares a type of shape with numbers of the type `real`."""

    def declare(kind: type, number: str) -> str:
        parts = {part.name: ("Vec3" if part.is_vector else real, part.parts) for part in fields(kind)}
        members = {name: (of, count if count > 1 else None) for name, (of, count) in parts.items()}
        return language.struct_of(kind.__name__, members).rstrip("\n")

    return declare


def _csharp_struct(kind: type, number: str) -> str:
    members = [(part.is_vector, name) for part in fields(kind) for name in _csharp_names(part)]
    declared = "\n".join(f"    public {'Vec3' if vectors else number} {name};" for vectors, name in members)
    read = "\n".join(
        f"            {name} = {'Vec3.Read(input)' if vectors else f'input.{CSHARP_READERS[number]}()'},"
        for vectors, name in members
    )
    head = f"    public static {kind.__name__} Read(BinaryReader input)\n    {{\n"
    body = f"        return new {kind.__name__}\n        {{\n{read}\n        }};\n    }}"
    return f"struct {kind.__name__}\n{{\n{declared}\n\n{head}{body}\n}}"


def _javascript_reader(kind: type, number: str) -> str:
    def reads(part: Field) -> str:
        one = "cases.vec3()" if part.is_vector else "cases.number()"
        return one if part.parts == 1 else f"[{', '.join([one] * part.parts)}]"

    members = "\n".join(f"        {_javascript_names(part)[0]}: {reads(part)}," for part in fields(kind))
    return f"function read{kind.__name__}(cases) {{\n    return {{\n{members}\n    }};\n}}"


def _javascript_names(part: Field) -> list[str]:
    first, *others = part.name.split("_")
    return [first + "".join(map(str.title, others))]


def _csharp_names(part: Field) -> list[str]:
    return [name.title().replace("_", "") for name in _single_names(part)]


def _single_names(part: Field) -> list[str]:
    """Return the names of a field's parts one by one: axes_0, axes_1, axes_2."""
    return [f"{part.name}_{k}" for k in range(part.parts)] if part.parts > 1 else [part.name]


def _as_source(file: str) -> tuple[list[str], str]:
    return ["not needed"], f"{file}:hit"


def _as_library(file: str) -> tuple[list[str], str]:
    stem = PurePath(file).stem
    names = {"win32": f"{stem}.dll", "darwin": f"lib{stem}.dylib"}
    library = str(PurePath(file).with_name(names.get(sys.platform, f"lib{stem}.so")))
    # Not every name of a file is one of a crate.
    command = f"rustc -O --crate-type cdylib --crate-name mine -o {_shown(library)} {_shown(file)}"
    return [command], f"{library}:hit"


def _as_program(file: str) -> tuple[list[str], str]:
    folder = PurePath(file).with_suffix("")
    steps = [
        f"dotnet new console -o {_shown(str(folder))}",
        f"then this file goes to {_shown(str(folder / 'Program.cs'))}, and",
        f"dotnet build {_shown(str(folder))} -c Release -o {_shown(str(folder / 'bin'))}",
    ]
    return steps, f"exec:{command_line(str(folder / 'bin' / folder.name))}"


def _shown(text: str) -> str:
    """Return a text as one word of a command line, in a comment."""
    return escaped(command_line(text))


CSHARP_READERS = {"float": "ReadSingle", "double": "ReadDouble"}

LANGUAGES = {
    "c": SkeletonLanguage(
        C_ENDINGS, C_REALS, _as_source, "{shape}->{name}", struct=_struct_in(languages.C, "real")
    ),
    "cpp": SkeletonLanguage(CPP_ENDINGS, C_REALS, _as_source, struct=_struct_in(languages.CPP, "real")),
    "rust": SkeletonLanguage(
        (".rs",), {"float32": "f32", "float64": "f64"}, _as_library, struct=_struct_in(languages.RUST_AS_C, "Real")
    ),
    "csharp": SkeletonLanguage(
        (".cs",), C_REALS, _as_program, names=_csharp_names, struct=_csharp_struct, t_enter="tEnter"
    ),
    "javascript": SkeletonLanguage(
        (".mjs",),
        dict.fromkeys(C_REALS, "number"),
        lambda file: (["not needed"], f"exec:node {command_line(file)}"),
        names=_javascript_names,
        struct=_javascript_reader,
        t_enter="answer.tEnter",
    ),
    "glsl": SkeletonLanguage(
        (".glsl",),
        {"float32": "float"},
        _as_source,
        "{type} {shape}_{name}",
        lambda part: _single_names(part.in_vectors),
    ),
    "python": SkeletonLanguage((".py",), dict.fromkeys(C_REALS, "float"), _as_source, comment="#"),
}
