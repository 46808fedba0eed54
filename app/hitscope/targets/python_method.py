"""A Python function of the user's as a method that runs in this process, so that it can be traced."""

import sys
from collections.abc import Collection

from hitscope.errors import HitscopeError
from hitscope.geometry.registry import Chosen, Method
from hitscope.targets.judging.target_method import OWN_CODE
from hitscope.targets.runners.python_function import function_of
from hitscope.targets.target import TargetSpec
from hitscope.targets.target_text import TargetText


def python_method(spec: TargetSpec, files: Collection[str]) -> Chosen:
    """Import the function of a TARGET; raises HitscopeError for one that is none, or that takes arrays.

    The modules of `files`, of which it was made, are imported anew: they may have changed.
    """
    text = TargetText.of(spec.text)
    if text.kind != "python_function" or spec.batch:
        found = "one that takes arrays" if spec.batch else spec.text
        raise HitscopeError(f"Only a Python function of a probe and a primitive can be stepped: found {found}")
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) in files:
            del sys.modules[name]
    function = function_of(spec.text).function
    return Chosen(Method(spec.name, function, (spec.pair,), OWN_CODE, readings=("interpreted",)), {})
