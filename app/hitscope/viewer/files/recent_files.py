"""The recent files of the user, as the gallery lists them."""

from collections.abc import Iterable
from pathlib import Path

from hitscope.viewer.files.recorded_file import is_large
from hitscope.viewer.state.gallery import words_of
from hitscope.viewer.state.inputs import RecentFile, RecentListed


def list_recent(paths: Iterable[str], at: int) -> RecentListed:
    """The files with their names and first sentences, as far as they can be read fast."""
    return RecentListed(at, tuple(map(_recent_file, paths)))


def shown_in_survey(paths: Iterable[Path]) -> list[Path]:
    """The files that a survey evaluates and draws: large ones would keep it busy."""
    return [path for path in dict.fromkeys(paths) if _is_small_file(path)]


def _recent_file(name: str) -> RecentFile:
    path = Path(name)
    if not _is_small_file(path):
        return RecentFile(name, missing=not _exists(path))
    words = words_of(path)
    return RecentFile(name, words.name, words.sentence)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # its folder cannot be read
        return False


def _is_small_file(path: Path) -> bool:
    try:
        return path.is_file() and not is_large(path)
    except OSError:
        return False
