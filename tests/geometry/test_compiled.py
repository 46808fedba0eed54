"""Compiled code on disk: found again, never that of another source, and not needed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import hitscope
from hitscope.geometry import compiled
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.batch import method_loop
from hitscope.geometry.registry import Method, kernel
from hitscope.geometry.shapes import Aabb, Segment

PACKAGE = Path(hitscope.__file__).parent
PROGRAM = """
import numpy, sys
from hitscope.geometry import batch
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.exact.predicates import require_orient2d
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


def compile_in_new_process(source, cache):
    """Compile in a new process, and give the answer, how often code was needed, and how often it was on disk."""
    environment = os.environ | {"PYTHONPATH": str(source), "HITSCOPE_CACHE_DIR": str(cache)}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=cache.parent,
    )
    assert run.stderr == ""
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


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "file").write_text("")
    assert compile_in_new_process(PACKAGE.parent, tmp_path / "file") == ["True", "1", "0"]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_folders_used_last_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path))
    for age in range(6):
        folder = tmp_path / f"compiled-{age}"
        folder.mkdir()
        (folder / "code").write_text("")
        os.utime(folder, (1000 - age, 1000 - age))
    (tmp_path / "other").mkdir()
    here = compiled.code_folder.__wrapped__()
    kept = {here.name, *(f"compiled-{age}" for age in range(compiled.KEPT_FOLDERS - 1)), "other"}
    assert {path.name for path in tmp_path.iterdir()} == kept


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


def test_each_compiled_function_has_one_signature():
    """Numba numbers the files of the signatures, which two processes at once could do in two ways."""
    from hitscope.geometry.exact import batch, predicates, resolve_unsure

    rows = Shapes.of([Aabb((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))] * 2)
    triangles = Shapes(hitscope.Triangle, np.arange(18.0).reshape(9, 2))
    for primitives in (rows, triangles):
        for probe, primitive in batch.FILTERS:
            if primitive is primitives.kind:
                numbers = np.arange(9.0)[: Shapes.of([probe(*((0.0,) * 3,) * len(probe._fields))]).rows.shape[0]]
                for shape in (Shapes(probe, (numbers**2).reshape(-1, 1)), Shapes(probe, numbers.reshape(-1, 1))):
                    resolve_unsure.resolve_unsure(shape[0], primitives, compiled=True)
    dispatchers = [predicates.require_orient2d, predicates.require_orient3d, predicates.linear_triangle_verdicts]
    assert [len(dispatcher.signatures) for dispatcher in dispatchers] == [1, 1, 1]
