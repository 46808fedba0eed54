"""JUnit XML as Jenkins and GitLab read it."""

import os
import re
from xml.etree import ElementTree

HITS = {"probe": "cut", "primitive": "box", "hit": True}
DISABLED = {"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5], "enabled": False}
MISSES = {**HITS, "hit": False}

COUNT, SECONDS, ANY = r"\d+", r"\d{1,3}\.\d{3}", r".*"
ATTRIBUTES = {
    "testsuites": {"name": ANY, "tests": COUNT, "failures": COUNT, "errors": COUNT, "time": SECONDS},
    "testsuite": {
        "name": ANY,
        "tests": COUNT,
        "failures": COUNT,
        "errors": COUNT,
        "skipped": COUNT,
        "time": SECONDS,
    },
    "testcase": {"classname": ANY, "name": ANY, "file": ANY, "line": COUNT},
    "failure": {"message": ANY, "type": ANY},
    "error": {"message": ANY, "type": ANY},
    "skipped": {"message": ANY, "type": ANY},
}
"""The elements of the schema of Jenkins' xunit plugin that are used, with their attributes.

It has no file and no line of a test case, which GitLab and editors read; Jenkins passes over them.
"""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "skipped"},
}
OPTIONAL = {"line"}


def valid(path):
    """Return the root of a report, which keeps the rules of Jenkins and of GitLab."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites"
    for element in root.iter():
        rules = ATTRIBUTES[element.tag]
        assert set(rules) - OPTIONAL <= set(element.attrib) <= set(rules)
        for name, value in element.attrib.items():
            assert re.fullmatch(rules[name], value), (name, value)
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
    for counted in (root, *root):
        assert int(counted.get("tests")) == len(list(counted.iter("testcase")))
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(counted.get(count, 0)) == len(list(counted.iter(tag))) or counted is root
    assert all(len(case) <= 1 for case in root.iter("testcase"))
    keys = [(case.get("classname"), case.get("name"), case.get("file")) for case in root.iter("testcase")]
    assert len(set(keys)) == len(keys), "GitLab leaves out all but the first of the same name"
    assert all(case.text for case in root.findall("*/*/*")), "GitLab shows the text, not the message"
    return root


def test_each_expectation_is_a_test_case_of_its_scene(check, write_scene, tmp_path):
    write_scene("a/one", HITS, {**MISSES, "t_enter": 0.5}, HITS)
    write_scene("a/two", HITS)
    assert check("a", "--junit", "x.xml")[0] == 1
    root = valid(tmp_path / "x.xml")
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "0")
    one, two = root
    path = os.path.join("a", "one.scene.json")
    assert (one.get("name"), two.get("tests")) == (path, "1")
    assert [case.get("classname") for case in one] == [case.get("file") for case in one] == [path] * 3
    assert [case.get("name") for case in one] == ["cut-box", "cut-box#2", "cut-box#3"]
    text = (tmp_path / path).read_text(encoding="utf-8").splitlines()
    assert all('"probe": "cut"' in text[int(case.get("line"))] for case in one)
    (failure,) = one[1]
    assert failure.get("message").startswith(
        "expected box to be missed by cut; expected t_enter 0.5 of cut on box"
    )
    first, *commands = failure.text.splitlines()
    assert first.startswith(f"{path}:{one[1].get('line')}: expected box to be missed by cut")
    assert [command.split()[:3] for command in commands] == [
        ["hitscope", "open", path],
        ["hitscope", "explain", path],
    ]


def test_a_broken_file_is_one_error(check, write_scene, tmp_path):
    write_scene("a", HITS)
    (tmp_path / "b.scene.json").write_text("{\n]", encoding="utf-8")
    assert check(".", "missing", "--junit", "x.xml")[0] == 2
    _, broken, missing = valid(tmp_path / "x.xml")
    ((error,),) = broken
    assert broken[0].attrib == {"classname": "b.scene.json", "name": "scene", "file": "b.scene.json", "line": "2"}
    assert error.text == error.get("message") and error.text.startswith("b.scene.json:2:1: ")
    assert missing[0].get("line") is None and missing[0][0].tag == "error"


def test_a_scene_without_expectations_is_skipped_or_fails(check, write_scene, tmp_path):
    write_scene("a")
    for options, tag in (((), "skipped"), (("--strict",), "failure")):
        check("a.scene.json", "--junit", "x.xml", *options)
        assert [child.tag for child in valid(tmp_path / "x.xml").findall("*/*/*")] == [tag]


def test_an_expectation_of_a_disabled_probe_is_skipped_or_fails(check, write_scene, tmp_path):
    write_scene("a", HITS, probes=[DISABLED])
    for options, tag in (((), "skipped"), (("--strict",), "failure")):
        check("a.scene.json", "--junit", "x.xml", *options)
        (found,) = valid(tmp_path / "x.xml").findall("*/*/*")
        assert found.tag == tag and "disabled" in found.get("message")


def test_what_is_not_selected_is_left_out(check, write_scene, tmp_path):
    write_scene("a", HITS, MISSES), write_scene("b", HITS)
    check(".", "--junit", "x.xml", "-k", "a.scene and #2")
    assert [case.get("name") for case in valid(tmp_path / "x.xml").iter("testcase")] == ["cut-box#2"]


def test_code_that_crashes_fails_its_scene(check, write_scene, tmp_path):
    write_scene("a", HITS, HITS)
    (tmp_path / "mine.py").write_text("def crash(segment, box): raise ValueError('not yet')\n", encoding="utf-8")
    check("a.scene.json", "--junit", "x.xml", "--method", "segment_aabb=mine.py:crash")
    (failure,) = valid(tmp_path / "x.xml").findall("*/*/*")
    assert failure.tag == "failure" and "ValueError: not yet" in failure.text


NASTY = ("\x00", "\x1b31m", "\uffff", "]]>", "<&>\"'", "\n", "\r\t", "é𝄞", "\\u0000", " ")


def test_names_of_any_characters_are_legal_xml_and_stay_apart(check, write_scene, tmp_path):
    boxes = [{"id": f"b{text}", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]} for text in NASTY]
    write_scene("a", *[{**MISSES, "primitive": box["id"]} for box in boxes], primitives=boxes)
    odd = tmp_path / os.fsdecode(b"odd-\xff.scene.json")
    odd.write_bytes((tmp_path / "a.scene.json").read_bytes())
    assert check(".", "--junit", "x.xml")[0] == 1
    text = (tmp_path / "x.xml").read_text(encoding="utf-8")
    assert re.fullmatch("[\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*", text)
    root = valid(tmp_path / "x.xml")
    assert len(list(root.iter("failure"))) == 2 * len(boxes)


def test_the_file_is_replaced_whole_or_not_at_all(check, write_scene, tmp_path):
    write_scene("a", HITS)
    (tmp_path / "x.xml").write_text("old", encoding="utf-8")
    for path, words in (
        ("x.txt", 'x.txt: expected a name that ends in .xml, found ".txt"'),
        ("none/x.xml", f"none/x.xml: expected a file in an existing folder, found no folder {tmp_path / 'none'}"),
    ):
        assert check("a.scene.json", "--junit", path) == (2, "", words + "\n")
    assert (tmp_path / "x.xml").read_text(encoding="utf-8") == "old"
    assert check("a.scene.json", "--junit", "x.xml", "--json")[0] == 0
    valid(tmp_path / "x.xml")
    assert {path.name for path in tmp_path.iterdir()} == {"a.scene.json", "x.xml"}
