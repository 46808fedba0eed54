"""The command `hitscope judge`."""

import argparse
import os
from contextlib import ExitStack

from hitscope import outputs
from hitscope.check.updating import require_update
from hitscope.cli import judge_report as report
from hitscope.cli import tables
from hitscope.errors import Fault, HitscopeError
from hitscope.geometry import threads
from hitscope.judge.baseline import Baseline
from hitscope.judge.campaign import Campaign, catalogue
from hitscope.judge.drawing import GENERATORS
from hitscope.judge.finding_scenes import save_findings
from hitscope.judge.findings import examples
from hitscope.judge.own_cases import CASES, own_cases
from hitscope.judge.results import as_dict
from hitscope.judge.shrinking import distinct, key, shrunk_all
from hitscope.judge.test_files import require_framework, write_tests
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import Carried
from hitscope.targets.target_options import carried_by, method_words, rules_of, specs
from hitscope.terminal import json_text, print_line

FINE, WRONG, INTERRUPTED = 0, 1, 130


def run(options: argparse.Namespace) -> int:
    """Judge what the options name; returns the exit status: 0 nothing is wrong, 1 something is.

    130 after Ctrl+C, which ends the campaign early: what was judged until then is printed. Raises HitscopeError.
    """
    if options.mesh is not None:
        from hitscope.cli.watertight import run as run_on_a_mesh

        return run_on_a_mesh(options)
    known = carried_by(options.target, options.pair, options) if options.target is not None else Carried()
    pair = options.pair or known.pair
    if options.builtin == (options.target is not None) or not (options.builtin or pair):
        raise HitscopeError("expected TARGET and --pair PAIR, or --builtin")
    if options.framework:
        require_framework(options)
    if options.output:
        outputs.require_folder(options.output)
    generators = list(dict.fromkeys(options.generator or known.generators or GENERATORS))
    available = [*([CASES] if options.cases_from else []), *GENERATORS]
    for name in generators:
        if name not in available:
            raise Fault.unknown((), "a generator", available, name)
    targets = catalogue(pair or None) if options.builtin else specs(known, pair, options, options.float)
    rules = rules_of(options, known)
    cases = options.cases or (200 if options.builtin else 1000)
    own = None
    if options.cases_from:
        if not pair:
            raise HitscopeError("expected --pair PAIR with --cases-from, found none")
        own = own_cases(options.cases_from, pair, targets[0].real)
    drawn = [name for name in generators if name != CASES]
    campaign = Campaign(targets, range(options.seed, options.seed + cases), rules, drawn, own)
    if options.update and options.baseline is None:
        raise HitscopeError("expected --baseline FILE with --update, found none")
    if options.update:
        require_update(os.environ)
    baseline = Baseline.read(options.baseline, options.update) if options.baseline else None
    interrupted = False
    with OpenTargets() as opened:
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
            interrupted = True
        if baseline is not None and options.update and not interrupted:
            baseline = baseline.updated(campaign.rows)
            baseline.write()
        compared = baseline.compared(campaign.rows) if baseline is not None else None
        findings = [
            finding
            for finding in examples(campaign.rows, one_each=options.builtin)
            if compared is None or not compared.is_known(finding, of_any_generator=options.builtin)
        ]
        if (options.output or not options.builtin) and not interrupted:
            with tables.progress("shrinking", len(findings)) as advance:
                findings = shrunk_all(findings, opened, rules, advance)
        about = [opened[target].about for target in targets] if not interrupted else []
    shown = distinct(findings)
    paths = save_findings(shown, options.output, targets, rules) if options.output and not interrupted else {}
    if options.framework and not interrupted:
        write_tests(options, shown, targets[0], rules)
    if options.json:
        files = {key(finding): path for finding, path in paths.items()}
        paths = {finding: files[key(finding)] for finding in findings if key(finding) in files}
        known_kinds = {"known": compared.as_dicts()} if compared is not None else {}
        print(json_text(as_dict(campaign.rows, findings, paths, rules) | known_kinds))
    elif options.builtin:
        report.print_judged_catalogue(campaign.rows)
    elif options.output or not options.framework:  # else the tests are alone on standard output
        report.print_header(campaign, about)
        report.print_judged(campaign.rows, shown, paths, f" beyond {options.baseline}" if compared else "")
        if paths and not options.builtin:
            first = next(iter(paths)).target
            of_first = [path for finding, path in paths.items() if finding.target == first]
            report.print_next(of_first, method_words(first))
    if compared is not None and not options.json and not options.framework:
        for line in compared.lines():
            print_line(line)
    return INTERRUPTED if interrupted else WRONG if findings else FINE
