"""The frameworks in which users write tests, and how each writes one."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from hitscope.numerals import in_hex
from hitscope.targets.target import C_REALS, CPP_ENDINGS, TargetSpec


def hexadecimal(number: np.floating) -> str:
    """Return a finite number as C++ writes it since 2017, e.g. `0x1.8p+0` for 1.5."""
    return in_hex(float(number))


def shortest(number: np.floating) -> str:
    """Return the fewest digits that are a finite number in its precision, e.g. `0.1`.

    A compiler may round them to a double first: where that is another number they are the digits of the double.
    """
    text = str(number)
    return text if number.dtype.type(float(text)) == number else in_double(number)


def in_double(number: np.floating) -> str:
    """Return the fewest digits that are a finite number in float64."""
    return repr(float(number))


FILL_IN = "fill_in"
"""The call of a target that a framework cannot know: a function that the user fills in."""


class Framework(NamedTuple):
    """How a file of tests is written."""

    name: str
    """Its template test_templates/NAME.txt has the head of a file, a test and the end, divided by @@."""
    file_name: str
    """With {} for the name of what is tested."""
    run: str
    """How the file {} is built and run."""
    calls: Mapping[str, str]
    """The template of each call of `call_of` that it knows, and of FILL_IN; empty where its own has that."""
    numbers: Callable[[np.floating], str]
    infinity: str
    checks: Mapping[bool | None, str]
    """The check of a hit, of a miss, and of an answer that may be either; $words stand for what was judged."""
    t_check: str
    """The check that t_enter lies between $low and $high; $words as above."""
    reals: Mapping[str, str] = C_REALS
    """The names of the numbers of each precision."""
    suffixes: Mapping[str, str] = {"float32": "f", "float64": ""}
    """The ending of a number of each precision."""
    comment: str = "//"
    has_shapes: bool = False
    """Whether tests hold shapes, and normals, instead of arrays of numbers."""


def call_of(target: TargetSpec) -> str:
    """Return the kind of code that a test of a target has to call."""
    text = target.code
    if text.kind == "c_source":
        return "cpp" if text.location.lower().endswith(CPP_ENDINGS) else "c"
    if text.kind == "python_function":
        return "file" if text.location.lower().endswith(".py") else "module"
    if text.kind == "catalogue_method" and target.real != "float64":
        return FILL_IN  # `hitscope.intersect` has float64 alone
    return text.kind


CPP_CALLS = {"cpp": "cpp_source", "c": "cpp_c", "library": "cpp_library", FILL_IN: "cpp_fill_in"}
PYTEST_CALLS = {
    **{call: f"pytest_{call}" for call in ("file", "module", FILL_IN)},
    "catalogue_method": "pytest_catalogue",
}

_FRAMEWORKS = (
    Framework(
        "pytest",
        "test_{}.py",
        "Run: pytest {}",
        PYTEST_CALLS,
        in_double,
        'float("inf")',
        {True: "assert hit, $words", False: "assert not hit, $words", None: "assert hit in (True, False), $words"},
        "assert $low <= t_enter <= $high, $words",
        suffixes=dict.fromkeys(("float32", "float64"), ""),
        comment="#",
        has_shapes=True,
    ),
    Framework(
        "gtest",
        "{}_test.cpp",
        "Build: c++ -std=c++17 {} -lgtest_main -lgtest -pthread",
        CPP_CALLS,
        hexadecimal,
        "HUGE_VAL",
        {
            True: "EXPECT_EQ(hit, 1) << $words;",
            False: "EXPECT_EQ(hit, 0) << $words;",
            None: "EXPECT_TRUE(hit == 0 || hit == 1) << hit << $words;",
        },
        "EXPECT_GE(t_enter, $low) << $words;\nEXPECT_LE(t_enter, $high) << $words;",
    ),
    Framework(
        "catch2",
        "{}_test.cpp",
        "Build: c++ -std=c++17 {} -lCatch2Main -lCatch2; before version 3: -DCATCH_CONFIG_MAIN and no library",
        CPP_CALLS,
        hexadecimal,
        "HUGE_VAL",
        {
            True: "INFO($words);\nCHECK(hit == 1);",
            False: "INFO($words);\nCHECK(hit == 0);",
            None: "INFO($words);\nCHECK((hit == 0 || hit == 1));",
        },
        "CHECK(t_enter >= $low);\nCHECK(t_enter <= $high);",
    ),
    Framework(
        "rust",
        "{}_test.rs",
        "Run: with the tests of a crate, or as rustc --test {}",
        {"library": "rust_library", FILL_IN: "rust_fill_in"},
        shortest,
        "f64::INFINITY",
        {
            True: "assert_eq!(hit, 1, $words);",
            False: "assert_eq!(hit, 0, $words);",
            None: "assert!(hit == 0 || hit == 1, $words);",
        },
        'assert!(($low..=$high).contains(&f64::from(t_enter)), "t_enter is {t_enter}, {}", $words);',
        reals={"float32": "f32", "float64": "f64"},
        suffixes=dict.fromkeys(("float32", "float64"), ""),
    ),
    Framework(
        "nunit",
        "{}_tests.cs",
        "Run: {}, in a project that has NUnit, with dotnet test",
        {},
        shortest,
        "double.PositiveInfinity",
        {
            True: "Assert.That(hit, Is.EqualTo(1), $words);",
            False: "Assert.That(hit, Is.EqualTo(0), $words);",
            None: "Assert.That(hit, Is.EqualTo(0).Or.EqualTo(1), $words);",
        },
        "Assert.That((double)tEnter, Is.GreaterThanOrEqualTo($low).And.LessThanOrEqualTo($high), $words);",
    ),
    Framework(
        "vitest",
        "{}.test.js",
        "Run: npx vitest run {}",
        {},
        in_double,
        "Infinity",
        {
            True: "expect(hit, $words).toBe(1);",
            False: "expect(hit, $words).toBe(0);",
            None: "expect([0, 1]).toContain(hit);",
        },
        "expect(tEnter, $words).toBeGreaterThanOrEqual($low);\nexpect(tEnter, $words).toBeLessThanOrEqual($high);",
        suffixes=dict.fromkeys(("float32", "float64"), ""),
    ),
)

FRAMEWORKS = {framework.name: framework for framework in _FRAMEWORKS}
"""The frameworks of `judge --as`."""
