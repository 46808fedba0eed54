"""A Python function of the user's as a method or a target that runs in this process."""

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from hitscope.errors import HitscopeError
from hitscope.geometry.registry import Chosen, Method
from hitscope.targets.process import InThisProcess
from hitscope.targets.runners.python_function import FunctionRunner, Imported, function_of
from hitscope.targets.target import OWN_CODE, OpenTarget, TargetSpec, TargetText


def python_method(spec: TargetSpec, files: Collection[str]) -> Chosen:
    """Import the function of a TARGET, so that it can be traced.

    The modules of `files`, of which it was made, are imported anew: they may have changed. Raises HitscopeError
    for one that is none, or that takes arrays.
    """
    text = TargetText.of(spec.text)
    if text.kind != "python_function" or spec.batch:
        found = f"{spec.text}, which takes arrays" if spec.batch else f"{spec.text}, which is not Python"
        raise HitscopeError(
            f"{found}, cannot be stepped through: only a function of a probe and a primitive in Python can, "
            "and a method of the catalogue"
        )
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) in files:
            del sys.modules[name]
    function = function_of(spec.text).function
    return Chosen(Method(spec.name, function, (spec.pair,), OWN_CODE, readings=("interpreted",)), {})


def function_target(function: Callable[..., Any], pair: str, real: str) -> tuple[TargetSpec, OpenTarget]:
    """Return a function of a probe and a primitive as a target, with the spec that stands for it in reports."""
    name = getattr(function, "__qualname__", type(function).__name__).rpartition(".")[2]
    spec = TargetSpec(f"{getattr(function, '__module__', None) or '__main__'}:{name}", pair, real)
    return spec, InThisProcess(FunctionRunner(Imported(function, Path.cwd(), ()), pair, Exception))
