"""Compiled code on disk: found again, never that of another source, and not needed."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Event

import numpy as np
import pytest

import hitscope
from hitscope.geometry import code_files, compiled
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.batch import method_loop, method_pair_loop
from hitscope.geometry.exact.batch import ExactBatch
from hitscope.geometry.exact.pair_kernels import FILTERS
from hitscope.geometry.exact.pair_loops import exact_loop, filter_loop
from hitscope.geometry.registry import Method, choose, kernel
from hitscope.geometry.shapes import Aabb, Segment

PACKAGE = Path(hitscope.__file__).parent
PROGRAM = """
import numpy, sys
from hitscope.geometry import batch
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.group import Group
from hitscope.geometry.registry import choose
from hitscope.geometry.shapes import Aabb, Segment
chosen = choose("segment_aabb", "slab_efficient")
boxes = Group(Shapes.from_fields(Aabb, numpy.zeros((60, 3)), numpy.ones((60, 3))))
boxes.prepare(chosen, Segment)
loop = batch.method_loop(chosen.method, Segment, Aabb)
found = sum(map(len, (loop.stats.cache_hits, loop.stats.cache_misses))), len(loop.stats.cache_hits)
print(boxes.hits(chosen, Segment((0.5, 0.5, -1.0), (0.5, 0.5, 2.0))).all(), *found)
"""


def compile_in_new_process(source, cache, said="", **options):
    """Compile in a new process, and give the answer, how often code was needed, and how often it was on disk.

    `said` is the one line on standard error, as a regular expression; "" expects none.
    """
    environment = os.environ | {"PYTHONPATH": str(source), "HITSCOPE_CACHE_DIR": str(cache)}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=source.parent,
        **options,
    )
    assert run.returncode == 0, run.stderr
    assert re.fullmatch(f"{said}\n" if said else "", run.stderr), run.stderr
    return run.stdout.split()


def test_an_edit_is_seen_and_code_without_edits_is_found_again(tmp_path):
    source, cache = tmp_path / "source", tmp_path / "cache"
    shutil.copytree(PACKAGE, source / "hitscope", ignore=shutil.ignore_patterns("__pycache__"))
    assert compile_in_new_process(source, cache) == ["True", "1", "0"]
    assert compile_in_new_process(source, cache) == ["True", "1", "1"]
    # The method is in another file than the loop that is kept.
    file = source / "hitscope/geometry/linear_aabb.py"
    file.write_text(file.read_text().replace("if t_enter <= t_exit:", "if t_enter > t_exit:"))
    assert compile_in_new_process(source, cache) == ["False", "1", "0"]
    assert len(list(cache.glob("compiled-*"))) == 2
    assert not list(cache.rglob("*.tmp*"))


def test_without_a_cache_folder_code_is_compiled_and_that_is_said_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    said = r".*file: compiled code cannot be kept \(Not a directory\): it is compiled in every run"
    assert compile_in_new_process(PACKAGE.parent, tmp_path / "file", said) == ["True", "1", "0"]


@pytest.mark.parametrize(
    ("folder", "reason"),
    [("file", "Not a directory"), ("file/below", "Not a directory"), ("x" * 300, "File name too long")],
)
def test_a_cache_folder_that_cannot_be_made_is_said_once(tmp_path, folder, reason, monkeypatch, caplog):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path / folder))
    monkeypatch.setattr(code_files, "problems", [])
    assert [compiled.code_folder.__wrapped__() for _ in range(2)] == [None, None]
    (line,) = caplog.messages
    assert line.endswith(f"{folder}: compiled code cannot be kept ({reason}): it is compiled in every run")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_a_folder_in_which_others_could_have_put_code_is_done_without(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(code_files, "problems", [])
    folder = compiled.code_folder.__wrapped__()
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o770)
    assert [compiled.code_folder.__wrapped__() for _ in range(2)] == [None, None]
    (line,) = caplog.messages
    assert "to be a folder that only you can write, found one with mode 0770, to be removed" in line
    folder.chmod(0o755)
    assert compiled.code_folder.__wrapped__() == folder and folder.stat().st_mode & 0o777 == 0o700


def test_without_a_home_folder_nothing_is_kept_and_that_is_said_once(tmp_path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HITSCOPE_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(code_files, "problems", [])
    assert [compiled.code_folder.__wrapped__() for _ in range(2)] == [None, None]
    (line,) = caplog.messages
    assert "expected a home folder or HITSCOPE_CACHE_DIR, found none" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a limit for the size of files")
def test_on_a_full_disk_the_answer_is_there_and_no_half_file_is_kept(tmp_path, monkeypatch):
    import resource

    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # else Python keeps half of a module's bytecode

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    said = r".*: compiled code cannot be kept \(File too large\): it is compiled in every run"
    assert compile_in_new_process(PACKAGE.parent, tmp_path, said, preexec_fn=limit) == ["True", "1", "0"]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert compile_in_new_process(PACKAGE.parent, tmp_path) == ["True", "1", "0"]


ONE_QUERY = """
from hitscope.geometry.compiled import compiled
from hitscope.geometry.lanes import inlined
@inlined
def twice(x):
    return 2 * x
@compiled
def query(x):
    return twice(x) + 1
print(query(20), query(20.5))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal")
def test_one_line_on_a_terminal_says_what_is_compiled_and_kept(tmp_path):
    import pty

    script = tmp_path / "query.py"
    script.write_text(ONE_QUERY)
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "HITSCOPE_CACHE_DIR": str(tmp_path / "cache")}
    kept = f"they are kept in {tmp_path / 'cache'}, and the next start takes them from there"
    line = f"Compiling queries for this processor; {kept}"
    # The second time, nothing is compiled.
    for outcome, said in (("41 42.0\n", line), ("41 42.0\n", "")):
        terminal, end = pty.openpty()
        run = subprocess.run(
            [sys.executable, script], stdout=subprocess.PIPE, stderr=end, text=True, check=False, env=environment
        )
        os.close(end)
        try:
            shown = os.read(terminal, 10_000).decode()
        except OSError:  # Linux: nothing was written
            shown = ""
        os.close(terminal)
        assert (run.stdout, " ".join(shown.split())) == (outcome, said)


def test_a_query_on_a_mesh_says_that_code_is_compiled_to_any_standard_error(capsys, monkeypatch):
    monkeypatch.setattr(compiled, "said_anywhere", Event())
    say = compiled._say_that_code_is_compiled.__wrapped__
    say()
    assert capsys.readouterr().err == ""
    assert hitscope.Mesh([[(0, 0, 0), (4, 0, 0), (0, 4, 0)]]).any((1, 1, 5), (0, 0, -1))
    say()
    assert capsys.readouterr().err.startswith("Compiling queries for this processor")


def flipped(content, index):
    return content[:index] + bytes([content[index] ^ 0x10]) + content[index + 1 :]


DAMAGES = {
    "empty": lambda content: b"",
    "1 byte": lambda content: content[:1],
    "the checksum alone": lambda content: content[:32],
    "the pickle's header": lambda content: content[:40],
    "half": lambda content: content[: len(content) // 2],
    "all but 1 byte": lambda content: content[:-1],
    "1 byte more": lambda content: content + b"\0",
    "flipped in the checksum": lambda content: flipped(content, 0),
    "flipped in the header": lambda content: flipped(content, 33),
    "flipped in the code": lambda content: flipped(content, len(content) // 2),
    "zeros": lambda content: bytes(len(content)),
}


def square(x: float) -> float:
    return x * x


def hits_on_disk(folder):
    """Compile `square`, or read its code from a folder; return how often it was there."""
    loop = compiled._compiled(square, folder)
    assert loop(1.5) == 2.25
    return len(loop.stats.cache_hits)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_said_once_and_written_anew(tmp_path, damage, monkeypatch, caplog):
    monkeypatch.setattr(code_files, "problems", [])
    assert [hits_on_disk(tmp_path), hits_on_disk(tmp_path)] == [0, 1]
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for _ in range(2):
        file.write_bytes(damage(whole))
        assert [hits_on_disk(tmp_path), hits_on_disk(tmp_path)] == [0, 1]
    assert [*tmp_path.iterdir()] == [file]
    assert caplog.messages == [f"{tmp_path}: compiled code was damaged: it is compiled again"]


def test_a_damaged_file_is_removed_even_where_none_can_be_written(tmp_path, monkeypatch):
    def full(target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(code_files, "problems", [])
    hits_on_disk(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"")
    monkeypatch.setattr(code_files, "replacing", full)
    assert [hits_on_disk(tmp_path), hits_on_disk(tmp_path)] == [0, 0]
    assert [*tmp_path.iterdir()] == []
    damaged, not_kept = code_files.problems
    assert "damaged" in damaged and "(No space left on device)" in not_kept


def test_what_is_no_file_is_done_without(tmp_path, monkeypatch):
    monkeypatch.setattr(code_files, "problems", [])
    hits_on_disk(tmp_path)
    (file,) = tmp_path.iterdir()
    file.unlink()
    file.mkdir()
    assert hits_on_disk(tmp_path) == 0
    assert len(code_files.problems) == 2


def test_the_command_answers_the_same_bits_whatever_the_cache_is(tmp_path, monkeypatch, hitscope):
    lo = np.random.default_rng(1).random((60_000, 3)) * 30
    np.savez(tmp_path / "boxes.npz", min=lo, max=lo + 0.3)
    boxes = {"id": "boxes", "type": "aabbs", "file": "boxes.npz"}
    probes = [{"id": f"s{k}", "type": "segment", "start": [0, k, 0], "end": [30, 30, 30]} for k in range(4)]
    scene = tmp_path / "boxes.scene.json"
    scene.write_text(json.dumps({"version": 1, "primitives": [boxes], "probes": probes}))

    def answer(cache):
        monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(cache))
        run = hitscope("eval", scene, "--method", "segment_aabb=slab_efficient")
        assert run.returncode == 0, run.stderr
        return run.stdout, run.stderr.count("\n")

    cache = tmp_path / "cache"
    without, lines = answer(scene)
    assert "4 of 4 probes hit any" in without and lines == 1
    assert [answer(cache), answer(cache)] == [(without, 0)] * 2
    (file,) = cache.rglob("*.code")
    file.write_bytes(DAMAGES["flipped in the code"](file.read_bytes()))
    assert [answer(cache), answer(cache)] == [(without, 1), (without, 0)]


def test_loops_of_other_processes_with_the_same_arguments_do_not_mix(tmp_path):
    """Numba numbers the functions of each process: without names of their own, the loops' symbols would be one."""

    def program(*kinds):
        return (
            "import numpy\nfrom hitscope.geometry import batch\nfrom hitscope.geometry.arrays import Shapes\n"
            "from hitscope.geometry.registry import choose\n"
            "from hitscope.geometry.shapes import Aabb, Ray, Segment\n"
            "method = choose('segment_aabb', 'slab_efficient').method\n"
            f"for kind in ({', '.join(kinds)},):\n"
            "    loop, hit = batch.method_loop(method, kind, Aabb), numpy.empty((1, 1), bool)\n"
            "    probe, box = kind((0., 0., 0.), (1., 1., 1.)), Aabb((2., 2., 2.), (3., 3., 3.))\n"
            "    loop(Shapes.of([probe]).rows, Shapes.of([box]).rows, 0, 1, 0, 1, (), hit)\n"
            "    (code,) = loop.overloads.values()\n"
            "    print(hit.all(), len(loop.stats.cache_hits), code.fndesc.llvm_func_name, sep='\\t')\n"
        )

    def run(*kinds):
        environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "HITSCOPE_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-c", program(*kinds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return [line.split("\t") for line in done.stdout.splitlines()]

    (segment,), (ray,) = run("Segment"), run("Ray")
    assert (segment[:2], ray[:2]) == (["False", "0"], ["True", "0"])
    assert segment[2] != ray[2]
    assert run("Segment", "Ray") == [["False", "1", segment[2]], ["True", "1", ray[2]]]


def folders_left(root, monkeypatch, ages):
    """Make folders of compiled code that were used so many seconds ago; return the ages of those that are kept."""
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(root))
    (root / "other").mkdir()
    before = (root / "other").stat().st_mtime
    for age in ages:
        folder = root / f"compiled-{age}"
        folder.mkdir()
        (folder / "code").write_text("")
        os.utime(folder, (before - age, before - age))
    here = compiled.code_folder.__wrapped__()
    kept = {path.name for path in root.iterdir()}
    assert kept >= {here.name, "other"}
    return sorted(int(name.partition("-")[2]) for name in kept - {here.name, "other"})


def test_the_folders_of_many_checkouts_stay_as_long_as_they_are_used(tmp_path, monkeypatch):
    days = [age * 24 * 3600 for age in (0, 1, 2, 3, 5, 8, 13, 15, 30)]
    assert folders_left(tmp_path, monkeypatch, days) == days[:-2]


def test_no_more_than_a_number_of_folders_is_kept_those_used_last(tmp_path, monkeypatch):
    ages = range(compiled.KEPT_FOLDERS + 3)
    assert folders_left(tmp_path, monkeypatch, ages) == [*ages[: compiled.KEPT_FOLDERS - 1]]


def test_code_of_a_function_from_elsewhere_is_not_kept():
    @kernel
    def mine(probe: Segment, box: Aabb) -> bool:
        return probe.start[0] < box.lo[0]

    loop = method_loop(Method(name="slab_efficient", function=mine, pairs=(), source=""), Segment, Aabb)
    hit = np.empty((1, 1), dtype=np.bool_)
    segment, box = Segment((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)), Aabb((2.0, 0.0, 0.0), (3.0, 1.0, 1.0))
    loop(Shapes.of([segment]).rows, Shapes.of([box]).rows, 0, 1, 0, 1, (), hit)
    assert hit.all()
    assert loop.stats.cache_path is None


def test_loops_over_shapes_as_they_are_are_kept():
    box = Shapes.of([Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))])
    method = choose("segment_aabb", "slab_efficient").method
    loops = [of_method(method, Segment, Aabb) for of_method in (method_loop, method_pair_loop)]
    assert all(loop.stats.cache_path for loop in [ExactBatch(box).loop(Segment), *loops])


def test_what_is_compiled_beforehand_is_what_decides():
    boxes = ExactBatch(Shapes.of([Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))] * 2))
    probes, hits = Shapes.of([Segment((0.0, 1.0, 0.0), (1.0, 1.0, 1.0))]), np.zeros((1, 2), np.bool_)
    boxes.prepare(probes)
    boxes.decide(probes, slice(0, 1), slice(0, 2), True, hits)
    pair = Segment, Aabb
    loops = [boxes.loop(Segment), filter_loop(*pair), exact_loop(*pair, FILTERS[pair].stages[0])]
    assert hits.all()
    assert [len(loop.signatures) for loop in loops] == [1, 1, 1]
