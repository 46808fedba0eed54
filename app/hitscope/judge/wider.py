"""Whether rounding alone makes a function in C or C++ wrong: its file in a wider type answers the same cases.

Right then: rounding. Still wrong: the logic, if the pair is farther from the other answer than rounding reaches,
or has whole numbers alone; of other pairs it is unknown, since the wider type is rounded, too.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

import numpy as np

from hitscope.errors import HitscopeError
from hitscope.explain.step_words import LOGIC
from hitscope.judge.findings import Finding
from hitscope.judge.fixing.sample import ROUNDING_ULPS
from hitscope.targets.cases import Cases
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS, measured
from hitscope.targets.judging.truth import Mask, Truth
from hitscope.targets.process import open_target
from hitscope.targets.target import HIT, MISS, TargetSpec

ROUNDING = "in a wider type it is right"


def rounding_of(spec: TargetSpec, cases: Cases, hits: Mask) -> list[bool | None]:
    """Return whether rounding alone makes each of the verdicts `hits` wrong, as they are; None where unknown."""
    found: list[bool | None] = [None] * len(cases)
    if spec.code.kind != "c_source" or not len(cases):
        return found
    with suppress(HitscopeError), open_target(spec._replace(is_wide=True), printed=lambda text: None) as wide:
        answers = wide.answer(cases)
        right = answers.hit == np.where(hits, MISS, HIT)
        wrong = answers.hit == np.where(hits, HIT, MISS)
        far = measured(Truth(cases), np.arange(len(cases)))[1] > ROUNDING_ULPS
        by_logic = wrong & (far | cases.are_whole)
        found = [True if a else False if b else None for a, b in zip(right, by_logic, strict=True)]
    return found


def with_causes(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, with the causes of the wrong verdicts of functions in C and C++."""
    found = list(findings)
    verdicts = [k for k, each in enumerate(found) if each.kind in (WRONG_HIT, WRONG_MISS)]
    for target in dict.fromkeys(found[k].target for k in verdicts):
        places = [k for k in verdicts if found[k].target == target]
        cases = Cases(target.pair, np.stack([found[k].example.numbers for k in places]))
        hits = np.array([found[k].kind == WRONG_HIT for k in places])
        for k, rounds in zip(places, rounding_of(target, cases, hits), strict=True):
            if rounds is not None:
                found[k] = replace(found[k], cause=ROUNDING if rounds else LOGIC)
    return found
