"""The exporters: each is compiled without a warning, logs exact bits, and is nothing where it is switched off."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hitscope.collect import exporters
from hitscope.errors import HitscopeError
from hitscope.geometry.registry import pairs
from hitscope.judge.log import LONGEST, read
from hitscope.targets.cases import case_width
from tests.collect.programs import ENDING, IN_C, IN_CSHARP, IN_PYTHON, IN_RUST, THREADS

SOURCES = Path(exporters.__file__).parent
ON = "-DHITSCOPE_CAPTURE"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wundef", "-Werror")
C99 = ("cc", "-std=c99", *STRICT, "-O2")
CPP11 = ("c++", "-std=c++11", *STRICT, "-Wold-style-cast", "-O2")
NUMBERS = {
    "float32": ("uint32", [0x7FC12345, 0xFFC00001, 0x80000000, 1, 0x807FFFFF, 0x7F800000, 0xFF800000, 0x7F7FFFFF]),
    "float64": (
        "uint64",
        [0x7FF8123456789ABC, 0xFFF8 << 48 | 1, 1 << 63, 1, 0x800F << 48, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FEF << 48],
    ),
}
"""NaNs with a payload, -0, denormal, infinite and the largest numbers, as bits."""
ANSWERS = {8: [1, 0, -1], 12: [1, 0, 1]}
"""Of the rows of each number of columns."""


def rows(real, columns):
    """Rows of such numbers, of ordinary ones and of answers."""
    bits, special = NUMBERS[real]
    special = np.array(special, bits).view(real)
    given = np.arange(3 * columns, dtype=real) / 7
    given[: len(special)] = special
    given = np.roll(given, 3).reshape(3, columns)
    given[:, 7 if columns == 8 else 10] = ANSWERS[columns]
    return given


def run(*command, **options):
    """Run a command that has to succeed and to say nothing of its own accord; return what it prints."""
    done = subprocess.run([*map(str, command)], check=False, capture_output=True, text=True, **options)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def logging(log, **others):
    """An environment in which calls are logged into a file."""
    return {**os.environ, "HITSCOPE_LOG": str(log), **others}


def include(folder):
    return f"-I{SOURCES}", "-o", folder / "program"


def in_c(*compiler):
    """A function that builds a program of two source files, each of which logs; returns the words to run it."""

    def build(folder, on):
        name = folder / ("program.c" if compiler[0] == "cc" else "program.cpp")
        name.write_text(IN_C)
        objects = [folder / "doubles.o", folder / "floats.o"]
        for output, definition in zip(objects, ("-DOF_DOUBLES", "-DOF_FLOATS"), strict=True):
            run(*compiler, *([ON] if on else []), definition, f"-I{SOURCES}", "-c", name, "-o", output)
        run(*compiler, *objects, "-o", folder / "program")
        return [folder / "program"]

    return build


def in_rust(folder, on):
    (folder / "main.rs").write_text(IN_RUST)
    shutil.copy(SOURCES / "hitscope_capture.rs", folder)
    options = ["--cfg", "hitscope_capture"] if on else []
    run(
        "rustc",
        "-D",
        "warnings",
        "-O",
        "--edition",
        "2021",
        *options,
        "-o",
        folder / "program",
        folder / "main.rs",
    )
    return [folder / "program"]


def in_csharp(folder, on):
    (folder / "program.cs").write_text(IN_CSHARP)
    options = ["-define:HITSCOPE_CAPTURE"] if on else []
    files = folder / "program.cs", SOURCES / "HitscopeCapture.cs"
    run("mcs", "-warnaserror", "-warn:4", *options, f"-out:{folder / 'program.exe'}", *files)
    return ["mono", folder / "program.exe"]


def in_python(folder, on):
    (folder / "program.py").write_text(IN_PYTHON)
    shutil.copy(SOURCES / "hitscope_capture.py", folder)
    return [sys.executable, folder / "program.py"]


def of(build, name, compiler=""):
    missing = compiler and shutil.which(compiler) is None
    marks = [pytest.mark.skip(reason=f"{compiler} is not installed")] if missing else []
    return pytest.param(build, id=name, marks=marks)


needs_rust = pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")
LANGUAGES = [
    of(in_c(*C99), "c"),
    of(in_c(*CPP11), "cpp"),
    of(in_c(*C99, "-ffast-math"), "c-fast-math"),
    of(in_rust, "rust", "rustc"),
    of(in_csharp, "csharp", "mcs"),
    of(in_python, "python"),
]


@pytest.mark.parametrize("build", LANGUAGES)
def test_the_log_has_the_bits_of_the_numbers(build, tmp_path):
    program = build(tmp_path, on=True)
    log = tmp_path / "calls.log"
    for real in NUMBERS:
        for columns in ANSWERS:
            file = tmp_path / f"{real}-{columns}"
            rows(real, columns).tofile(file)
            run(*program, file, np.dtype(real).itemsize, columns, env=logging(log))
    found = read(log)
    assert (found.size, found.cut_off, found.skipped, found.is_full) == (12, False, 0, False)
    logged = {(form.pair, form.real): calls.numbers for form, calls in found.calls.items()}
    assert len(logged) == 4
    for (pair, real), numbers in logged.items():
        assert numbers.tobytes() == rows(real, {"point_plane": 8, "ray_plane": 12}[pair]).tobytes(), (pair, real)


@pytest.mark.parametrize("build", LANGUAGES[3:5])
def test_where_it_is_not_compiled_in_nothing_is_logged_and_the_answer_is_not_asked_for(build, tmp_path):
    program = build(tmp_path, on=False)
    rows("float32", 8).tofile(tmp_path / "numbers")
    assert run(*program, tmp_path / "numbers", 4, 8, env=logging(tmp_path / "calls.log")) == ""
    assert not (tmp_path / "calls.log").exists()


@pytest.mark.parametrize("compiler", [C99, CPP11, (*C99, "-O0")], ids=["c", "cpp", "c-O0"])
def test_where_it_is_not_compiled_in_the_machine_code_is_that_of_the_program_without(compiler, tmp_path):
    function = "int hit(const float *v, int given)"
    code = f"{function};\n{function}\n{{{{\n    {{}}(void)v;\n    return given;\n}}}}\n"
    call = "HITSCOPE(ray_plane, HITSCOPE_012(v), v[3], v[4], v[5], v[6], v[7], v[8], v[9], given, v[0] * v[1]);"
    texts = []
    for source in (code.format(""), '#include "hitscope_capture.h"\n' + code.format(call)):
        name = tmp_path / ("program.c" if compiler[0] == "cc" else "program.cpp")
        name.write_text(source)
        run(*compiler, f"-I{SOURCES}", "-S", name, "-o", tmp_path / "program.s")
        texts.append((tmp_path / "program.s").read_text())
    assert texts[0] == texts[1]


@pytest.mark.parametrize("compiler", [C99, CPP11], ids=["c", "cpp"])
def test_what_is_no_call_of_a_pair_does_not_compile(compiler, tmp_path):
    name = tmp_path / ("program.c" if compiler[0] == "cc" else "program.cpp")
    for call, words in (
        ("point_plane, x, x, x, x, x, x, x", "expects.the.numbers.of.the.pair"),
        ("point_plane, x, x, x, x, x, x, x, 1, x, x", "expects.the.numbers.of.the.pair"),
        ("point_plain, x, x, x, x, x, x, x, 1", "HITSCOPE_point_plain"),
        (
            "point_plane, x, x, x, x, x, x, 1.0L, 1",
            "expects.numbers.of.float.or.double",
        ),
    ):
        name.write_text(
            f'#include "hitscope_capture.h"\nvoid f(float x);\nvoid f(float x) {{ HITSCOPE({call}); }}\n'
        )
        done = subprocess.run(
            [*compiler, ON, f"-I{SOURCES}", "-fsyntax-only", name], check=False, capture_output=True, text=True
        )
        assert done.returncode == 1 and re.search(words, done.stderr), done.stderr


def test_threads_and_processes_append_whole_calls(tmp_path):
    (tmp_path / "program.cpp").write_text(THREADS)
    run(*CPP11, ON, "-pthread", *include(tmp_path), tmp_path / "program.cpp")
    log = tmp_path / "calls.log"
    processes = [subprocess.Popen([tmp_path / "program"], env=logging(log)) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    found = read(log)
    assert (found.size, found.skipped) == (40_000, 0)
    ((form, calls),) = found.calls.items()
    assert form.real == "float32"
    assert np.unique(calls.numbers, axis=0, return_counts=True)[1].tolist() == [2] * 20_000


@pytest.fixture(scope="module")
def ending(tmp_path_factory):
    """A program that logs two calls and a third one at its end, or aborts before."""
    folder = tmp_path_factory.mktemp("ending")
    (folder / "program.c").write_text(ENDING)
    run(*C99, ON, *include(folder), folder / "program.c")
    return folder / "program"


def test_calls_are_written_at_the_end_of_a_program_and_after_it(ending, tmp_path):
    assert run(ending, "return", env=logging(tmp_path / "%p.log")) == "errno 77\n"
    (log,) = tmp_path.iterdir()
    assert re.fullmatch(r"\d+\.log", log.name)
    ((_, calls),) = read(log).calls.items()
    assert sorted(calls.numbers[:, 0]) == [1, 2, 3]


def test_a_program_that_aborts_loses_what_is_buffered_and_unbuffered_nothing(ending, tmp_path):
    for others, size in (({}, 0), ({"HITSCOPE_UNBUFFERED": "1"}, 2)):
        log = tmp_path / f"{size}.log"
        done = subprocess.run([ending, "abort"], env=logging(log, **others), check=False, capture_output=True)
        assert done.returncode < 0
        assert (read(log).size if size else log.stat().st_size) == size


@pytest.mark.parametrize("language", ["c", "python"])
def test_a_log_that_cannot_be_written_does_not_harm_the_program(language, ending, tmp_path):
    program, printed = [ending, "return"], "errno 77\n"
    if language == "python":
        shutil.copy(SOURCES / "hitscope_capture.py", tmp_path)
        code = "from hitscope_capture import capture; capture('point_plane', [0] * 7, 1); print('fine')"
        program, printed = [sys.executable, "-c", code], "fine\n"
    os.mkfifo(tmp_path / "pipe")
    for log in (tmp_path, tmp_path / "none" / "calls.log", tmp_path / "pipe"):
        done = subprocess.run(
            program, env=logging(log), check=False, capture_output=True, text=True, cwd=tmp_path, timeout=60
        )
        words = f"hitscope: {log}: cannot be written, so no call is logged\n"
        assert (done.returncode, done.stdout, done.stderr) == (0, printed, words)
    full = tmp_path / "full.log"
    full.touch()
    os.truncate(full, LONGEST)
    assert run(*program, env=logging(full), cwd=tmp_path) == printed
    assert full.stat().st_size == LONGEST


def test_without_a_name_nothing_is_logged(ending, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "HITSCOPE_LOG"}
    assert run(ending, "return", env=environment, cwd=tmp_path) == "errno 77\n"
    assert list(tmp_path.iterdir()) == []


def test_python_logs_arrays_and_numbers_alike(tmp_path):
    shutil.copy(SOURCES / "hitscope_capture.py", tmp_path)
    code = """
import numpy as np
from hitscope_capture import capture, capture_all
for real in (np.float32, np.float64):
    points, hits = np.arange(6, dtype=real).reshape(2, 3), np.array([True, False])
    capture_all("point_plane", points, points + 1, points[:, 0], hits)
    for point, hit in zip(points, hits):
        capture("point_plane", point, point + 1, point[0], hit)
capture("point_plane", object(), [0] * 7)
"""
    (tmp_path / "program.py").write_text(code)
    run(sys.executable, tmp_path / "program.py", env=logging(tmp_path / "calls.log"))
    found = read(tmp_path / "calls.log")
    assert {form.real for form in found.calls} == {"float32", "float64"}
    for calls in found.calls.values():
        assert calls.numbers.tolist() == [[0, 1, 2, 1, 2, 3, 0, 1], [3, 4, 5, 4, 5, 6, 3, 0]] * 2


WIDTHS = {pair: case_width(pair) for pair in pairs() if "polyhedron" not in pair}


@pytest.mark.parametrize("compiler", [C99, CPP11], ids=["c", "c++"])
def test_the_exporter_of_c_knows_the_widths_of_all_pairs_without_polyhedra(compiler, tmp_path):
    source = tmp_path / "widths.c"
    checks = [f"typedef char {pair}[HITSCOPE_{pair} == {width} ? 1 : -1];" for pair, width in WIDTHS.items()]
    source.write_text("\n".join(['#include "hitscope_capture.h"', *checks, ""]))
    language = "c" if compiler is C99 else "c++"
    run(*compiler, ON, f"-I{SOURCES}", "-fsyntax-only", "-x", language, source)


@needs_rust
def test_the_exporter_of_rust_knows_the_widths_of_all_pairs_without_polyhedra(tmp_path):
    checks = [f'const _: () = assert!(width("{pair}") == {width});' for pair, width in WIDTHS.items()]
    source = tmp_path / "widths.rs"
    module = f'#[macro_use]\n#[path = "{SOURCES}/hitscope_capture.rs"]\nmod hitscope_capture;'
    source.write_text("\n".join([module, "use hitscope_capture::width;", *checks, "fn main() {}"]))
    run("rustc", "--edition=2021", "--cfg=hitscope_capture", "--emit=metadata", "-o", tmp_path / "m", source)


@needs_rust
def test_a_wrong_pair_or_count_is_refused_by_the_compiler_of_rust(tmp_path):
    module = f'#[macro_use]\n#[path = "{SOURCES}/hitscope_capture.rs"]\nmod hitscope_capture;\n'
    source = tmp_path / "wrong.rs"
    for call, message in (
        ("hitscope!(cast_sphere_planet, 1.0; true);", "expects the name of a pair"),
        ("hitscope!(cast_sphere_plane, 1.0; true);", "expects the numbers of the pair"),
    ):
        source.write_text(f"{module}fn main() {{ {call} }}")
        command = (
            "rustc",
            "--edition=2021",
            "--cfg=hitscope_capture",
            "--emit=metadata",
            "-o",
            tmp_path / "m",
            source,
        )
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert done.returncode and message in done.stderr


def test_a_call_of_most_numbers_arrives(tmp_path):
    pair = max(WIDTHS, key=lambda name: WIDTHS[name])
    numbers = [k / 2 for k in range(WIDTHS[pair] + 2)]
    source = tmp_path / "most.c"
    call = f"HITSCOPE({pair}, {', '.join(map(str, numbers))});"
    source.write_text(f'#include "hitscope_capture.h"\nint main(void) {{ {call} return 0; }}\n')
    for compiler, language in ((C99, "c"), (CPP11, "c++")):
        log = tmp_path / f"{language}.log"
        run(*compiler, ON, "-x", language, source, *include(tmp_path))
        run(tmp_path / "program", env=logging(log))
        ((form, calls),) = read(log).calls.items()
        assert (form.pair, calls.numbers.tolist()) == (pair, [numbers])


def test_the_command_hands_out_an_exporter(hitscope, tmp_path):
    source = (SOURCES / "hitscope_capture.h").read_text()
    done = hitscope("collect", "--new", "c", "-o", "capture.hpp", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "capture.hpp").read_text() == source
    assert hitscope("collect", "--new", "c").stdout == source


def test_an_exporter_is_written_into_a_new_file(tmp_path):
    for language, (name, _) in exporters.FILES.items():
        exporters.write_exporter(language, tmp_path / name)
        assert (tmp_path / name).read_bytes() == (SOURCES / name).read_bytes()
    with pytest.raises(HitscopeError, match="expected the name of a new file, found a file"):
        exporters.write_exporter("c", tmp_path / "hitscope_capture.h")
    with pytest.raises(HitscopeError, match="expected a name that ends in"):
        exporters.write_exporter("rust", tmp_path / "capture.c")


CMAKE = """
cmake_minimum_required(VERSION 3.15)
project(engine C)
enable_testing()
include(HitscopeTest.cmake)
add_library(engine STATIC src/engine.c)
target_include_directories(engine PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}/my include" ${CMAKE_CURRENT_SOURCE_DIR}/src)
target_compile_definitions(engine PUBLIC MARGIN=0 "UNUSED=a b")
hitscope_add_test(right TARGET adapters/mine.c:hit PAIR point_aabb LINK engine FLAGS -O2 "-DOUT(x)=(x)"
  JUDGE --cases 5 -j 1 SCENES scenes)
hitscope_add_test(wrong TARGET adapters/mine.c:hit PAIR point_aabb LINK engine FLAGS "-DOUT(x)=(1-(x))"
  OPTIONS --boundary either JUDGE --cases 5 -j 1)
"""
ENGINE = """
#include <engine.h>
int inside(const double *p, const double *b) {
    for (int i = 0; i < 3; i++) if (p[i] < b[i] - MARGIN || p[i] > b[3 + i] + MARGIN) return 0;
    return 1;
}
"""
ADAPTER = """
#include <engine.h>
int hit(const double *probe, const double *primitive, double *t) { return OUT(inside(probe, primitive)); }
"""
POINT_IN_BOX = """{"version": 1, "primitives": [{"type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}],
"probes": [{"type": "point", "position": [1, 1, 1]}],
"expect": [{"probe": "point-0", "primitive": "aabb-0", "hit": true}]}
"""


def test_cmake_makes_tests_of_a_function_that_links_the_project(tmp_path):
    files = {
        "CMakeLists.txt": CMAKE,
        "my include/engine.h": "int inside(const double *p, const double *b);\n",
        "src/engine.c": ENGINE,
        "adapters/mine.c": ADAPTER,
        "scenes/a.scene.json": POINT_IN_BOX,
        "hitscope": f'#!/bin/sh\nexec "{sys.executable}" -m hitscope "$@"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "hitscope").chmod(0o755)
    exporters.write_exporter("cmake", tmp_path / "HitscopeTest.cmake")
    built = tmp_path / "built"
    run("cmake", "-S", tmp_path, "-B", built, f"-DHITSCOPE_EXECUTABLE={tmp_path / 'hitscope'}")
    run("cmake", "--build", built)
    done = subprocess.run(["ctest", "-V"], check=False, capture_output=True, text=True, cwd=built)
    results = dict(re.findall(r"Test +#\d: (\S+) \.+ *\**(\w+)", done.stdout))
    assert results == {"right": "Passed", "right.check": "Passed", "wrong": "Failed"}, done.stdout
    assert (
        "boundary either, slack 0 ulps" in done.stdout and "wrong hit: expected a miss, found a hit" in done.stdout
    )


def test_cmake_says_what_a_test_lacks(tmp_path):
    exporters.write_exporter("cmake", tmp_path / "HitscopeTest.cmake")
    begin = "cmake_minimum_required(VERSION 3.15)\nproject(engine NONE)\ninclude(HitscopeTest.cmake)\n"
    (tmp_path / "CMakeLists.txt").write_text(begin + "hitscope_add_test(mine TARGET mine.c:hit PAIRS ray_aabb)\n")
    done = subprocess.run(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "b"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 1 and "hitscope_add_test(mine): expected TARGET, PAIR, LINK" in " ".join(
        done.stderr.split()
    )
