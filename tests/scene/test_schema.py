"""The JSON Schema judges files as the loader does, but for what no schema can say."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hitscope.scene import schema
from tests.scene.scene_files import BROKEN, GOOD, Broken

PUBLISHED = Path(__file__).parents[2] / "scenes" / "scene.schema.json"
VALIDATOR = Draft202012Validator(schema())

ONLY_LOADER = {
    *("too large a number", "box beyond float64", "axes beyond float64"),
    *("repeated key of the scene", "repeated key of a primitive", "repeated key, once with an escape"),
    *("min above max", "zero quaternion", "skewed axes", "camera in its target"),
    *("same id twice", "id that is a later default", "id that is an earlier default"),
    *("expectation of an unknown probe", "expectation of an unknown primitive"),
    *("unknown primitive among the hits", "half a surrogate pair"),
    *("method of another pair in an expectation", "polyhedron whose planes leave nothing"),
    *("too large a number in a row", "fewer rows of one field", "min above max in a row"),
    *("one of the boxes beyond float64", "zero quaternion in a row", "skewed axes in a row"),
    *("file by an absolute path", "file outside the folder", "file that there is not"),
    *("element beyond the last", "element of what is one shape", "number of all elements at once"),
    *("plane without a normal", "half-space without a normal"),
    *("range of t the wrong way round", "unknown probe in a condition", "unknown primitive in a selection"),
    "slack beyond float64",
    "capsules with an end too few",
    *("method of another pair in a condition", "state of all elements at once"),
    "handle of an unknown item",
}
"""What no schema can say: a number's size, a repeated key, and what depends on several values or names."""


def parsed(text: str) -> Any:
    """Parse JSON as a validator's user would; NaN and the like are no JSON."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    return json.loads(text.removeprefix("\ufeff"), parse_constant=refuse)


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_good_files_are_valid(text: str) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(parsed(text))] == []


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_broken_files_are_invalid(broken: Broken) -> None:
    try:
        value = parsed(broken.text)
    except (ValueError, RecursionError):
        return  # no JSON: no schema is asked
    assert VALIDATOR.is_valid(value) == (broken.name in ONLY_LOADER)


def test_the_published_file_is_this_schema() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", (
        "write it with: hitscope schema > scenes/scene.schema.json"
    )
