"""TARGETs as methods of their pairs; the catalogue does not know them, so no scene can name them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hitscope.geometry import exact, registry
from hitscope.geometry.shapes import Shape, Vec3
from hitscope.targets.calls import OpenTarget
from hitscope.targets.cases import Cases, has_t
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T, Judged, judged
from hitscope.targets.judging.rules import Rules, answers_of_met
from hitscope.targets.judging.truth import Truth
from hitscope.targets.target import HIT, OWN_CODE, TargetFailed, TargetSpec


class TargetAnswer(NamedTuple):
    """The answer of a target to a pair, under some rules."""

    hit: bool
    """Its verdict; that of exact geometry where it is neither right nor wrong."""
    t_enter: float | None = None
    is_t_wrong: bool = False
    normal: Vec3 | None = None
    is_normal_wrong: bool = False


Answering: TypeAlias = Callable[[Sequence[Shape], Sequence[Shape]], Sequence[TargetAnswer]]
"""Answers pairs, of as many probes as primitives, together and in their order."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TargetMethod(registry.Method):
    """A method that answers as exact geometry does wherever it is right; its function is an `Answering`."""

    @classmethod
    def of(cls, name: str, pair: str, function: Answering) -> "TargetMethod":
        return cls(name=name, function=function, pairs=(pair,), source=OWN_CODE, readings=("interpreted",))

    @property
    def parts(self) -> dict[str, Any]:
        """The parts of an answer beside its verdict."""
        return {"t_enter": float, "normal": Vec3} if has_t(self.pairs[0]) else {}

    def hits(self, probe: Shape, primitives: Sequence[Shape], **arguments: Any) -> Sequence[bool]:
        """Answer a probe and each of some primitives together; return the verdicts alone."""
        return [answer.hit for answer in self.function([probe] * len(primitives), primitives)]

    def __call__(self, probe: Shape, primitive: Shape, **arguments: Any) -> Any:
        answer: TargetAnswer
        (answer,) = self.function([probe], [primitive])
        if not self.parts:
            return answer.hit
        right = exact.relation(probe, primitive)
        exactly: dict[str, Any] = {}
        if answer.t_enter is not None and not answer.is_t_wrong and right.t_enter is not None:
            exactly["t_enter"] = right.t_enter
        if answer.normal and not answer.is_normal_wrong:
            exactly["normal"] = right.normal
        return answer._replace(**exactly)


def target_method(spec: TargetSpec, target: OpenTarget, rules: Rules) -> TargetMethod:
    """Return an open target as a method of its pair; it raises TargetFailed for a pair that it fails on."""
    return TargetMethod.of(spec.name, spec.pair, partial(answers_of, target, spec, rules))


def answers_of(
    target: OpenTarget, spec: TargetSpec, rules: Rules, probes: Sequence[Shape], primitives: Sequence[Shape]
) -> list[TargetAnswer]:
    """Call a target on some pairs in one batch; raises TargetFailed for the first that it fails on."""
    cases = Cases.of_shapes(spec.pair, probes, primitives, spec.real)
    answers = answers_of_met(target, cases, rules.require, most_crashes=1, most_hangs=1)
    for index, failure in answers.failures.items():
        raise TargetFailed(spec.name, failure, index, (probes[index], primitives[index]))
    truth = Truth(cases)
    found = judged(truth, answers, rules)
    hits = truth.hit.copy()
    for kind in (WRONG_HIT, WRONG_MISS):
        hits ^= _mask(found, kind)
    answered, has_t = hits & (answers.hit == HIT), ~np.isnan(answers.t_enter)
    wrong_t, wrong_normal = _mask(found, WRONG_T), _mask(found, WRONG_NORMAL)
    verdicts = TargetAnswer(False), TargetAnswer(True)
    given = [verdicts[hit] for hit in hits.tolist()]
    for i in np.flatnonzero(answered).tolist():
        t = answers.t_enter[i].item() if has_t[i] else None
        normal = None
        if answers.normal is not None and not np.isnan(answers.normal[i]).all():
            normal = tuple(answers.normal[i].astype(np.float64).tolist())
        given[i] = TargetAnswer(True, t, bool(wrong_t[i]), normal, bool(wrong_normal[i]))
    return given


def _mask(found: Judged, kind: str) -> Any:
    return found.wrong.get(kind, np.zeros(len(found.hit), np.bool_))
