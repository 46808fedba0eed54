"""The progress bar of a check on a terminal, for checks that take a while."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress

SHOWN_AFTER = 1.0
"""The seconds after which the bar is shown."""
REFRESH_SECONDS = 0.1
"""The seconds between two pictures of it."""


class CheckProgress:
    """The bar on standard error, where that is a terminal; gone at the end of a `with`."""

    def __init__(
        self, total: int, shown_after: float = SHOWN_AFTER, refresh_seconds: float = REFRESH_SECONDS
    ) -> None:
        """Begin with none of `total` scenes."""
        self._total = total
        self._refresh_seconds = refresh_seconds
        self._done = 0
        self._bar: Progress | None = None
        self._next = monotonic() + shown_after if sys.stderr.isatty() else float("inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Remove it."""
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """Count a scene."""
        self._done += 1
        now = monotonic()
        if now < self._next:
            return
        self._next = now + self._refresh_seconds
        if self._bar is None:
            self._bar = _new_bar(self._total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=self._done, refresh=True)

    @contextmanager
    def hidden(self, for_output: bool, for_error: bool) -> Iterator[None]:
        """Remove it while something is printed on its terminal: on standard output, or on standard error."""
        if self._bar is None or not (for_error or (for_output and sys.stdout.isatty())):
            yield
            return
        self._bar.stop()
        yield
        sys.stdout.flush()
        self._bar.start()


def _new_bar(total: int) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # What others print stays theirs: redirected, standard output would go to standard error.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task("", total=total)
    return bar
