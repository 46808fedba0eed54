"""The runner of `hitscope check`: scene files, each compared with its own `expect`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hitscope import scene
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.scene import Scene


@dataclass(frozen=True)
class Outcome:
    """The result of checking one scene file; `error` is one line, None if the file could be evaluated."""

    path: str
    expectations: int = 0
    mismatches: tuple[str, ...] = ()
    error: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the file could be evaluated and meets all its expectations."""
        return self.error is None and not self.mismatches


def find_scenes(paths: Iterable[Path]) -> list[Path]:
    """Return the files named, and every `*.scene.json` below the folders named, in order of name.

    Raises HitscopeError for a folder without any; a path that does not exist is left to the loader to report.
    """
    found: list[Path] = []
    for path in paths:
        below = sorted(path.rglob("*.scene.json")) if path.is_dir() else [path]
        if not below:
            raise HitscopeError(f"{path}: expected at least one *.scene.json below this folder, found none")
        found += below
    return found


def check(paths: Iterable[Path], load: Callable[[Path], Scene] = scene.load) -> Iterator[Outcome]:
    """Check the scene that `load` returns for each path, and yield its outcome as soon as it is known."""
    for path in paths:
        try:
            report = evaluate(load(path))
            mismatches = tuple(mismatch.words for mismatch in report.mismatches)
            yield Outcome(str(path), len(report.scene.expect), mismatches)
        except HitscopeError as error:
            yield Outcome(str(path), error=str(error))
