"""The reader that finds locations agrees with msgspec on what JSON is, and with json on what is in it."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hitscope.errors import Fault, Path
from hitscope.scene.json_locations import element_lines, line_column, offset_of, read_strictly
from hitscope.scene.load import may_repeat_a_key
from tests.scene.scene_files import BROKEN, GOOD, scene

TEXTS = [text for text in (*GOOD.values(), *(broken.text for broken in BROKEN)) if "e999" not in text]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def accepts(text: str) -> bool:
    """Whether the reader takes the text for JSON with each key once."""
    try:
        read_strictly(text)
    except Fault:
        return False
    return True


def is_json(text: str) -> bool:
    """Whether msgspec takes the text for JSON or, behind a number beyond float64, where it stops, json."""
    try:
        msgspec.json.decode(text)
    except msgspec.ValidationError:
        return is_json_to_the_end(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def is_json_to_the_end(text: str) -> bool:
    """Whether json takes the text for JSON, without the words for numbers that only it knows."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return True


@pytest.mark.parametrize(
    ("text", "expected"), [("[1e3000, 0.5]", True), ("[1e3000.5]", False), ("[1e999, NaN]", False)]
)
def test_behind_a_number_beyond_float64_the_text_is_read_too(text: str, expected: bool) -> None:
    assert (is_json(text), accepts(text)) == (expected, expected)


def pairs_are_unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its pairs, but refuse a repeated key."""
    if len(dict(pairs)) < len(pairs):
        raise KeyError
    return dict(pairs)


def paths(value: Any) -> Iterator[Path]:
    """Yield the path of a value and of all in it."""
    yield ()
    steps = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield from ((step, *path) for path in paths(value[step]))


@given(values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_location_is_where_its_value_starts(value: Any, indent: Any, ascii_only: bool) -> None:
    text = "\n" + json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    for path in paths(value):
        found = value
        for step in path:
            found = found[step]
        start, key = offset_of(text, path), offset_of(text, path, at_key=True)
        assert json.JSONDecoder().raw_decode(text, start)[0] == found
        if path and isinstance(path[-1], str):
            assert json.JSONDecoder().raw_decode(text, key)[0] == path[-1]
        else:
            assert key == start


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_a_plain_file_is_not_read_twice(text: str) -> None:
    assert may_repeat_a_key(text.encode()) == ("n\\u0061me" in text)


@given(st.sampled_from(TEXTS), st.data())
def test_reader_and_msgspec_agree_on_damaged_texts(text: str, data: st.DataObject) -> None:
    text = text.removeprefix("\ufeff")
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 3))
    put = data.draw(st.text('{}[]",:\\/ntu0189.eE+-dabf \n\r\té\x01', max_size=3))
    damaged = text[:at] + put + text[at + cut :]
    if not is_json(damaged):
        assert not accepts(damaged)
    elif not accepts(damaged):
        assert may_repeat_a_key(damaged.encode()) or "levels of nesting" in why(damaged)


@given(st.text('{}":,ab1 \\u0', max_size=20))
@example('{"a":{"a":1},"b":[{"a":1}],"a":2}')
@example('{"a\\u0062":1,"ab":2}')
@example('{"a":"\\"","b":":{"}')
@example('{"a":1, "b":{"b1": 2}, "b1":"{","a":[]}')
def test_repeated_keys_are_those_that_json_sees(text: str) -> None:
    try:
        json.loads(text, object_pairs_hook=pairs_are_unique)
    except KeyError:
        assert may_repeat_a_key(text.encode())
        assert "each key once" in why(text)
    except ValueError:
        pass
    else:
        read_strictly(text)


def why(text: str) -> str:
    """The message of the reader's error."""
    with pytest.raises(Fault) as caught:
        read_strictly(text)
    return str(caught.value)


def test_lines_and_columns_count_from_one() -> None:
    assert line_column("ab\n\ncd", 0) == (1, 1)
    assert line_column("ab\n\ncd", 2) == (1, 3)
    assert line_column("ab\n\ncd", 3) == (2, 1)
    assert line_column("ab\n\ncd", 5) == (3, 2)


def test_the_location_of_a_missing_key_is_that_of_the_nearest_parent() -> None:
    text = scene(more='"view": {}')
    assert line_column(text, offset_of(text, ("view", "camera", "eye"))) == (4, 9)


@pytest.mark.parametrize(
    "brackets", ["[" * 65 + "]" * 65, '{"a":' * 65 + "1" + "}" * 65, '[{"]":' * 33 + "1" + "}]" * 33]
)
def test_nesting_is_limited_whatever_stands_in_strings(brackets: str) -> None:
    assert "at most 64 levels of nesting" in why(f'{{"a": [{brackets}]}}')
    read_strictly(f'["{"[" * 99}", {"[" * 60}"]]]"{"]" * 60}]')


def test_the_lines_of_the_elements_of_an_array_are_found_in_one_pass():
    text = '{"other": [1,\n2],\n"expect":\n[{"a":\n1},\n {"ü": "\\n]"}, 3\n\n,4]}'
    assert element_lines(text.encode(), "expect") == [4, 6, 6, 8]
    assert element_lines(text.encode(), "absent") == []
