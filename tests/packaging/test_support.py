"""What tests share is a fixture in a `conftest.py` or a support module, never a part of another test."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

CLOCKS = {
    *("clock", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns"),
    *("thread_time", "thread_time_ns", "time_ns"),
}
PROGRAMS = ("tests/fuzz/harness.py", "tests/fuzz/run.py")
"""What shares out the minutes of `make fuzz`; no test asserts a time of theirs."""


def imported(tree: ast.Module) -> Iterator[str]:
    """The last part of the name of every module that a test imports, or imports from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.rpartition(".")[2] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").rpartition(".")[2]
            yield from (alias.name for alias in node.names)


@pytest.fixture(scope="module")
def trees(checkout: Path, files: list[str]) -> dict[str, ast.Module]:
    """The syntax tree of every Python file of the tests."""
    names = [name for name in files if name.startswith("tests/") and name.endswith(".py")]
    return {name: ast.parse((checkout / name).read_text(encoding="utf-8")) for name in names}


def test_no_test_imports_from_another_test(trees: dict[str, ast.Module]) -> None:
    tests = {Path(name).stem for name in trees if Path(name).name.startswith("test_")}
    found = [f"{name}: {module}" for name, tree in trees.items() for module in imported(tree) if module in tests]
    assert found == []


def test_no_two_tests_have_one_name(trees: dict[str, ast.Module]) -> None:
    """pytest imports the modules of all folders by their bare names, and takes one for the other."""
    names = Counter(Path(name).stem for name in trees if Path(name).stem != "conftest")
    assert [name for name, count in names.items() if count > 1] == []


def test_no_test_measures_time(trees: dict[str, ast.Module]) -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees.items()
        if name not in PROGRAMS
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and (node.attr in CLOCKS or ast.unparse(node) == "time.time")
    ]
    assert found == []


def test_no_test_replaces_a_constant(trees: dict[str, ast.Module]) -> None:
    """A threshold that a test changes is an argument, so that all who read it see the same value."""
    found = [
        f"{name}:{node.lineno}: {word}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setattr"
        for argument in node.args[:2]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        if (word := argument.value.rpartition(".")[2]).isupper()
    ]
    assert found == []
