"""`hitscope check --format github`: annotations, and the summary of the step."""

import re

import pytest
from markdown_it import MarkdownIt

HITS = {"probe": "cut", "primitive": "box", "hit": True}
MISSES = {**HITS, "hit": False}


@pytest.fixture(autouse=True)
def summary(tmp_path, monkeypatch):
    """The file of the summary, in which an earlier command of the step has written."""
    path = tmp_path / "summary.md"
    path.write_text("# Before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    return path


def annotations(output):
    """Return the properties and the message of each annotation, unescaped as GitHub does it."""
    found = []
    for line in output.splitlines():
        if match := re.fullmatch(r"::error ([^:]*)::(.*)", line):
            properties = dict(part.split("=", 1) for part in match[1].split(","))
            found.append(({name: unescaped(value) for name, value in properties.items()}, unescaped(match[2])))
    return found


def unescaped(text):
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def table(markdown):
    """Return the texts of the cells of a table as a reader sees them, without the heading."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    cells = [token.children for token in tokens if token.type == "inline"]
    texts = ["".join(child.content for child in children) for children in cells]
    start = texts.index("What differs") + 1
    return [tuple(texts[k : k + 3]) for k in range(start, len(texts), 3)]


def test_a_failing_scene_is_annotated_at_its_first_failure(check, write_scene):
    write_scene("50%,a:b", HITS, MISSES, MISSES)
    status, output, _ = check(".", "--format", "github")
    ((properties, message),) = annotations(output)
    assert (status, output.count("::error ")) == (1, 1)
    assert properties == {"file": "50%,a:b.scene.json", "line": "41", "title": "cut-box#2 and 1 more"}
    lines = message.splitlines()
    assert lines[0].startswith("50%,a:b.scene.json:41: expected box to be missed by cut; crossing")
    assert lines[1].strip() == "hitscope open 50%,a:b.scene.json --probe cut --primitive box"
    assert "FAIL" not in output


def test_a_broken_file_and_an_empty_scene_are_annotated(check, write_scene, tmp_path):
    write_scene("empty")
    (tmp_path / "a.scene.json").write_text("{\n]", encoding="utf-8")
    (broken, message), (empty, _) = annotations(check(".", "--format", "github", "--strict")[1])
    assert broken == {"file": "a.scene.json", "line": "2", "title": "broken scene"}
    assert message.startswith("a.scene.json:2:1: ")
    assert empty == {"file": "empty.scene.json", "title": "no expectations"}


def test_ten_scenes_are_annotated_and_the_others_listed(check, write_scene, summary):
    for k in range(12):
        write_scene(f"s{k:02}", MISSES)
    write_scene("t", HITS)
    status, output, _ = check(".", "--format", "github")
    assert (status, len(annotations(output))) == (1, 10)
    assert re.findall(r"^(?:FAIL|ok) .*(?=  \()", output, re.MULTILINE) == [
        "FAIL  s10.scene.json",
        "FAIL  s11.scene.json",
        "ok    t.scene.json",
    ]
    assert output.endswith("\n12 failed\n1 of 13 scenes pass\n")
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("# Before\n") and "12 failed, 1 of 13 scenes pass" in text
    assert [row[:2] for row in table(text)] == [(f"s{k:02}.scene.json:36", "cut-box") for k in range(12)]


NAMES_OF_FOLDERS = [
    "::error file=x,line=1::owned",
    " \t::set-output name=a::b",
    "a ##[error]owned",
    "::a\n::error ::b",
]


@pytest.mark.parametrize("name", NAMES_OF_FOLDERS)
def test_no_name_is_a_command_to_the_runner(check, write_scene, name):
    boxes = [{"id": box, "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]} for box in ("box", "::error ::box")]
    for k in range(12):
        write_scene(f"{name}/s{k:02}", MISSES, {**MISSES, "primitive": "::error ::box"}, primitives=boxes)
    write_scene(f"{name}/t", HITS)
    write_scene(f"{name}/u").write_text("{", encoding="utf-8")
    _, output, errors = check(".", "--format", "github")
    commands = [line for line in [*output.splitlines(), *errors.splitlines()] if is_command(line)]
    found = annotations("\n".join(commands))
    assert len(found) == len(commands) == 10
    assert [properties["file"] for properties, _ in found] == [f"{name}/s{k:02}.scene.json" for k in range(10)]
    others = [line for line in output.splitlines() if not is_command(line)]
    assert len(others) > 8 and not any(line.startswith(name[:3]) for line in others)


def is_command(line):
    return line.lstrip().startswith("::") or ("##[" in line and not line.startswith("::error file="))


def test_files_are_named_from_the_root_of_the_repository(check, write_scene, tmp_path, monkeypatch):
    path = write_scene("repository/scenes/a", MISSES)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "repository"))
    for name in (path, "repository/scenes/a.scene.json"):
        ((properties, _),) = annotations(check(name, "--format", "github")[1])
        assert properties["file"] == "scenes/a.scene.json"


def test_the_summary_shows_any_name_as_it_is(check, write_scene, summary):
    name = r"|a|*b*`c`<b>_d_</b>]e(f)&amp;~g~$h$@i#1\|:smile:"
    box = {"id": name, "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}
    write_scene("a", {**MISSES, "primitive": name}, primitives=[box])
    check(".", "--format", "github")
    ((_, expectation, words),) = table(summary.read_text(encoding="utf-8"))
    assert expectation == f"cut-{name}"
    assert words.startswith(f"expected {name} to be missed by cut; crossing")


def test_the_summary_stays_within_what_github_shows(check, write_scene, summary):
    summary.write_text("x" * ((1 << 20) - 1500), encoding="utf-8")
    write_scene("a", *[MISSES] * 20)
    check(".", "--format", "github")
    text = summary.read_text(encoding="utf-8")
    assert len(text) < 1 << 20
    left_out = int(re.search(r"\n(\d+) more failures are left out\.\n$", text)[1])
    assert 0 < left_out == 20 - text.count("&#35;") - 1


def test_without_a_file_for_it_the_summary_is_printed(check, write_scene, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    write_scene("a", MISSES)
    output = check(".", "--format", "github")[1]
    ((where, name, _),) = table(output[output.index("### ") :])
    assert (where, name) == ("a.scene.json:36", "cut-box")


def test_a_summary_that_cannot_be_written_is_one_line(check, write_scene, monkeypatch, tmp_path):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "none" / "s.md"))
    write_scene("a", HITS)
    status, _, errors = check(".", "--format", "github")
    words = f"{tmp_path / 'none' / 's.md'}: the summary of the step cannot be written: No such file or directory\n"
    assert (status, errors) == (2, words)


def test_json_is_another_format(check):
    status, output, errors = check(".", "--format", "github", "--json")
    assert (status, output) == (2, "") and "not allowed with argument" in errors
