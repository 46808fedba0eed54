"""Methods, and the user's own functions, against the exact verdict: what differs, shrunk and saved as scenes."""

from hitscope.check.judge.generators import GENERATORS, generate
from hitscope.check.judge.saving import as_dict, save_findings, scene_of, why
from hitscope.check.judge.shrink import shrunk_all
from hitscope.check.judge.target import CRASH, KINDS, WRONG_HIT, WRONG_MISS, Target, of_function, of_method
from hitscope.check.judge.trial import Finding, Tally, Targets, catalogue, examples, judge, rounds

__all__ = [
    "CRASH",
    "GENERATORS",
    "KINDS",
    "WRONG_HIT",
    "WRONG_MISS",
    "Finding",
    "Tally",
    "Target",
    "Targets",
    "as_dict",
    "catalogue",
    "examples",
    "generate",
    "judge",
    "of_function",
    "of_method",
    "rounds",
    "save_findings",
    "scene_of",
    "shrunk_all",
    "why",
]
