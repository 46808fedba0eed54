"""`judge --baseline`: known differences are listed apart, and new or worse ones fail."""

import json
from pathlib import Path

import pytest

import hitscope
from hitscope.cli import main
from hitscope.errors import HitscopeError
from hitscope.judge.baseline import Baseline, Known

MINE = """
def f(point, box):
    inside = all(a < x < b for a, x, b in zip(box.lo, point.position, box.hi))
    return inside or (LATER and point.position[0] > 2)
"""
ARGUMENTS = ("--pair", "point_aabb", "--cases", "60", "--generator", "integer_grid", "-j", "1")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    write(later=False)


def write(later):
    Path("mine.py").write_text(MINE.replace("LATER", str(later)))


@pytest.fixture
def judge(capfd):
    """A function that judges the code with a baseline; returns the status, the output and the errors."""

    def judge(*options, target="mine.py:f", baseline="known.json"):
        capfd.readouterr()
        status = main(["judge", target, *ARGUMENTS, "--baseline", baseline, *options])
        return status, *capfd.readouterr()

    return judge


def test_a_known_difference_is_listed_apart_and_a_new_one_fails(judge):
    status, output, _ = judge("--update", "-o", "found")
    assert status == 0 and not list(Path("found").glob("*"))
    assert "no difference from the exact verdict beyond known.json\n" in output
    assert "known: wrong miss of mine.py:f, integer_grid: " in output
    (entry,) = json.loads(Path("known.json").read_text())["known"]
    assert (entry["method"], entry["generator"], entry["kind"]) == ("mine.py:f", "integer_grid", "wrong_miss")
    assert (
        entry["wrong_per_million"] == pytest.approx(entry["wrong"] * 1e6 / 60, rel=1e-3) and entry["cases"] == 60
    )
    assert judge()[0] == 0
    write(later=True)
    status, output, _ = judge("-o", "found")
    assert status == 1 and "wrong hit: expected a miss, found a hit" in output and "wrong miss: " not in output
    assert all("wrong_hit" in path.name for path in Path("found").iterdir())


def test_the_document_says_what_is_known_and_what_is_worse(judge):
    judge("--update")
    document = json.loads(judge("--json")[1])
    assert document["findings"] == [] and [known["worse"] for known in document["known"]] == [False]
    text = Path("known.json").read_text()
    entry = json.loads(text)["known"][0]
    Path("known.json").write_text(text.replace(f'"wrong": {entry["wrong"]}', f'"wrong": {entry["wrong"] - 1}'))
    status, output, _ = judge()
    assert (
        status == 1
        and f"worse than known.json: wrong miss of mine.py:f, integer_grid: {entry['wrong']} of 60" in output
    )
    document = json.loads(judge("--json")[1])
    assert [known["worse"] for known in document["known"]] == [True] and len(document["findings"]) == 1


def test_an_update_keeps_what_it_did_not_judge_and_forgets_what_is_gone(judge):
    judge("--update")
    Path("other.py").write_text(Path("mine.py").read_text())
    judge("--update", target="other.py:f")
    first = Path("known.json").read_bytes()
    judge("--update")
    assert Path("known.json").read_bytes() == first
    assert [entry["method"] for entry in json.loads(first)["known"]] == ["mine.py:f", "other.py:f"]
    Path("mine.py").write_text("import hitscope\nf = hitscope.intersect\n")
    status, output, _ = judge()
    assert status == 0 and "not found any more (--update forgets it): wrong miss of mine.py:f" in output
    judge("--update")
    assert [entry["method"] for entry in json.loads(Path("known.json").read_text())["known"]] == ["other.py:f"]


def test_the_methods_of_a_baseline_are_relative_to_its_folder(judge, monkeypatch):
    Path("deep").mkdir()
    judge("--update", baseline="deep/known.json")
    monkeypatch.chdir("deep")
    assert judge(target="../mine.py:f")[0] == 0


def test_methods_of_the_catalogue_have_a_baseline(capfd):
    builtin = ("judge", "--builtin", "--pair", "ray_aabb", "--cases", "20", "--baseline", "known.json", "-j", "1")
    assert main([*builtin]) == 2
    assert main([*builtin, "--update"]) == 0
    assert main([*builtin]) == 0
    assert main([*builtin, "--seed", "500", "--cases", "40"]) in (0, 1)


@pytest.mark.parametrize(
    ("known", "found", "worse"),
    [
        (Known(0, 1000, 17, 8.34), Known(0, 1000, 17, 8.34), False),
        (Known(0, 1000, 17, 8.34), Known(0, 1000, 18, 8.34), True),
        (Known(0, 1000, 17, 8.34), Known(0, 1000, 16, 557.0), True),
        (Known(0, 1000, 17, 8.34), Known(0, 1000, 17, 8.344), False),
        (Known(0, 1000, 17, 8.34), Known(0, 10_000, 200, 80.0), False),
        (Known(0, 1000, 17, 8.34), Known(0, 10_000, 1000, 8.0), True),
        (Known(0, 1000, 17, 8.34), Known(0, 10_000, 170, 200.0), True),
        (Known(0, 1000, 17, 8.34), Known(1000, 1000, 25, 16.0), False),
        (Known(0, 1000, 17, 8.34), Known(1000, 1000, 17, 17.0), True),
        (Known(0, 1000, 1, 0.0), Known(0, 1_000_000, 2000, 0.0), False),
        (Known(0, 1000, 0, 0.0), Known(0, 1000, 1, 0.0), True),
    ],
)
def test_worse_allows_for_chance_on_other_seeds_alone(known, found, worse):
    assert found.is_worse_than(known) is worse


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "found: No such file or directory; --update writes one"),
        ("[]", "found: Expected `object`, got `array`"),
        ('{"version": 2, "known": []}', "expected a baseline of version 1, found 2"),
        ('{"version": 1, "known": [{}]}', "found: Object missing required field `method` - at `$.known[0]`"),
    ],
)
def test_what_is_no_baseline_is_one_line_and_status_2(text, words, judge):
    if text is not None:
        Path("known.json").write_text(text)
    status, output, errors = judge()
    assert (status, output, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("known.json: expected a baseline of ") and words in errors


def test_a_baseline_is_not_updated_in_ci(judge, monkeypatch):
    monkeypatch.setenv("CI", "true")
    status, _, errors = judge("--update")
    assert status == 2 and errors.startswith("expected no update in CI") and not Path("known.json").exists()


def test_a_baseline_in_python():
    def beside(point, box):
        return all(low < x < high for low, x, high in zip(box.lo, point.position, box.hi, strict=True))

    few = {"cases": 60, "generator": "integer_grid"}
    with pytest.raises(HitscopeError, match=r"known.json: expected a baseline of judge"):
        hitscope.judge(beside, "point_aabb", **few, baseline="known.json")
    found = hitscope.judge(beside, "point_aabb", **few)
    found.update_baseline("known.json")
    again = hitscope.judge(beside, "point_aabb", **few, baseline="known.json")
    assert not found and again and again.findings == () and again.known[0].startswith("known: wrong miss of ")
    assert "no new difference" in repr(again) and "known: wrong miss" in repr(again)
    assert Baseline.read(Path("known.json")).compared(found.tallies).unknown(found.found) == []
