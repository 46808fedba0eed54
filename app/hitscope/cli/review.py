"""`hitscope review` without its window: scenes that differ from their expectations, and what is done of them."""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hitscope.check.failures import Failure
from hitscope.check.pair_commands import STANDARD_INPUT
from hitscope.check.runner import Checks, check
from hitscope.check.updating import require_update, update_all
from hitscope.errors import HitscopeError
from hitscope.terminal import BAD_INPUT, FINE, WRONG, print_failure, print_line

CHOICES = ("accepted", "rejected", "skipped")


@dataclass(frozen=True)
class Differing:
    """The scenes that differ from their expectations, with their failures, among so many."""

    failures: Mapping[Path, tuple[Failure, ...]]
    count: int
    broken: int
    """The number of files that could not be evaluated."""

    def exit_status(self, differ: bool) -> int:
        return BAD_INPUT if self.broken else WRONG if differ else FINE


def differing(paths: Iterable[str], read: Callable[[Path], bytes]) -> Differing:
    """Check scenes; print an error for each file that cannot be evaluated."""
    outcomes = list(check(map(Path, paths), Checks(read)))
    for outcome in outcomes:
        if outcome.error is not None:
            print_failure(outcome.error, outcome.traceback)
    failed = {Path(outcome.path): outcome.failures for outcome in outcomes if outcome.status == "failed"}
    return Differing(failed, len(outcomes), sum(outcome.status == "broken" for outcome in outcomes))


def run_without_window(options: argparse.Namespace, found: Differing) -> int:
    """List, accept or reject all that differ, as the options say; returns the exit status."""
    if options.accept:
        require_update()
        if found.failures:
            return max(found.exit_status(differ=False), update_all(found.failures))
    for path, failures in found.failures.items():
        if options.reject:
            print_line(f"rejected  {path}  (its file stays and its check fails)")
        else:
            for failure in failures:
                print_line(failure.text(str(path)))
    broken = f", {found.broken:,} broken" if found.broken else ""
    print(f"{len(found.failures):,} of {found.count:,} scenes differ{broken}")
    return found.exit_status(bool(found.failures))


def require_window_review(found: Differing) -> None:
    """Raise HitscopeError where the scenes cannot be reviewed in a window."""
    require_update()
    if Path(STANDARD_INPUT) in found.failures:
        raise HitscopeError("-: expected a scene file to review, found standard input")


def print_decided(found: Differing, choices: Mapping[Path, str], differ: bool) -> int:
    """Print what was decided of which scene, and return the exit status where some of them still `differ`."""
    for path, choice in choices.items():
        print_line(f"{choice}  {path}")
    counts, left = Counter(choices.values()), len(found.failures) - len(choices)
    words = [f"{counts[choice]:,} {choice}" for choice in CHOICES if counts[choice]]
    words += [f"{left:,} not decided"] if left else []
    print(", ".join([*words, f"of {len(found.failures):,} scenes that differed"]))
    return found.exit_status(differ or left > 0)
