"""The files that a compiler and a linker read for a library, by whose content a kept one is found again."""

import os
import re
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

SEARCHED = ("-iquote", "-isystem", "-idirafter", "-I", "-L")
"""The options that name a folder in which files are searched, with it in one word or in two."""
LIBRARY_ENDINGS = (".so", ".a", ".dylib", ".tbd", ".dll.a", ".lib")
TICK_NS = 20_000_000
"""A time beyond the steps in which systems count those of files: a later change might not be seen."""

_FILE_IN_WORD = re.compile(r"[=,@]")
_MEMBER = re.compile(r"(\[\d+\])?(\([^()]*\))?$")
Stamp: TypeAlias = tuple[int, ...]


class InputFile(NamedTuple):
    """A file as it was when its content was read last."""

    stamp: Stamp
    """Size, times and index; empty where a later change would not show in them."""
    content: str
    """Its hash."""

    @classmethod
    def read(cls, path: str, known: "InputFile | None" = None) -> "InputFile":
        """Read a file, unless it is as it is known; raises OSError, and ValueError for one that names others."""
        found = os.stat(path)
        stamp: Stamp = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
        if known is not None and known.stamp == stamp:
            return known
        if _has_changed_since(found, time.time_ns()):
            stamp = ()
        with open(path, "rb") as file:
            if file.read(8) == b"!<thin>\n":
                raise ValueError("an archive of the names of its members")
            file.seek(0)
            return cls(stamp, file_digest(file, "sha256").hexdigest())


def _has_changed_since(found: os.stat_result, time_ns: int) -> bool:
    """Whether a file may have been changed, or put in its place, since then."""
    return max(found.st_mtime_ns, found.st_ctime_ns) >= time_ns - TICK_NS


class Inputs(NamedTuple):
    """The files that were read, and those that would have been read in place of others, but were not there."""

    files: Mapping[str, InputFile]
    absent: Sequence[str] = ()

    def now(self) -> "Inputs":
        """Return them as they are now; raises OSError and ValueError where one cannot be read or has appeared."""
        if any(map(os.path.lexists, self.absent)):
            raise ValueError("a file that is searched earlier")
        return self._replace(files={path: InputFile.read(path, known) for path, known in self.files.items()})

    def changed_since(self, time_ns: int) -> bool:
        """Whether one of the files may have been changed since then; raises OSError."""
        return any(_has_changed_since(os.stat(path), time_ns) for path in self.files)


class Flags:
    """The inputs that the flags of a compiler name, seen from a folder."""

    def __init__(self, words: Sequence[str], folder: str) -> None:
        """Take the words of the flags, as a shell reads them."""
        self._folder = folder
        self._words = list(self._expanded(words))

    def files(self) -> Iterator[str]:
        """Yield all files that are named in any way."""
        for word in self._words:
            pieces = (word, word[2:], *_FILE_IN_WORD.split(word))
            yield from (piece for piece in pieces if self._is_file(piece))
        yield from filter(self._is_file, self._libraries())

    def absent(self, files: Iterable[str], source: Path) -> list[str]:
        """Return the files that are not there, but would be read in place of others that were."""
        named = [os.path.join(self._folder, name) for name in self._arguments(*SEARCHED)]
        folders = list(dict.fromkeys([*named, str(source.parent)]))
        wanted = {
            os.path.join(other, os.path.relpath(file, folder))
            for folder in folders
            for file in files
            if file.startswith(os.path.join(folder, ""))
            for other in folders
        }
        wanted.update(os.path.join(self._folder, name) for name in self._libraries())
        return sorted(path for path in wanted if not os.path.lexists(path))

    def _libraries(self) -> Iterator[str]:
        """Yield what the libraries may be called, in each folder that is named for them."""
        for name in self._arguments("-l"):
            names = [name[1:]] if name.startswith(":") else [f"lib{name}{ending}" for ending in LIBRARY_ENDINGS]
            yield from (os.path.join(folder, one) for folder in self._arguments("-L") for one in names)

    def _arguments(self, *options: str) -> Iterator[str]:
        """Yield the arguments of options, in the word of the option or behind it."""
        for word, after in pairwise([*self._words, ""]):
            option = next((option for option in options if word.startswith(option)), None)
            if option is not None and (argument := word.removeprefix(option) or after):
                yield argument

    def _expanded(self, words: Iterable[str], depth: int = 8) -> Iterator[str]:
        """Yield words with those of response files, such as @words.txt."""
        for word in words:
            yield word
            if word.startswith("@") and depth and self._is_file(word[1:]):
                with suppress(OSError, ValueError):  # the compiler says what is wrong with it
                    text = Path(self._folder, word[1:]).read_text(encoding="utf-8", errors="surrogateescape")
                    yield from self._expanded(shlex.split(text), depth - 1)

    def _is_file(self, name: str) -> bool:
        return os.path.isfile(os.path.join(self._folder, name))


def compiled_files(rules: str) -> list[list[str]]:
    """Return the files of each rule of make that a compiler wrote."""
    lines = rules.replace("\\\r\n", " ").replace("\\\n", " ").splitlines()
    return [_words(line.partition(": ")[2]) for line in lines if line.strip()]


def linked_files(rule: str, printed: str, output: str, folder: str) -> list[str]:
    """Return the files of a linker's rule for `output`, whose names may have spaces, or else those it printed."""
    first = rule.partition(f"{output}:")[2].partition("\n\n")[0]
    names: list[str] = []
    for name in (line.strip().removesuffix("\\").strip() for line in first.splitlines()):
        names += [name] if name and os.path.exists(os.path.join(folder, name)) else _words(name)
    return names or [_MEMBER.sub("", line.strip()) for line in printed.splitlines() if line.strip()]


def _words(text: str) -> list[str]:
    words = re.split(r"(?<!\\)\s+", text.strip())
    return [re.sub(r"\\([\s#])", r"\1", word).replace("$$", "$") for word in words if word]
