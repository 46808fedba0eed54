"""What `hitscope check` lists, selects and where it stops."""

import io
import sys
import weakref
from functools import partial
from random import Random

import pytest
from _pytest.mark.expression import Expression

from hitscope.check.runner import CheckTally
from hitscope.check.selection import numbered, selection
from hitscope.cli import check as command
from hitscope.cli.options import MANY_SCENES
from hitscope.errors import HitscopeError

HITS = {"probe": "cut", "primitive": "box", "hit": True}
MISSES = {**HITS, "hit": False}


@pytest.fixture
def three(write_scene):
    """Three scenes, of which the second fails."""
    for name, *expect in (("a", HITS, {**HITS, "t_enter": 0.25}), ("b", HITS, MISSES), ("c", HITS)):
        write_scene(name, *expect)


def first_words(output):
    return [line.split("  (")[0] for line in output.splitlines() if not line.startswith("      ")]


def test_quiet_lists_what_fails_and_the_summary(check, three):
    status, output, _ = check(".", "-q")
    assert status == 1
    failure = "b.scene.json:41: expected box to be missed by cut; crossing, 0.5 deep, decided by face -x"
    assert first_words(output) == [
        "FAIL  b.scene.json",
        failure,
        "1 failed",
        "2 of 3 scenes pass",
    ]
    assert check("a.scene.json", "-q")[1] == "1 of 1 scenes pass\n"


def test_of_many_scenes_those_that_pass_are_listed_on_request_alone(check, write_scene):
    for k in range(MANY_SCENES + 1):
        write_scene(f"s{k:03}", HITS)
    assert check(".")[1] == f"{MANY_SCENES + 1} of {MANY_SCENES + 1} scenes pass\n"
    assert check(".", "-v")[1].count("ok    ") == MANY_SCENES + 1
    assert check(*[f"s{k:03}.scene.json" for k in range(MANY_SCENES)])[1].count("ok    ") == MANY_SCENES


def test_a_scene_without_expectations_is_listed_when_quiet_and_strict(check, write_scene):
    write_scene("a"), write_scene("b", HITS)
    assert "none  a.scene.json" not in check(".", "-q")[1]
    assert "none  a.scene.json" in check(".", "-q", "--strict")[1]


@pytest.mark.parametrize("jobs", [(), ("-j", "2")], ids=["alone", "processes"])
def test_exitfirst_stops_at_the_first_failure(check, three, jobs):
    status, output, _ = check(".", "-x", *jobs)
    assert (status, "c.scene.json" in output) == (1, False)
    assert output.endswith("\n1 failed, 1 not checked\n1 of 2 scenes pass\n")


def test_exitfirst_stops_at_a_broken_file(check, three, tmp_path):
    (tmp_path / "a.scene.json").write_text("{", encoding="utf-8")
    status, output, errors = check(".", "-x")
    assert (status, output) == (2, "1 broken, 2 not checked\n0 of 1 scenes pass\n")
    assert errors.count("\n") == 1


def test_a_path_that_is_given_twice_is_checked_once(check, three):
    assert check("a.scene.json", ".", "a.scene.json")[1].count("a.scene.json") == 1


def test_a_selection_names_parts_of_path_and_expectation(check, three):
    status, output, _ = check(".", "-k", "A.scene and #2")
    assert status == 0
    assert output == "ok    a.scene.json  (1 expectation)\n2 deselected\n1 of 1 scenes pass\n"
    assert check(".", "-k", "b.scene and not #2")[0] == 0
    assert check(".", "-k", "b.scene.json::cut-box#2")[0] == 1
    assert check(".", "-k", " ")[1] == check(".")[1]


def test_a_broken_file_is_broken_whatever_is_selected(check, three, tmp_path):
    (tmp_path / "d.scene.json").write_text("{", encoding="utf-8")
    assert check(".", "-k", "a.scene")[0] == 2


def test_a_selection_of_nothing_is_bad_usage(check, three):
    words = (
        '-k "nowhere": expected a part of FILE::PROBE-PRIMITIVE[METHOD] of an expectation, found none in 3 scenes'
    )
    status, output, errors = check(".", "-k", "nowhere", "--json")
    assert (status, output, errors) == (2, '{"scenes": []}\n', words + "\n")


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("(a or", 'expected "not", "(" or a part of a name at column 6, found the end'),
        ("(a", 'expected "and", "or" or ")" at column 3, found the end'),
        ("a b", 'expected "and" or "or" at column 3, found "b"'),
        ("a)", 'expected "and" or "or" at column 2, found ")"'),
        ("a not b", 'expected "and" or "or" at column 3, found "not"'),
        ("or", 'expected "not", "(" or a part of a name at column 1, found "or"'),
        ("()", 'expected "not", "(" or a part of a name at column 2, found ")"'),
    ],
)
def test_a_wrong_selection_is_one_line(check, three, expression, words):
    assert check(".", "-k", expression) == (2, "", f'-k "{expression}": {words}\n')


def test_a_selection_nests_as_deep_as_it_likes():
    deep = selection("(" * 9999 + "a" + ")" * 9999)
    assert deep is not None and deep("A", "") and not deep("b", "")


def test_expressions_mean_what_they_mean_to_pytest():
    random, text = Random(1), "a/Bc.scene.json::cut-box[sat]"
    words = ["and", "or", "not", "(", ")", "bc", "CUT", "box[sat]", "other", "::"]
    right = 0
    for _ in range(5000):
        expression = " ".join(random.choices(words, k=random.randint(1, 7)))
        try:
            expected = Expression.compile(expression).evaluate(lambda part: part.lower() in text.lower())
        except SyntaxError:
            with pytest.raises(HitscopeError):
                selection(expression)
        else:
            found = selection(expression)
            assert found is not None and found(*text.split("::")) == expected, expression
            right += 1
    assert right > 300


def test_names_are_unique_whatever_they_are():
    assert numbered(["a", "a", "a#2", "a", "a#2"]) == ("a", "a#2", "a#2#2", "a#3", "a#2#3")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_goes_to_a_terminal_on_standard_error_alone(check, three, monkeypatch):
    at_once = partial(command.CheckProgress, shown_after=0.0, refresh_seconds=0.0)
    monkeypatch.setattr(command, "CheckProgress", at_once)
    plain = check(".")
    assert plain[2] == ""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert check(".")[:2] == plain[:2]
    assert "3/3" in terminal.getvalue()


def test_no_more_outcomes_are_kept_than_one(check, write_scene, monkeypatch):
    known, kept = [], []

    class CountingTally(CheckTally):
        def add(self, outcome):
            super().add(outcome)
            known.append(weakref.ref(outcome))
            if self.counts.total() % 20 == 0:
                kept.append(sum(each() is not None for each in known))

    monkeypatch.setattr(command, "CheckTally", CountingTally)
    for k in range(60):
        write_scene(f"s{k:03}", HITS, MISSES)
    for options in (("--junit", "x.xml"), ("--json",), ("--format", "github")):
        check(".", "-q", "-j", "1", *options)
    assert len(kept) == 9 and max(kept) <= 2
