"""How the documents of two campaigns, as `hitscope judge --json` prints them, become one."""

from collections import Counter
from math import inf
from operator import itemgetter

from hitscope.judge.findings import rank
from hitscope.judge.results import COUNTS, HISTOGRAMS, as_dict
from hitscope.judge.tallies import COUNTED, WORST, Row, Tally
from hitscope.targets.judging.judged import KINDS
from hitscope.targets.judging.rules import Rules
from hitscope.targets.target import REALS, TargetSpec

ROW = itemgetter("method", "flags", "float", "pair", "generator")


def merge(first, second):
    """Return the document of a campaign over the seeds of two others.

    Both have the same targets, generators and rules, and the seeds of the second follow those of the first. The
    times are added up.
    """
    assert first["rules"] == second["rules"]
    rows = {}
    for entry in (*first["tallies"], *second["tallies"]):
        target = TargetSpec(entry["method"], entry["pair"], REALS[entry["float"]], entry["flags"])
        row = rows.setdefault(ROW(entry), Row(target, entry["generator"]))
        row.add(map(_part, entry.get("parts", [entry])))
    findings = {}
    for found in (*first["findings"], *second["findings"]):
        key = *ROW(found), found["kind"]
        findings[key] = min(findings.get(key, found), found, key=_rank)
    order, kinds = [*rows], [kind.replace(" ", "_") for kind in KINDS]
    in_order = sorted(findings.values(), key=lambda one: (order.index(ROW(one)), kinds.index(one["kind"])))
    tallies = as_dict(rows.values(), (), {}, Rules())["tallies"]
    return {"rules": first["rules"], "tallies": tallies, "findings": sorted(in_order, key=_rank)}


def _rank(found):
    return rank(found["generator"], found["kind"], inf if found["ulps"] is None else found["ulps"])


def _part(entry):
    sums = {name: entry[name] for name in COUNTED}
    sums |= {name: inf if entry[name] is None else entry[name] for name in WORST}
    histograms = {
        name: Counter({inf if bound is None else bound: count for bound, count in entry[f"{name}_histogram"]})
        for name in HISTOGRAMS
    }
    tally = Tally(entry["first_seed"], calls=entry["cases"], **sums, **histograms)
    tally.counts = +Counter({kind: entry[name] for kind, name in COUNTS.items()})
    return tally
