"""`hitscope check --update`: the right answers, written into scene files in place of wrong ones."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hitscope import numerals, outputs
from hitscope.check import pair_commands, selection
from hitscope.check.runner import EVERYTHING, Checks, Outcome, listed_scenes
from hitscope.errors import HitscopeError, in_words, traceback_of
from hitscope.evaluate.acceptance import scene_update
from hitscope.scene import json_locations, loads, value_edits
from hitscope.terminal import BAD_INPUT, FINE, WRONG, json_text, print_failure, print_line


@dataclass(frozen=True)
class Updated:
    """The changes that updating made to a scene file; `error` is one line, None if it could be updated."""

    path: str
    changes: tuple[value_edits.ValueChange, ...] = ()
    names: tuple[str, ...] = ()
    left: tuple[tuple[str, int], ...] = ()
    """The names and the lines of the expectations that are right and fail, as the deciding method is wrong."""
    error: str | None = None
    traceback: str = ""
    """The traceback of an internal error, if the user asks for it."""


def require_update(methods: Iterable[tuple[str, str]] = ()) -> None:
    """Raise HitscopeError where expectations must not change: in CI, and where TARGETs decide."""
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        advice = "update them where you work and commit the files"
        raise HitscopeError(f"expected no update in CI (CI is set in the environment): {advice}")
    for pair, target in methods:
        reason = "a scene expects the truth, not the answer of code under test"
        raise HitscopeError(f"expected no --method where expectations change, found {pair}={target}: {reason}")


def update_all(paths: Iterable[Path], checks: Checks = EVERYTHING, in_json: bool = False) -> int:
    """Update scenes and print what changed; returns the exit status: 0, 1 some still fail, 2 some are broken."""
    updated = []
    for found in update(paths, checks):
        updated.append(found)
        print_updated(found, quiet=in_json)
    print(json_text(as_dict(updated)) if in_json else summary(updated))
    if any(scene.error is not None for scene in updated):
        return BAD_INPUT
    return WRONG if any(scene.left for scene in updated) else FINE


def update(paths: Iterable[Path], checks: Checks = EVERYTHING) -> Iterator[Updated]:
    """Update each scene file named or below a folder; one that is broken or cannot be written stays as it is."""
    for entry in listed_scenes(paths):
        if isinstance(entry, Outcome):
            yield Updated(entry.path, error=entry.error)
        else:
            yield update_file(Path(entry), checks)


def update_file(path: Path, checks: Checks = EVERYTHING) -> Updated:
    try:
        if str(path) == pair_commands.STANDARD_INPUT:
            raise HitscopeError("-: expected a scene file to update, found standard input")
        data = checks.read(path)
        scene = loads(data, str(path), path.parent)
        names = selection.expectation_names(scene)
        selected = None
        if checks.is_selected is not None:
            selected = {index for index, name in enumerate(names) if checks.is_selected(str(path), name)}
        found = scene_update(path, data, checks.report_of(scene), checks.tolerance, selected)
        if found.changes:
            outputs.write_output(path, [found.after])
        lines = json_locations.element_lines(found.after, "expect") if found.left else []
        left = tuple((names[index], lines[index]) for index in found.left)
        return Updated(str(path), found.changes, names, left)
    except HitscopeError as error:
        return Updated(str(path), error=str(error))
    except Exception as error:
        return Updated(str(path), error=f"{path}: {in_words(error)}", traceback=traceback_of(error))


def print_updated(updated: Updated, quiet: bool) -> None:
    """Print a line for each value that was changed or fails though it is right; when quiet, only errors."""
    if updated.error is not None:
        print_failure(updated.error, updated.traceback)
    elif not quiet:
        for change in updated.changes:
            print_line(f"{updated.path}:{change.line}: {updated.names[change.index]}: {in_a_word(change)}")
        for name, number in updated.left:
            print_line(f"{updated.path}:{number}: {name}: not updated, it is right: the deciding method is wrong")


def in_a_word(change: value_edits.ValueChange) -> str:
    """Return a change as the field and its values, e.g. `t_enter 0.26 -> 0.25`."""
    if not change.old:
        return f"{change.name} + {change.new}"
    return f"{change.name} {change.old} -> {change.new}" if change.new else f"{change.name} - {change.old}"


def summary(updated: Sequence[Updated]) -> str:
    values, scenes = sum(len(scene.changes) for scene in updated), sum(bool(scene.changes) for scene in updated)
    broken = sum(scene.error is not None for scene in updated)
    words = f"{numerals.counted(values, 'value')} updated in {scenes:,} of {len(updated):,} scenes"
    return f"{words}, {broken:,} broken" if broken else words


def as_dict(updated: Iterable[Updated]) -> dict[str, Any]:
    """Return updates as `hitscope check --update --json` prints them."""
    return {
        "scenes": [
            {
                "path": scene.path,
                "changes": [
                    {
                        "name": scene.names[change.index],
                        "line": change.line,
                        "field": change.name,
                        "old": change.old,
                        "new": change.new,
                    }
                    for change in scene.changes
                ],
                "left": [name for name, _ in scene.left],
                "error": scene.error,
            }
            for scene in updated
        ]
    }
