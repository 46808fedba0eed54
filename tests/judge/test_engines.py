"""The page of engines: its rows, its scenes, and a run on a small function that stands for an engine."""

import json
import re
from pathlib import Path

import pytest

from benchmarks.engines.__main__ import update
from benchmarks.engines.functions import FOLDER, RESULTS, read_results, read_table
from benchmarks.engines.page import PAGE, SCENES, page
from hitscope.evaluate import evaluate
from hitscope.scene import load

CHECKOUT = FOLDER.parents[1]
ENGINE = """
/* Whether a point is in a box. */
static int toy_inside(const float *p, const float *lo, const float *hi)
{
    return p[0] >= lo[0] && p[0] <= hi[0] && p[1] >= lo[1] && p[1] <= hi[1] && p[2] >= lo[2];
}
"""
ADAPTER = """
#include "toy.h"

int point_box(const float *probe, const float *box, float *t) { return toy_inside(probe, box, box + 3); }
"""
TABLE = {
    "projects": {"toy": {"source": "https://example.org/{}", "commit": "1", "float": "f32", "flags": "-I{}/src"}},
    "functions": [
        {
            "project": "toy",
            "name": "toy_inside",
            "source": "src/toy.h#L3",
            "adapter": "toy.c:point_box",
            "pair": "point_aabb",
            "says": "Closed.",
            "boundary": "closed",
            "cause": "one face is missing",
        }
    ],
}


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of hitscope with a table of one function."""
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "home" / FOLDER.relative_to(CHECKOUT)
    written(folder / "functions.json", json.dumps(TABLE))
    written(folder / "adapters/toy.c", ADAPTER)
    (tmp_path / "home" / PAGE).parent.mkdir()
    return tmp_path / "home"


@pytest.fixture
def engines(tmp_path: Path) -> Path:
    """The folder of engines."""
    written(tmp_path / "engines/toy/src/toy.h", ENGINE)
    return tmp_path / "engines"


@pytest.mark.thorough
def test_a_run_writes_the_row_and_the_scene_of_a_fault_and_a_second_one_the_same(home, engines, capsys):
    def files() -> dict[Path, bytes]:
        outside = (path for path in home.rglob("*") if path.is_file() and "build" not in path.parts)
        return {path.relative_to(home): path.read_bytes() for path in outside}

    assert update(engines, home=home, cases=64) == 0
    (result,) = read_results(home / FOLDER.relative_to(CHECKOUT) / RESULTS).values()
    assert all(counts.wrong_hits > 0 == counts.wrong_misses for counts in result.documented)
    (row,) = (line for line in (home / PAGE).read_text().splitlines() if "one face is missing" in line)
    assert "[`toy_inside`](https://example.org/src/toy.h#L3)" in row
    scene = load(home / SCENES / "toy-point_box.scene.json")
    assert scene.view.map is not None
    assert not evaluate(scene).mismatches
    assert "found a hit" in scene.description
    assert "https://example.org/src/toy.h#L3" in scene.description
    assert "wrong per million" in capsys.readouterr().out
    first = files()
    assert update(engines, home=home, cases=64) == 0
    assert capsys.readouterr().out == "", "what is judged was judged again"
    assert update(engines, home=home, cases=64, again=True) == 0
    assert files() == first


@pytest.mark.thorough
def test_a_row_goes_on_with_its_engine_and_stays_without_it(home, engines, capsys):
    assert update(engines, home=home, cases=64) == 0
    before = (home / PAGE).read_bytes()
    source = engines / "toy/src/toy.h"
    source.write_text(ENGINE.replace("p[2] >= lo[2]", "p[2] >= lo[2] && p[2] <= hi[2]"))
    assert update(engines, home=home, cases=64) == 0
    assert "one face is missing" not in (home / PAGE).read_text()
    assert not list((home / SCENES).iterdir())
    after = (home / PAGE).read_bytes()
    assert after != before
    source.rename(source.with_name("moved.h"))
    (home / "build/engines.json").unlink()
    assert update(engines, home=home, cases=64) == 0
    assert (home / PAGE).read_bytes() == after
    source.write_text("no C")
    capsys.readouterr()
    assert update(engines, home=home, cases=64) == 1
    assert "toy-point_box: " in capsys.readouterr().err
    assert (home / PAGE).read_bytes() == after


def test_the_page_is_that_of_the_table_and_the_results():
    text = page(read_table(), read_results(FOLDER / RESULTS))
    assert text == (CHECKOUT / PAGE).read_text(encoding="utf-8"), "run `make engines`"


def test_every_function_has_an_adapter_a_result_and_its_scene():
    results = read_results(FOLDER / RESULTS)
    table = read_table()
    assert len({function.key for function in table.functions}) == len(table.functions)
    assert {function.key for function in table.functions} == set(results)
    for function in table.functions:
        file, _, name = function.adapter.partition(":")
        assert re.search(rf"\b{name}\b", (FOLDER / "adapters" / file).read_text(encoding="utf-8"))
        scene = CHECKOUT / SCENES / f"{function.key}.scene.json"
        assert scene.is_file() == results[function.key].has_scene
        if scene.is_file():
            assert load(scene).view.map is not None, scene
    assert {path.name.split(".")[0] for path in (CHECKOUT / SCENES).iterdir()} <= set(results)


def test_the_rows_of_the_readme_are_rows_of_the_page():
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .*`(.*)` \| `(\w+_\w+)` \| (.*) \| (.*) \|$", readme, re.MULTILINE)
    page_of_all = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    lines = [line for line in page_of_all.splitlines() if "/blob/" in line]
    assert len(rows) == 5
    for function, pair, rates, cause in rows:
        (row,) = (
            line for line in lines if f"`{function}`" in line and f"| `{pair}` |" in line and "/blob/" in line
        )
        assert f"| {rates} |" in row and f"| {cause} |" in row, row
