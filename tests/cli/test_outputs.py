"""Outputs whose names a user gives: what is refused before the work, and what becomes of the files."""

import itertools
import json
import os
import resource
import socket
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from hitscope import outputs
from hitscope.cli import main
from hitscope.errors import HitscopeError
from hitscope.judge.campaign import Campaign
from hitscope.outputs import output_format, require_folder, write_file
from hitscope.render import animation, offscreen
from hitscope.resources import SCENES
from hitscope.scene import load, save
from hitscope.viewer.files.file_inputs import resolve_save_path
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.interface.recording import Recorder, recording_start

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices, pipes, sockets and symbolic links")

SCENE = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"
JUDGE = ["judge", "sat13", "--pair", "triangle_aabb"]
LONGEST = 255
"""The bytes of the longest file name."""


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    """The working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def device():
    """The path of a device that no user can replace, whatever the code does: a terminal of our own."""
    ends = os.openpty()
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


@pytest.fixture(params=["device", "pipe", "socket", "folder", "loop of symbolic links"])
def special(request, device):
    """The names of what is no regular file, with and without a link, and what it is."""
    name, link = Path("special.json"), Path("link.json")
    match request.param:
        case "device":  # only root can make one, and through a link it must not be replaced either
            name.symlink_to(device)
        case "pipe":
            os.mkfifo(name)
        case "socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(str(name))
        case "folder":
            name.mkdir()
        case _:
            name.symlink_to(name)
    link.symlink_to(name)
    return request.param, [name, link]


def identities(names):
    return [(name.lstat().st_ino, name.lstat().st_mode) for name in names]


@pytest.mark.parametrize(
    "attempt",
    [
        lambda name: write_file(name, [b"new"]),
        lambda name: save(load(SCENE), name),
        lambda name: output_format(name, (".json",)),
        lambda name: resolve_save_path(name.name, Path("scene.json")),
    ],
    ids=["write_file", "save", "output_format", "save as"],
)
def test_what_is_no_regular_file_is_refused_and_stays(special, attempt):
    kind, names = special
    before = identities(names)
    for name in names:
        with pytest.raises(HitscopeError, match=rf"expected .*, found a {kind}"):
            attempt(name)
    assert identities(names) == before
    assert sorted(os.listdir()) == ["link.json", "special.json"]


def test_a_device_is_not_replaced_by_a_picture_and_nothing_is_drawn_for_it(device, capsys, monkeypatch):
    monkeypatch.setattr(offscreen, "evaluate", lambda scene: pytest.fail("the scene was evaluated"))
    Path("link.png").symlink_to(device)
    assert main(["render", str(SCENE), "-o", "link.png"]) == 2
    assert capsys.readouterr().err == "link.png: expected a regular file or a new name, found a device\n"
    assert Path(device).is_char_device()


def test_a_device_is_not_replaced_by_settings(device, monkeypatch):
    Path("settings.json").symlink_to("missing")
    settings = SettingsFile(Path("settings.json"))
    Path("settings.json").unlink()
    Path("settings.json").symlink_to(device)
    monkeypatch.setattr(SettingsFile, "_current", lambda _: {})  # to read a terminal would wait for input
    with pytest.raises(
        HitscopeError, match=r"settings.json: expected a regular file or a new name, found a device"
    ):
        settings.change(theme="light")
    assert Path(device).is_char_device()


def test_a_recording_over_a_device_is_refused_by_what_is_there():
    with pytest.raises(HitscopeError, match="/dev/null: expected the name of a new file, found a device"):
        Recorder(Path("/dev/null"), recording_start([], Path(), (640, 480)))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            ["render", str(SCENE), "-o", "x.jpg"],
            'x.jpg: expected a name that ends in .png or .gif or .mp4, found ".jpg"',
        ),
        (
            ["render", str(SCENE), "-o", "x"],
            "x: expected a name that ends in .png or .gif or .mp4, found no ending",
        ),
        (["render", str(SCENE), "-o", "nowhere/x.png"], "nowhere/x.png: expected a file in an existing folder, "),
        (["render", str(SCENE), "-o", "file/x.png"], "file/x.png: cannot be written: Not a directory"),
        (["render", str(SCENE), "-o", f"{'x' * LONGEST}.png"], "File name too long"),
        (
            ["open", "--play", "file", "-o", "x.jpg"],
            "x.jpg: expected a name that ends in .png or .json or .gif or .mp4, ",
        ),
        (["open", "--play", "file", "-o", "file/x.json"], "file/x.json: cannot be written: Not a directory"),
        (["bench", "--plot", "x"], "x: expected a name that ends in .eps or "),
        (["bench", "--plot", "-"], "-: expected a name that ends in .eps or "),
        ([*JUDGE, "-o", "file"], "file: expected a folder or a new name, found a file"),
        ([*JUDGE, "-o", "file/new"], "file/new: expected a folder at {}/file, found a file"),
        ([*JUDGE, "-o", "/dev/null"], "/dev/null: expected a folder or a new name, found a device"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_in_a_line_before_the_work(
    command, words, work, capsys, monkeypatch
):
    monkeypatch.setattr(offscreen, "evaluate", lambda scene: pytest.fail("the scene was evaluated"))
    monkeypatch.setattr(Campaign, "run", lambda *_: pytest.fail("the method was judged"))
    Path("file").touch()
    assert main(command) == 2
    captured = capsys.readouterr()
    assert words.format(work) in captured.err
    assert (captured.err.count("\n"), captured.out) == (1, "")
    assert os.listdir() == ["file"]


def test_the_ending_may_have_capital_letters():
    assert output_format(Path("x.PNG"), (".png",)) == ".png"


def test_a_folder_below_new_ones_is_accepted():
    require_folder(Path("new/below"))
    assert os.listdir() == []


def test_in_a_write_protected_folder_nothing_is_begun(monkeypatch):
    # Root may write everything, so the answer of the system is what is put on.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    for check_output in (lambda: output_format(Path("x.png"), (".png",)), lambda: require_folder(Path("new"))):
        with pytest.raises(
            HitscopeError, match=r"^(x.png|new): cannot be written: the folder .* is write-protected$"
        ):
            check_output()


def test_a_picture_on_standard_output_is_alone_there():
    command = [sys.executable, "-m", "hitscope", "render", str(SCENE), "-o", "-", "--size", "64x48"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert Image.open(BytesIO(done.stdout)).size == (64, 48)
    assert done.stdout.endswith(b"IEND\xaeB`\x82")
    assert os.listdir() == []


def test_the_scene_at_the_end_of_a_recording_goes_to_standard_output():
    Recorder(Path("made.recording"), recording_start([SCENE], Path(), (640, 480))).close()
    command = [sys.executable, "-m", "hitscope", "open", "--play", "made.recording", "-o", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert json.loads(done.stdout)["primitives"] == json.loads(SCENE.read_bytes())["primitives"]
    assert os.listdir() == ["made.recording"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full")
def test_a_full_standard_output_is_one_line():
    command = [sys.executable, "-m", "hitscope", "render", str(SCENE), "-o", "-", "--size", "64x48"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "-: cannot be written: No space left on device\n")


def test_a_reader_that_stops_reading_ends_a_picture_without_a_word():
    command = [sys.executable, "-m", "hitscope", "render", str(SCENE), "-o", "-", "--size", "1280x800"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("name", ["old.png", "new.png"])
def test_a_picture_that_does_not_fit_leaves_the_old_file_whole_and_no_draft(name):
    Path("old.png").write_bytes(b"old")
    done = subprocess.run(
        # Without bytecode: a half that fits would not be imported any more.
        [sys.executable, "-B", "-m", "hitscope", "render", str(SCENE), "-o", name, "--size", "640x480"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert (done.returncode, done.stderr) == (2, f"{name}: cannot be written: File too large\n")
    assert Path("old.png").read_bytes() == b"old"
    assert os.listdir() == ["old.png"]


def test_a_dangling_link_creates_its_target_and_stays_a_link():
    Path("below").mkdir()
    Path("link").symlink_to("below/new")
    write_file(Path("link"), [b"whole"])
    assert Path("link").is_symlink()
    assert Path("below/new").read_bytes() == b"whole"


def test_another_hard_link_keeps_the_old_content():
    Path("old").write_bytes(b"old")
    Path("other").hardlink_to("old")
    write_file(Path("old"), [b"new"])
    assert (Path("old").read_bytes(), Path("other").read_bytes()) == (b"new", b"old")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_and_the_mode_of_a_replaced_file_stay():
    Path("old").write_bytes(b"old")
    os.chown("old", 1234, 5678)
    Path("old").chmod(0o640)
    write_file(Path("old"), [b"new"])
    found = Path("old").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o7777) == (1234, 5678, 0o640)


@pytest.mark.parametrize("name", [b"x" * LONGEST, b"\xff.json"], ids=["longest", "not UTF-8"])
def test_any_name_that_the_system_takes_is_written_and_replaced(name):
    for content in (b"old", b"new"):
        write_file(os.fsdecode(name), [content])
        assert {os.fsencode(file.name): file.read_bytes() for file in Path().iterdir()} == {name: content}


def test_every_kind_of_file_has_a_word():
    assert outputs.kind_of(Path("/dev/null")) == "a device"
    Path("link").symlink_to("nowhere")
    assert outputs.kind_of(Path("link")) == "a symbolic link"


def test_a_rendered_picture_can_be_larger_and_transparent_without_a_grid(tmp_path):
    path = tmp_path / "clear.png"
    command = ["render", str(SCENE), "-o", str(path), "--size", "320x200", "--scale", "2"]
    assert main([*command, "--transparent", "--no-grid"]) == 0
    with Image.open(path) as picture:
        assert (picture.mode, picture.size) == ("RGBA", (640, 400))
        alpha = np.asarray(picture)[..., 3]
    assert alpha.max() == 255 and (alpha == 0).mean() > 0.3
    assert main(command) == 0
    with Image.open(path) as picture:
        assert (picture.mode, picture.size) == ("RGB", (640, 400))


@pytest.mark.parametrize("ending", animation.ENDINGS)
def test_a_turntable_shows_the_scene_from_all_sides_in_the_given_time(tmp_path, read_animation, ending):
    path = tmp_path / f"turn{ending}"
    assert main(["render", str(SCENE), "-o", str(path), "--size", "160x100", "--seconds", "1"]) == 0
    frames, seconds = read_animation(path)
    assert (frames.shape, sum(seconds)) == ((animation.RATES[ending], 100, 160, 3), pytest.approx(1))
    steps = [np.abs(b - a).mean() for a, b in itertools.pairwise([*frames, frames[0]])]
    assert min(steps) > 0 and max(steps) < 4 * min(steps), "it turns evenly, and its end meets its start"
    assert main(["render", str(SCENE), "-o", "still.png", "--size", "160x100"]) == 0
    with Image.open("still.png") as still:
        assert np.abs((frames[0] - np.asarray(still)).mean(axis=(0, 1))).max() < 2, "its colours are a picture's"


def test_a_video_of_an_odd_size_is_a_pixel_larger_and_not_resampled(tmp_path, read_animation):
    for path, size in (("odd.mp4", "161x101"), ("still.png", "161x101")):
        assert main(["render", str(SCENE), "-o", path, "--size", size, "--seconds", "1"]) == 0
    frames, _ = read_animation(Path("odd.mp4"))
    assert frames.shape[1:] == (102, 162, 3)
    with Image.open("still.png") as still:
        assert np.abs(frames[0][:101, :161] - np.asarray(still)).mean() < 5


@pytest.mark.parametrize("command", [["render", str(SCENE)], ["open", "--play", "any.recording"]])
def test_a_video_without_ffmpeg_is_refused_in_a_line_that_says_what_to_install(command, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert main([*command, "-o", "turn.mp4"]) == 2
    assert capsys.readouterr().err == "turn.mp4: an MP4 file needs ffmpeg: pip install 'hitscope[video]'\n"


def test_a_video_that_ffmpeg_refuses_is_one_line_with_its_reason(capsys, monkeypatch, tmp_path):
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho 'first line' >&2\necho 'no encoder' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: str(program))
    assert main(["render", str(SCENE), "-o", "turn.mp4", "--size", "160x100", "--seconds", "1"]) == 2
    assert capsys.readouterr().err == "ffmpeg cannot write the animation: no encoder\n"
    assert not os.path.exists("turn.mp4")


def test_a_transparent_turntable_is_refused_before_the_work(tmp_path, capsys):
    path = tmp_path / "turn.gif"
    assert main(["render", str(SCENE), "-o", str(path), "--transparent"]) == 2
    assert capsys.readouterr().err == f"{path}: expected a .png file with --transparent, found a .gif file\n"
    assert not path.exists()
