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
    language: str
    """Its templates LANGUAGE_CALL.txt have the calls of `call_of` that it knows, and FILL_IN; "" without any."""
    numbers: Callable[[np.floating], str]
    infinity: str
    check: str
    """The check that an answer is $hit; $words stand for what was judged."""
    either: str
    """The check of an answer that may be either."""
    t_check: str
    """The check that t_enter lies between $low and $high; $words as above."""
    reals: Mapping[str, str] = C_REALS
    """The names of the numbers of each precision."""
    suffixes: Mapping[str, str] = {"float32": "f", "float64": ""}
    """The ending of a number of each precision."""
    verdicts: tuple[str, str] = ("0", "1")
    """A miss and a hit, as $hit."""
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


NO_SUFFIXES = {"float32": "", "float64": ""}
_GTEST = Framework(
    "gtest",
    "{}_test.cpp",
    "Build: c++ -std=c++17 {} -lgtest_main -lgtest -pthread",
    "cpp",
    hexadecimal,
    "HUGE_VAL",
    "EXPECT_EQ(hit, $hit) << $words;",
    "EXPECT_TRUE(hit == 0 || hit == 1) << hit << $words;",
    "EXPECT_GE(t_enter, $low) << $words;\nEXPECT_LE(t_enter, $high) << $words;",
)
_FRAMEWORKS = (
    Framework(
        "pytest",
        "test_{}.py",
        "Run: pytest {}",
        "pytest",
        in_double,
        'float("inf")',
        "assert $hit, $words",
        "assert hit in (True, False), $words",
        "assert $low <= t_enter <= $high, $words",
        suffixes=NO_SUFFIXES,
        verdicts=("not hit", "hit"),
        comment="#",
        has_shapes=True,
    ),
    _GTEST,
    _GTEST._replace(
        name="catch2",
        run="Build: c++ -std=c++17 {} -lCatch2Main -lCatch2; before version 3: -DCATCH_CONFIG_MAIN and no library",
        check="INFO($words);\nCHECK(hit == $hit);",
        either="INFO($words);\nCHECK((hit == 0 || hit == 1));",
        t_check="CHECK(t_enter >= $low);\nCHECK(t_enter <= $high);",
    ),
    Framework(
        "rust",
        "{}_test.rs",
        "Run: with the tests of a crate, or as rustc --test {}",
        "rust",
        shortest,
        "f64::INFINITY",
        "assert_eq!(hit, $hit, $words);",
        "assert!(hit == 0 || hit == 1, $words);",
        'assert!(($low..=$high).contains(&f64::from(t_enter)), "t_enter is {t_enter}, {}", $words);',
        reals={"float32": "f32", "float64": "f64"},
        suffixes=NO_SUFFIXES,
    ),
    Framework(
        "nunit",
        "{}_tests.cs",
        "Run: {}, in a project that has NUnit, with dotnet test",
        "",
        shortest,
        "double.PositiveInfinity",
        "Assert.That(hit, Is.EqualTo($hit), $words);",
        "Assert.That(hit, Is.EqualTo(0).Or.EqualTo(1), $words);",
        "Assert.That((double)tEnter, Is.GreaterThanOrEqualTo($low).And.LessThanOrEqualTo($high), $words);",
    ),
    Framework(
        "vitest",
        "{}.test.js",
        "Run: npx vitest run {}",
        "",
        in_double,
        "Infinity",
        "expect(hit, $words).toBe($hit);",
        "expect([0, 1]).toContain(hit);",
        "expect(tEnter, $words).toBeGreaterThanOrEqual($low);\nexpect(tEnter, $words).toBeLessThanOrEqual($high);",
        suffixes=NO_SUFFIXES,
    ),
)
FRAMEWORKS = {framework.name: framework for framework in _FRAMEWORKS}
"""The frameworks of `judge --as`."""
