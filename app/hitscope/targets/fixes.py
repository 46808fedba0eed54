"""The wrong lines that a search has found, the changes that make a function right, and what is said of them."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from hitscope import folders, outputs
from hitscope.errors import HitscopeError
from hitscope.targets.target import TargetText

Kept = TypeVar("Kept", "Fixes", "Alike")

FOLDER = "fixes"
"""The folder of the cache that keeps them, for whoever explains the function."""


class Fix(NamedTuple):
    """A change of a function that makes it right."""

    line: int
    """The number of its first line in the file as it is."""
    source: str
    """The line itself, without indentation."""
    replacement: str
    """The text in its place; several lines where the change puts some in."""
    diff: str
    """The change as `patch` takes it."""
    kind: str
    wrong_before: int
    """The cases of the campaign that the function is wrong on, but for rounding."""
    wrong_after: int
    """The cases that the change leaves wrong, but for rounding: 0 of a whole fix."""
    cases: int
    """The cases that prove it: those of the campaign, and new ones."""
    new_cases: int
    """The new ones among them."""
    rounded: int
    """The new cases that rounding alone makes wrong, with the change, too."""
    text: bytes
    """The whole file."""

    @property
    def sentence(self) -> str:
        """The wrong line, or where a statement is missing, what makes it right, and the cases that prove it."""
        gone, put = ([line[1:].strip() for line in self._changed if line[0] == sign] for sign in "-+")
        proof = f"all {self.cases - self.new_cases:,} cases are right, and {self.new_cases:,} new ones"
        proof += ", but for rounding" if self.rounded else ""
        if not gone:
            return f"Before line {self.line}, `{self.source}`, a line is missing: with `{' '.join(put)}` {proof}"
        old, *rest = _core(gone[0], *put[:1])
        change = f"with `{rest[0]}` instead of `{old}`" if rest else f"without `{old}`"
        more = f" and `{' '.join(put[1:])}` put in" if put[1:] else ""
        return f"Line {self.line} is wrong: {change}{more} {proof}"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of a document of JSON, without the text."""
        return {name: value for name, value in self._asdict().items() if name != "text"}

    @property
    def changes(self) -> tuple[frozenset[int], dict[int, list[str]]]:
        """The numbers of the lines that it takes out, and the lines that it puts in, by the number before them."""
        gone, put, line = set(), dict[int, list[str]](), 0
        for text in self.diff.splitlines()[2:]:
            if text.startswith("@@"):
                line = int(text.split()[1].partition(",")[0].lstrip("-")) - 1
            elif text.startswith("+"):
                put.setdefault(line, []).append(text[1:])
            else:
                line += 1
                if text.startswith("-"):
                    gone.add(line)
        return frozenset(gone), put

    @property
    def _changed(self) -> list[str]:
        """The lines of the diff that are taken out or put in, behind the two that name the files."""
        return [line for line in self.diff.splitlines()[2:] if line[0] in "-+"]

    def write(self, path: Path) -> Path:
        """Make the change in the file, after a copy of it is made; return where the copy is."""
        backup = path.with_name(f"{path.name}.bak")
        outputs.write_file(backup, [path.read_bytes()])
        outputs.write_file(path, [self.text])
        return backup


def _core(*lines: str) -> list[str]:
    """Return two lines that begin or end alike without the keyword and the sign that they have in common."""
    for head in ("if ", "elif ", "while ", "return "):
        if len(lines) > 1 and all(line.startswith(head) for line in lines):
            lines = tuple(line.removeprefix(head) for line in lines)
    for tail in ("{", ":", ";"):
        if len(lines) > 1 and all(line.endswith(tail) for line in lines):
            lines = tuple(line.removesuffix(tail).rstrip() for line in lines)
    return [*lines]


TELLING = 0.5
"""By how much the shares of wrong and right cases that run a line have to differ for it to tell them apart."""


class Suspect(NamedTuple):
    """A line that may be wrong."""

    line: int
    source: str
    suspicion: float
    """From 0 to 1: how much more often wrong cases run it (Ochiai), and how many an edit of it puts right."""
    wrong: float = 1.0
    """The share of the wrong cases that run it."""
    right: float = 1.0
    """The share of the right cases that run it."""

    @property
    def shares(self) -> str:
        return f"{self.wrong:.0%} of the wrong cases run it, {self.right:.0%} of the right ones"


class Alike(NamedTuple):
    """A method of the catalogue that errs on the cases that a target errs on."""

    method: str
    wrong: int
    """The cases compared that the target errs on."""
    both: int
    """The wrong ones among them that the method errs on, too."""
    right: int
    """The cases compared that the target is right on."""
    alone: int
    """The right ones among them that the method errs on."""
    cause: str = ""
    """Why the method errs, and in which line of its own; empty where that is unknown."""

    @property
    def agreement(self) -> float:
        """The part of the cases on which either errs that both err on."""
        return self.both / (self.wrong + self.alone)

    @property
    def sentence(self) -> str:
        """The method and its cause, and on how many cases both err."""
        cause = f": {self.cause}" if self.cause else ""
        both = f"{self.both} of {self.wrong} wrong cases are wrong with it, too"
        return f"It errs as `{self.method}` does{cause} ({both}, and {self.alone} of {self.right} right ones)"


@dataclass(frozen=True)
class Fixes:
    wrong: int = 0
    """The cases that the function is wrong on, but for rounding."""
    rounding: int = 0
    """The cases that it is wrong on by rounding alone."""
    edits: int = 0
    """The number of edits that were tried."""
    fixes: tuple[Fix, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    """Where there is no fix: the lines, those that are most likely to be wrong first."""
    ended_early: bool = False
    """Whether it ended because of the time, or was stopped."""

    @property
    def fix(self) -> Fix | None:
        return next(iter(self.fixes), None)

    def as_dict(self) -> dict[str, Any]:
        suspects = [suspect._asdict() for suspect in self.suspects]
        return {"fixes": [fix.as_dict() for fix in self.fixes], "suspects": suspects}

    def summary(self, name: str) -> str:
        """Say in one sentence what was found of the function `name`."""
        if self.fix:
            return self.fix.sentence
        if not self.wrong and not self.ended_early:
            why = f": rounding makes its {self.rounding:,} wrong cases wrong" if self.rounding else ""
            return f"{name} has no wrong line{why}"
        until = ", until the search ended" if self.ended_early else ""
        return f"no change of one line or two of these kinds makes it right ({self.edits:,} were tried{until})"

    def lines(self, name: str) -> Iterator[str]:
        """Yield what a report says of the function `name`."""
        yield self.summary(name)
        for n, fix in enumerate(self.fixes):
            if n:
                yield f"or, which comes to the same: {fix.sentence}"
            yield from (f"    {line}" for line in fix.diff.splitlines()[2:])
        if self.fixes and self.rounding:
            yield f"rounding makes {self.rounding:,} more wrong, which no change of its logic can help"
        for suspect in self.suspects:
            yield f"    line {suspect.line}, suspicion {suspect.suspicion:.2f}: {suspect.source}"
        telling = max(self.suspects, key=lambda each: each.wrong - each.right, default=None)
        if telling is not None and telling.wrong - telling.right >= TELLING:
            yield f"the branch that tells them apart is line {telling.line}: {telling.shares}"


def sentences(fixes: Fixes, alike: Alike | None) -> list[str]:
    """Say in a sentence each which line is wrong and which method errs alike, as far as that is known."""
    return [*(fix.sentence for fix in fixes.fixes[:1]), *([alike.sentence] if alike else [])]


def keep(found: Fixes | Alike, text: bytes, function: str, pair: str) -> None:
    """Keep what was found of a function of a file with this text, for as long as it stays so."""
    with suppress(OSError, HitscopeError):
        place = _place(type(found), text, function, pair)
        place.parent.mkdir(parents=True, exist_ok=True)
        outputs.write_file(place, [msgspec.json.encode(found)])


def known(kind: type[Kept], path: Path, function: str, pair: str) -> Kept | None:
    """Return what was found of a function of a file as it is now, Fixes or an Alike; None where nothing was."""
    with suppress(OSError, HitscopeError, msgspec.DecodeError):
        return msgspec.json.decode(_place(kind, path.read_bytes(), function, pair).read_bytes(), type=kind)
    return None


def known_of(kind: type[Kept], text: str, pair: str) -> Kept | None:
    """Return what was found of a TARGET whose file is as it was; None where nothing was."""
    target = TargetText.of(text)
    return known(kind, target.file, target.function, pair)


def _place(kind: type, text: bytes, function: str, pair: str) -> Path:
    name = sha256(repr((kind.__name__, text, function, pair)).encode()).hexdigest()
    return folders.cache_folder() / FOLDER / f"{name}.json"
