"""The user's text on a terminal: ids, names and values of any length, with any characters, on short lines."""

import json
import unicodedata

import pytest

from hitscope.cli.tables import new_table, print_table
from hitscope.errors import LONGEST_FOUND, Fault, quoted, shortened
from hitscope.terminal import LONGEST_LINE, json_text, one_line

WRONG = "a\x1b]0;b\x07\r\n\t\x7f\x9b\u202e\u2066\u2028\u061c\udcffz"
SHOWN = r"a\u001b]0;b\u0007\r\n\t\u007f\u009b\u202e\u2066\u2028\u061c\udcffz"
MARKUP = "x[red]y[/]z[link=http://a]:smile:"
HUGE = "q" * 1_000_000


def scene(ids=("a",), **more):
    """The text of a scene whose boxes have the ids, each with an expectation that fails."""
    document = {
        "version": 1,
        "primitives": [{"id": i, "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]} for i in ids],
        "probes": [{"id": "p", "type": "point", "position": [0.5, 0.5, 0.5]}],
        "expect": [{"probe": "p", "primitive": i, "hit": False} for i in ids],
    }
    return json.dumps(document | more)


def is_safe(text: str) -> bool:
    """Whether a text holds line breaks and visible characters alone."""
    return not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text.replace("\n", ""))


def test_no_control_character_of_an_id_reaches_the_terminal(hitscope):
    name = WRONG.replace("]", "").replace("\udcff", "")
    shown = SHOWN.replace("]", "").replace(r"\udcff", "")
    for command, status in (("eval", 0), ("check", 1)):
        run = hitscope(command, "-", stdin=scene([name]))
        assert run.returncode == status
        assert shown in run.stdout and is_safe(run.stdout) and "\u202e" not in run.stdout
        raw = hitscope(command, "-", "--json", stdin=scene([name])).stdout
        assert is_safe(raw) and "\u202e" not in raw
        assert name in (json.loads(raw)["verdicts"][0]["primitive"] if command == "eval" else str_of(raw))
    run = hitscope("explain", "-", "--probe", WRONG.replace("\udcff", ""), "--primitive", "a", stdin=scene())
    assert run.returncode == 2 and is_safe(run.stderr) and run.stderr.count("\n") == 1


def str_of(raw: str) -> str:
    """The words of the one mismatch in the JSON of `check`."""
    ((words,),) = (entry["mismatches"] for entry in json.loads(raw)["scenes"])
    return words


def test_ids_and_names_of_a_megabyte_are_cut(hitscope):
    run = hitscope("check", "-", stdin=scene(["left", HUGE]))
    assert run.returncode == 1
    line = run.stdout.splitlines()[-1]
    assert line.startswith("-:1: expected qqq") and len(line) <= 1000
    assert len(line) < LONGEST_LINE
    run = hitscope("eval", "-", stdin=scene(["left", HUGE]))
    assert run.returncode == 0 and max(map(len, run.stdout.splitlines())) <= 200
    assert (
        json.loads(hitscope("eval", "-", "--json", stdin=scene([HUGE])).stdout)["verdicts"][0]["primitive"] == HUGE
    )


@pytest.mark.parametrize(
    "text",
    [
        scene(**{HUGE: 1}),
        scene(version=HUGE),
        scene(name=[HUGE]),
        scene(probes=[{"type": HUGE}]),
        scene(probes=[{"type": "point", "position": HUGE}]),
        scene(methods={HUGE: "exact"}),
        scene(methods={"point_aabb": HUGE}),
        scene(methods={"point_aabb": {"name": [HUGE]}}),
        scene(methods={"point_aabb": {"name": "bounds", HUGE: 1}}),
        scene(methods={"point_aabb": {"name": "bounds", "a": HUGE}}),
        scene(expect=[{"probe": HUGE, "primitive": "a", "hit": True}]),
        scene([HUGE, HUGE]),
        scene([f"{k}{HUGE[:100_000]}" for k in range(20)], expect=[{"probe": "p", "primitive": "x", "hit": True}]),
        scene(primitives=[{"type": "mesh", "file": {"a": HUGE}}]),
        scene(primitives=[{"type": "mesh", "file": HUGE}]),
        scene(view={"up": HUGE}),
        '{"a": ' * 60 + HUGE,
        f'{{"{HUGE}": 1, "{HUGE}": 2}}',
    ],
    ids=range(18),
)
def test_a_message_is_one_short_line_whatever_it_quotes(hitscope, text):
    run = hitscope("check", "-", stdin=text)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("-:1:") and run.stderr.count("\n") == 1
    assert len(run.stderr) <= LONGEST_LINE + 1
    assert "expected" in run.stderr and "found" in run.stderr


def test_the_message_of_a_fault_is_short_for_those_who_call_from_python():
    names = [f"{k}{HUGE}" for k in range(100)]
    fault = Fault.unknown(("primitives", HUGE, 3), f"an id of {HUGE}", names, "x")
    assert len(str(fault)) < 2000 and "..." in str(fault)
    assert str(fault).startswith('$.primitives["qqqq') and str(fault).endswith('found "x"')


def test_a_text_is_cut_in_its_middle_and_only_where_it_is_too_long():
    assert shortened("abc", 3) == "abc"
    assert shortened("abcdefghijklmnop", 12) == "abcdef...nop"
    assert quoted("a" * 100) == f'"{"a" * 100}"'
    assert len(quoted("a" * 101)) == 102


@pytest.mark.parametrize("character", ["\n", "\x85", "\u2028", "\x9b", "\ud800", "\u202e"])
def test_a_quotation_is_plain_and_short_before_a_message_escapes_it(character):
    for found in (quoted(f"a{character}b"), quoted(character * 1000), Fault((), "x", character * 1000).message):
        assert is_safe(found) and len(found) <= LONGEST_FOUND + len("expected x, found ")


def test_a_line_is_cut_where_it_is_too_long():
    assert one_line(WRONG) == SHOWN
    line = f"expected {HUGE} to be hit by {HUGE}, found none"
    assert one_line(line).endswith("qqq, found none") and "... " not in one_line(line)[:20]
    assert len(one_line(HUGE.replace("qq", "q "))) == LONGEST_LINE


def test_json_has_the_same_text_without_what_a_terminal_obeys():
    text = json_text({WRONG: [WRONG]}, indent=2)
    assert is_safe(text) and json.loads(text) == {WRONG: [WRONG]}


@pytest.mark.parametrize("markup", [MARKUP, "[red]", "[/]", "[link=http://a]b[/link]", "[bold", ":smile:"])
def test_ids_that_look_like_markup_are_shown_as_they_are(capsys, markup):
    table = new_table("id")
    table.add_row(markup)
    print_table(table)
    assert markup in capsys.readouterr().out


def test_a_cell_is_one_line_without_control_characters(capsys):
    table = new_table("id")
    table.add_row(WRONG)
    print_table(table)
    assert SHOWN in capsys.readouterr().out
