"""The real mouse and keypad: a look around has no edges, and the keypad needs no lock for numbers."""

import subprocess

import pytest

from hitscope.scene import Scene, save
from hitscope.scene.items import AabbPrimitive
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.state.inputs import KeyDown, Move, Release
from tests.viewer.driver import Viewer
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The recording of what is done in the window."""
    return tmp_path_factory.mktemp("mouse") / "made.recording"


@pytest.fixture(scope="module")
def viewer(screen, recorded):
    """A window on a box."""
    path = recorded.with_name("box.scene.json")
    save(Scene(version=1, primitives=(AabbPrimitive(min=(0, 0, 0), max=(1, 1, 1)),), probes=()), path)
    with Viewer(screen, path, "--size", "700x500", "--record", recorded) as started:
        yield started


def test_a_look_around_goes_on_where_the_screen_ends(viewer, recorded):
    def seen():
        inputs = Recording.read(recorded).inputs
        return [given.x for given in inputs if isinstance(given, Move | Release)]

    viewer.press(200, 250, button=3)
    for i in range(1, 51):
        run(viewer, "mousemove_relative", "--", "-20", "0")
        wait_until(lambda i=i: seen()[-1:] == [pytest.approx(200 - 20 * i, abs=4)], "the mouse further left")
    viewer.release(3)
    wait_until(lambda: seen()[-1:] == [pytest.approx(-800, abs=4)], "the end of it")
    viewer.point(300, 250)
    wait_until(lambda: seen()[-1:] == [pytest.approx(300, abs=1)], "the mouse back at its start")


def test_the_keypad_looks_from_the_sides_without_the_lock_for_numbers(viewer, recorded):
    viewer.key("KP_Home", "KP_End", "KP_Next", "KP_Begin", "KP_Left", "Home")

    def pressed():
        inputs = Recording.read(recorded).inputs
        return [given.key for given in inputs if isinstance(given, KeyDown)]

    wait_until(lambda: pressed() == ["7", "1", "3", "5", "Left", "Home"], "the keys")


def run(viewer, *words):
    """Run xdotool."""
    subprocess.run(["xdotool", *words], env=viewer.environment, check=True)
