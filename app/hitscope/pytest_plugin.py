"""The pytest plugin: each expectation of a `*.scene.json` file is a test.

Importing it imports pytest alone; what loads and evaluates scenes is imported when the first one is collected.
"""

import os
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hitscope.check.runner import Checks, Outcome

ENDING = ".scene.json"
"""`scene.load.ENDING`, without importing it."""
LOADS, EXPECTATIONS = "loads", "expectations"
"""The names of the one test of a file that cannot be loaded, and of a scene without expectations."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "hitscope_methods",
        "the methods that decide scenes, each as PAIR=TARGET; a file is relative to the configuration file",
        type="linelist",
    )
    parser.addini(
        "hitscope_tolerance",
        "the difference allowed between numbers of scenes, in place of their own: ABS[,REL]",
        type="string",
        default="",
    )
    parser.addini(
        "hitscope_float", "the precision of what hitscope_methods are given: f32 or f64", type="string", default=""
    )
    parser.addini(
        "hitscope_strict",
        "whether a scene without expectations fails, and an expectation of a disabled probe",
        type="bool",
        default=False,
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings, where there are some, so that a wrong one is said before all tests."""
    if any(map(config.getini, ("hitscope_methods", "hitscope_tolerance", "hitscope_float"))):
        _checks_of(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "SceneFile | None":
    return SceneFile.from_parent(parent, path=file_path) if file_path.name.endswith(ENDING) else None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Tell each scene which of its expectations are tested."""
    for item in session.items:
        if isinstance(item, ExpectationTest):
            item.scene_file.tested.add(item.expectation)


class SceneFile(pytest.File):
    """A scene file, which is evaluated once for the tests of its expectations, when the first of them runs."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.tested: set[str] = set()
        """The names of the expectations whose tests are not deselected."""
        self._outcome: Outcome | None = None

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each expectation; for a file that cannot be loaded one that fails."""
        from hitscope.check.runner import DISABLED
        from hitscope.check.selection import expectation_names
        from hitscope.errors import escaped
        from hitscope.scene import loads
        from hitscope.scene.json_locations import element_lines
        from hitscope.scene.load import read
        from hitscope.scene.named_items import split

        try:
            data = read(self.path)
            scene = loads(data, str(self.path), self.path.parent)
            names = expectation_names(scene)
        except Exception:  # the test says why
            yield LoadTest.from_parent(self, name=LOADS)
            return
        disabled = {name for name, probe in zip(scene.probe_ids, scene.probes, strict=True) if not probe.enabled}
        for name, line, expectation in zip(names, element_lines(data, "expect"), scene.expect, strict=True):
            test: ExpectationTest = ExpectationTest.from_parent(self, name=escaped(name))
            test.expectation, test.line = name, line
            if split(expectation.probe)[0] in disabled:
                test.skip_unless_strict(DISABLED)
            yield test
        if not names:
            yield NoExpectationsTest.from_parent(self, name=EXPECTATIONS)

    def outcome(self) -> "Outcome":
        """Return the outcome of the tested expectations; kept until a test of another file is next."""
        from hitscope.check.runner import check_file

        if self._outcome is None:
            checks = _checks_of(self.config)._replace(is_selected=lambda _, name: name in self.tested)
            self._outcome = check_file(Path(os.path.relpath(self.path)), checks)
        return self._outcome

    def teardown(self) -> None:
        self._outcome = None


class SceneTest(pytest.Item):
    """A test of a scene file, whose failure is said without a traceback."""

    line = 1

    @property
    def scene_file(self) -> SceneFile:
        assert isinstance(self.parent, SceneFile)
        return self.parent

    def skip_unless_strict(self, reason: str) -> None:
        if not self.config.getini("hitscope_strict"):
            self.add_marker(pytest.mark.skip(reason=reason))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line from 0, and the name of the test."""
        return self.path, self.line - 1, self.name

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        if isinstance(excinfo.value, SceneTestError):
            return FailureLines(excinfo.value.lines, os.path.relpath(self.path))
        return super().repr_failure(excinfo)


class ExpectationTest(SceneTest):
    expectation = ""
    """Its name; that of the test has no control characters."""

    def runtest(self) -> None:
        """Fail where the scene is not as expected, or could not be evaluated."""
        from hitscope.check.outcome_outputs import failure_lines

        outcome = self.scene_file.outcome()
        _raise_error(outcome)
        # One without a name is of code that crashed or hung, which ended the whole scene.
        own = (failure for failure in outcome.failures if failure.name in (self.expectation, ""))
        if lines := list(failure_lines(outcome.path, own)):
            raise SceneTestError(lines)
        if self.expectation not in outcome.names:
            raise SceneTestError([f"{outcome.path}: {self.name} is not in the file any more"])


class LoadTest(SceneTest):
    """The test of a file that could not be loaded when it was collected."""

    def runtest(self) -> None:
        _raise_error(self.scene_file.outcome())


class NoExpectationsTest(SceneTest):
    """The test of a scene without expectations, which is skipped, or fails where that is strict."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.skip_unless_strict("the scene has no expectations")

    def runtest(self) -> None:
        path = os.path.relpath(self.path)
        raise SceneTestError([f"{path}: expected at least one expectation (hitscope_strict), found none"])


class SceneTestError(Exception):
    """The failure of a test in lines that need no traceback."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class FailureLines:
    """The lines of a failure as pytest shows them, the first one in its summary, too."""

    def __init__(self, lines: list[str], path: str) -> None:
        self.lines, self.path = lines, path
        self.reprcrash = self
        """Where pytest looks for the `message` of the summary and of --tb=line."""

    @property
    def message(self) -> str:
        """The first line without the file and the line that it begins with: the name of the test has the file."""
        return re.sub(rf"{re.escape(self.path)}(:\d+)?: ", "", self.lines[0], count=1)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def toterminal(self, terminal: Any) -> None:
        for line in self.lines:
            terminal.line(line)


def _raise_error(outcome: "Outcome") -> None:
    from hitscope.terminal import one_line

    if outcome.error is not None:
        raise SceneTestError([one_line(outcome.error), *outcome.traceback.splitlines()])


_CHECKS = pytest.StashKey["Checks"]()


def _checks_of(config: pytest.Config) -> "Checks":
    """Return how the configuration says that scenes are checked; raises pytest.UsageError."""
    if _CHECKS not in config.stash:
        config.stash[_CHECKS] = _read_settings(config)
    return config.stash[_CHECKS]


def _read_settings(config: pytest.Config) -> "Checks":
    from hitscope.check.pair_commands import CheckedBy
    from hitscope.check.runner import Checks, report_source
    from hitscope.cli import options as command_options
    from hitscope.errors import Fault, HitscopeError

    checks, setting = Checks(is_strict=config.getini("hitscope_strict")), "hitscope_tolerance"
    try:
        if text := config.getini(setting):
            checks = checks._replace(tolerance=command_options.tolerance(text))
        setting = "hitscope_float"
        if (precision := config.getini(setting) or None) not in (None, "f32", "f64"):
            raise ArgumentTypeError(f"expected f32 or f64, found {precision!r}")
        setting = "hitscope_methods"
        methods = [
            (pair, _from_here(config, target))
            for pair, target in map(command_options.target_of_pair, config.getini(setting))
        ]
        if not methods:
            return checks
        parser = ArgumentParser()
        command_options.add_target_options(parser)
        options = parser.parse_args([])
        options.method, options.float = methods, precision
        options.paths = [_folder_of(config), *(arg.partition("::")[0] for arg in config.args)]
        opened = ExitStack()
        report_of, by = opened.enter_context(report_source(options)), CheckedBy.of(options)
    except (ArgumentTypeError, HitscopeError) as error:
        words = error.message if isinstance(error, Fault) else str(error)
        raise pytest.UsageError(f"{setting}: {words}") from None
    config.add_cleanup(opened.close)
    return checks._replace(report_of=report_of, by=by)


def _folder_of(config: pytest.Config) -> Path:
    return config.inipath.parent if config.inipath else config.rootpath


def _from_here(config: pytest.Config, target: str) -> str:
    """Return a TARGET with its file, which is relative to the configuration file, relative to this folder."""
    from hitscope.targets.target import TargetText

    location = TargetText.of(target).location
    path = _folder_of(config) / location
    is_file = target.startswith(location) and path.is_file()
    return os.path.relpath(path) + target.removeprefix(location) if is_file else target
