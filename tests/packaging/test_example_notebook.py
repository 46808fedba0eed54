"""The example notebook: every cell runs, in order, and shows itself."""

import ast
import json
import linecache
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.xdist_group("bvh")  # so that no two workers compile the same at a time

NOTEBOOK = Path(__file__).parents[2] / "assets" / "example.ipynb"


def run(source: str, name: str, scope: dict[str, Any]) -> Any:
    """Run a cell as a kernel does, and return the value of its last expression, None where it ends with none."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), scope)
    return eval(compile(ast.Expression(last.value), name, "eval"), scope) if isinstance(last, ast.Expr) else None


@pytest.fixture(scope="module")
def shown() -> list[str]:
    """What each code cell shows."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    scope: dict[str, Any] = {"__name__": "__main__"}
    texts = []
    for k, cell in enumerate(cell for cell in cells if cell["cell_type"] == "code"):
        assert (cell["outputs"], cell["execution_count"]) == ([], None), "it is kept without outputs"
        value = run("".join(cell["source"]), f"<cell {k}>", scope)
        texts.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    return texts


def test_every_cell_shows_what_the_text_says(shown: list[str]) -> None:
    found = "\n".join(shown)
    for words in (
        "<td>t_enter</td><td>1</td>",
        "ClosestHit(element=",
        "A segment through a box and a mesh: 3 primitives, 1 probe",
        "<td>far</td><td>exact</td><td>False</td><td>apart</td>",
        "[('box', 0.6666666666666666), ('solid[",
        "wrong hit (parallel): expected a miss, found a hit",
        "Judgement of __main__:ray_box on ray_aabb",
        "'logic'",
    ):
        assert words in found
    assert sum("data:image/jpeg;base64," in text for text in shown) == 2, "a picture of each scene"
