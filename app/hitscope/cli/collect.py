"""The command `hitscope collect`, and the text that it prints."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from hitscope import numerals, outputs
from hitscope.cli import judge, tables
from hitscope.cli.tables import count, new_table, print_table
from hitscope.collect.exporters import write_exporter
from hitscope.collect.triage import CallTally, Wrong, save_scenes, scene_of, triaged
from hitscope.errors import Fault, HitscopeError
from hitscope.judge import log, results, shrinking
from hitscope.judge.findings import difference, numbers_text
from hitscope.targets.judging.judged import WRONG_HIT, WRONG_MISS, WRONG_T
from hitscope.targets.judging.rules import Rules
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import carried_by, method_words, rules_of, specs
from hitscope.targets.target import FLOATS, REALS, Carried
from hitscope.terminal import BAD_INPUT, FINE, WRONG, json_text, print_error, print_line


def run(options: argparse.Namespace) -> int:
    """Judge the calls of logs; returns the exit status: 0 nothing is wrong, 1 something is, 2 a log is broken."""
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
    mistakes = list(log.mistakes(logs))
    for words in mistakes:
        print_error(words)
    with tables.progress("calls", sum(each.size for each in logs)) as advance:
        tallies = triaged(logs, rules, REALS.get(options.float), advance)
    if targets:
        _shrink(tallies, targets, options, rules)
    found = [wrong for tally in tallies for wrong in tally.wrong.values()]
    paths = save_scenes(found, options.output, rules) if options.output else {}
    if options.json:
        print(json_text(as_dict(logs, tallies, paths, rules)))
    else:
        print_report(logs, tallies, paths, rules)
    return BAD_INPUT if mistakes else WRONG if found else FINE


def _shrink(
    tallies: Sequence[CallTally], targets: Mapping[str, Carried], options: argparse.Namespace, rules: Rules
) -> None:
    """Shrink the wrong calls of pairs with a target; say of each that it answers rightly that it stays."""
    wrongs = [(tally, wrong) for tally in tallies if tally.pair in targets for wrong in tally.wrong.values()]
    with OpenTargets() as opened, tables.progress("shrinking", len(wrongs)) as advance:
        for tally, wrong in wrongs:
            target, *others = specs(targets[tally.pair], tally.pair, options, FLOATS[tally.real])
            if others:
                raise HitscopeError(f"expected one --flags with --shrink, found {len(others) + 1}")
            finding = replace(wrong.finding, target=target)
            (small,) = shrinking.shrunk_all([finding], opened, rules)
            if small is finding:
                call = f"call {wrong.call.order} of {wrong.call.path}"
                print_error(f"{target.name} has no {finding.kind} on {call}: not shrunk")
            else:
                tally.wrong[finding.kind] = replace(wrong, finding=small, is_shrunk=True)
            advance()


HEADINGS = {WRONG_HIT: "wrong\nhits", WRONG_MISS: "wrong\nmisses", WRONG_T: "wrong\nts"}


def print_report(
    logs: Iterable[log.Log], tallies: Sequence[CallTally], paths: Mapping[Wrong, Path], rules: Rules
) -> None:
    """Print what is in some logs, and what is wrong; `paths` are those of the scenes."""
    for read in logs:
        remarks = [_calls(read.size)]
        remarks += ["the last one is cut off and left out"] * read.cut_off
        remarks += [f"{read.skipped} bytes that are no call are left out"] * bool(read.skipped)
        remarks += ["full: what was called later is not in it"] * read.is_full
        print_line(f"{read.path}: {', '.join(remarks)}")
    print_line(rules.words)
    _print_table(tallies)
    for tally in tallies:
        for words, calls in tally.not_judged.items():
            print_line(f"not judged: {_calls(calls)} of {tally.pair} in {FLOATS[tally.real]} with {words}")
    found = [wrong for tally in tallies for wrong in tally.wrong.values()]
    for wrong in found:
        _print_wrong(wrong, paths.get(wrong))
    if not found:
        print("no difference from the exact verdict")
    elif not paths:
        print("-o DIR saves these calls as scenes, which hitscope open shows")
    else:
        own = {wrong.finding.target.pair: method_words(wrong.finding.target) for wrong in found if wrong.is_shrunk}
        unknown = [wrong.finding.target.pair for wrong in found if wrong.finding.target.pair not in own]
        unnamed = [word for pair in dict.fromkeys(unknown) for word in ("--method", f"{pair}=TARGET")]
        judge.print_next([paths[wrong] for wrong in found], [*chain.from_iterable(own.values())], unnamed)


def _calls(count: int) -> str:
    return numerals.counted(count, "call")


def _print_table(tallies: Sequence[CallTally]) -> None:
    columns = {
        "calls": [tally.calls for tally in tallies],
        "repeated": [tally.repeated for tally in tallies],
        "not\njudged": [tally.not_judged.total() for tally in tallies],
        "left\nout": [tally.left_out for tally in tallies],
        "hits": [tally.hits for tally in tallies],
        "ts not\njudged": [tally.ts_left_out for tally in tallies],
        **{heading: [tally.count(kind) for tally in tallies] for kind, heading in HEADINGS.items()},
    }
    always = ("calls", "hits", *HEADINGS.values())
    columns = {heading: found for heading, found in columns.items() if heading in always or any(found)}
    table = new_table("pair", "float", right=columns)
    for i, tally in enumerate(tallies):
        cells = (count(found[i], heading in HEADINGS.values()) for heading, found in columns.items())
        table.add_row(tally.pair, FLOATS[tally.real], *cells)
    if tallies:
        print_table(table)


def _print_wrong(wrong: Wrong, path: Path | None) -> None:
    finding = wrong.finding
    target = finding.target
    print_line(f"{finding.kind} of {target.pair} in {target.precision}: {difference(finding)}")
    for shape in finding.shapes:
        print_line(f"    {numbers_text(shape, target.real)}")
    size = f", the worst of {wrong.count}" if wrong.count > 1 else ""
    print_line(f"    {'shrunk from ' * wrong.is_shrunk}call {wrong.call.order} of {wrong.call.path}{size}")
    if path:
        print_line(f"    {path}")


def as_dict(
    logs: Iterable[log.Log], tallies: Sequence[CallTally], paths: Mapping[Wrong, Path], rules: Rules
) -> dict[str, Any]:
    """Return the document that `hitscope collect --json` prints."""
    return {
        "rules": rules.as_dict(),
        "logs": [
            {
                "file": str(log.path),
                "calls": log.size,
                "cut_off": log.cut_off,
                "skipped_bytes": log.skipped,
                "full": log.is_full,
            }
            for log in logs
        ],
        "tallies": [
            {
                "pair": tally.pair,
                "float": FLOATS[tally.real],
                "calls": tally.calls,
                "repeated": tally.repeated,
                "not_judged": dict(tally.not_judged),
                "left_out": tally.left_out,
                "hits": tally.hits,
                "ts_left_out": tally.ts_left_out,
                **{results.COUNTS[kind]: tally.count(kind) for kind in HEADINGS},
            }
            for tally in tallies
        ],
        "findings": [
            {
                "pair": tally.pair,
                "float": FLOATS[tally.real],
                "kind": wrong.finding.kind.replace(" ", "_"),
                "count": wrong.count,
                "log": str(wrong.call.path),
                "call": wrong.call.order,
                "why": difference(wrong.finding),
                **results.sizes(wrong.finding.example),
                "file": str(paths[wrong]) if wrong in paths else None,
                "scene": to_builtins(scene_of(wrong, rules)),
            }
            for tally in tallies
            for wrong in tally.wrong.values()
        ],
    }
