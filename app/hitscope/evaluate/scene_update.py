"""The text of a scene file with the right answers in place of wrong ones."""

from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from hitscope.evaluate.acceptance import accepted
from hitscope.evaluate.report import Report
from hitscope.scene.load import loads
from hitscope.scene.model import Expectation, Tolerance
from hitscope.scene.value_edits import ValueChange, with_values


class SceneUpdate(NamedTuple):
    """The text of a scene file before and after, and how they differ."""

    before: bytes
    after: bytes
    changes: tuple[ValueChange, ...]
    left: tuple[int, ...]
    """The indices of the expectations that are right and fail, as the deciding method is wrong."""


def scene_update(
    path: Path,
    data: bytes,
    report: Report,
    given: Tolerance | None = None,
    selected: Container[int] | None = None,
) -> SceneUpdate:
    """Return the update of the expectations that fail, or of the `selected` ones of these, by index.

    `data` is the content of the file at `path`, of which `report` is; `given` as `accepted` takes it. The new text
    is loaded, and compared with what is to be expected.
    """
    changed = accepted(report, given)
    if selected is not None:
        changed = {index: new for index, new in changed.items() if index in selected}
    left = tuple(index for index, new in changed.items() if new == report.scene.expect[index])
    after, changes = with_values(data, changed)
    expect = tuple(changed.get(index, old) for index, old in enumerate(report.scene.expect))
    loaded = loads(after, str(path), path.parent)
    if list(map(_sorted, loaded.expect)) != list(map(_sorted, expect)):
        raise AssertionError("the patched text does not say what is to be expected")
    return SceneUpdate(data, after, changes, left)


def _sorted(expectation: Expectation) -> Expectation:
    """The expectation with its list of hits in order of name."""
    return expectation if expectation.hits is UNSET else replace(expectation, hits=tuple(sorted(expectation.hits)))
