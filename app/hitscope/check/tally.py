"""The count of checked scenes: how they fared, and the exit status and the summary of a check."""

from collections import Counter
from collections.abc import Iterator

from hitscope.check.runner import Outcome, Status

FINE, MISMATCH, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


class CheckTally:
    """How many scenes of a check fared how; when it is strict, a scene of which nothing is compared fails."""

    def __init__(self, total: int, strict: bool = False) -> None:
        """Begin with none of `total` scenes."""
        self.total = total
        self.strict = strict
        self.is_interrupted = False
        self.counts: Counter[Status] = Counter()
        self.unevaluated = 0
        """The number of expectations of disabled probes."""

    def add(self, outcome: Outcome) -> None:
        """Count a scene."""
        self.counts[outcome.status] += 1
        self.unevaluated += len(outcome.unevaluated)

    def passes(self, outcome: Outcome) -> bool:
        """Whether a scene does not make the check fail."""
        return outcome.status in ("passed", "deselected") or (outcome.status == "empty" and not self.strict)

    @property
    def checked(self) -> int:
        """The number of scenes that were checked, of which anything was selected."""
        return self.counts.total() - self.counts["deselected"]

    @property
    def is_nothing_selected(self) -> bool:
        """Whether all scenes are deselected that are not broken."""
        left = self.total - self.counts["deselected"] - self.counts["broken"]
        return left == 0 and self.counts["deselected"] > 0

    @property
    def exit_status(self) -> int:
        """The exit status of the command: 0 all pass, 1 some fail, 2 some are broken, or none is selected."""
        if self.is_interrupted:
            return INTERRUPTED
        if self.counts["broken"] or self.is_nothing_selected:
            return BAD_INPUT
        return MISMATCH if self.counts["failed"] or (self.strict and self.counts["empty"]) else FINE

    @property
    def unevaluated_words(self) -> str:
        """The number of expectations of disabled probes, as a clause."""
        if self.unevaluated == 1:
            return "1 expectation of a disabled probe is not evaluated"
        return f"{self.unevaluated:,} expectations of disabled probes are not evaluated"

    def lines(self) -> Iterator[str]:
        """Yield the summary."""
        counts = self.counts
        words: dict[Status, str] = {
            "failed": "failed",
            "broken": "broken",
            "empty": "without expectations",
            "deselected": "deselected",
        }
        parts = [f"{counts[status]:,} {word}" for status, word in words.items() if counts[status]]
        if unchecked := self.total - counts.total():
            parts.append(f"{unchecked:,} not checked")
        if parts:
            yield ", ".join(parts)
        if self.unevaluated:
            yield self.unevaluated_words
        passing = counts["passed"] + (0 if self.strict else counts["empty"])
        yield f"{passing:,} of {self.checked:,} scenes pass{' (interrupted)' if self.is_interrupted else ''}"
