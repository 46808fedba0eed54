"""The loader: what it accepts, and what exactly it says of every kind of broken file."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitscope.geometry.shapes import Aabb, Line, Obb, Ray, Segment, Triangle
from hitscope.scene import Fault, Scene, SceneError, load, loads
from tests.scene.scene_files import (
    BOX,
    BROKEN,
    EXAMPLE,
    GOOD,
    OBB,
    PRIMITIVE_TYPES,
    SEGMENT,
    Broken,
    expect,
    obb,
    scene,
)

TOKENS = [
    "",
    "null",
    "-1",
    "0.5",
    "1e999",
    "true",
    '""',
    '"a`b"',
    "[]",
    "{}",
    "[null]",
    '{"name": 1}',
    "}",
    "\ufeff",
]


def fails(data: bytes) -> str:
    """The message of the loader's error for a broken file named f."""
    with pytest.raises(SceneError) as caught:
        loads(data, "f")
    return str(caught.value)


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_good_file_loads(text: str) -> None:
    assert isinstance(loads(text.encode(), "f"), Scene)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_broken_file_is_refused_in_these_words(broken: Broken) -> None:
    assert fails(broken.text.encode()) == f"f:{broken.says}"


def test_every_message_is_one_line_of_bearable_length() -> None:
    for broken in BROKEN:
        assert "\n" not in broken.says
        assert len(broken.says) < 300


def test_example_says_what_the_contract_shows() -> None:
    example = loads(EXAMPLE.encode(), "f")
    assert example.primitives[0].shape == Aabb((1.5, 3.5, -1.5), (2.5, 4.5, -0.5))
    assert example.probes[0].shape == Triangle((-1, 5, 0), (2, 2, -3), (5, 5, 0))
    assert example.primitive_ids == ("corner",)
    assert example.methods == {"triangle_aabb": "sat13"}
    assert example.expect[0].hit is True
    assert example.view.camera is not None
    assert example.view.camera.eye == (8, 6, 12)


def test_every_type_has_its_shape() -> None:
    triangle = '{"type": "triangle", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}'
    linear = '"origin": [0, 0, 1], "direction": [1, 2, 3]}'
    probes = f'{SEGMENT}, {{"type": "ray", {linear}, {{"type": "line", {linear}, {triangle}'
    loaded = loads(scene(f"{BOX}, {OBB}, {triangle}", probes).encode(), "f")
    assert [item.shape for item in loaded.primitives] == [
        Aabb((0, 0, 0), (1, 1, 1)),
        Obb((0, 0, 0), (1, 2, 3), ((1, 0, 0), (0, 1, 0), (0, 0, 1))),
        Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    ]
    assert [item.shape for item in loaded.probes] == [
        Segment((0, 0, 0), (1, 1, 1)),
        Ray((0, 0, 1), (1, 2, 3)),
        Line((0, 0, 1), (1, 2, 3)),
        Triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    ]
    assert loaded.primitive_ids == ("aabb-0", "obb-1", "triangle-2")
    assert loaded.probe_ids == ("segment-0", "ray-1", "line-2", "triangle-3")


def test_numbers_are_float64_even_where_the_file_has_integers() -> None:
    (segment,) = loads(scene(probes=SEGMENT.replace("[1, 1", "[9007199254740993, -0.0")).encode(), "f").probes
    assert str(segment.shape) == "Segment(start=(0.0, 0.0, 0.0), end=(9007199254740992.0, -0.0, 1.0))"


def test_null_in_an_expectation_is_not_the_same_as_no_key() -> None:
    (pair,) = loads(expect('"probe": "segment-0", "primitive": "aabb-0", "t_enter": null').encode(), "f").expect
    assert pair.t_enter is None
    assert not pair.t_exit
    assert pair.t_exit is not None
    assert pair.tolerance is msgspec.UNSET


def test_both_hands_of_axes_are_kept_as_stored() -> None:
    (mirrored,) = loads(obb('"axes": [[1, 0, 0], [0, 0, 1], [0, 1, 4e-7]]').encode(), "f").primitives
    assert mirrored.shape.axes == ((1, 0, 0), (0, 0, 1), (0, 1, 4e-7))


def test_text_that_is_not_utf8_is_pointed_at() -> None:
    assert fails(scene(more='"name": "é\n').encode() + b"\xff") == "f:5:2: $: expected UTF-8 text, found byte 0xff"
    assert fails(scene().encode("utf-16")) == "f:1:1: $: expected UTF-8 text, found byte 0xff"


def test_columns_do_not_count_the_byte_order_mark() -> None:
    assert fails("\ufeff[]".encode()) == "f:1:1: $: expected an object, found []"


def test_lines_end_with_a_newline_whatever_stands_before_it() -> None:
    assert fails(scene(more="1").replace("\n", "\r\n").encode()).startswith("f:4:1: ")


def test_in_a_file_of_another_version_only_the_version_is_reported() -> None:
    assert fails(b'{"version": 3, "primitives": 1}') == "f:1:13: $.version: expected 1, found 3"


@given(st.sampled_from([*GOOD.values(), *(broken.text for broken in BROKEN)]), st.data())
def test_any_file_loads_or_is_refused_with_a_location(text: str, data: st.DataObject) -> None:
    text = text.removeprefix("\ufeff")
    tokens = re.findall(r'"[^"]*"|[\w.+-]+|[^\w\s"]|\s+', text) or [""]
    at = data.draw(st.integers(0, len(tokens) - 1))
    tokens[at] = data.draw(st.sampled_from([*TOKENS, *tokens]))
    try:
        loads("".join(tokens).encode(), "f")
    except SceneError as error:
        assert re.match(r"f:\d+:\d+: \$.*: expected .+, found .+\Z", str(error))


@pytest.mark.parametrize("word", ["it's", 'a"b', "a`b", "line\nend", "é😀", ""])
def test_unknown_words_are_quoted_from_the_file(word: str) -> None:
    quoted_word = json.dumps(word, ensure_ascii=False)
    assert fails(scene(f'{{"type": {quoted_word}}}').encode()).endswith(
        f"({PRIMITIVE_TYPES}), found {quoted_word}"
    )
    assert fails(scene(more=f'"view": {{"up": {quoted_word}}}').encode()).endswith(
        f"an axis (y, z), found {quoted_word}"
    )
    assert fails(scene(more=f'"view": {{{quoted_word}: 1}}').encode()).endswith(
        f"(up, camera, hierarchy, map), found {quoted_word}"
    )
    assert fails(scene(more=f'"view": {{"map": {{{quoted_word}: 1}}}}').encode()).endswith(
        f"(handle, scale, methods, show), found {quoted_word}"
    )


def test_numbers_of_thousands_of_digits_are_too_large() -> None:
    digits = "9" * 5000
    said = f"expected a finite number, found {'9' * 60}..."
    assert fails(scene(BOX.replace("[0", f"[{digits}")).encode()) == f"f:2:41: $.primitives[0].min[0]: {said}"
    argument = f'"methods": {{"a": {{"name": "x", "k": {digits}}}}}'
    assert fails(scene(more=argument).encode()) == f"f:4:37: $.methods.a.k: {said}"


def test_long_values_are_cut() -> None:
    message = fails(scene(probes=f'{{"type": "segment", "start": "{"x" * 200}"}}').encode())
    assert message == f'f:3:41: $.probes[0].start: expected an array, found "{"x" * 59}...'


def test_only_some_of_many_known_ids_are_listed() -> None:
    boxes = ", ".join([BOX] * 100)
    message = fails(
        scene(boxes, more='"expect": [{"probe": "segment-0", "hits": ["aabb-5", "aabb-100"]}]').encode()
    )
    assert "(aabb-0, aabb-1," in message
    assert 'aabb-15, ...), found "aabb-100" (did you mean "aabb-' in message


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    def says(path: Path) -> str:
        with pytest.raises(SceneError) as caught:
            load(path)
        return str(caught.value).replace(f"{path}: expected a scene file that can be read, found: ", "")

    assert says(tmp_path / "none.scene.json") == "No such file or directory"
    assert says(tmp_path) == "a folder"
    if os.name == "posix" and os.geteuid() != 0:
        locked = tmp_path / "locked.scene.json"
        locked.touch(mode=0o000)
        assert says(locked) == "Permission denied"


def test_load_names_the_file_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.scene.json").write_text("[]")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SceneError, match=r"^x\.scene\.json:1:1: "):
        load("x.scene.json")


def test_a_scene_built_in_python_is_checked_too() -> None:
    example = loads(EXAMPLE.encode(), "f")
    with pytest.raises(Fault, match=r"^\$\.expect\[0\]\.probe: expected the id of a probe \(there is none\)"):
        Scene(version=1, primitives=example.primitives, probes=(), expect=example.expect)


def test_items_are_equal_and_hashed_by_what_they_say() -> None:
    first, second = (loads(EXAMPLE.encode(), "f") for _ in range(2))
    assert first == second
    assert first.primitives[0] is not second.primitives[0]
    assert len({*first.primitives, *second.primitives}) == 1


def test_all_that_a_thread_must_know_to_load_a_scene_is_known_before_any_thread_does(tmp_path):
    path = tmp_path / "a.scene.json"
    path.write_text(EXAMPLE)
    code = (
        "import sys; from hitscope.scene import load\n"
        "called = []; sys.setprofile(lambda frame, event, _: called.append(frame.f_code.co_name))\n"
        f"load({str(path)!r}); sys.setprofile(None)\n"
        "assert 'loads' in called and 'get_class_annotations' not in called, called"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def work(data: bytes) -> int:
    """The number of calls of Python and of C while a file is loaded or refused."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        loads(data, "f")
    except SceneError:
        pass
    finally:
        sys.setprofile(None)
    return calls


MANY = [
    f'{{"id": "b{i}", "type": "aabb", "center": [{i}, 0, 0.5], "half_extents": [1, 1, 1]}}' for i in range(3000)
]
SPOILED = {
    "a syntax error": ('"type"', '"type" "type"'),
    "no end": ('"type"', '"'),
    "a repeated key": ('"type"', '"id": "c", "type"'),
    "an unknown key": ('"type"', '"typ": "aabb", "type"'),
    "a wrong type": ("0.5", '"x"'),
    "a number that is not finite": ("0.5", "1e999"),
    "no number": ("0.5", "NaN"),
    "a wrong length": (", 0.5", ""),
    "an unknown word": ("aabb", "aab"),
    "half of a pair": ("center", "min"),
    "a repeated id": ("b2999", "b7"),
}


@pytest.mark.parametrize("spoiled", SPOILED.values(), ids=SPOILED)
def test_refusing_a_large_file_is_about_as_much_work_as_loading_it(spoiled: tuple[str, str]) -> None:
    good, bad = (",\n".join([*MANY[:-1], last]) for last in (MANY[-1], MANY[-1].replace(*spoiled)))
    assert good != bad
    assert fails(scene(bad).encode()).startswith("f:3001:")
    assert work(scene(bad).encode()) < 2 * work(scene(good).encode())


def test_an_unknown_id_of_many_is_compared_with_the_most_similar_ones_only() -> None:
    many = ", ".join(MANY)
    good, bad = (
        scene(many, SEGMENT, more=f'"expect": [{{"probe": "segment-0", "primitive": "{name}", "hit": true}}]')
        for name in ("b1234", "b12x4")
    )
    assert fails(bad.encode()).endswith('...), found "b12x4" (did you mean "b124"?)')
    assert work(bad.encode()) < 2 * work(good.encode())
