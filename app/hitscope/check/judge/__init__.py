"""Methods and users' own functions compared with the exact verdict; differences are shrunk and saved as scenes."""

from hitscope.check.judge.finding_scenes import as_dict, reason, save_findings, scene_of
from hitscope.check.judge.function_process import in_own_process
from hitscope.check.judge.generators import GENERATORS, generate
from hitscope.check.judge.shrinking import shrunk_all
from hitscope.check.judge.tallies import (
    Finding,
    GeneratorTally,
    TargetsByPair,
    catalogue,
    examples,
    generator_runs,
    judge,
)
from hitscope.check.judge.target import CRASH, KINDS, WRONG_HIT, WRONG_MISS, JudgeTarget, of_function, of_method

__all__ = [
    "CRASH",
    "GENERATORS",
    "KINDS",
    "WRONG_HIT",
    "WRONG_MISS",
    "Finding",
    "GeneratorTally",
    "JudgeTarget",
    "TargetsByPair",
    "as_dict",
    "catalogue",
    "examples",
    "generate",
    "generator_runs",
    "in_own_process",
    "judge",
    "of_function",
    "of_method",
    "reason",
    "save_findings",
    "scene_of",
    "shrunk_all",
]
