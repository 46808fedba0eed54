"""The packages that a command imports: each one that it does not need is time that its user waits."""

import json
import subprocess
import sys

import pytest

from hitscope.resources import SCENES

SMALL = str(SCENES / "triangle-aabb-szauer" / "unit-test.scene.json")
SLOW = {
    "asyncio",
    "concurrent",
    "ctypes",
    "email",
    "multiprocessing",
    "secrets",
    "sqlite3",
    "tempfile",
    "unittest",
}
"""Slow modules of the standard library; those that numpy itself imports do not count."""
NOT_FOR_FEW = {
    "hitscope.check.failures",
    "hitscope.geometry.exact.batch",
    "hitscope.scene.json_locations",
    "hitscope.targets.target",
}
"""Ours that serve failures, many shapes and users' own code: a tenth of the start, with what they import."""


def imported(code: str, *arguments: str) -> set[str]:
    """Return the names of what a fresh interpreter has imported after some code, and of their packages."""
    report = "import json, sys; print(json.dumps([*sys.modules]), file=sys.stderr)"
    command = [sys.executable, "-c", f"{code}\n{report}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    names = json.loads(done.stderr.splitlines()[-1])
    return {*names, *(name.partition(".")[0] for name in names)}


def imported_by_command(*arguments: str) -> set[str]:
    return imported("import sys; from hitscope.cli import main; assert main(sys.argv[1:]) == 0", *arguments)


@pytest.fixture(scope="module")
def least() -> set[str]:
    return imported("import msgspec, numpy")


def third_party(modules: set[str]) -> set[str]:
    """Return the packages that do not come with Python."""
    packages = {name.partition(".")[0] for name in modules}
    return {name for name in packages if name not in sys.stdlib_module_names and not name.startswith("_")}


@pytest.mark.parametrize("arguments", [("check", SMALL), ("eval", "--json", SMALL)], ids=lambda given: given[0])
def test_a_small_scene_needs_numpy_and_msgspec_alone(arguments: tuple[str, ...], least: set[str]) -> None:
    modules = imported_by_command(*arguments)
    assert third_party(modules) - third_party(least) == {"hitscope"}
    assert (modules - least) & SLOW == set()
    assert modules & NOT_FOR_FEW == set()


def test_loading_and_evaluating_from_python_imports_no_more(least: set[str]) -> None:
    code = f"import hitscope; assert hitscope.evaluate(hitscope.load({SMALL!r})).hit_elements.any()"
    modules = imported(code)
    assert third_party(modules) - third_party(least) == {"hitscope"}
    assert (modules - least) & SLOW == set()


@pytest.mark.parametrize("arguments", [("eval", SMALL), ("methods",), ("schema",)], ids=lambda given: given[0])
def test_commands_that_print_tables_need_rich_too_and_no_compiler(
    arguments: tuple[str, ...], least: set[str]
) -> None:
    modules = third_party(imported_by_command(*arguments)) - third_party(least)
    assert modules <= {"hitscope", "rich", "pygments"}
