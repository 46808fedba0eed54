"""A TARGET with its options on the command line, as the targets that they stand for."""

import argparse
import re
import shlex
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import cast

from msgspec import UNSET, UnsetType

from hitscope.errors import HitscopeError, quoted
from hitscope.geometry.registry import choose, of_pair
from hitscope.scene.model import Boundary, FileJudging
from hitscope.targets import cases, method_text
from hitscope.targets.carried import carried
from hitscope.targets.judging.rules import Rules
from hitscope.targets.target import FLOATS, KINDS, REALS, Carried, TargetSpec, TargetText

TIMEOUT = TargetSpec._field_defaults["timeout"]
PYTHON = "python_function"
WITH_POLYHEDRA = ("catalogue_method", PYTHON)
_FUNCTION = {"c_source": r"[^\W\d]\w*(::[^\W\d]\w*)*", "library": r".+"}
_IDENTIFIER = r"[^\W\d]\w*"
_KIND_WORDS = {
    **{"c_source": "a file in C or C++", "library": "a library", "shader": "a shader", "command": "a command"},
    **{"catalogue_method": "a method of the catalogue", PYTHON: "a Python function"},
}


def target_specs(
    text: str | Carried,
    pair: str,
    *,
    real: str | None = None,
    flags: Sequence[str] = (),
    batch: bool = False,
    timeout: float = TIMEOUT,
) -> list[TargetSpec]:
    """Return a target for each choice of `flags`; raises HitscopeError for what cannot be judged by its looks.

    `real` is "float32", "float64", or None for the one that it carries, or that its kind has, else float64. Of a
    text what it carries is looked for, so that only one that the user named may be given.
    """
    of_pair(pair)
    known = carried(text, pair) if isinstance(text, str) else text
    text, target = known.text, TargetText.of(known.text)
    _check_location(text, target)
    if known.pair not in ("", pair):
        raise HitscopeError(f"{known.name or text}: expected {known.pair}, as {known.file} has it, found {pair}")
    if real is None:
        real = REALS.get(known.precision, "float32" if target.kind == "shader" else "float64")
    if target.kind == "shader" and real != "float32":
        raise HitscopeError(f"{text}: expected --float f32 for GLSL, found {FLOATS[real]}")
    if (flags or known.flags) and target.kind != "c_source":
        given = "--flags" if flags else "flags"
        raise HitscopeError(f"{text}: expected a file in C or C++ with {given}, found {_KIND_WORDS[target.kind]}")
    if batch and target.kind != PYTHON:
        raise HitscopeError(f"{text}: expected a Python function with --batch, found {_KIND_WORDS[target.kind]}")
    if not cases.in_arrays(pair) and (batch or target.kind not in WITH_POLYHEDRA):
        expected = "expected a Python function of shapes for polyhedra, whose numbers vary in count"
        raise HitscopeError(f"{text}: {expected}, found {'--batch' if batch else _KIND_WORDS[target.kind]}")
    if target.kind == "catalogue_method":
        method, _ = choose(pair, method_text.choice_of(text))
        if real != "float64" and "float32" not in method.readings:
            raise HitscopeError(f"{text}: expected --float f64 for a method without float32, found f32")
    if not 0 < timeout < float("inf"):
        raise HitscopeError(f"expected a positive number of seconds as --timeout, found {timeout:g}")
    for choice in flags:
        try:
            shlex.split(choice)
        except ValueError as error:
            raise HitscopeError(f"--flags {choice}: expected words as a shell reads them, found {error}") from None
    known = known._replace(text="", folder=known.folder if target.kind == "command" or not flags else "")
    return [TargetSpec(text, pair, real, choice, batch, timeout, known) for choice in flags or known.flags or [""]]


def _check_location(text: str, target: TargetText) -> None:
    """Raise HitscopeError if there is no such file, or no word that can name a function."""
    kind, location, function = target
    if kind == "command":
        if not location.strip():
            raise HitscopeError(f"{text}: expected exec:COMMAND, found no command")
        return
    ending = Path(location).suffix.lower()
    if kind == "catalogue_method":
        if ending in KINDS and "=" not in location:
            raise HitscopeError(f"{text}: expected FILE:FUNCTION, found a file without a function")
        return
    is_module = kind == PYTHON and ending != ".py"
    if is_module and Path(location).is_file():
        expected = f"expected a file that ends with {', '.join(KINDS)}, or exec:COMMAND"
        raise HitscopeError(f"{text}: {expected}, found {ending or 'no ending'}")
    if not is_module and not Path(location).is_file():
        found = "a folder" if Path(location).is_dir() else "none"
        raise HitscopeError(f"{location}: expected a file, found {found}")
    if not re.fullmatch(_FUNCTION.get(kind, _IDENTIFIER), function):
        found = quoted(function) if function else "none"
        raise HitscopeError(f"{text}: expected the name of a function after the colon, found {found}")


def rules_of(options: argparse.Namespace, known: Carried, judged: FileJudging | UnsetType = UNSET) -> Rules:
    """Return the rules of the command line, else those of a judged scene, else those that a target carries."""
    boundary = cast(Boundary, known.boundary) or "closed"
    usual = judged or FileJudging(boundary=boundary, slack=known.slack or 0.0, require=known.require)
    t_ulps, t_distance = getattr(options, "t_tolerance", None) or usual.t_tolerance
    slack = usual.slack if options.slack is None else options.slack
    require = tuple(options.require or usual.require)
    return Rules(options.boundary or usual.boundary, slack, t_ulps, t_distance, require)


def carried_by(text: str, pair: str | None, options: argparse.Namespace) -> Carried:
    """Return what a TARGET of a command line carries, a name of a `hitscope.toml` beside its scenes included."""
    lists = (getattr(options, name, None) or () for name in ("paths", "scenes", "logs"))
    named = map(Path, (getattr(options, "scene", "."), *chain(*lists)))
    folders = [path if path.is_dir() else path.parent for path in named]
    return carried(text, pair, dict.fromkeys(folders))


def target_words(options: argparse.Namespace) -> list[str]:
    """Return what a command line says of TARGETs that decides their verdicts, as words of another one."""
    words = ["--float", options.float] if options.float else []
    words += [f"--flags={flags}" for flags in options.flags or ()]
    words += ["--batch"] if options.batch else []
    words += ["--boundary", options.boundary] if options.boundary else []
    words += [] if options.slack is None else ["--slack", f"{options.slack:g}"]
    return words + [word for text in options.require or () for word in ("--require", text)]


def method_words(spec: TargetSpec) -> list[str]:
    """Return the words of a command line that let a target decide scenes that say how it was judged."""
    flags = [f"--flags={spec.flags}"] if spec.flags and spec.flags not in spec.carried.flags else []
    return ["--method", f"{spec.pair}={spec.given}", *flags, *(["--batch"] if spec.batch else [])]


def specs(text: str | Carried, pair: str, options: argparse.Namespace, precision: str | None) -> list[TargetSpec]:
    """Return a TARGET with the options of the command line, once for each of the flags; raises HitscopeError."""
    known, real = carried_by(text, pair, options) if isinstance(text, str) else text, REALS.get(precision or "")
    flags, batch, timeout = options.flags or (), options.batch, options.timeout
    return target_specs(known, pair, real=real, flags=flags, batch=batch, timeout=timeout)
