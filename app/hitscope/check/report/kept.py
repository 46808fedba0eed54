"""The failures that a report keeps of outcomes: its size does not grow with the number of scenes."""

from collections import Counter
from dataclasses import dataclass, field, replace

from hitscope.check.report.markup import text
from hitscope.check.runner import Outcome, Status

MOST_DETAILED = 1000
"""The most failures that are shown in detail."""
LINES_BYTES = 500_000
"""The most bytes of the lines of failures without details, and of those of broken files."""
PATHS_BYTES = 250_000
"""The most bytes of the paths of scenes that pass, and of those without expectations."""


class Lines:
    """Lines of text as HTML up to a number of bytes; the rest is counted."""

    def __init__(self, largest: int) -> None:
        self.shown: list[str] = []
        self.left_out = 0
        self._room = largest

    def __len__(self) -> int:
        """Return the number of all lines."""
        return len(self.shown) + self.left_out

    def add(self, line: str) -> None:
        """Add a line of text; once one has been left out, the next ones are, too."""
        item = f"<li>{text(line)}</li>"
        self._room -= len(item.encode())
        if self._room >= 0:
            self.shown.append(item)
        else:
            self._room = 0
            self.left_out += 1


@dataclass
class Kept:
    """The outcomes of a check, as far as a report needs them."""

    counts: Counter[Status] = field(default_factory=Counter)
    """The number of scenes by how they fared."""
    expectations: int = 0
    failures: int = 0
    failed: list[Outcome] = field(default_factory=list)
    """The failures that are shown in detail."""
    lines: Lines = field(default_factory=lambda: Lines(LINES_BYTES))
    """The failures that are not."""
    broken: Lines = field(default_factory=lambda: Lines(LINES_BYTES))
    empty: Lines = field(default_factory=lambda: Lines(PATHS_BYTES))
    passed: Lines = field(default_factory=lambda: Lines(PATHS_BYTES))

    def add(self, outcome: Outcome) -> None:
        """Take the outcome of a scene."""
        status = outcome.status
        self.counts[status] += 1
        self.expectations += len(outcome.names)
        if status == "broken":
            self.broken.add(str(outcome.error))
        elif status == "failed":
            detailed = outcome.failures[: max(0, MOST_DETAILED - self.failures)]
            self.failures += len(outcome.failures)
            if detailed:
                self.failed.append(replace(outcome, names=(), failures=detailed))
            for failure in outcome.failures[len(detailed) :]:
                self.lines.add(failure.text(outcome.path))
        elif status == "empty":
            self.empty.add(f"{outcome.path} ({outcome.count})" if outcome.names else outcome.path)
        else:
            self.passed.add(f"{outcome.path} ({outcome.count})")
