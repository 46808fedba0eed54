"""A baseline: the known differences of targets, by target, generator and kind, with how often and how deep.

On the seeds that it was written of, more differences are worse, and deeper ones. On others chance has a part in
both: worse is a share of the cases that is more than three standard errors higher, or a depth of more than twice
the known one, as many times as there are more cases.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, isnan, sqrt
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from hitscope import numerals
from hitscope.errors import HitscopeError
from hitscope.judge.finding_scenes import source
from hitscope.judge.findings import Finding
from hitscope.judge.results import target_as_dict
from hitscope.judge.tallies import Row, Tally
from hitscope.outputs import write_output
from hitscope.targets.judging.judged import KINDS
from hitscope.targets.target import TargetSpec

VERSION = 1
STANDARD_ERRORS = 3.0
ROUNDING = 1.01
"""By how much a depth may differ that is written in three digits."""
CHANCE = 2.0
"""How many times as deep the worst of as many other cases may be."""

Key = tuple[str, str, str, str, str, str]
"""The method, its flags, float and pair, the generator and the kind."""


class Known(NamedTuple):
    """The differences of one kind in a row."""

    first_seed: int
    cases: int
    wrong: int
    worst_ulps: float
    """The depth of the example of the kind; 0 where there is no depth, infinite where no number says it."""

    @classmethod
    def of(cls, tally: Tally, kind: str) -> "Known":
        depth = tally.examples[kind].ulps if kind in tally.examples else 0.0
        return cls(tally.first_seed, tally.cases, tally.wrong[kind], 0.0 if isnan(depth) else depth)

    def is_worse_than(self, known: "Known") -> bool:
        """Whether there are more of them, or deeper ones, than chance explains."""
        if self[:2] == known[:2]:
            return self.wrong > known.wrong or self.worst_ulps > ROUNDING * known.worst_ulps
        share = (self.wrong + known.wrong) / (self.cases + known.cases)
        error = sqrt(max(0.0, share * (1 - share)) * (1 / self.cases + 1 / known.cases))
        is_more = self.wrong / self.cases - known.wrong / known.cases > STANDARD_ERRORS * error
        return is_more or self.worst_ulps > CHANCE * max(1.0, self.cases / known.cases) * known.worst_ulps

    @property
    def words(self) -> str:
        """How many of how many cases, and how deep."""
        depth = f", to {numerals.short(self.worst_ulps, 3)} ulps" if 0 < self.worst_ulps < inf else ""
        return f"{self.wrong:,} of {self.cases:,} cases{depth}"


class _Entry(msgspec.Struct, forbid_unknown_fields=True, rename={"precision": "float"}):
    """One kind of differences as the file has it."""

    method: str
    flags: str
    precision: str
    pair: str
    generator: str
    kind: str
    wrong_per_million: float
    worst_ulps: float | None
    first_seed: int
    cases: Annotated[int, msgspec.Meta(ge=1)]
    wrong: Annotated[int, msgspec.Meta(ge=0)]


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    known: list[_Entry]


class Baseline:
    """The known differences of targets; the methods in its file are relative to its folder."""

    def __init__(self, path: Path = Path(), known: Mapping[Key, Known] | None = None) -> None:
        """Take what is known of a file; without one nothing is."""
        self.path, self._known = path, dict(known or {})

    @classmethod
    def read(cls, path: Path, may_be_new: bool = False) -> "Baseline":
        """Read a file, which may be a new one where it is about to be written; raises HitscopeError."""
        if may_be_new and not path.exists():
            return cls(path, {})
        try:
            document = msgspec.json.decode(path.read_bytes(), type=_Document)
        except OSError as error:
            words = f"found: {error.strerror}; --update writes one"
            raise HitscopeError(f"{path}: expected a baseline of judge, {words}") from None
        except msgspec.DecodeError as error:
            raise HitscopeError(f"{path}: expected a baseline of judge, found: {error}") from None
        if document.version != VERSION:
            raise HitscopeError(f"{path}: expected a baseline of version {VERSION}, found {document.version}")
        known = {}
        for entry in document.known:
            key = entry.method, entry.flags, entry.precision, entry.pair, entry.generator, entry.kind
            depth = inf if entry.worst_ulps is None else entry.worst_ulps
            known[key] = Known(entry.first_seed, entry.cases, entry.wrong, depth)
        return cls(path, known)

    def compared(self, rows: Iterable[Row]) -> "Comparison":
        """Compare the differences of rows with what is known."""
        found = {}
        for row in rows:
            for kind, key in self._keys(row):
                if row.tally.wrong[kind] or key in self._known:
                    found[row.target, row.generator, kind] = Known.of(row.tally, kind), self._known.get(key)
        return Comparison(self.path, found)

    def updated(self, rows: Sequence[Row]) -> "Baseline":
        """Return the baseline with what was found of the rows, in place of what was known of them."""
        known = dict(self._known)
        for row in rows:
            for kind, key in self._keys(row):
                known.pop(key, None)
                if row.tally.wrong[kind]:
                    known[key] = Known.of(row.tally, kind)
        return Baseline(self.path, known)

    def write(self) -> None:
        """Write the file, a line for each kind, in one order; raises HitscopeError."""
        entries = []
        for key, known in sorted(self._known.items()):
            depth = float(f"{known.worst_ulps:.3g}") if known.worst_ulps < inf else None
            per_million = float(f"{known.wrong * 1e6 / known.cases:.4g}")
            entry = _Entry(*key, per_million, depth, known.first_seed, known.cases, known.wrong)
            entries.append(json.dumps(msgspec.to_builtins(entry)))
        listed = ",\n".join(entries)
        write_output(self.path, [f'{{"version": {VERSION}, "known": [\n{listed}\n]}}\n'.encode()])

    def _keys(self, row: Row) -> Iterator[tuple[str, Key]]:
        target = row.target
        of_row = _method(target, self.path.parent), target.flags, target.precision, target.pair, row.generator
        for kind in KINDS:
            yield kind, (*of_row, kind.replace(" ", "_"))


class Comparison(NamedTuple):
    """The differences of a campaign beside those that are known."""

    path: Path
    kinds: Mapping[tuple[TargetSpec, str, str], tuple[Known, Known | None]]
    """The found and the known differences, by target, generator and kind."""

    def unknown(self, findings: Iterable[Finding], of_any_generator: bool = False) -> list[Finding]:
        """Return the findings that are not known, or worse; `of_any_generator`, each stands for those of all."""
        most = 2 if of_any_generator else 3
        bad = {
            (target, kind, generator)[:most]
            for (target, generator, kind), (found, known) in self.kinds.items()
            if found.wrong and (known is None or found.is_worse_than(known))
        }
        return [each for each in findings if (each.target, each.kind, each.generator)[:most] in bad]

    def as_dicts(self) -> list[dict[str, Any]]:
        """Return what is known and found, for a program."""
        return [
            {
                **target_as_dict(target),
                "generator": generator,
                "kind": kind.replace(" ", "_"),
                "wrong": found.wrong,
                "cases": found.cases,
                "known_wrong": known.wrong,
                "known_cases": known.cases,
                "worse": bool(found.wrong) and found.is_worse_than(known),
            }
            for (target, generator, kind), (found, known) in self.kinds.items()
            if known is not None
        ]

    def lines(self) -> Iterator[str]:
        """Yield what is worse, what is known, and what is not found any more, a line for each."""
        worse, same, gone = [], [], []
        for (target, generator, kind), (found, known) in self.kinds.items():
            words = f"{kind} of {target.name}, {generator}"
            if known is not None and not found.wrong:
                gone.append(words)
            elif known is not None and found.is_worse_than(known):
                worse.append(f"worse than {self.path}: {words}: {found.words}; known {known.words}")
            elif known is not None:
                same.append(f"known: {words}: {found.words}")
        yield from (*worse, *same)
        if gone:
            yield f"not found any more (--update forgets it): {'; '.join(gone)}"


def _method(target: TargetSpec, folder: Path) -> str:
    """Return what names a target in a baseline in a folder, wherever that is read from."""
    is_named = target.carried.name or target.code.kind == "catalogue_method"
    return target.given if is_named else source(target.code, folder)
