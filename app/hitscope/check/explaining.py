"""The explanation that `hitscope explain` prints: of a pair of a scene, by the scene's method or a TARGET."""

import argparse
from contextlib import suppress

import numpy as np

from hitscope.check.pair_commands import STEPPED
from hitscope.errors import Fault, HitscopeError
from hitscope.evaluate import Report, evaluate
from hitscope.explain import Explanation, Reading, Trace, explain
from hitscope.explain.own_function import OUTSIDE_CONTRACT, UntracedExplanation, explain_function
from hitscope.geometry import exact
from hitscope.geometry.registry import Chosen, pair_of
from hitscope.geometry.shapes import Shape, replaced_numbers
from hitscope.scene.model import Scene
from hitscope.targets.cases import Cases
from hitscope.targets.judging.rules import DEFAULT_RULES
from hitscope.targets.judging.target_method import target_method
from hitscope.targets.method_text import method_of_target, method_text
from hitscope.targets.options import carried_by, target_specs
from hitscope.targets.process import open_target
from hitscope.targets.runners.python_function import function_of
from hitscope.targets.target import HIT, OUTSIDE, REALS, Carried, TargetSpec, TargetText


def explanation_of(options: argparse.Namespace, scene: Scene, stepped: bool = True) -> Explanation:
    """Return the explanation that options ask for; of C, unless it is to be `stepped`, of the answer alone."""
    report = evaluate(scene)
    subjects = []
    for what, known in (("probe", report.probes), ("primitive", report.elements)):
        wanted = getattr(options, what)
        if (index := known.find_index(wanted)) is None:
            raise Fault.unknown((), f"a {what} of {options.scene}", known.names, wanted)
        subjects.append(known[index].shape)
    probe, primitive = subjects
    target = carried_by(options.method, pair_of(probe, primitive), options) if options.method else None
    if target is not None and not stepped and TargetText.of(target.text).kind == "c_source":
        (spec,) = target_specs(target, pair_of(probe, primitive))
        precision = options.float or target.precision or scene.judging.float
        return _of_source(spec._replace(real=REALS[precision]), probe, primitive)
    return pair_explanation(report, probe, primitive, target, options.float)


def pair_explanation(
    report: Report, probe: Shape, primitive: Shape, target: Carried | None = None, precision: str | None = None
) -> Explanation:
    """Explain a pair by the scene's method or a TARGET, in `precision`, or else its own or the scene's."""
    if target is None:
        return _of_method(report.chosen(probe, primitive), precision or "f64", probe, primitive)
    if TargetText.of(target.text).kind not in STEPPED:
        expected = "expected a method or a Python function: only Python can be stepped through"
        raise HitscopeError(f"{target.name or target.text}: {expected}")
    # As `check --method` does, in the precision that the scene was judged in.
    (spec,) = target_specs(target, pair_of(probe, primitive))
    known = precision or target.precision or report.scene.judging.float
    if (chosen := method_of_target(spec)) is None:
        return _of_function(spec._replace(real=REALS[known]), probe, primitive)
    has_precision = known == "f64" or "float32" in chosen.method.readings
    return _of_method(chosen, precision or (known if has_precision else "f64"), probe, primitive)


def map_figures(options: argparse.Namespace, scene: Scene, explanation: Explanation) -> list[str]:
    """Return the map of the pair as HTML for a page; none where a package that draws is missing, or no map is."""
    method, arguments = explanation.chosen
    pair = pair_of(explanation.probe, explanation.primitive)
    with suppress(ModuleNotFoundError, HitscopeError):
        from hitscope.maps.aspect_map import figure, telling_map

        by_scene = Carried(method_text({"name": method.name, **arguments}))
        target = carried_by(options.method, pair, options) if options.method else by_scene
        specs = target_specs(target, pair, real=REALS.get(options.float or ""))
        return [figure(telling_map(scene, options.probe, options.primitive, specs, explanation.is_wrong))]
    return []


def _of_function(spec: TargetSpec, probe: Shape, primitive: Shape) -> Explanation:
    """Explain a user's function on the numbers of a precision; it computes in its own."""
    function = function_of(spec).function
    if spec.real == "float32":
        probe, primitive = (replaced_numbers(_in_float32(shape), float) for shape in (probe, primitive))
    return explain_function(spec.text, function, probe, primitive)


def _of_source(spec: TargetSpec, probe: Shape, primitive: Shape) -> Explanation:
    """Explain the answer of a function in C or C++."""
    from hitscope.judge.wider import rounding_of

    cases = Cases.of_shapes(spec.pair, [probe], [primitive], spec.real)
    with open_target(spec) as target:
        answers = target.answer(cases)
        method = target_method(spec, target, DEFAULT_RULES)
    hit = int(answers.hit[0])
    error = answers.failures[0].words if 0 in answers.failures else OUTSIDE_CONTRACT if hit == OUTSIDE else ""
    truth = exact.meet(*cases.shapes(0))
    rounds = rounding_of(spec, cases, answers.hit == HIT)[0] if not error and (hit == HIT) != truth else None
    reading: Reading = "float32" if spec.real == "float32" else "interpreted"
    without_rounding = None if rounds is None else truth == rounds
    run = Trace(hit == HIT, (), error)
    return UntracedExplanation(Chosen(method, {}), probe, primitive, reading, run, spec, without_rounding)


def _of_method(chosen: Chosen, precision: str, probe: Shape, primitive: Shape) -> Explanation:
    if precision == "f64":
        return explain(chosen, probe, primitive)
    if "float32" not in chosen.method.readings:
        raise HitscopeError(f"{chosen.method.name}: expected --float f64 for a method without float32, found f32")
    for shape in (probe, primitive):
        _in_float32(shape)
    return explain(chosen, probe, primitive, "float32")


def _in_float32(shape: Shape) -> Shape:
    """Return a shape with its numbers rounded to float32; raises HitscopeError for one beyond its range."""

    def rounded(number: float) -> np.float32:
        found = np.float32(number)
        if not np.isfinite(found):
            raise HitscopeError(f"expected numbers in the range of float32 with --float f32, found {number}")
        return found

    with np.errstate(over="ignore"):
        in_float32: Shape = replaced_numbers(shape, rounded)
    return in_float32
