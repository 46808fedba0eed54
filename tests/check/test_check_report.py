"""The page of `check --report`: what it says, that it stands by itself, and that it stays small."""

import json
import re
import subprocess
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import pytest

import hitscope as package
from hitscope import offscreen_context
from hitscope.check import report as check_report
from hitscope.check.failures import Failure
from hitscope.check.pair_commands import BY_SCENE, CheckedBy
from hitscope.check.report import CheckReport, page, pictures
from hitscope.check.report.details import Answer
from hitscope.check.report.page import Details, Kept, Page, Steps
from hitscope.check.report.pictures import Images
from hitscope.check.runner import EVERYTHING, Checks, CheckTally, Outcome, check_file
from hitscope.errors import HitscopeError
from hitscope.targets.target import Carried

ODD = "cut & <b>\x1b</script>"
SCENE = {
    "version": 1,
    "primitives": [
        {"id": "near", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]},
        {"id": "far", "type": "aabb", "min": [4, 4, 4], "max": [5, 5, 5]},
        {"id": "many", "type": "aabbs", "min": [[7, 0, 0], [1, 0, 0]], "max": [[9, 1, 1], [2, 1, 1]]},
    ],
    "probes": [{"id": ODD, "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}],
}
EXPECT = [
    {"probe": ODD, "primitive": "near", "hit": True, "t_enter": 0.26, "tolerance": 1e-3},
    {"probe": ODD, "primitive": "near", "hit": True},
    {"probe": ODD, "primitive": "many", "hit": False},
    {"probe": ODD, "hits": ["near", "many", "far"], "method": "slab_ericson"},
]


def written(folder, expect, name="a", **more):
    path = folder / f"{name}.scene.json"
    path.write_text(json.dumps({**SCENE, **more, "expect": expect}, indent=1), encoding="utf-8")
    return path


def report_of(path, *scenes, checks=EVERYTHING):
    """Write the report of scenes, and return its text and its tree: it is well-formed as XML, too."""
    report, tally = CheckReport(path, checks), CheckTally(len(scenes))
    for scene in scenes:
        outcome = check_file(Path(scene), checks)
        tally.add(outcome)
        report.add(outcome)
    report.finish(tally)
    text = path.read_text(encoding="utf-8")
    return text, ElementTree.fromstring(text)


def of_class(tree, name):
    return [element for element in tree.iter() if name in element.get("class", "").split()]


def text_of(element):
    return " ".join("".join(element.itertext()).split())


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A folder with a report of scenes that fail, pass, are broken and have no expectations; its text and tree."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "broken<i>.scene.json").write_text("{", encoding="utf-8")
    scenes = [
        written(folder, EXPECT),
        written(folder, EXPECT[1:2], "passes"),
        folder / "broken<i>.scene.json",
        written(folder, [], "empty"),
    ]
    return folder, *report_of(folder / "page.html", *scenes)


def test_a_report_stands_by_itself(report):
    folder, text, tree = report
    assert text.startswith("<!DOCTYPE html>") and "default-src 'none'" in text
    assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg)|@import|url\(", text)
    sources = [value for element in tree.iter() for name, value in element.items() if name in ("src", "href")]
    assert len(sources) == 3 and all(source.startswith("data:image/png;base64,") for source in sources)
    assert not (folder / "page_files").exists()
    assert "prefers-color-scheme: dark" in text
    assert str(folder) not in text.replace(f"{folder}/", "")  # but for the paths that were given


def test_the_summary_counts_what_is_open_below_it(report):
    _, _, tree = report
    (counts,) = of_class(tree, "counts")
    assert text_of(counts) == "1 failed 1 broken 1 without expectations 1 passed"
    header = text_of(next(tree.iter("header")))
    assert f"4 scenes with 5 expectations: 3 failures. hitscope {package.__version__}." in header
    failures, lists = of_class(tree, "failure"), of_class(tree, "list")
    assert [failure.get("open") for failure in failures] == [""] * 3
    titles = [text_of(listed[0]) for listed in lists]
    assert titles == [
        "Broken files: 1",
        "Scenes without expectations: 1",
        "Passed: 1",
    ]
    assert [listed.get("open") for listed in lists] == ["", "", None]
    assert "broken<i>.scene.json:1:2: " in text_of(lists[0]) and "passes.scene.json (1 expectation)" in text_of(
        lists[2]
    )


@pytest.mark.parametrize(("strict", "kind"), [(False, "empty"), (True, "failed")])
def test_a_scene_without_expectations_counts_as_failed_where_that_is_strict(strict, kind, tmp_path):
    report = CheckReport(tmp_path / "page.html", EVERYTHING)
    outcome, tally = Outcome("a.scene.json"), CheckTally(1, strict)
    tally.add(outcome)
    report.add(outcome)
    report.finish(tally)
    (counts,) = of_class(ElementTree.parse(tmp_path / "page.html"), "counts")
    found = {text_of(count): count.get("class") for count in counts}
    assert found == {"0 failed": "none", "1 without expectations": kind, "0 passed": "none"}


def test_scenes_that_were_not_checked_are_counted(tmp_path, capsys):
    from hitscope.cli import main

    for name in "abc":
        written(tmp_path, EXPECT[:1], name)
    page = tmp_path / "page.html"
    assert main(["check", str(tmp_path), "-x", "--report", str(page)]) == 1
    tree = ElementTree.parse(page)
    assert [text_of(note) for note in of_class(tree, "note")] == ["2 scenes were not checked."]
    assert text_of(of_class(tree, "counts")[0]) == "1 failed 0 passed"


def test_each_failure_has_its_words_numbers_commands_and_picture(report):
    folder, _, tree = report
    outcome = check_file(folder / "a.scene.json")
    shown = ODD.replace("\x1b", r"\u001b")
    for failure, section in zip(outcome.failures, of_class(tree, "failure"), strict=True):
        words = text_of(section)
        for said in (*failure.differences, *failure.facts, f"line {failure.line}"):
            assert said.replace("\x1b", r"\u001b") in words
        assert len(list(section.iter("img"))) == 1
    first, bulk, far = of_class(tree, "failure")
    rows = [[text_of(cell) for cell in row] for row in first.iter("tr")]
    assert rows[:3] == [
        ["", "expected", "found", "off by", "allowed"],
        ["t_enter", "0.26", "0.25", "0.01", "0.001 of the expectation"],
        ["hit", "hit", "hit", "", ""],
    ]
    assert [text_of(row[0]) for row in of_class(first, "wrong")] == ["t_enter"]
    # Of a bulk item it is the element that is hit; of `hits` the primitive that they name.
    assert [text_of(next(section.iter("caption"))) for section in (bulk, far)] == [
        f"{shown} × many[1]",
        f"{shown} × far",
    ]
    assert [[text_of(cell) for cell in row] for row in of_class(far, "wrong")] == [["hit", "hit", "miss"]]


def test_the_steps_of_the_deciding_pair_are_there_with_and_without_a_script(report):
    _, text, tree = report
    steps = of_class(tree, "steps")
    shown = ODD.replace("\x1b", r"\u001b")
    assert [text_of(step[0]) for step in steps] == [
        f"How {method} decides {shown} × {primitive}, step by step"
        for method, primitive in (("exact", "near"), ("exact", "many[1]"), ("slab_ericson", "far"))
    ]
    assert [step.get("open") for step in steps] == ["", None, None]
    listing = next(steps[2].iter("pre")).text
    assert "if t_min > t_max:  ? 1.25 > 1 → true" in listing and "Miss, which is right" in listing
    explanation = package.explain(
        package.Segment(*[(-1, 0.5, 0.5), (3, 0.5, 0.5)]), package.Aabb((4,) * 3, (5,) * 3), "slab_ericson"
    )
    document = json.loads(of_class(steps[2], "document")[0].text)
    assert [step["line"] for step in document["steps"]] == [step.line for step in explanation.trace.steps]
    assert len([element for element in steps[2].iter() if element.tag.endswith("svg")]) == 1
    stepper = json.loads(tree.find(".//script[@id='stepper']").text)
    assert stepper.count("{{data}}") == stepper.count("{{charts}}") == 1 and "const Steps" in stepper
    assert text.count("const Steps") == 1


def test_the_same_scenes_give_the_same_bytes(report, tmp_path):
    folder, text, _ = report
    names = ("a", "passes", "broken<i>", "empty")
    again, _ = report_of(tmp_path / "page.html", *(folder / f"{name}.scene.json" for name in names))
    assert again == text


def test_without_opengl_a_report_says_so_once_and_goes_on(tmp_path, monkeypatch):
    tried = []

    def fails():
        tried.append(1)
        raise HitscopeError("there is no OpenGL 3.3 (none): install it")

    monkeypatch.setattr(offscreen_context, "new_context", fails)
    _, tree = report_of(tmp_path / "page.html", written(tmp_path, EXPECT))
    notes = [text_of(note) for note in of_class(tree, "note")]
    assert notes == ["There are no pictures: there is no OpenGL 3.3 (none): install it."]
    assert len(of_class(tree, "steps")) == 3 and not list(tree.iter("img")) and tried == [1]


def test_own_code_is_named_and_stepped_through(tmp_path, monkeypatch, capfd):
    (tmp_path / "mine.py").write_text(
        "def never(segment, box):\n    print('<b>')\n    return False\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    written(tmp_path, EXPECT[1:2])
    from hitscope.cli import main

    given = ["check", "a.scene.json", "--report", "page.html", "--method", "segment_aabb=mine.py:never"]
    assert main(given) == 1
    assert "<b>" not in capfd.readouterr().out.replace(ODD[:9], "")
    tree = ElementTree.parse("page.html").getroot()
    assert text_of(of_class(tree, "note")[0]) == "Decided by segment_aabb=mine.py:never."
    assert "return False" in next(of_class(tree, "steps")[0].iter("pre")).text


def test_a_target_that_cannot_be_stepped_through_says_so(tmp_path):
    checks = Checks(by=CheckedBy({"segment_aabb": Carried("engine.c:never")}))
    _, tree = report_of(tmp_path / "page.html", written(tmp_path, EXPECT[2:3]), checks=checks)
    assert not of_class(tree, "steps")
    assert "There are no steps: engine.c:never: expected a method or a Python function" in text_of(tree)


def test_a_scene_that_is_gone_leaves_the_words_of_its_failures(tmp_path):
    scene = written(tmp_path, EXPECT)
    outcome = check_file(scene)
    report = CheckReport(tmp_path / "page.html", Checks())
    report.add(outcome)
    scene.unlink()
    report.finish(CheckTally(1))
    tree = ElementTree.parse(tmp_path / "page.html").getroot()
    (first, *_) = of_class(tree, "failure")
    assert "found 0.25" in text_of(first) and "The scene could not be read again: " in text_of(first)


# What a thousand failures take is computed of parts as large as they may be: nothing is drawn or explained.
NAME = "<" * 299
STEPS = Steps("How", "<svg/>" * 1000, "x" * 20_000, '"' + "x" * 20_000 + '"')


def large_failure(k):
    words = (f"{NAME} " * 3,)
    return Failure(k, f"{NAME}{k}", k, NAME, NAME, words, words * 2, words, (f"hitscope open {'x' * 280}",) * 2)


def large_page(count, folder, png):
    """The pieces of a page of so many failures, with how many of each kind of part it has."""
    failing = tuple(map(large_failure, range(count)))
    outcomes = [Outcome("a.scene.json", ("name",) * count, failures=failing)]
    for k in range(2000):
        outcomes.append(Outcome(f"{k}{NAME}", ("name",)))
        outcomes.append(Outcome(f"{k}{NAME}", error=NAME))
        outcomes.append(Outcome(f"{k}{NAME}"))
    collected, tally = Kept(), CheckTally(len(outcomes))
    for outcome in outcomes:
        tally.add(outcome)
        collected.add(outcome)
    made, pictures = Page(collected, BY_SCENE, tally), Images(folder / "page.html")
    answers = [Answer(name, "0.123456789012345678", "0.123456789012345678") for name in "abcdefgh"]
    for k, failure in enumerate(collected.failed[0].failures):
        source = pictures.source(png + k.to_bytes(4))
        made.add("a.scene.json", failure, Details("pair", answers, source, STEPS))
    return "\n".join(made.lines("", "page_files", len(pictures.beside))).encode()


def test_a_page_of_a_thousand_failures_stays_below_ten_megabytes(tmp_path, monkeypatch):
    beside = {}
    monkeypatch.setattr(pictures, "write_output", lambda path, data: beside.update({path.name: b"".join(data)}))
    count = page.MOST_DETAILED + 500
    text = large_page(count, tmp_path, b"x" * 30_000)
    assert 6_000_000 < len(text) < page.LARGEST == 10_000_000
    tree = ElementTree.fromstring(text)
    detailed = len(of_class(tree, "failure"))
    assert 100 < detailed <= page.MOST_DETAILED
    shown = [image.get("src") for image in tree.iter("img")]
    inline = [source for source in shown if source.startswith("data:")]
    assert len(inline) == pictures.INLINE_BYTES // len(inline[0])
    assert set(shown[len(inline) :]) <= {f"page_files/{name}" for name in beside} and len(shown) == detailed
    whole, listings = (len(of_class(tree, name)) for name in ("document", "listing"))
    assert whole == page.STEPS_BYTES // sum(map(len, STEPS))
    assert listings == page.LISTINGS_BYTES // sum(map(len, (STEPS.summary, STEPS.listing)))
    without = next(listed for listed in of_class(tree, "list") if "without details" in text_of(listed[0]))
    assert text_of(without[0]) == f"Failures without details: {count - detailed:,}"
    rule = text_of(next(tree.iter("footer")))
    assert f"are in the folder page_files beside it: {len(beside):,} files." in rule
    assert (
        f"({listings} failures have only a listing, {detailed - whole - listings} failures have neither)" in rule
    )


def test_pictures_beside_the_page_replace_those_of_an_older_one(tmp_path, monkeypatch):
    monkeypatch.setattr(check_report, "Images", partial(pictures.Images, inline_bytes=0))
    scene, target = written(tmp_path, EXPECT), tmp_path / "my page.html"
    _, tree = report_of(target, scene)
    sources = {image.get("src") for image in tree.iter("img")}
    folder = tmp_path / "my page_files"
    assert sources == {f"my%20page_files/{path.name}" for path in folder.iterdir()} and len(sources) == 3
    (folder / "kept.txt").touch()
    report_of(target, written(tmp_path, EXPECT[:1]))
    assert len(list(folder.iterdir())) == 2
    (folder / "kept.txt").unlink()
    report_of(target, written(tmp_path, EXPECT[1:2]))
    assert not folder.exists()


def test_a_report_that_cannot_be_written_leaves_the_older_one(tmp_path, monkeypatch):
    target = tmp_path / "page.html"
    target.write_text("old", encoding="utf-8")
    monkeypatch.setattr(pictures.Pictures, "png", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        report_of(target, written(tmp_path, EXPECT))
    assert target.read_text(encoding="utf-8") == "old"


def test_a_wrong_name_for_a_report_is_said_before_the_work(tmp_path, capsys):
    from hitscope.cli import main

    assert main(["check", str(tmp_path), "--report", "page.txt"]) == 2
    assert capsys.readouterr().err == 'page.txt: expected a name that ends in .html or .htm, found ".txt"\n'


class Frames(HTMLParser):
    """The documents of the frames of a page."""

    def __init__(self, text):
        super().__init__()
        self.documents = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "iframe":
            self.documents.append(dict(attrs)["srcdoc"])


@pytest.mark.skipif(
    which("chromium") is None, reason="the page is read in a browser, and chromium is not installed"
)
def test_a_browser_shows_the_page_and_steps_in_it(report, tmp_path):
    def shown(url):
        """What the page of a URL is after its scripts, which have nothing to complain of."""
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom")
        home = f"--user-data-dir={tmp_path / 'chromium'}"
        done = subprocess.run(["chromium", *options, home, url], capture_output=True, text=True, check=True)
        assert "CONSOLE" not in done.stderr
        return done.stdout

    (document,) = Frames(shown((report[0] / "page.html").as_uri())).documents
    steps = tmp_path / "steps.html"
    steps.write_text(document, encoding="utf-8")
    text = shown(f"{steps.as_uri()}#2")
    assert '<output id="count">2 of 3</output>' in text and "Step 2, line 2" in text
    assert "<svg" in text and "Hit: enters" in text
