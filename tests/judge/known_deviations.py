"""The known deviations: where each method errs, and one case that shows it.

Run as a script it writes `deviations.json` anew; what changed there is what changed in the methods.
"""

import json
from pathlib import Path

from hitscope.judge.campaign import catalogue
from hitscope.targets.judging.judged import CRASH, WRONG_HIT, WRONG_MISS
from tests.judge.campaigns import judge

FILE = Path(__file__).with_name("deviations.json")
SEEDS = range(200)
KINDS = WRONG_HIT, WRONG_MISS, CRASH
"""The differences that are kept: what else methods answer is put against exact geometry in `answer_deviations`."""
REWRITE = "write deviations.json with: .venv/bin/python tests/judge/known_deviations.py"


def read():
    """Return {method: {kind: {generator: [pair, seed]}}}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def deviations_of(rows):
    """Return what rows show, laid out as by `read`; the first case of a kind and generator is the witness."""
    deviations = {}
    for row in rows:
        entry = deviations.setdefault(row.target.name, {})
        examples = row.tally.examples
        for kind in KINDS:
            if kind in examples:
                entry.setdefault(kind, {}).setdefault(row.generator, [row.target.pair, examples[kind].seed])
    return deviations


def text(deviations):
    """Return the deviations as JSON, one kind of difference a line."""
    methods = []
    for name, entry in sorted(deviations.items()):
        kinds = ",\n".join(f'    "{kind}": {json.dumps(entry[kind])}' for kind in sorted(entry))
        methods.append(f'  "{name}": {{\n{kinds}\n  }}' if entry else f'  "{name}": {{}}')
    return "{\n" + ",\n".join(methods) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(deviations_of(judge(catalogue(), SEEDS))), encoding="utf-8")
