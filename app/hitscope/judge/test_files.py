"""The files that `hitscope judge --as` writes: tests of the findings, below a head that is the user's to edit."""

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from hitscope.errors import Fault, HitscopeError
from hitscope.judge.findings import Finding
from hitscope.judge.framework_tests import MARK, file_name, first_line, head, tests
from hitscope.judge.frameworks import FRAMEWORKS, Framework
from hitscope.outputs import STANDARD_OUTPUT, write_file, write_output
from hitscope.targets.cases import layout
from hitscope.targets.judging.judged import WRONG_NORMAL
from hitscope.targets.judging.rules import Rules
from hitscope.targets.target import TargetSpec
from hitscope.terminal import print_error


def require_framework(options: argparse.Namespace) -> None:
    """Raise HitscopeError, before the work, where the options of `judge` ask for tests that there cannot be."""
    if options.builtin:
        raise HitscopeError("--as: expected TARGET, found --builtin")
    if options.json and not options.output:
        raise HitscopeError("--as: expected -o DIR, or no --json, as both would be on standard output")
    framework_of(options.framework, options.pair)


def write_tests(
    options: argparse.Namespace, findings: Sequence[Finding], target: TargetSpec, rules: Rules
) -> None:
    """Write the tests that the options of `judge` ask for, into a folder or to standard output.

    Says on standard error where they are, or that there is none. Raises HitscopeError.
    """
    framework = framework_of(options.framework, options.pair)
    normals = sum(finding.kind == WRONG_NORMAL for finding in findings)
    left_out = f" (only pytest tests the {normals} wrong normals)" if normals and not framework.has_shapes else ""
    if options.output:
        path = save_tests(findings, framework, options.output, target, rules)
        print_error(f"{f'tests: {path}' if path else 'there is no finding to write a test of'}{left_out}")
    elif written := tests(findings, framework, rules):
        text = head(framework, Path.cwd(), target, file_name(framework, target)) + written
        write_output(STANDARD_OUTPUT, [_encoded(text)])
    else:
        print_error(f"there is no finding to write a test of{left_out}")


def framework_of(name: str, pair: str) -> Framework:
    """Return a framework by its name; raises HitscopeError for an unknown one, and where it has no such shapes."""
    if name not in FRAMEWORKS:
        raise Fault.unknown((), "a framework of tests", FRAMEWORKS, name)
    if not FRAMEWORKS[name].has_shapes:
        layout(pair)
    return FRAMEWORKS[name]


def save_tests(
    findings: Sequence[Finding], framework: Framework, folder: Path, target: TargetSpec, rules: Rules
) -> Path | None:
    """Write the findings of a target, under whatever flags, as a file of tests; returns its path.

    Of the file of an earlier run the head is kept. Without a test there is no file, and the earlier one is removed
    unless its head was edited. Raises HitscopeError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path, old = _place(framework, folder, target)
        yours, _, helpers = head(framework, folder, target, path.name).partition(MARK)
        kept = old.partition(MARK)[0] if old else yours
        if written := tests(findings, framework, rules):
            write_file(path, [_encoded(kept + MARK + helpers + written)])
            return path
        if old and kept == yours:
            path.unlink()
    except OSError as error:
        raise HitscopeError(f"{folder}: expected a folder to write tests into, found: {error.strerror}") from None
    return None


def _place(framework: Framework, folder: Path, target: TargetSpec) -> tuple[Path, str]:
    """Return the path of the file of tests, and the text that an earlier run left there; "" without one."""
    stem, ending = file_name(framework, target).split(".", 1)
    first = first_line(framework, folder, target)
    for path in sorted(folder.glob(f"{stem}*.{ending}")):
        with suppress(OSError, UnicodeError):
            text = path.read_text(encoding="utf-8", errors="surrogateescape")
            if text.startswith(f"{first}\n") and MARK in text:
                return path, text
    paths = (folder / f"{stem}{number}.{ending}" for number in chain([""], (f"_{n}" for n in count(2))))
    return next(path for path in paths if not os.path.lexists(path)), ""


def _encoded(text: str) -> bytes:
    """Return a text in UTF-8, with a path that is no text as the bytes that it is."""
    return text.encode("utf-8", "surrogateescape")
