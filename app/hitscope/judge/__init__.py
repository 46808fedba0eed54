"""Targets put against exact geometry: campaigns of drawn cases, and differences shrunk and saved as scenes."""

from hitscope.judge.campaign import Campaign, catalogue, judge
from hitscope.judge.drawing import GENERATORS, generate
from hitscope.judge.finding_scenes import save_findings, scene_of
from hitscope.judge.findings import Finding, cause_of, examples, reason
from hitscope.judge.results import as_dict, merge
from hitscope.judge.shrinking import distinct, shrunk_all
from hitscope.judge.tallies import Row, Tally
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
