"""`make fuzz`: attacks on hitscope, each with its share of the time; exit 1 on a finding.

python -m tests.fuzz.run [--minutes M] [--seed S] [ATTACK ...]
python -m tests.fuzz.run --replay build/fuzz/ATTACK-SEED.case
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from tests.fuzz import harness
from tests.fuzz.attacks import NAMES

WORKERS = 2


def lines(result: harness.Result) -> Iterator[str]:
    """Yield a line with the counts of an attack, and a few for each finding."""
    rate = result.cases / result.seconds if result.seconds else 0
    yield (
        f"{result.name:10}  {result.cases:8,} cases  {rate:8,.1f}/s  {result.accepted:4.0%} accepted  "
        f"{len(result.kinds):4} kinds of outcomes  {len(result.findings):3} findings"
    )
    for finding in sorted(result.findings.values(), key=lambda finding: -finding.count):
        last = finding.seen.strip().splitlines()[-1:] or [""]
        yield f"    {finding.fault} ({finding.count} cases, first with seed {finding.seed})"
        yield f"        {ascii(last[0])[1:-1][:300]}"
        yield f"        again: python -m tests.fuzz.run --replay {finding.path}"


def replay(path: Path) -> bool:
    """Check a saved case again and print what is seen; returns whether it still fails."""
    name = path.stem.rpartition("-")[0]
    with harness.Worker(name) as worker:
        outcome = worker.check(path.read_bytes())
    print(f"{path}: {outcome.fault or outcome.kind}\n{outcome.seen}".rstrip())
    return bool(outcome.fault)


def main() -> int:
    """Run the attacks, or one saved case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(NAMES)} (all)")
    parser.add_argument("--minutes", type=float, default=10, metavar="M", help="for all attacks together (10)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first case; the next ones follow")
    parser.add_argument("--cases", type=int, metavar="N", help="the most cases of each attack")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="check a saved case again")
    options = parser.parse_args()
    if options.replay:
        return int(replay(options.replay))
    names = options.attacks or NAMES
    if unknown := set(names) - set(NAMES):
        parser.error(f"expected attacks ({', '.join(NAMES)}), found {', '.join(sorted(unknown))}")
    for name in names:
        harness.attack(name)  # imported before there are threads
    share = options.minutes * 60 * min(WORKERS, len(names)) / len(names)

    def run(name: str) -> harness.Result:
        seeds = count(options.seed) if options.cases is None else range(options.seed, options.seed + options.cases)
        return harness.run(name, seeds, time.monotonic() + share)

    found = False
    with ThreadPoolExecutor(WORKERS) as pool:
        for result in pool.map(run, names):
            print(*lines(result), sep="\n", flush=True)
            found |= bool(result.findings)
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
