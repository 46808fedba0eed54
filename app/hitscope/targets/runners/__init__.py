"""Runners: each module calls code of one kind, by which it is named, in a target's process.

A module has one function for others, `load(spec: TargetSpec) -> Runner`, which raises HitscopeError, in one line,
where the target cannot be judged; it may print before, which reaches the user's standard error.
"""

from hitscope.errors import HitscopeError, in_words
from hitscope.targets.target import Runner, TargetSpec


def load_runner(spec: TargetSpec) -> Runner:
    """Import the runner of a target's kind alone, as others need packages, and load it; raises HitscopeError."""
    kind = "wide_source" if spec.is_wide else "python_function" if spec.batch else spec.code.kind
    kind = "variants" if spec.variants else kind
    try:
        match kind:
            case "c_source":
                from hitscope.targets.runners.c_source import load
            case "catalogue_method":
                from hitscope.targets.runners.catalogue_method import load
            case "command":
                from hitscope.targets.runners.command import load
            case "library":
                from hitscope.targets.runners.library import load
            case "python_function":
                from hitscope.targets.runners.python_function import load
            case "shader":
                from hitscope.targets.runners.shader import load
            case "variants":
                from hitscope.targets.runners.variants import load
            case "wide_source":
                from hitscope.targets.runners.wide_source import load
            case _:
                raise HitscopeError(f"no runner calls code of the kind {kind}")
    except ModuleNotFoundError as error:
        raise HitscopeError(in_words(error)) from error
    return load(spec)
