"""Evaluate every scene under some paths against its `expect`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hitscope import scene
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.scene import Scene


@dataclass(frozen=True)
class Outcome:
    """What became of one scene file; `error` is the one line that says why it could not be evaluated."""

    path: str
    expectations: int = 0
    mismatches: tuple[str, ...] = ()
    error: str | None = None

    @property
    def ok(self) -> bool:
        """Say whether the file is sound and all it expects holds."""
        return self.error is None and not self.mismatches


def find_scenes(paths: Iterable[Path]) -> list[Path]:
    """Give the named files, and of each folder every `*.scene.json` below it, in order of name.

    Raises HitscopeError where a folder holds none; a path that does not exist is left to the loader to report.
    """
    found: list[Path] = []
    for path in paths:
        below = sorted(path.rglob("*.scene.json")) if path.is_dir() else [path]
        if not below:
            raise HitscopeError(f"{path}: expected at least one *.scene.json below this folder, found none")
        found += below
    return found


def check(paths: Iterable[Path], load: Callable[[Path], Scene] = scene.load) -> Iterator[Outcome]:
    """Check the scene that `load` gives of each path, and give its outcome as soon as it is known."""
    for path in paths:
        try:
            report = evaluate(load(path))
            words = tuple(mismatch.words for mismatch in report.mismatches)
            yield Outcome(str(path), len(report.scene.expect), words)
        except HitscopeError as error:
            yield Outcome(str(path), error=str(error))
