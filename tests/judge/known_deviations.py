"""The known deviations: where each method errs, and one case that shows it.

Run as a script it writes `deviations.json` anew; what changed there is what changed in the methods.
"""

import json
from pathlib import Path

from hitscope.check.judge import catalogue, judge

FILE = Path(__file__).with_name("deviations.json")
SEEDS = range(200)
REWRITE = "write deviations.json with: .venv/bin/python tests/judge/known_deviations.py"


def read():
    """Return {method: {kind: {generator: [pair, seed]}}}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def deviations_of(tallies):
    """Return what tallies show, laid out as by `read`; the first case of a kind and generator is the witness."""
    deviations = {}
    for tally in tallies:
        entry = deviations.setdefault(tally.target.name, {})
        for kind, finding in tally.first.items():
            entry.setdefault(kind, {}).setdefault(tally.generator, [tally.pair, finding.seed])
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
