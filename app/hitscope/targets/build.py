"""The compiler of users' C and C++: a file and a loop over cases, built into a library that is kept.

A library is found by the content of all files that compiler and linker named when it was last built, the flags,
the compiler, and the variables that name folders to search; without a linker's files it is not kept.
"""

import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import msgspec

from hitscope.errors import HitscopeError
from hitscope.geometry.code_files import kept_folder
from hitscope.outputs import replacing
from hitscope.targets.build_inputs import Flags, InputFile, Inputs, compiled_files, linked_files
from hitscope.targets.target import C_REALS, CPP_ENDINGS, FLOATS, TargetSpec

OPTIONS = ("-O2", "-ffp-contract=off", "-shared", "-fPIC")
C_ERRORS = ("-Werror=incompatible-pointer-types", "-Werror=implicit-function-declaration")
FOLDER = "targets"
"""The folder of the cache that keeps them."""
KEPT_FILES = 128
"""The most files that are kept, two for a library; those used last stay."""
LIBRARY = "library.so"
SEARCH_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "SDKROOT")
"""The environment variables by which a compiler finds files."""


class CompileError(HitscopeError):
    """The errors of a source that does not compile, as they were printed."""

    def __init__(self, printed: str) -> None:
        super().__init__(printed)
        self.printed = printed


class Build:
    """One file, compiled for one function, precision and choice of flags."""

    def __init__(self, spec: TargetSpec, loop: str, text: str = "") -> None:
        """Find the compiler, or raise HitscopeError; the `loop` follows the file's source, or a `text` for it."""
        self._spec = spec
        self._file = spec.code.file.resolve()
        is_cpp = self._file.suffix.lower() in CPP_ENDINGS
        self._ending = ".cpp" if is_cpp else ".c"
        self._source = (text or f'#include "{self._file.as_posix()}"\n') + loop
        variable, command = ("CXX", "c++") if is_cpp else ("CC", "cc")
        compiler = shlex.split(os.environ.get(variable) or command)
        if not which(compiler[0]):
            expected = f"expected a compiler, {command} or what ${variable} names"
            raise HitscopeError(f"{spec.text}: {expected}, found no {compiler[0]}")
        if os.path.dirname(compiler[0]):
            compiler[0] = os.path.abspath(compiler[0])  # it runs in the folder of the flags
        self._command = [*compiler, *OPTIONS, *(() if is_cpp else C_ERRORS), f"-I{self._file.parent}"]
        self._flags = shlex.split(spec.flags)
        self._folder = spec.carried.folder or os.getcwd()
        self._named = Flags(self._flags, self._folder)
        version = subprocess.run([*compiler, "--version"], check=False, capture_output=True, text=True).stdout
        self.compiler = version.partition("\n")[0]
        own = self._source, self._command, self._flags, spec.real, version, self._folder
        searched = [os.environ.get(name) for name in SEARCH_VARIABLES]
        # The name of the machine, as -march=native means another code on each.
        self._key = sha256(repr((*own, platform.node(), searched)).encode()).hexdigest()
        self.files: Sequence[str] = ()
        """The absolute paths of the files that the library was made of, as far as they are known."""

    @contextmanager
    def library(self, explains: bool = True) -> Iterator[Path]:
        """Yield the library while it is loaded; raises HitscopeError, of CompileError unless it `explains` why."""
        kept = kept_folder(FOLDER)
        if kept and (library := self._found(kept)):
            yield library
            return
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            began = time.time_ns()
            library, printed = self._compiled(Path(folder), explains)
            inputs = self._inputs(library, printed)
            yield (kept and inputs and self._keep(kept, library, inputs, began)) or library

    def _found(self, kept: Path) -> Path | None:
        """Return the library of the files as they are now, if it is kept."""
        with suppress(OSError, ValueError):
            names = kept / f"{self._key}.json"
            known = msgspec.convert(json.loads(names.read_bytes()), Inputs)
            now = known.now()
            library = self._place(kept, now)
            os.utime(library)
            if now == known:
                os.utime(names)
            else:
                self._write_inputs(names, now)
            self.files = [*now.files]
            return library
        return None

    def _inputs(self, library: Path, printed: str) -> Inputs | None:
        """Return the files of a library, and of what was printed when it was made; None where some are unknown."""
        rules = compiled_files(_text(library.with_suffix(".d")))
        linked = linked_files(_text(library.with_suffix(".linked")), printed, LIBRARY, self._folder)
        source = str(library.with_name(f"loop{self._ending}"))
        if [rule[:1] for rule in rules] != [[source]]:  # that of a further source, which was compiled after it
            rules = compiled_files(self._compile(Path(source), self._spec.real, "-M").stdout)
        names = [*chain(*rules), *linked, *self._named.files()]
        paths = (os.path.join(self._folder, name) for name in names)
        made = os.path.join(library.parent, "")  # of the loop, objects and further files of these programs
        self.files = list(dict.fromkeys(path for path in paths if not path.startswith(made)))
        if not linked or [source] not in (rule[:1] for rule in rules):
            return None
        try:
            files = {path: InputFile.read(path) for path in self.files}
        except (OSError, ValueError):
            return None
        return Inputs(files, self._named.absent(self.files, self._file))

    def _keep(self, kept: Path, library: Path, inputs: Inputs, began: int) -> Path | None:
        """Keep a library that was built from then on; return its place."""
        try:
            if inputs.changed_since(began):
                return None  # of an older version, perhaps, than the file has now
            place = self._place(kept, inputs)
            with replacing(place) as draft:
                draft.write(library.read_bytes())
            self._write_inputs(kept / f"{self._key}.json", inputs)
        except OSError:  # no room, or a file was removed meanwhile
            return None
        with suppress(OSError):  # another process has just removed one
            for old in sorted(kept.iterdir(), key=os.path.getmtime)[:-KEPT_FILES]:
                old.unlink(missing_ok=True)
        return place

    def _write_inputs(self, path: Path, inputs: Inputs) -> None:
        with replacing(path) as draft:
            # json, as msgspec takes no text with bytes that are no characters, which a path may have.
            draft.write(json.dumps(msgspec.to_builtins(inputs)).encode())

    def _place(self, kept: Path, inputs: Inputs) -> Path:
        contents = [(path, file.content) for path, file in inputs.files.items()]
        name = sha256(repr((self._key, contents)).encode()).hexdigest()
        return kept / f"{name}{'.dll' if sys.platform == 'win32' else '.so'}"

    def _compiled(self, folder: Path, explains: bool) -> tuple[Path, str]:
        """Return the library, and what the linker printed; raises HitscopeError."""
        source, library = folder / f"loop{self._ending}", folder / LIBRARY
        source.write_text(self._source, encoding="utf-8", errors="surrogateescape")
        options = ("-MD", "-MT", "library", "-MF", str(library.with_suffix(".d")), "-o", str(library))
        linked = str(library.with_suffix(".linked"))
        done = self._compile(source, self._spec.real, *options, f"-Wl,--dependency-file={linked}")
        if done.returncode and "dependency-file" in done.stderr:  # which Apple's linker does not write
            done = self._compile(source, self._spec.real, *options, "-Wl,-t")
        if done.returncode == 0:
            return library, done.stdout
        if not explains:
            raise CompileError(done.stderr)
        other = next(real for real in C_REALS if real != self._spec.real)
        t, other_t = C_REALS[self._spec.real], C_REALS[other]
        _, location, function = self._spec.code
        if self._compile(source, self._spec.real, "-fsyntax-only").returncode == 0:
            sys.stderr.write(done.stderr)
            raise HitscopeError(f"{location}: expected a file that links; see the linker's message")
        if self._compile(source, other, "-fsyntax-only").returncode == 0:
            found = f"expected a function of const {t} *, found one of const {other_t} *"
            raise HitscopeError(f"{self._spec.text}: {found}: judge it with --float {FLOATS[other]}")
        sys.stderr.write(done.stderr)
        source.write_text(self._source.partition("\n")[0] + "\n", encoding="utf-8", errors="surrogateescape")
        if self._compile(source, self._spec.real, "-fsyntax-only").returncode == 0:
            expected = f"int {function}(const {t} *probe, const {t} *primitive, {t} *t_enter)"
            raise HitscopeError(f"{location}: expected a function {expected}; see the compiler's message")
        raise HitscopeError(f"{location}: expected a file that compiles; see the compiler's message")

    def _compile(self, source: Path, real: str, *options: str) -> "subprocess.CompletedProcess[str]":
        # Libraries are searched for what the files before them lack.
        command = [*self._command, f"-DHITSCOPE_REAL={C_REALS[real]}", str(source), *self._flags, *options]
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            cwd=self._folder,
            env={**os.environ, **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(source.parent))},
        )


def _text(path: Path) -> str:
    """Return what a compiler or a linker wrote; "" where it wrote nothing."""
    return path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else ""
