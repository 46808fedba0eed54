"""The command `hitscope judge`, and the text that it prints."""

import argparse
import signal
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from threading import Event

from rich.text import Text

from hitscope import numerals, outputs
from hitscope.check.updating import require_update
from hitscope.cli import tables
from hitscope.cli.tables import count, new_table, print_table
from hitscope.errors import Fault, HitscopeError
from hitscope.geometry import registry, threads
from hitscope.judge import drawing, finding_scenes, framework_tests, results, wider
from hitscope.judge.alike import find_alike, wrong_in
from hitscope.judge.baseline import Baseline
from hitscope.judge.campaign import Campaign, catalogue
from hitscope.judge.findings import Finding, circumstance, description, examples, numbers_text
from hitscope.judge.own_cases import CASES, own_cases
from hitscope.judge.shrinking import distinct, key, shrunk_all
from hitscope.judge.tallies import Row, Tally, percentile
from hitscope.targets.fixes import Fixes, sentences
from hitscope.targets.judging.judged import CRASH, MISSING_T, WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import carried_by, method_words, rules_of, specs
from hitscope.targets.target import Carried, TargetSpec, TargetText
from hitscope.terminal import FINE, INTERRUPTED, WRONG, command_line, json_text, one_line, print_error, print_line


def run(options: argparse.Namespace) -> int:
    """Judge what the options name; returns the exit status: 0 nothing is wrong, 1 something is, 130 Ctrl+C."""
    campaign = _campaign(options)
    targets, rules = campaign.targets, campaign.rules
    baseline = Baseline.read(options.baseline, options.update) if options.baseline else Baseline()
    with OpenTargets() as opened:
        is_whole = is_judged_whole(campaign, opened, options)
        if options.update and is_whole:
            baseline = baseline.updated(campaign.rows)
            baseline.write()
        compared = baseline.compared(campaign.rows)
        findings = compared.unknown(examples(campaign.rows, one_each=options.builtin), options.builtin)
        if (options.output or not options.builtin) and is_whole:
            with tables.progress("shrinking", len(findings)) as advance:
                findings = wider.with_causes(shrunk_all(findings, opened, rules, advance))
        about = [opened[target].about for target in targets] if is_whole else []
        alike = None
        if findings and is_whole and not options.builtin:
            alike = find_alike(opened[targets[0]], campaign, wrong_in(campaign.rows))
    fixes = _fixes(campaign) if options.fix and findings and is_whole else Fixes()
    shown = distinct(findings)
    paths = {}
    if options.output and is_whole:
        paths = finding_scenes.save_findings(shown, options.output, targets, rules, sentences(fixes, alike))
    if options.framework and is_whole:
        framework_tests.write_tests(options, shown, targets[0], rules)
    if options.json:
        files = {key(finding): path for finding, path in paths.items()}
        of_all = {finding: files[key(finding)] for finding in findings if key(finding) in files}
        document = results.as_dict(campaign.rows, findings, of_all, rules)
        document |= {"known": compared.as_dicts()} if options.baseline else {}
        document |= {} if options.builtin else {"alike": alike and alike._asdict()}
        print(json_text(document | (fixes.as_dict() if options.fix else {})))
    elif options.builtin:
        print_judged_catalogue(campaign.rows)
    elif options.output or not options.framework:  # else the tests are alone on standard output
        cases = [f"{len(campaign.own)} of your own cases"] if campaign.own is not None else []
        if len(campaign.generators) > len(cases):
            cases.append(f"{len(campaign.seeds)} cases of each generator")
        print_header(campaign, ", ".join(cases), [rules.words, *about])
        print_judged(campaign.rows, shown, paths, f" beyond {options.baseline}" if options.baseline else "")
        if alike is not None:
            print_line(alike.sentence)
        if paths:
            first = next(iter(paths)).target
            print_next([path for found, path in paths.items() if found.target == first], method_words(first))
    if options.fix and findings and not options.json:
        for line in fixes.lines(targets[0].given):
            print_line(line)
    if options.write and fixes.fix:
        backup = fixes.fix.write(TargetText.of(targets[0].text).file)
        print_error(f"changed line {fixes.fix.line}; the file as it was is {backup}")
    if not (options.json or options.framework):
        for line in compared.lines():
            print_line(line)
    return INTERRUPTED if not is_whole else WRONG if findings else FINE


def _campaign(options: argparse.Namespace) -> Campaign:
    """Return the campaign that the options name, before anything is opened; raises HitscopeError."""
    known = carried_by(options.target, options.pair, options) if options.target is not None else Carried()
    pair = options.pair or known.pair
    if options.builtin == (options.target is not None) or not (options.builtin or pair):
        raise HitscopeError("expected TARGET and --pair PAIR, or --builtin")
    if options.framework:
        framework_tests.require_framework(options)
    if options.fix and (options.builtin or options.framework):
        raise HitscopeError("expected TARGET with --fix, found " + ("--builtin" if options.builtin else "--as"))
    if options.write and not options.fix:
        raise HitscopeError("expected --fix with --write, found none")
    if options.output:
        outputs.require_folder(options.output)
    generators = list(dict.fromkeys(options.generator or known.generators or drawing.GENERATORS))
    available = [*([CASES] if options.cases_from else []), *drawing.GENERATORS]
    for name in generators:
        if name not in available:
            raise Fault.unknown((), "a generator", available, name)
    targets = catalogue(pair or None) if options.builtin else specs(known, pair, options, options.float)
    if not targets:
        raise HitscopeError(f"expected TARGET: {pair} has no method but {registry.EXACT}")
    if options.fix:
        from hitscope.judge.fixing.search import fixable  # which needs packages that judging does not

        fixable(targets[0])
    if options.cases_from and not pair:
        raise HitscopeError("expected --pair PAIR with --cases-from, found none")
    rules = rules_of(options, known)
    own = own_cases(options.cases_from, pair, targets[0].real) if options.cases_from else None
    if options.update:
        if options.baseline is None:
            raise HitscopeError("expected --baseline FILE with --update, found none")
        require_update()
    seeds = range(options.seed, options.seed + (options.cases or (200 if options.builtin else 1000)))
    return Campaign(targets, seeds, rules, generators, own)


def is_judged_whole(campaign: Campaign, opened: OpenTargets, options: argparse.Namespace) -> bool:
    """Run a campaign to its end, or until Ctrl+C; returns whether it came to its end."""
    try:
        with tables.progress("cases", campaign.size) as advance, ExitStack() as stack:
            if options.dask:
                from hitscope.judge.dask_workers import dask_workers

                dask = stack.enter_context(dask_workers(options.dask))
                campaign.run(opened, dask.threads, dask.executor, advance, check=dask.check)
            else:
                campaign.run(opened, options.jobs or threads.count(), advance=advance)
            campaign.require_judged()
    except KeyboardInterrupt:
        return False
    return True


def _fixes(campaign: Campaign) -> Fixes:
    """Look for the wrong line of a campaign's first target; Ctrl+C ends the search with what it has found."""
    from hitscope.judge.fixing.search import find_fixes  # which needs packages that judging does not

    stop = Event()

    def end(*_: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, end)
    try:
        with tables.status("looking for the wrong line") as tell:
            return find_fixes(campaign, advance=tell, stops=stop.is_set)
    finally:
        signal.signal(signal.SIGINT, before)


VERDICTS = {WRONG_HIT: "wrong\nhits", WRONG_MISS: "wrong\nmisses", CRASH: "crashes"}


def print_header(campaign: Campaign, cases: str, about: Iterable[str]) -> None:
    """Print what was judged, and how; `about` has the rules and e.g. the GL driver that a target ran on."""
    first = campaign.targets[0]
    print_line(f"{first.given} on {first.pair} in {first.precision}: {cases}")
    for line in filter(None, dict.fromkeys(about)):
        print_line(line)


def print_judged(
    rows: Sequence[Row], findings: Sequence[Finding], paths: Mapping[Finding, Path], beyond: str = ""
) -> None:
    """Print the rows of one target, also with several flags, and of each kind one example, the others named."""
    targets = list(dict.fromkeys(row.target for row in rows))
    if len(targets) > 1:
        _print_flags(targets, rows)
    else:
        _print_verdicts(rows)
        _print_parts(rows)
    by_kind: dict[tuple[TargetSpec, str], list[Finding]] = {}
    for finding in findings:
        by_kind.setdefault((finding.target, finding.kind), []).append(finding)
    for (target, _), (first, *others) in by_kind.items():
        flags = f" with {target.flags or 'no flags'}" if len(targets) > 1 else ""
        print_line(f"{first.kind}{flags}: {description(first)}")
        for shape in first.shapes:
            print_line(f"    {numbers_text(shape, target.real)}")
        print_line(f"    {_place(first)}{f', {paths[first]}' if first in paths else ''}")
        alike: dict[str, list[Finding]] = {circumstance(first): []}
        for finding in others:
            alike.setdefault(circumstance(finding), []).append(finding)
        for n, (words, group) in enumerate(alike.items()):
            if group:
                places = ", ".join(_place(finding, with_depth=True) for finding in group)
                print_line(f"    also{f' ({words})' if n else ''}: {places}")
    if not findings:
        print_line(f"no difference from the exact verdict{beyond}")
    elif not paths:
        print("-o DIR saves these pairs as scenes, which hitscope open shows")


def print_next(paths: Sequence[Path], words: Sequence[str], unnamed: Sequence[str] = ()) -> None:
    """Print the commands that show scenes, and that test the code that `words` name, or TARGET of `unnamed`."""
    named = [f"./{path}" if str(path).startswith("-") else str(path) for path in (*paths, paths[0].parent)]
    being = "TARGET being your test as FILE:FUNCTION" if unnamed else "the second one your test"
    print(f"next, {being}, which fails until it is right:")
    for command in (
        command_line("hitscope", "open", *named[:-1], *words),
        command_line("hitscope", "check", named[-1], *words, *unnamed),
    ):
        if command == one_line(command):  # else it is not the command any more
            print(f"    {command}")


def _place(finding: Finding, with_depth: bool = False) -> str:
    ulps = finding.example.ulps if with_depth else None
    depth = f", {numerals.short(ulps, 3)} ulps" if ulps else ""
    return f"{finding.generator} (seed {finding.example.seed}{depth})"


def _print_verdicts(rows: Sequence[Row]) -> None:
    """Print how often a target is wrong about hit and miss, and by how much at worst."""
    tallies = [row.tally for row in rows]
    counts = {
        "hits": [tally.hits for tally in tallies],
        "left\nout": [tally.left_out for tally in tallies],
        "not\nrun": [tally.not_run for tally in tallies],
        **{heading: [tally.wrong[kind] for tally in tallies] for kind, heading in VERDICTS.items()},
    }
    always = ("hits", VERDICTS[WRONG_HIT], VERDICTS[WRONG_MISS])
    counts = {heading: found for heading, found in counts.items() if heading in always or any(found)}
    timed = ["ns a\ncall"] if any(tally.timed_ns_per_call for tally in tallies) else []
    table = new_table("verdicts", right=(*counts, "wrong per\nmillion", "worst\nulps", *timed))
    for i, (row, tally) in enumerate(zip(rows, tallies, strict=True)):
        wrong = tally.wrong_verdicts
        table.add_row(
            row.generator,
            *(count(found[i], heading in VERDICTS.values()) for heading, found in counts.items()),
            f"{tally.per_million(wrong):.0f}" if tally.cases else "",
            numerals.short(tally.worst_ulps, 3) if wrong else "",
            *([numerals.short(tally.timed_ns_per_call, 3) if tally.timed_ns_per_call else ""] if timed else []),
        )
    print_table(table)


def _print_parts(rows: Sequence[Row]) -> None:
    """Print how far the ts are off, where the target gives any, and the wrong normals."""
    tallies = [row.tally for row in rows]
    if not any(tally.t_ulps or tally.wrong[WRONG_NORMAL] for tally in tallies):
        return
    headings = ("of hits", "wrong", "99 % to\nulps", "worst\nulps", "99 % to\nunits", "worst\nunits")
    counts = {
        "no t": [tally.counts[MISSING_T] for tally in tallies],
        "not\njudged": [tally.ts_left_out for tally in tallies],
        "wrong\nnormals": [tally.wrong[WRONG_NORMAL] for tally in tallies],
    }
    counts = {heading: found for heading, found in counts.items() if any(found)}
    table = new_table("t_enter", right=(*headings, *counts))
    for i, (row, tally) in enumerate(zip(rows, tallies, strict=True)):
        of_ulps, of_units = percentile(tally.t_ulps), percentile(tally.t_distances)
        parts = (of_ulps, tally.t_worst_ulps, of_units, tally.t_worst_distance)
        table.add_row(
            row.generator,
            str(tally.t_ulps.total()),
            count(tally.wrong[WRONG_T]),
            *(numerals.short(part or 0, 3) if tally.t_ulps else "" for part in parts),
            *(count(found[i], heading.startswith("wrong")) for heading, found in counts.items()),
        )
    print_table(table)


def _print_flags(targets: Sequence[TargetSpec], rows: Sequence[Row]) -> None:
    """Print a column a target: its wrong verdicts, by how many ulps at worst, its wrong ts, and the ns a call."""
    table = new_table("generator", right=(Text(target.flags or "no flags") for target in targets))
    table.add_section()
    by_generator: dict[str, list[Text]] = {}
    for generator, tally in ((row.generator, row.tally) for row in rows):
        cell = Text.assemble(
            *(count(tally.wrong_verdicts), " wrong"),
            f" (to {numerals.short(tally.worst_ulps, 3)} ulps)" if tally.wrong_verdicts else "",
            f", {tally.wrong[WRONG_T]} t" if tally.wrong[WRONG_T] else "",
            f", {numerals.short(tally.timed_ns_per_call, 3)} ns" if tally.timed_ns_per_call else "",
        )
        by_generator.setdefault(generator, []).append(cell)
    for generator, cells in by_generator.items():
        table.add_row(generator, *cells)
    print_table(table)


def print_judged_catalogue(rows: Sequence[Row]) -> None:
    """Print one row a method and pair, with the generators in which it errs and the seed of the first case."""
    headings = {**VERDICTS, WRONG_T: "wrong\nts", WRONG_NORMAL: "wrong\nnormals"}
    table = new_table("method", "pair", right=("cases", *headings.values()))
    table.add_column("errs in (seed)")
    by_target: dict[TargetSpec, list[tuple[str, Tally]]] = {}
    for row in rows:
        by_target.setdefault(row.target, []).append((row.generator, row.tally))
    for target, tallies in by_target.items():
        table.add_row(
            target.given,
            target.pair,
            str(sum(tally.cases for _, tally in tallies)),
            *(count(sum(tally.wrong[kind] for _, tally in tallies)) for kind in headings),
            ", ".join(
                f"{generator} {sum(tally.wrong.values())} ({next(iter(tally.examples.values())).seed})"
                for generator, tally in tallies
                if tally.examples
            ),
        )
    print_table(table)
