"""No circle of imports and no import upwards, those under TYPE_CHECKING and inside functions included."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import hitscope

ROOT = Path(__file__).parents[2]


def modules(folder: Path) -> dict[str, ast.Module]:
    """Return the syntax tree of every module below a folder, by its dotted name; a package is its `__init__`."""
    found = {}
    for file in sorted(folder.rglob("*.py")):
        *parents, last = file.relative_to(folder).with_suffix("").parts
        name = ".".join(parents if last == "__init__" else (*parents, last))
        found[name] = ast.parse(file.read_text(encoding="utf-8"))
    return found


def imported(trees: dict[str, ast.Module], module: str) -> set[str]:
    """Return the modules of ours that a module imports anywhere in its text, by absolute names as ruff requires.

    `from package import name` is an import of the submodule of that name, where there is one, else of the package.
    """
    names = set()
    for node in ast.walk(trees[module]):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import in line {node.lineno}"
            inner = {f"{node.module}.{alias.name}": node.module for alias in node.names}
            names |= {name if name in trees else str(package) for name, package in inner.items()}
    return (names & trees.keys()) - {module}


def circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """Yield the modules of each circle: those that import each other, directly or not (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[list[str]]:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in number:
                yield from visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            first = stack.index(module)
            if len(stack) - first > 1:
                yield sorted(stack[first:])
            del stack[first:]

    for module in graph:
        if module not in number:
            yield from visit(module)


def upward(graph: dict[str, set[str]], contract: dict) -> Iterator[str]:
    """Yield each import that breaks one of import-linter's contracts of layers, listed from the uppermost down."""
    for container in contract.get("containers", [""]):
        prefix = f"{container}." if container else ""
        level = {
            prefix + name.strip(" ()"): (depth, name.strip(" ()"), "|" in layer)
            for depth, layer in enumerate(contract["layers"])
            for name in layer.replace("|", ":").split(":")
        }

        def level_of(module: str, level: dict = level) -> tuple[int, str, bool] | None:
            names = [module.rsplit(".", k)[0] for k in range(module.count(".") + 1)]
            return next((level[name] for name in names if name in level), None)

        for module, others in graph.items():
            for other in sorted(others):
                own, theirs = level_of(module), level_of(other)
                if own is None or theirs is None:
                    continue
                beside = own[0] == theirs[0] and own[1] != theirs[1] and own[2]
                if theirs[0] < own[0] or beside:
                    yield f"{module} imports {other}"


# One worker reads the modules for both tests of the graph.
of_graph = pytest.mark.xdist_group("graph")


@pytest.fixture(scope="module")
def trees():
    return modules(ROOT / "app")


@pytest.fixture(scope="module")
def graph(trees):
    return {module: imported(trees, module) for module in trees}


@of_graph
def test_no_modules_import_each_other_in_a_circle(graph):
    found = [" <-> ".join(circle) for circle in circles(graph)]
    assert not found, "\n".join(found)


@of_graph
def test_no_import_goes_up_the_layers(graph):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = [one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers"]
    assert any("hitscope.geometry" in one["layers"][-1] for one in contracts)
    found = [line for contract in contracts for line in upward(graph, contract)]
    assert not found, "\n".join(found)


@of_graph
def test_one_module_alone_imports_what_is_private_to_numba(trees):
    reaching = {
        module
        for module, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        if name.startswith("numba.") and name != "numba.extending"
    }
    assert reaching == {"hitscope.geometry.code_files"}


def test_circles_and_upward_imports_are_found_wherever_they_hide(tmp_path):
    for name, text in {
        "p/__init__.py": "from p.low.a import x",
        "p/top.py": "import p.mid.c",
        "p/low/__init__.py": "",
        "p/low/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.low import b",
        "p/low/b.py": "def f():\n    import p.low.a",
        "p/low/d.py": "def f():\n    from p.top import x",
        "p/mid/__init__.py": "from p.beside import y",
        "p/mid/c.py": "from p.low.b import z",
        "p/beside.py": "",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    trees = modules(tmp_path)
    graph = {module: imported(trees, module) for module in trees}
    assert list(circles(graph)) == [["p.low.a", "p.low.b"]]
    contract = {"layers": ["p.top", "p.mid | p.beside", "p.low"]}
    assert list(upward(graph, contract)) == ["p.low.d imports p.top", "p.mid imports p.beside"]
    inside = {"containers": ["p"], "layers": ["top", "(mid) : beside", "low"]}
    assert list(upward(graph, inside)) == ["p.low.d imports p.top"]


def test_public_names_are_those_that_type_checkers_read():
    """Both lists of `hitscope/__init__.py` are the same: the one that runs and the one that is read."""
    (checked,) = (
        node
        for node in ast.parse(Path(hitscope.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and node.orelse == []
    )
    read = {(node.module, alias.asname) for node in checked.body for alias in node.names}
    assert read == {(module, name) for name, module in hitscope._MODULES.items()}
    assert dir(hitscope) == sorted([*hitscope._MODULES, "__version__"])


def test_a_public_function_is_not_hidden_by_the_submodule_of_its_name():
    code = "from hitscope.evaluate import Report; import hitscope.explain; import hitscope as h"
    check = "assert callable(h.evaluate) and callable(h.explain)"
    subprocess.run([sys.executable, "-c", f"{code}; {check}"], check=True)


def test_importing_the_package_imports_nothing_else():
    code = (
        "import sys, hitscope; print([m for m in sys.modules if m.startswith(('hitscope', 'numpy', 'msgspec'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "['hitscope']\n"
