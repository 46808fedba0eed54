"""Runners: each module calls code of one kind, in a target's process.

A module has one function for others, `load(spec: TargetSpec) -> Runner`, which raises HitscopeError, in one line,
where the target cannot be judged. It may print before: what goes to standard output or error reaches the user's
standard error. The module's name is the kind of the target (`TargetText.kind`); with `--batch` a
`python_function` is a `python_batch`.
"""

from importlib import import_module

from hitscope.errors import HitscopeError, in_words
from hitscope.targets.target import Runner, TargetSpec
from hitscope.targets.target_text import TargetText


def load_runner(spec: TargetSpec) -> Runner:
    """Import the runner of a target's kind and load the target; raises HitscopeError if it cannot be judged."""
    kind = "python_batch" if spec.batch else TargetText.of(spec.text).kind
    try:
        module = import_module(f"{__name__}.{kind}")
    except ModuleNotFoundError as error:
        raise HitscopeError(in_words(error)) from error
    runner: Runner = module.load(spec)
    return runner
