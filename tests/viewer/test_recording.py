"""The file of a recording: what is written is read back, and errors have their line and column."""

import json
from typing import get_args

import pytest

from hitscope.errors import HitscopeError
from hitscope.scene import Scene, dump, load
from hitscope.scene.items import PointProbe
from hitscope.viewer.files.file_inputs import LARGEST_TEXT
from hitscope.viewer.interface.recording import Recorder, Recording, recording_start
from hitscope.viewer.state.inputs import (
    AutosaveRead,
    Clipboard,
    Close,
    CrashFound,
    FolderListed,
    HostEvent,
    Input,
    JobDone,
    KeyDown,
    KeyUp,
    Leave,
    Leftover,
    LoseFocus,
    Move,
    NativeDialog,
    Press,
    RecentFile,
    RecentListed,
    RecordedFile,
    RecordingStart,
    Refresh,
    Release,
    Resize,
    SavePathResolved,
    SceneSurveyed,
    Scroll,
    Text,
)

LEFTOVER = Leftover("/tmp/state/1-2.autosave", "/tmp/a.scene.json", 1e9, "1 probe changed", True, True)
ONE_OF_EACH = (
    Move(0, 10.0, 20.5),
    Press(0, "Left", 10.0, 20.5, ("Ctrl", "Shift")),
    Release(7, "Left", 1e-7, 2.0),
    Scroll(8, -1.0, 3.0, 4.0),
    KeyDown(9, "S", ("Ctrl",)),
    KeyUp(9, "S"),
    Text(10, 'ä "1.5"\n'),
    Clipboard(11, "{\n}"),
    Resize(12, 640, 480, 1.25),
    LoseFocus(13),
    Leave(14),
    Close(15),
    JobDone(16, "opening"),
    CrashFound(17, (LEFTOVER,)),
    AutosaveRead(17, LEFTOVER, RecordedFile("/tmp/1-2.autosave", "{}")),
    HostEvent(17, "drop", (RecordedFile("/tmp/a.scene.json", "{}"), RecordedFile("/tmp/b.obj")), "ä"),
    Refresh(18),
    FolderListed(19, "/home", ("ä",), ("a.scene.json",), ("/b.scene.json",), "no"),
    SavePathResolved(20, "/scenes/a.scene.json", True, "no"),
    SceneSurveyed(21, "slab/a.scene.json", "expected a hit", "iVBO"),
    NativeDialog(22, True),
    RecentListed(23, (RecentFile("/a.scene.json", "ä", "A box.", True), RecentFile("/b.scene.json"))),
)
OPENING = '{"version": 1, "size": [640, 480]}\n'


@pytest.fixture
def path(tmp_path):
    """The path of a recording."""
    return tmp_path / "made.recording"


def record(path, scenes=(), inputs=ONE_OF_EACH):
    """Write a recording and read it again."""
    recorder = Recorder(path, recording_start(scenes, path.parent, (640, 480)))
    for given in inputs:
        recorder.take(given)
    recorder.close()
    return Recording.read(path)


def test_all_that_a_user_can_do_comes_back_as_it_was(path):
    assert {type(given) for given in ONE_OF_EACH} == set(get_args(Input))
    recording = record(path)
    assert recording.inputs == ONE_OF_EACH
    assert recording.start == RecordingStart(1, (640, 480), layout=3)


def test_a_line_is_one_json_object_and_is_there_as_soon_as_it_is_written(path):
    recorder = Recorder(path, RecordingStart(1, (640, 480)))
    for number, given in enumerate(ONE_OF_EACH, 2):
        recorder.take(given)
        lines = path.read_text().splitlines()
        assert len(lines) == number
        assert all(isinstance(json.loads(line), dict) for line in lines)
    recorder.close()


def test_a_folder_is_no_file_to_record_into(tmp_path):
    with pytest.raises(HitscopeError, match="expected the name of a new file, found a folder"):
        Recorder(tmp_path, RecordingStart(1, (640, 480)))


def test_the_scenes_are_in_the_recording_as_they_were_byte_for_byte(path, tmp_path):
    good, broken, gone = tmp_path / "good.scene.json", tmp_path / "broken.scene.json", tmp_path / "gone.scene.json"
    good.write_text(dump(Scene(version=1, primitives=(), probes=(PointProbe(position=(1.0, 2.0, 3.0)),))))
    broken.write_text('{"version": 1,\n "probs": []}')
    before = load(good)
    recording = record(path, [good, broken, gone])
    good.unlink()
    broken.unlink()
    assert recording.paths == [good, broken, gone]
    assert recording.files.load(good) == before
    with pytest.raises(HitscopeError, match=r"broken.scene.json:2:2: \$.probs: expected a key"):
        recording.files.load(broken)
    with pytest.raises(HitscopeError, match=r"gone.scene.json: expected a scene file that can be read"):
        recording.files.load(gone)


def test_a_large_scene_is_only_named(path, tmp_path):
    large = tmp_path / "large.scene.json"
    large.write_text(dump(Scene(version=1, primitives=(), probes=())) + " " * LARGEST_TEXT)
    recording = record(path, [large])
    assert recording.start.scenes == (RecordedFile("large.scene.json"),)
    assert recording.files.load(large) == load(large)


def test_what_is_saved_while_a_recording_is_played_stays_off_the_disk(path, tmp_path):
    scene = tmp_path / "a.scene.json"
    scene.write_text(dump(Scene(version=1, primitives=(), probes=())))
    before = scene.read_bytes()
    files = record(path, [scene]).files
    changed = Scene(version=1, name="changed", primitives=(), probes=())
    files.save(changed, scene)
    assert files.load(scene) == changed
    assert scene.read_bytes() == before


@pytest.mark.parametrize("kept", [1, 5, 10, 20])
def test_a_recording_that_was_cut_short_goes_up_to_its_last_whole_line(path, kept):
    record(path)
    data = path.read_bytes()
    last = data.rstrip().rfind(b"\n") + 1
    path.write_bytes(data[: last + kept])
    assert Recording.read(path).inputs == ONE_OF_EACH[:-1]


def test_a_last_line_without_its_end_counts_where_it_is_whole(path):
    record(path)
    path.write_bytes(path.read_bytes().rstrip())
    assert Recording.read(path).inputs == ONE_OF_EACH


def test_a_file_that_is_there_is_not_written_over(path):
    path.write_text("precious")
    with pytest.raises(HitscopeError, match="expected the name of a new file, found a file"):
        Recorder(path, RecordingStart(1, (640, 480)))
    assert path.read_text() == "precious"


def test_an_unwritable_recording_is_an_error_of_one_line(tmp_path):
    with pytest.raises(HitscopeError, match="cannot be written: No such file or directory"):
        Recorder(tmp_path / "missing" / "a.recording", RecordingStart(1, (640, 480)))


def test_a_recording_that_cannot_be_read_is_reported(tmp_path):
    with pytest.raises(HitscopeError, match="expected a recording that can be read, found: No such file"):
        Recording.read(tmp_path / "missing")
    with pytest.raises(HitscopeError, match="expected a recording that can be read, found: a folder"):
        Recording.read(tmp_path)


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "1:1: $: expected a value, found the end of the file"),
        ("{}", '1:1: $: expected the key "version", found {}'),
        (
            '{"version": 1, "size": [1, 1], "settings": {"snap_to": ["x"]}}',
            "1:57: $.settings.snap_to[0]: expected a word (vertex, edge, parallel, boundary, face, grid), found",
        ),
        ('{"version": 1, "size": [1, 1], "layout": 9}', "1:42: $.layout: expected one of 1, 2, 3, found 9"),
        ('{"version": 2, "size": [1, 1]}', "1:13: $.version: expected 1, found 2"),
        ('{"version": 1, "size": [0, 1]}', "1:25: $.size[0]: expected an integer >= 1, found 0"),
        ('{"version": 1, "sized": [0, 1]}', "1:16: $.sized: expected a key of this object"),
        ('{"version": 1, "size": [1, 1], "scenes": [{"pat": ""}]}', "1:44: $.scenes[0].pat: expected a key"),
        ('{"version": 1,', "1:15: $: expected"),
        (OPENING + "{", None),
        (OPENING + "{\n", "2:2: $: expected"),
        (OPENING + "\n", "2:1: $: expected a value, found the end of the file"),
        (OPENING + "[1]\n", "2:1: $: expected an object, found [1]"),
        (OPENING + '{"do": "close"}\n', '2:1: $: expected the key "at", found {"do": "close"}'),
        (OPENING + '{"at": 0}\n', '2:1: $: expected the key "do", found {"at": 0}'),
        (
            OPENING + '{"do": "pres", "at": 0}\n',
            "2:8: $.do: expected a word (move, leave, press, release, scroll, ",
        ),
        (OPENING + '{"do": "close", "at": 0.5}\n', "2:23: $.at: expected an integer, found 0.5"),
        (OPENING + '{"do": "close", "at": -1}\n', "2:23: $.at: expected an integer >= 0, found -1"),
        (OPENING + '{"do": "close", "at": 1, "at": 2}\n', "2:26: $.at: expected"),
        (OPENING + '{"do": "close", "at": 1, "x": 2}\n', "2:26: $.x: expected a key of this object (do, at)"),
        (
            OPENING + '{"do": "press", "at": 1, "button": "left", "x": 2, "y": 1}\n',
            '2:36: $.button: expected a word (Left, Middle, Right), found "left"',
        ),
        (
            OPENING + '{"do": "key", "at": 1, "key": "S", "held": ["Alt", "Ctl"]}\n',
            '2:52: $.held[1]: expected a word (Ctrl, Alt, Shift), found "Ctl"',
        ),
        (OPENING + '{"do": "move", "at": 1, "x": NaN, "y": 1}\n', "2:30: $.x: expected"),
        (OPENING + '{"do": "move", "at": 1, "x": 1e999, "y": 1}\n', "2:30: $.x: expected a finite number"),
        (
            OPENING + '{"do": "close", "at": 9}\n{"do": "close", "at": 8}\n',
            "3:23: $.at: expected 9 or more, as on the line before, found 8",
        ),
    ],
)
def test_errors_of_a_recording_have_their_line_and_column(path, text, said):
    path.write_text(text)
    if said is None:
        assert Recording.read(path).inputs == ()
    else:
        with pytest.raises(HitscopeError) as raised:
            Recording.read(path)
        assert str(raised.value).startswith(f"{path}:{said}")
        assert "\n" not in str(raised.value)


def test_bytes_that_are_no_text_are_reported_with_their_line(path):
    path.write_bytes(OPENING.encode() + b'{"do": "text", "at": 1, "text": "\xff"}\n')
    with pytest.raises(HitscopeError, match=r":2: expected UTF-8 text, found byte 0xff"):
        Recording.read(path)
