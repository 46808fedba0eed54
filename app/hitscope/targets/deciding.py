"""The TARGETs of a command line that decide the pairs of scenes, in place of what those name."""

import argparse
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from msgspec import UNSET, UnsetType

from hitscope.errors import HitscopeError
from hitscope.geometry.registry import Chosen, Method
from hitscope.scene.model import FileJudging, Scene
from hitscope.targets import calls, method_text, open_targets, process
from hitscope.targets.judging.rules import DEFAULT_RULES, Rules
from hitscope.targets.judging.target_method import target_method
from hitscope.targets.options import carried_by, rules_of, specs
from hitscope.targets.runners.python_function import FunctionRunner, Imported, function_of
from hitscope.targets.target import OWN_CODE, TargetSpec, TargetText


class DecidingTargets(open_targets.OpenTargets):
    """The TARGETs, each opened when it is first needed; closed at the end of a `with`."""

    def __init__(
        self,
        options: argparse.Namespace,
        printed: Callable[[str], None] = process.print_to_stderr,
        compares_flags: bool = False,
    ) -> None:
        """Take a command line's options, whose first flags decide; raises HitscopeError for a wrong TARGET."""
        if len(options.flags or ()) > 1 and not compares_flags:
            found = "found it repeated: `judge` and the map of `open` compare several"
            raise HitscopeError(f"expected --flags once, {found}")
        self._options = options
        self._named = {pair: carried_by(text, pair, options) for pair, text in options.method}
        super().__init__(printed)
        self._methods: dict[tuple[TargetSpec, Rules, bool], Chosen] = {}
        self._in_this_process: dict[TargetSpec, Chosen] = {}
        for pair in self._named:
            self._spec(pair)

    @property
    def files(self) -> Collection[str]:
        """The absolute paths of the files that they are made of, as far as they are open."""
        known = self._named.values()
        named = [path for each in known for path in (TargetText.of(each.text).location, each.file) if path]
        files = {str(Path(path).absolute()) for path in named if Path(path).is_file()}
        return files.union(*(target.files for target in self.targets))

    def methods(self, scene: Scene) -> dict[str, Chosen]:
        """Return them as methods by pair, by the scene's precision and rules unless they have others."""
        methods = {}
        for pair in self._named:
            spec, rules = self._spec(pair, scene.judged), self.rules(pair, scene)
            is_plain = rules == DEFAULT_RULES and scene.judged is UNSET
            if (spec, rules, is_plain) not in self._methods:
                self._methods[spec, rules, is_plain] = self._method(spec, rules, is_plain)
            methods[pair] = self._methods[spec, rules, is_plain]
        return methods

    def choices(self, pair: str, scene: Scene) -> list[TargetSpec]:
        """Return the TARGET of a pair as it is called, once for each of the flags; nothing where there is none."""
        return self._specs(pair, scene.judged) if pair in self._named else []

    def rules(self, pair: str, scene: Scene) -> Rules:
        return rules_of(self._options, self._named[pair], scene.judged)

    def python_method(self, pair: str, scene: Scene) -> tuple[Chosen, TargetSpec]:
        """Return the Python function of a pair as a method in this process, and its spec; raises HitscopeError."""
        spec = self._spec(pair, scene.judged)
        if spec not in self._in_this_process:
            self._in_this_process[spec] = python_method(spec, self.files)
        return self._in_this_process[spec], spec

    def _method(self, spec: TargetSpec, rules: Rules, is_plain: bool) -> Chosen:
        """Return a target as a method; one of the catalogue as it is, unless that is to be judged."""
        method = method_text.method_of_target(spec) if spec.real == "float64" and is_plain else None
        return method or Chosen(target_method(spec, self[spec], rules), {})

    def _spec(self, pair: str, judged: FileJudging | UnsetType = UNSET) -> TargetSpec:
        """Return the TARGET that decides a scene that was judged so: with the first of the flags."""
        return self._specs(pair, judged)[0]

    def _specs(self, pair: str, judged: FileJudging | UnsetType) -> list[TargetSpec]:
        """Return the TARGET for a scene, in the precision that this was judged in, once for each of the flags."""
        known = self._named[pair]
        precision = known.precision
        if judged and (precision or judged.float == "f32"):
            precision = judged.float
        return specs(known, pair, self._options, self._options.float or precision or None)


def python_method(spec: TargetSpec, files: Collection[str]) -> Chosen:
    """Import the function of a TARGET, to be traced, and `files` anew, as they may have changed."""
    if spec.code.kind != "python_function" or spec.batch:
        found = f"{spec.text}, which {'takes arrays' if spec.batch else 'is not Python'}"
        can = "only a function of a probe and a primitive in Python can, and a method of the catalogue"
        raise HitscopeError(f"{found}, cannot be stepped through: {can}")
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) in files:
            del sys.modules[name]
    function = function_of(spec).function
    return Chosen(Method(spec.name, function, (spec.pair,), OWN_CODE, readings=("interpreted",)), {})


def function_target(function: Callable[..., Any], pair: str, real: str) -> tuple[TargetSpec, calls.OpenTarget]:
    """Return a function of a probe and a primitive as a target, with the spec that stands for it in reports."""
    name = getattr(function, "__qualname__", type(function).__name__).rpartition(".")[2]
    spec = TargetSpec(f"{getattr(function, '__module__', None) or '__main__'}:{name}", pair, real)
    return spec, process.InThisProcess(FunctionRunner(Imported(function, Path.cwd(), ()), pair, Exception))
