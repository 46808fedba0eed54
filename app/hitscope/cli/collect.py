"""The command `hitscope collect`."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hitscope import outputs
from hitscope.cli import collect_report as report
from hitscope.cli import tables
from hitscope.collect.exporters import write_exporter
from hitscope.collect.scenes import save_scenes
from hitscope.collect.triage import Tally, Wrong, triaged
from hitscope.errors import Fault, HitscopeError
from hitscope.judge import log
from hitscope.judge.shrinking import shrunk_all
from hitscope.targets.judging.rules import Rules
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import FLOATS, REALS, Carried, TargetSpec
from hitscope.targets.target_options import carried_by, rules_of, specs
from hitscope.terminal import json_text, print_error

FINE, WRONG, BAD_INPUT = 0, 1, 2


def run(options: argparse.Namespace) -> int:
    """Judge the calls of logs; returns the exit status: 0 nothing is wrong, 1 something is.

    2 where calls cannot be understood; the others are judged all the same. Raises HitscopeError.
    """
    if bool(options.new) == bool(options.logs):
        raise HitscopeError("expected LOG, or --new LANG")
    if options.new:
        write_exporter(options.new, options.output)
        return FINE
    if options.output:
        outputs.require_folder(options.output)
    logs = [log.read(path) for path in dict.fromkeys(options.logs)]
    logged = dict.fromkeys(form.pair for each in logs for form in each.calls)
    for pair, _ in options.shrink:
        if pair not in logged:
            raise Fault.unknown((), "--shrink PAIR=TARGET with a logged pair", logged, pair)
    targets = {pair: carried_by(text, pair, options) for pair, text in options.shrink}
    rules, *others = {rules_of(options, known) for known in targets.values()} or {rules_of(options, Carried())}
    if others:
        raise HitscopeError("expected --boundary and --slack with targets that carry different ones, found none")
    mistakes = [*log.mistakes(logs)]
    for words in mistakes:
        print_error(words)
    with tables.progress("calls", sum(each.size for each in logs)) as advance:
        tallies = triaged(logs, rules, REALS.get(options.float), advance)
    if targets:
        _shrink(tallies, targets, options, rules)
    found = [wrong for tally in tallies for wrong in tally.wrong.values()]
    paths = save_scenes(found, options.output, rules) if options.output else {}
    if options.json:
        print(json_text(report.as_dict(logs, tallies, paths, rules)))
    else:
        report.print_report(logs, tallies, paths, rules)
    return BAD_INPUT if mistakes else WRONG if found else FINE


def _shrink(
    tallies: Sequence[Tally], targets: Mapping[str, Carried], options: argparse.Namespace, rules: Rules
) -> None:
    """Shrink the wrong calls of pairs with a target; say of each that it answers rightly that it stays."""
    wrongs = [(tally, wrong) for tally in tallies if tally.pair in targets for wrong in tally.wrong.values()]
    with OpenTargets() as opened, tables.progress("shrinking", len(wrongs)) as advance:
        for tally, wrong in wrongs:
            target, *others = specs(targets[tally.pair], tally.pair, options, FLOATS[tally.real])
            if others:
                raise HitscopeError(f"expected one --flags with --shrink, found {len(others) + 1}")
            tally.wrong[wrong.finding.kind] = _shrunk(wrong, target, opened, rules)
            advance()


def _shrunk(wrong: Wrong, target: TargetSpec, opened: OpenTargets, rules: Rules) -> Wrong:
    finding = replace(wrong.finding, target=target)
    (small,) = shrunk_all([finding], opened, rules)
    if small is finding:
        print_error(
            f"{target.name} has no {finding.kind} on call {wrong.call.order} of {wrong.call.path}: not shrunk"
        )
        return wrong
    return replace(wrong, finding=small, is_shrunk=True)
