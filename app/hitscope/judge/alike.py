"""The textbook method of the catalogue that errs on the same cases as a target of any language.

Both answer cases that the target errs on, and as many of the same generators that it is right on. A method errs
alike if both err on at least ALIKE of the cases on which either does: so one that errs on more does not, nor one
that errs on a part of them. Of fewer than LEAST_WRONG wrong cases nothing is said.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np

from hitscope.errors import HitscopeError
from hitscope.explain import Reading, explain
from hitscope.explain.step_words import CAUSES
from hitscope.geometry.registry import EXACT, choose, of_pair
from hitscope.judge.campaign import Campaign
from hitscope.judge.fixing.sample import Sample, drawn, sample_of, spread
from hitscope.judge.own_cases import CASES
from hitscope.judge.tallies import Row
from hitscope.targets.calls import OpenTarget
from hitscope.targets.fixes import Alike, keep
from hitscope.targets.judging.truth import Mask
from hitscope.targets.method_text import method_of_target
from hitscope.targets.process import open_target
from hitscope.targets.target import HIT, MISS, TargetSpec

ALIKE = 0.9
"""The least part of the cases on which either errs that both err on."""
LEAST_WRONG, MOST_WRONG = 8, 96
"""The fewest and the most wrong cases that are compared."""
MOST_SEEDS = 1000
"""The cases of a generator that are drawn."""
MOST_GENERATORS = 4
"""The generators that are drawn again after a campaign: the ones with most wrong cases."""
EXPLAINED = 5
"""The cases of which the most frequent cause is said."""


def find_alike(target: OpenTarget, campaign: Campaign, generators: Sequence[str]) -> Alike | None:
    """Return the method of the catalogue that errs as a target does on cases of some generators; None without one.

    The target is the first of the campaign. What is found is kept, to explain it while its file stays as it is.
    """
    spec, rules, own = campaign.targets[0], campaign.rules, campaign.own
    names = [name for name in generators if name != CASES]
    if method_of_target(spec) is not None or not (names or own):
        return None
    cases, places = drawn(names, spec.pair, spec.real, campaign.seeds[:MOST_SEEDS], own, rules.require)
    sample = sample_of(cases, places, np.ones(len(cases), np.bool_), rules, with_t=False)
    wrong = _wrong(target, sample)
    bad = spread(sample, np.flatnonzero(wrong), MOST_WRONG, MOST_WRONG)
    if len(bad) < LEAST_WRONG:
        return None
    # Of each generator as many cases that are right as there are wrong ones, or all.
    counts, right = Counter(sample.generators[bad].tolist()), np.flatnonzero(~wrong)
    good = np.concatenate([right[sample.generators[right] == k][:count] for k, count in counts.items()])
    asked = sample[np.concatenate([bad, good])]
    best: Alike | None = None
    for name in of_pair(spec.pair):
        if name == EXACT:
            continue
        with suppress(HitscopeError), open_target(TargetSpec(name, spec.pair, spec.real)) as method:
            errs = _wrong(method, asked)
            both, alone = int(np.count_nonzero(errs[: len(bad)])), int(np.count_nonzero(errs[len(bad) :]))
            found = Alike(name, len(bad), both, len(good), alone)
            if found.agreement >= ALIKE and (best is None or found.agreement > best.agreement):
                best = found._replace(cause=_cause(name, asked[np.flatnonzero(errs[: len(bad)])]))
    if best is not None:
        with suppress(OSError):  # it is no file
            keep(best, spec.code.file.read_bytes(), spec.code.function, spec.pair)
    return best


def wrong_in(rows: Iterable[Row]) -> list[str]:
    """Return the generators of some rows whose verdicts are wrong most often."""
    counts = Counter({row.generator: row.tally.wrong_verdicts for row in rows if row.tally.wrong_verdicts})
    return [name for name, _ in counts.most_common(MOST_GENERATORS)]


def _wrong(target: OpenTarget, sample: Sample) -> Mask:
    """Return on which cases a target gives the wrong verdict; without a verdict it is not wrong."""
    answers = target.answer(sample.cases)
    is_verdict = (answers.hit == HIT) | (answers.hit == MISS)
    wrong: Mask = sample.wrong(answers.hit, answers.t_enter, with_t=False) & is_verdict
    return wrong


def _cause(name: str, wrong: Sample) -> str:
    """Return why a method errs on most of some cases, in words with its line; "" where that is unknown."""
    reading: Reading = "float32" if wrong.cases.numbers.dtype == np.float32 else "interpreted"
    chosen, causes = choose(wrong.cases.pair, name), Counter[str]()
    for k in range(min(EXPLAINED, len(wrong))):
        with suppress(HitscopeError, OSError):
            explanation = explain(chosen, *wrong.cases.shapes(k), reading)
            line, cause = explanation.wrong_line, CAUSES.get(explanation.cause, "")
            causes[f"{cause} in its line {line[0]}, `{line[1]}`" if line and cause else cause] += 1
    return causes.most_common(1)[0][0] if causes else ""
