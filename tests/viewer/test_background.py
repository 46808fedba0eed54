"""Scenes that take long: opened, decided and compiled behind the window, which goes on answering."""

import threading

import pytest

from hitscope.errors import HitscopeError
from hitscope.scene import Scene, load, save
from hitscope.scene.model import AabbPrimitive, SegmentProbe
from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.background import Cancelled, Job
from hitscope.viewer.documents import DISK, Document, Shelf

SOON = 10.0
"""Seconds: nothing here waits longer than it has to."""


def box_scene(name):
    box = AabbPrimitive(id="box", min=(0.0, 0.0, 0.0), max=(1.0, 1.0, 1.0))
    probe = SegmentProbe(id="seg", start=(-1.0, 0.5, 0.5), end=(2.0, 0.5, 0.5))
    return Scene(version=1, name=name, primitives=(box,), probes=(probe,))


class Gate:
    """Stands before `load`: a file named here is held up until it is let through."""

    def __init__(self, *held):
        self.held = {name: threading.Event() for name in held}
        self.began = {name: threading.Event() for name in held}

    def load(self, path):
        if path.name in self.held:
            self.began[path.name].set()
            assert self.held[path.name].wait(SOON)
        return load(path)


@pytest.fixture
def gate():
    gate = Gate("slow.json", "broken.json")
    yield gate
    for event in gate.held.values():
        event.set()


@pytest.fixture
def open_app(tmp_path, gate):
    def opened(*names):
        for name in names:
            path = tmp_path / name
            path.write_text('{"version": 2}') if name == "broken.json" else save(box_scene(name), path)
        files = DISK._replace(load=gate.load)
        return App(Shelf([Document(tmp_path / name) for name in names]), (800, 600), files=files, patience=0.05)

    return opened


def settled(app):
    """Wait for what goes on in the background, and take it."""
    for work in app.works:
        assert app.job(work).done(SOON)
        app.finish(work)


def test_the_scene_before_stays_and_answers_while_the_next_is_opened(gate, open_app):
    app = open_app("quick.json", "slow.json")
    settled(app)
    commands.next_scene(app)
    assert gate.began["slow.json"].wait(SOON)
    assert app.opening is not None and app.opening.says == "opening slow.json"
    assert app.works == ["opening"]
    assert app.document.title == "quick.json"
    (x, y, _), *_ = app.eye.camera.project([(0.5, 0.9, 0.9)], app.eye.viewport)
    app.point_at(x, y)
    app.settle()
    assert app.hovered == ("primitive", "box", None)
    gate.held["slow.json"].set()
    settled(app)
    assert app.opening is None
    assert app.document.title == "slow.json"
    assert app.report.green.tolist() == [True]


def test_the_window_has_an_empty_stage_until_the_first_scene_is_there(gate, open_app):
    app = open_app("slow.json")
    assert app.document.scene.primitives == ()
    assert len(app.draw_list().boxes.roles) == 0
    gate.held["slow.json"].set()
    settled(app)
    assert app.document.title == "slow.json"


def test_escape_stops_opening_and_what_comes_late_is_dropped(gate, open_app):
    app = open_app("quick.json", "slow.json")
    settled(app)
    commands.next_scene(app)
    job = app.opening
    commands.peel(app)
    assert app.opening is None
    gate.held["slow.json"].set()
    assert job.done(SOON)
    with pytest.raises(Cancelled):
        job.answer()
    assert app.works == []
    assert app.document.title == "quick.json"


def test_a_scene_that_cannot_be_opened_leaves_the_one_before_with_the_error(gate, open_app):
    app = open_app("quick.json", "broken.json")
    settled(app)
    commands.next_scene(app)
    gate.held["broken.json"].set()
    settled(app)
    assert "broken.json:1:" in app.problem
    assert app.document.title == "quick.json"


def test_the_first_scene_that_can_be_opened_is_shown_with_the_errors_before_it(gate, open_app):
    app = open_app("broken.json", "slow.json")
    gate.held["broken.json"].set()
    settled(app)
    gate.held["slow.json"].set()
    settled(app)
    assert app.document.title == "slow.json"
    assert "broken.json:1:" in app.problem


class Waiting:
    """A group whose code is not ready before it was prepared."""

    def __init__(self):
        self.prepared = threading.Event()
        self.may_go = threading.Event()

    def ready(self, chosen, probe):
        return self.prepared.is_set()

    def prepare(self, chosen, probe):
        assert self.may_go.wait(SOON)
        self.prepared.set()


def test_what_decides_is_compiled_behind_the_window(gate, open_app, monkeypatch):
    app = open_app("quick.json")
    settled(app)
    group = Waiting()
    work = next(app.report.work())
    monkeypatch.setattr(type(app.report), "work", lambda self: iter([work._replace(group=group)]))
    commands.next_scene(app)
    if app.opening is not None:
        app.finish("opening")
    assert app.preparing is not None
    assert app.preparing.says.startswith("compiling")
    assert app.report.green.tolist() == [True]
    group.may_go.set()
    settled(app)
    assert app.preparing is None and group.prepared.is_set()


def test_a_job_gives_what_it_found_or_raises_what_it_raised():
    job = Job("counting", lambda job: 42)
    assert job.done(SOON) and job.answer() == 42

    def fail(job):
        raise HitscopeError("no")

    job = Job("failing", fail)
    assert job.done(SOON)
    with pytest.raises(HitscopeError, match="no"):
        job.answer()
