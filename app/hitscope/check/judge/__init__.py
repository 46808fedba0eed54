"""Targets put against exact geometry: campaigns of drawn cases, and differences shrunk and saved as scenes."""

from hitscope.check.judge.campaign import Campaign, judge
from hitscope.check.judge.command import catalogue
from hitscope.check.judge.drawing import GENERATORS, generate
from hitscope.check.judge.finding_scenes import save_findings, scene_of
from hitscope.check.judge.findings import Finding, cause_of, examples, reason
from hitscope.check.judge.results import as_dict, merge
from hitscope.check.judge.shrinking import distinct, shrunk_all
from hitscope.check.judge.tallies import Row, Tally
from hitscope.targets.judging.judged import CRASH, KINDS, WRONG_HIT, WRONG_MISS, WRONG_NORMAL, WRONG_T
from hitscope.targets.judging.rules import Rules
from hitscope.targets.open_targets import OpenTargets

__all__ = [
    "CRASH",
    "GENERATORS",
    "KINDS",
    "WRONG_HIT",
    "WRONG_MISS",
    "WRONG_NORMAL",
    "WRONG_T",
    "Campaign",
    "Finding",
    "OpenTargets",
    "Row",
    "Rules",
    "Tally",
    "as_dict",
    "catalogue",
    "cause_of",
    "distinct",
    "examples",
    "generate",
    "judge",
    "merge",
    "reason",
    "save_findings",
    "scene_of",
    "shrunk_all",
]
