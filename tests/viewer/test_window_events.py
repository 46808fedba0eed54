"""The window under load and at rest: events that come together, keys faster than frames, and no frames at all."""

import sys

import pytest

from hitscope.scene import Scene, save
from hitscope.scene.items import AabbPrimitive
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.inputs import HostEvent, JobDone
from hitscope.viewer.window.replay import replay, state_of

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Xvfb is a Linux program"),
    pytest.mark.xdist_group("window"),
]

SIMULTANEOUS = """
poll, opened = host.DesktopHost.poll, []
def poll_and_open(self, state, at):
    if state.session.document.title == "a" and not opened:
        opened.append(at)
        while the_window()._now < at + 10:
            pass
        for other in sys.argv[3:]:
            yield HostEvent(at, "open", (recorded_file(Path(other)),))
    if state.session.document.title == "c":
        state.host.closed = True
        the_window().wake()
    yield from poll(self, state, at)
host.DesktopHost.poll = poll_and_open
launch.run([Path(sys.argv[1])], (640, 480), Path(sys.argv[2]))
"""

FLOOD = """
def flood(_):
    if not shows("a"):
        return
    now = time.monotonic()
    window.time = SimpleNamespace(monotonic=lambda: now)
    del drawn[:]
    for _ in range(60):
        now += 0.07
        the_window().dispatch_event("on_key_press", key.T, 0)
    print(len(drawn))
    pyglet.app.exit()
pyglet.clock.schedule_interval(flood, 0.1)
launch.run([Path(sys.argv[1])], (640, 480))
"""

IDLE = """
poll, at_rest = host.DesktopHost.poll, []
def poll_and_count(self, state, at):
    if len(at_rest) == 5:
        if len(drawn) > at_rest[-1]:
            pyglet.app.exit()
    elif at_rest or (shows("a") and is_at_rest() and not state.jobs.running):
        at_rest.append(len(drawn))
        if len(at_rest) == 5:
            the_window().dispatch_event("on_key_press", key.T, 0)
    return poll(self, state, at)
host.DesktopHost.poll = poll_and_count
launch.run([Path(sys.argv[1])], (640, 480))
print(at_rest[-1] - at_rest[0])
"""


@pytest.fixture
def run(tmp_path, screen):
    """A function that runs code with a window on the scene «a», and more paths; it returns what is printed."""
    for name in "abc":
        box = AabbPrimitive(min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
        save(Scene(version=1, name=name, primitives=(box,), probes=()), tmp_path / f"{name}.scene.json")
    return lambda code, *more: screen.run(code, tmp_path / "a.scene.json", *more, home=tmp_path)


def test_host_events_and_their_consequences_are_recorded_in_the_order_of_their_times(run, tmp_path):
    recorded = tmp_path / "events.recording"
    run(SIMULTANEOUS, recorded, tmp_path / "b.scene.json", tmp_path / "c.scene.json")
    recording = Recording.read(recorded)
    opened = [k for k, given in enumerate(recording.inputs) if isinstance(given, HostEvent)]
    assert opened[1] == opened[0] + 1
    assert any(given == JobDone(given.at, "opening") for given in recording.inputs[opened[1] :])
    with UserInterface(state_of(recording)) as interface:
        replay(recording, interface)
        assert interface.state.session.document.title == "c"


def test_an_idle_window_draws_nothing_until_a_key_is_pressed(run):
    # Of the frames that were drawn while the disk was looked at four times; the key ends the run by one more.
    assert run(IDLE) == "0\n"


def test_while_keys_keep_coming_a_picture_follows_every_fifth_of_a_second(run):
    # In each three of the 60 keys 0.21 s go by, on a clock of the test's own; without keys nothing else draws.
    assert run(FLOOD) == "20\n"
