"""What a command imports before it answers: each package that is not needed is time that its user waits."""

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
"""Of the standard library, and what numpy brings of it by itself is no fault of ours."""


def imported(code: str, *arguments: str) -> set[str]:
    """Give the top-level names of what a fresh interpreter has imported in the end."""
    report = "import json, sys; print(json.dumps([*sys.modules]), file=sys.stderr)"
    command = [sys.executable, "-c", f"{code}\n{report}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}


def of_command(*arguments: str) -> set[str]:
    return imported("import sys; from hitscope.cli import main; assert main(sys.argv[1:]) == 0", *arguments)


@pytest.fixture(scope="module")
def least() -> set[str]:
    return imported("import msgspec, numpy")


def outside(modules: set[str]) -> set[str]:
    """Give the names that do not come with Python."""
    return {name for name in modules if name not in sys.stdlib_module_names and not name.startswith("_")}


@pytest.mark.parametrize("arguments", [("check", SMALL), ("eval", "--json", SMALL)], ids=lambda given: given[0])
def test_a_small_scene_is_decided_by_numpy_and_msgspec_alone(arguments: tuple[str, ...], least: set[str]) -> None:
    modules = of_command(*arguments)
    assert outside(modules) - outside(least) == {"hitscope"}
    assert (modules - least) & SLOW == set()


def test_loading_and_evaluating_from_python_imports_no_more(least: set[str]) -> None:
    code = f"import hitscope; assert hitscope.evaluate(hitscope.load({SMALL!r})).green.any()"
    modules = imported(code)
    assert outside(modules) - outside(least) == {"hitscope"}
    assert (modules - least) & SLOW == set()


@pytest.mark.parametrize("arguments", [("eval", SMALL), ("methods",), ("schema",)], ids=lambda given: given[0])
def test_what_prints_tables_needs_rich_besides_and_no_compiler(
    arguments: tuple[str, ...], least: set[str]
) -> None:
    modules = outside(of_command(*arguments)) - outside(least)
    assert modules <= {"hitscope", "rich", "pygments"}
