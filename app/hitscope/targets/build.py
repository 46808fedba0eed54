"""The compiler of users' C and C++: a file and a loop over cases, built into a library that is kept.

A library is found by the content of the file and of the headers that it includes, the flags and the compiler. The
headers are those that the compiler named when it was last built.
"""

import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from hitscope.atomic_write import replacing
from hitscope.errors import HitscopeError
from hitscope.geometry.code_files import kept_folder
from hitscope.targets.target import FLOATS, TargetSpec
from hitscope.targets.target_text import CPP_ENDINGS, TargetText

OPTIONS = ("-O2", "-ffp-contract=off", "-shared", "-fPIC", "-MMD", "-MT", "library")
C_ERRORS = ("-Werror=incompatible-pointer-types", "-Werror=implicit-function-declaration")
FOLDER = "targets"
"""The folder of the cache that keeps them."""
KEPT_FILES = 128
"""The most files that are kept, two for a library; those used last stay."""
T_NAMES = {"float64": "double", "float32": "float"}


class Build:
    """One file, compiled for one function, precision and choice of flags."""

    def __init__(self, spec: TargetSpec, loop: str) -> None:
        """Find the compiler; `loop` is the source of the loop, to follow the file's own.

        Raises HitscopeError without a compiler.
        """
        _, location, _ = TargetText.of(spec.text)
        self._spec = spec
        self._file = Path(location).resolve()
        is_cpp = self._file.suffix.lower() in CPP_ENDINGS
        self._ending = ".cpp" if is_cpp else ".c"
        self._source = f'#include "{self._file.as_posix()}"\n{loop}'
        variable, command = ("CXX", "c++") if is_cpp else ("CC", "cc")
        compiler = shlex.split(os.environ.get(variable) or command)
        if not which(compiler[0]):
            raise HitscopeError(
                f"{spec.text}: expected a compiler, {command} or what ${variable} names, found no {compiler[0]}"
            )
        if os.path.dirname(compiler[0]):
            compiler[0] = os.path.abspath(compiler[0])  # it runs in the folder of the flags
        self._command = [*compiler, *OPTIONS, *(() if is_cpp else C_ERRORS), f"-I{self._file.parent}"]
        self._flags = shlex.split(spec.flags)
        version = subprocess.run([*compiler, "--version"], check=False, capture_output=True, text=True).stdout
        self.compiler = version.partition("\n")[0]
        """The compiler's name and version."""
        # The name of the machine, as -march=native means another code on each.
        self._folder = spec.carried.folder or os.getcwd()
        known = (self._source, self._command, self._flags, spec.real, version, self._folder, platform.node())
        self._key = sha256(repr(known).encode()).hexdigest()
        self.files: Sequence[str] = ()
        """The absolute paths of the file and the headers that it includes, as they are known from a library."""

    @contextmanager
    def library(self) -> Iterator[Path]:
        """Yield the library, for as long as it takes to load it; raises HitscopeError if it does not compile."""
        kept = kept_folder(FOLDER)
        if kept and (library := self._found(kept)):
            yield library
            return
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            began = time.time_ns()
            library = self._compiled(Path(folder))
            self.files = _prerequisites(library.with_suffix(".d"), self._folder)
            yield (kept and self._keep(kept, library, began)) or library

    def _found(self, kept: Path) -> Path | None:
        """Return the library of the files as they are now, if it is kept."""
        with suppress(OSError, ValueError):
            names = kept / f"{self._key}.json"
            files = json.loads(names.read_bytes())
            library = self._place(kept, files)
            os.utime(library)
            os.utime(names)
            self.files = files
            return library
        return None

    def _keep(self, kept: Path, library: Path, began: int) -> Path | None:
        """Keep a library that was built from then on; return its place."""
        try:
            if any(Path(file).stat().st_mtime_ns >= began for file in self.files):
                return None  # of an older version, perhaps, than the file has now
            place = self._place(kept, self.files)
            with replacing(place) as draft:
                draft.write(library.read_bytes())
            with replacing(kept / f"{self._key}.json") as draft:
                draft.write(json.dumps(self.files).encode())
        except OSError:  # no room, or a file was removed meanwhile
            return None
        for old in sorted(kept.iterdir(), key=_last_use)[:-KEPT_FILES]:
            old.unlink(missing_ok=True)
        return place

    def _place(self, kept: Path, files: Sequence[str]) -> Path:
        content = sha256(self._key.encode())
        for file in files:
            content.update(sha256(Path(file).read_bytes()).digest())
        return kept / f"{content.hexdigest()}{'.dll' if sys.platform == 'win32' else '.so'}"

    def _compiled(self, folder: Path) -> Path:
        source, library = folder / f"loop{self._ending}", folder / "library.so"
        source.write_text(self._source, encoding="utf-8", errors="surrogateescape")
        done = self._compile(source, self._spec.real, "-o", str(library))
        if done.returncode == 0:
            return library
        other = next(real for real in T_NAMES if real != self._spec.real)
        t, other_t = T_NAMES[self._spec.real], T_NAMES[other]
        _, location, function = TargetText.of(self._spec.text)
        if self._compile(source, other, "-fsyntax-only").returncode == 0:
            raise HitscopeError(
                f"{self._spec.text}: expected a function of const {t} *, found one of const {other_t} *: "
                f"judge it with --float {FLOATS[other]}"
            )
        sys.stderr.write(done.stderr)
        source.write_text(self._source.partition("\n")[0] + "\n", encoding="utf-8", errors="surrogateescape")
        if self._compile(source, self._spec.real, "-fsyntax-only").returncode == 0:
            expected = f"int {function}(const {t} *probe, const {t} *primitive, {t} *t_enter)"
            raise HitscopeError(f"{location}: expected a function {expected}, found what the compiler says")
        raise HitscopeError(f"{location}: expected a file that compiles, found what the compiler says")

    def _compile(self, source: Path, real: str, *options: str) -> "subprocess.CompletedProcess[str]":
        dependencies = source.with_name("library.d")
        command = [
            *self._command,
            f"-DHITSCOPE_REAL={T_NAMES[real]}",
            *self._flags,
            "-MF",
            str(dependencies),
            str(source),
            *options,
        ]
        return subprocess.run(
            command, check=False, capture_output=True, text=True, errors="replace", cwd=self._folder
        )


def _last_use(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0


def _prerequisites(rule: Path, folder: str) -> list[str]:
    """Return the files of a rule of make, which a folder's are relative to, but for the loop's, the first."""
    _, _, text = rule.read_text(encoding="utf-8", errors="surrogateescape").partition(":")
    words = re.split(r"(?<!\\)\s+", text.replace("\\\n", " ").strip())
    names = [re.sub(r"\\([\s#])", r"\1", word).replace("$$", "$") for word in words]
    return [str(Path(folder, name)) for name in names[1:]]
