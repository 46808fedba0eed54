"""Judge's targets: a method of the catalogue, or a function of the user's own."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from hitscope.errors import Fault, HitscopeError, escaped
from hitscope.geometry import exact
from hitscope.geometry.registry import Argument, Method, choose
from hitscope.geometry.shapes import Shape, rational

WRONG_HIT, WRONG_MISS, CRASH = "wrong hit", "wrong miss", "crash"
KINDS = (WRONG_HIT, WRONG_MISS, CRASH)


class ProcessEnded(HitscopeError):  # noqa: N818 - as Fault: users meet it as an error in a line
    """The end of the process that a target runs in, before its verdict arrived."""


class NoVerdict(Exception):  # noqa: N818 - a function that fails to answer is a result of the judge's
    """A call that ended without a verdict: the exception, or the unusable answer, in one line."""


class JudgeTarget(NamedTuple):
    """A function to be judged, with its name."""

    name: str
    decide: Callable[[Shape, Shape], Any]
    """The function of (probe, primitive); it returns whether they meet, or a tuple that starts with that."""
    method: Method | None = None
    """The method of the catalogue; None for a user's own function."""
    arguments: Mapping[str, Argument] = {}
    file: str = ""
    """The file that a user's own function was imported from; empty if that is unknown."""

    def difference(self, probe: Shape, primitive: Shape, truth: bool) -> tuple[str, str] | None:
        """Return the kind of the difference from the exact verdict, and a crash in words; None if it is right."""
        try:
            hit = verdict(self.decide, probe, primitive)
        except NoVerdict as crash:
            return CRASH, str(crash)
        return None if hit == truth else (WRONG_HIT if hit else WRONG_MISS, "")

    def cause(self, probe: Shape, primitive: Shape) -> str:
        """Describe why a method errs on a pair: rounding, tolerances or logic; empty where that is unknown."""
        if self.method is None or "unrounded" not in self.method.readings:
            return ""
        truth = exact.meet(probe, primitive)
        given: dict[str, Any] = {**self.method.arguments, **self.arguments}
        numbers = [name for name, value in given.items() if not isinstance(value, bool) and isfinite(value)]
        for tolerances, cause in (
            ({name: Fraction(given[name]) for name in numbers}, "without rounding it is right"),
            (dict.fromkeys(numbers, Fraction(0)), "with no tolerance and without rounding it is right"),
        ):
            unrounded = JudgeTarget(self.name, partial(self.method, **{**given, **tolerances}))
            if unrounded.difference(rational(probe), rational(primitive), truth) is None:
                return cause
        return "its logic errs, even without rounding"


def verdict(decide: Callable[[Shape, Shape], Any], probe: Shape, primitive: Shape) -> bool:
    """Call a function and return its verdict; raises NoVerdict for whatever else it does.

    Only KeyboardInterrupt passes, which may be the user's, and ProcessEnded, after which there is nothing to call.
    """
    try:
        answer = decide(probe, primitive)
        hit = answer[0] if isinstance(answer, tuple) and answer else answer
        if hit in (True, False):
            return bool(hit)
        found = repr(answer)
    except (NoVerdict, ProcessEnded, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise NoVerdict(one_line(error)) from None
    raise NoVerdict(f"expected a bool or a tuple that starts with one, found {_cut(found)}")


def of_method(pair: str, choice: str | Mapping[str, Any]) -> JudgeTarget:
    """Return a method of the catalogue, with arguments, as a target; raises Fault for an unknown one."""
    method, arguments = choose(pair, choice)
    given: dict[str, Any] = dict(arguments)
    named = ",".join((method.name, *(f"{name}={value:g}" for name, value in arguments.items())))
    return JudgeTarget(named, partial(method, **given), method, arguments)


def of_function(text: str) -> JudgeTarget:
    """Import `module:function` or `path/to/file.py:function` as a target; raises HitscopeError if that fails."""
    location, _, name = text.rpartition(":")
    try:
        module = _module(location)
        function = getattr(module, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise not_imported(text, error) from None
    if not callable(function):
        known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise Fault.unknown((), f"a function of {location}", known, name)
    return JudgeTarget(escaped(text), function, file=str(getattr(module, "__file__", None) or ""))


def not_imported(text: str, error: BaseException) -> HitscopeError:
    """Return the error of a function whose module raised one."""
    return HitscopeError(f"{text}: expected a module that can be imported, found {one_line(error)}")


def _module(location: str) -> Any:
    """Import a module by name or file; it can import its neighbours, as if Python were started there."""
    file = Path(location)
    sys.path.insert(0, str(file.parent.resolve() if location.endswith(".py") else Path.cwd()))
    if not location.endswith(".py"):
        return importlib.import_module(location)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec and spec.loader, "a .py file has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def one_line(error: BaseException) -> str:
    """Describe an exception in one line; its own text may raise another one, which is left out."""
    try:
        text = str(error)
    except BaseException:
        text = "an exception that cannot be shown"
    return _cut(f"{type(error).__name__}: {text}")


def _cut(text: str) -> str:
    return escaped(" ".join(text[:2000].split()))[:200]
