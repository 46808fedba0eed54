"""Live reload: which changes of a file are noticed, and when. No test waits: the clock is a number."""

import os

import numpy as np
import pytest
from msgspec.structs import replace

from hitscope.scene import Scene, SceneError, load, save
from hitscope.scene.items import PointProbe
from hitscope.viewer.files.document_files import (
    CHECK_SECONDS,
    FileChange,
    Watch,
)

SCENE = Scene(version=1, primitives=(), probes=(PointProbe(position=(0.0, 0.0, 0.0)),))
OTHER = replace(SCENE, name="another")


class Disk:
    """A file in memory: a scene, the text of an error, or nothing."""

    def __init__(self, content):
        self.writes = self.reads = 0
        self.write(content)

    def write(self, content):
        self.content = content
        self.writes += 1

    def stamp(self, path):
        return None if self.content is None else (self.writes, 100, 7)

    def load(self, path):
        self.reads += 1
        if isinstance(self.content, str):
            raise SceneError(self.content)
        return self.content


@pytest.fixture
def disk():
    """The disk, with the scene in the file."""
    return Disk(SCENE)


@pytest.fixture
def watch(disk, tmp_path):
    """The watch of the file that was just loaded."""
    return Watch(tmp_path / "a.scene.json", SCENE, stamp=disk.stamp, load=disk.load)


def test_an_unchanged_file_is_neither_reported_nor_read(watch, disk):
    assert [watch.check(n * CHECK_SECONDS) for n in range(10)] == [None] * 10
    assert disk.reads == 0


def test_a_changed_file_is_reported_once(watch, disk):
    disk.write(OTHER)
    assert watch.check(1.0) == FileChange("changed", OTHER)
    assert watch.check(1.5) is None
    assert disk.reads == 1
    disk.write(SCENE)
    assert watch.check(2.0) == FileChange("changed", SCENE)


def test_a_rewritten_file_with_the_same_scene_is_not_reported(watch, disk):
    disk.write(replace(SCENE))
    assert watch.check(1.0) is None


def test_a_file_that_hitscope_saved_is_not_reported(watch, disk):
    disk.write(OTHER)
    watch.restart(OTHER)
    assert watch.check(1.0) is None
    assert disk.reads == 0


def test_a_half_written_file_is_reported_only_when_it_is_whole(watch, disk):
    for now in (1.0, 1.05, 1.1, 1.15):
        disk.write("half")
        assert watch.check(now) is None
    disk.write(OTHER)
    assert watch.check(1.2) == FileChange("changed", OTHER)


def test_a_broken_file_is_reported_once_after_a_tenth_of_a_second(watch, disk):
    disk.write("a.scene.json:1:1: expected a value")
    assert watch.check(1.0) is None
    assert watch.check(1.05) is None
    assert watch.check(1.2) == FileChange("broken", problem="a.scene.json:1:1: expected a value")
    assert watch.check(1.7) is None
    reads = disk.reads
    assert watch.check(2.2) is None
    assert disk.reads == reads


def test_a_broken_file_that_becomes_what_it_was_is_mended(watch, disk):
    disk.write("broken")
    watch.check(1.0)
    assert watch.check(1.5).about == "broken"
    disk.write(SCENE)
    assert watch.check(2.0) == FileChange("mended")
    disk.write(SCENE)
    assert watch.check(2.5) is None


def test_a_broken_file_that_becomes_another_scene_has_changed(watch, disk):
    disk.write("broken")
    watch.check(1.0)
    watch.check(1.5)
    disk.write(OTHER)
    assert watch.check(2.0) == FileChange("changed", OTHER)


def test_a_file_that_is_away_for_a_moment_while_it_is_replaced_is_not_removed(watch, disk):
    disk.write(None)
    assert watch.check(1.0) is None
    disk.write(OTHER)
    assert watch.check(1.05) == FileChange("changed", OTHER)


def test_a_removed_file_is_reported_once_and_may_come_back(watch, disk):
    disk.write(None)
    assert watch.check(1.0) is None
    assert watch.check(1.5) == FileChange("removed")
    assert watch.check(2.0) is None
    disk.write(SCENE)
    assert watch.check(2.5) == FileChange("mended")


def test_a_file_that_is_written_again_while_it_is_read_is_read_again(disk, tmp_path):
    def load_slowly(path):
        found = disk.load(path)
        if found is not SCENE:
            disk.write(SCENE)
        return found

    watch = Watch(tmp_path / "a.scene.json", replace(SCENE, name="first"), stamp=disk.stamp, load=load_slowly)
    disk.write(OTHER)
    assert watch.check(1.0) is None
    assert watch.check(1.5) == FileChange("changed", SCENE)


def test_a_change_while_the_file_is_first_read_is_reported(disk, tmp_path):
    def load_slowly(path):
        found = disk.load(path)
        if found is SCENE:
            disk.write(OTHER)
        return found

    watch = Watch(tmp_path / "a.scene.json", stamp=disk.stamp, load=load_slowly)
    assert watch.read() is SCENE
    assert watch.is_behind
    assert watch.check(1.0) == FileChange("changed", OTHER)
    assert not watch.is_behind


def test_a_file_reported_as_broken_or_removed_opens_no_question(watch, disk):
    disk.write("broken")
    watch.check(1.0)
    assert watch.is_behind
    watch.check(1.5)
    assert not watch.is_behind
    disk.write(None)
    assert not watch.is_behind


def test_real_files_are_noticed_however_they_are_replaced(tmp_path):
    path = tmp_path / "a.scene.json"
    save(SCENE, path)
    watch = Watch(path, load(path))
    assert watch.check(0.0) is None
    save(OTHER, path)  # by another file in its place
    assert watch.check(1.0) == FileChange("changed", OTHER)
    path.write_bytes(path.read_bytes().replace(b"another", b"other"))  # in place
    assert watch.check(2.0) == FileChange("changed", replace(SCENE, name="other"))
    os.utime(path, (0, 0))
    assert watch.check(3.0) is None
    path.unlink()
    assert watch.check(4.0) is None
    assert watch.check(5.0) == FileChange("removed")


def test_the_files_that_a_scene_refers_to_are_watched_too(tmp_path):
    np.savez(tmp_path / "cloud.npz", vertices=np.zeros((1, 3, 3)))
    path = tmp_path / "a.scene.json"
    path.write_text('{"version": 1, "primitives": [{"type": "triangles", "file": "cloud.npz"}], "probes": []}')
    watch = Watch(path, load(path))
    assert watch.check(0.0) is None
    np.savez(tmp_path / "cloud.npz", vertices=np.ones((2, 3, 3)))
    change = watch.check(1.0)
    assert len(change.scene.primitives[0].shapes) == 2
    assert watch.check(2.0) is None
    (tmp_path / "cloud.npz").write_bytes(b"no archive")
    assert watch.check(3.0) is None
    assert watch.check(4.0).about == "broken"
