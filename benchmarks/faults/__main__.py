"""Measure how many faults of `faults.json` the search fixes, how many lines it names, and how long it takes.

python -m benchmarks.faults [FILE ...] [--every N] [--json FILE]
"""

import argparse
import json
import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from hitscope.cli.tables import new_table, print_table
from hitscope.judge.campaign import Campaign
from hitscope.judge.fixing.search import find_fixes
from hitscope.targets.carried import carried
from hitscope.targets.judging.rules import Rules
from hitscope.targets.options import target_specs

FOLDER = Path(__file__).parent
CASES = 1000
"""The cases of each generator, as `hitscope judge` draws."""


def main() -> None:
    """Put each fault into its function, look for its fix, and print what came of it."""
    options = _options()
    faults = json.loads((FOLDER / "faults.json").read_text(encoding="utf-8"))
    chosen = [fault for fault in faults if not options.files or fault["file"] in options.files][:: options.every]
    found = []
    for number, fault in enumerate(chosen, 1):
        found.append(measured(fault))
        print(f"{number} of {len(chosen)}: {_line(found[-1])}", file=sys.stderr, flush=True)
    for language in ("Python", "C and C++", "all"):
        _print(language, [each for each in found if language in (each["language"], "all")])
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("files", nargs="*", help="the functions whose faults are measured; by default all")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the faults every N-th")
    parser.add_argument("--json", type=Path, help="the file that the measurements are written to")
    return parser.parse_args()


def measured(fault: dict[str, Any]) -> dict[str, Any]:
    """Return what the search finds of one fault."""
    source = FOLDER / "functions" / fault["file"]
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    pair = lines[0].split("pair:")[1].split()[0]
    line = fault["line"]
    assert lines[line - 1].count(fault["find"]) == 1, fault
    right = lines[line - 1].strip()
    lines[line - 1] = lines[line - 1].replace(fault["find"], fault["put"])
    with TemporaryDirectory() as folder:
        path = Path(folder) / source.name
        path.write_text("".join(lines), encoding="utf-8")
        known = carried(f"{path}:hit", pair)
        (spec,) = target_specs(known, pair)
        rules = Rules(require=known.require)
        started = perf_counter()
        fixes = find_fixes(Campaign([spec], range(CASES), rules))
        seconds = perf_counter() - started
        shutil.rmtree(Path(folder) / "__pycache__", ignore_errors=True)
    named = [each.line for each in (fixes.fixes or fixes.suspects)]
    return {
        **fault,
        "language": "Python" if source.suffix == ".py" else "C and C++",
        "right": right,
        "fixed": bool(fixes.fixes),
        "named": named,
        "first": named[:1] == [line] or (bool(fixes.fixes) and fixes.fixes[0].replacement == right),
        "replacement": fixes.fixes[0].replacement if fixes.fixes else "",
        "wrong": fixes.wrong,
        "edits": fixes.edits,
        "seconds": round(seconds, 2),
    }


def _line(each: dict[str, Any]) -> str:
    kind = "fixed" if each["fixed"] else "named" if each["first"] else "not fixed"
    elsewhere = "" if each["first"] else f", named {each['named']}"
    return (
        f"{each['file']}:{each['line']} {each['kind']}: {kind}{elsewhere} in {each['seconds']:.1f} s; "
        f"{each['right']!r} -> {each['replacement']!r}"
    )


def _print(language: str, found: list[dict[str, Any]]) -> None:
    if not found:
        return
    table = new_table(f"faults in {language}")
    for heading in ("faults", "fixed", "line first", "fixed elsewhere", "median s", "longest s"):
        table.add_column(heading, justify="right")
    for kind in [*dict.fromkeys(each["kind"] for each in found), "all"]:
        part = [each for each in found if kind in (each["kind"], "all")]
        seconds = [each["seconds"] for each in part]
        counts = (
            len(part),
            sum(each["fixed"] for each in part),
            sum(each["first"] for each in part),
            sum(each["fixed"] and not each["first"] for each in part),
        )
        table.add_row(kind, *map(str, counts), f"{median(seconds):.1f}", f"{max(seconds):.1f}")
    print_table(table)


if __name__ == "__main__":
    main()
