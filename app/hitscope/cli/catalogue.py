"""The catalogue of methods in the forms of `hitscope methods`: JSON, a table, and a page."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from hitscope.cli.tables import new_table, plain, print_table
from hitscope.geometry.registry import Method, methods, pairs
from hitscope.judge.drawing import GENERATORS

MARKS = "†‡§"
ERROR_CASES = 256
"""The cases of each generator behind the counts of the page."""
ERRORS = Path(__file__).with_name("method_errors.json")
"""The wrong verdicts among them by pair, method, precision and generator: `.ci/method_errors.py` counts them."""
ERRORS_INTRODUCTION = f"""
## What each gets wrong

Wrong verdicts in a million, of {ERROR_CASES} cases of each generator, and the generator with most of them.
Touching counts as a hit, and nothing is let pass. These are a method's own counts, here in float32:

    hitscope judge NAME --pair PAIR --float f32 --cases {ERROR_CASES}

| pair | method | float64 | most at | float32 | most at |
| --- | --- | ---: | --- | ---: | --- |"""
INTRODUCTION = """\
# Methods

This page is the output of `hitscope methods --markdown`. Each row has a method with its arguments, the pairs that
it judges (PROBE_PRIMITIVE), what it answers, where it is from, and *what it is known to get wrong*.
"""


def as_dicts() -> list[dict[str, Any]]:
    """Return an entry for every pair and method, as `hitscope methods --json` prints them."""
    return [
        {
            "pair": pair,
            "name": method.name,
            "source": method.source,
            "answers": ["hit", *method.parts],
            "arguments": dict(method.arguments),
            "readings": list(method.readings),
            "deviations": list(method.deviations),
        }
        for method in methods()
        for pair in method.pairs
    ]


def print_catalogue() -> None:
    table = new_table("method", "pairs", "answers", "arguments", "source")
    for method in methods():
        columns = (
            method.pairs,
            ("hit", *method.parts),
            [f"{name}={plain(value)}" for name, value in method.arguments.items()],
            (method.source, *(f"- {deviation}" for deviation in method.deviations)),
        )
        table.add_row(Text(method.name, style="bold"), *map(Text, map("\n".join, columns)), end_section=True)
    print_table(table)


def as_markdown() -> str:
    """Return a page about the methods, a row a name; deviations that most of them share are footnotes."""
    by_name: dict[str, list[Method]] = {}
    for method in methods():
        by_name.setdefault(method.name, []).append(method)
    shared = _shared([entries[0] for entries in by_name.values()])
    rows = [
        INTRODUCTION,
        *(f"{mark} {deviation}" for deviation, mark in shared.items()),
        "",
        "| method | pairs | answers | source, and what it is known to get wrong |",
        "| --- | --- | --- | --- |",
    ]
    for name, entries in by_name.items():
        first = entries[0]
        arguments = ", ".join(f"{argument}={plain(value)}" for argument, value in first.arguments.items())
        marks = "".join(f" {mark}" for deviation, mark in shared.items() if deviation in first.deviations)
        served = [pair for entry in entries for pair in entry.pairs]
        answers = dict.fromkeys(answer for entry in entries for answer in ("hit", *entry.parts))
        own = (f"*{deviation}*" for deviation in first.deviations if deviation not in shared)
        cells = (
            f"`{name}{f'({arguments})' if arguments else ''}`{marks}",
            "every pair" if len(served) == len(pairs()) else " ".join(served),
            ", ".join(answers),
            "; ".join((first.source, *own)),
        )
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    rows.append(ERRORS_INTRODUCTION)
    for pair, of_methods in json.loads(ERRORS.read_text(encoding="utf-8")).items():
        for method, errors in of_methods.items():
            counts = (*_error_cells(errors["f64"]), *_error_cells(errors["f32"]))
            rows.append(f"| {' | '.join((pair, f'`{method}`', *counts))} |")
    return "\n".join(rows)


def _error_cells(wrong: Mapping[str, int]) -> tuple[str, str]:
    """Return the wrong verdicts in a million cases, and the generator with most, with its own number."""
    if not wrong:
        return "0", ""
    most = max(wrong, key=wrong.__getitem__)
    per_million = 1e6 / ERROR_CASES
    return f"{sum(wrong.values()) * per_million / len(GENERATORS):.0f}", f"{most} {wrong[most] * per_million:.0f}"


def _shared(entries: Sequence[Method]) -> dict[str, str]:
    """Return the deviations of more than half of the methods, each with its footnote mark."""
    counts = Counter(deviation for method in entries for deviation in method.deviations)
    most = [deviation for deviation, count in counts.items() if 2 * count > len(entries)]
    return dict(zip(most, MARKS, strict=False))
