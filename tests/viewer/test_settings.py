"""The user's settings: a broken file is reported and never fatal, and two windows keep each other's changes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from hitscope.errors import HitscopeError
from hitscope.viewer.files.lock import locked, release, try_lock
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.state.rebinding import rebind, spelt
from hitscope.viewer.state.settings import RECENT, Settings

TABLE = {
    "save": ("Ctrl+S",),
    "undo": ("Ctrl+Z",),
    "redo": ("Ctrl+Y", "Ctrl+Shift+Z"),
    "new_segment": ("N S",),
    "frame": ("F",),
}


@pytest.fixture
def path(tmp_path):
    """The path of the settings, in a folder that does not exist yet."""
    return tmp_path / "config" / "settings.json"


def written(path, text):
    """Write the file as a user would, and read it."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return SettingsFile(path)


def test_without_a_file_all_is_as_it_comes(path):
    file = SettingsFile(path)
    assert file.settings == Settings()
    assert file.problems == []
    assert not path.parent.exists()


def test_what_is_changed_is_there_at_the_next_start(path):
    file = SettingsFile(path)
    file.change(theme="light", panel_widths={"outliner": 280.5}, bindings={"save": "Ctrl+W", "redo": ("F5", "F6")})
    again = SettingsFile(path)
    assert again.settings == file.settings
    assert again.settings.theme == "light"
    assert again.settings.bindings == {"save": "Ctrl+W", "redo": ("F5", "F6")}
    assert again.problems == []


@pytest.mark.parametrize(
    "text, says",
    [
        ('{\n  "theme": "drak"\n}', '2:12: $.theme: expected "dark" or "light", found "drak"'),
        (
            '{\n  "thme": "dark"\n}',
            "2:3: $.thme: expected a setting (theme, palette, up, grid_step, grid, labels, snapping, ",
        ),
        (
            '{"grid_step": 0}',
            "1:15: $.grid_step: expected a length greater than 0, in scene units, or null, found 0",
        ),
        ('{"grid_step": NaN}', "1:15: $.grid_step: expected a finite number, found NaN"),
        ('{"snap_to": ["x"]}', "1:13: $.snap_to: expected an array with some of vertex, edge, parallel, "),
        ('{"snapping": 1}', "1:14: $.snapping: expected true or false, found 1"),
        ('{"recent": ["a", 2]}', '1:12: $.recent: expected an array of at most 12 paths, found ["a", 2]'),
        ('{"theme": "dark", "theme": "light"}', '1:19: $.theme: expected each key once, found "theme" again'),
        ('{\n  "theme": "dark"\n  "up": "z"\n}', '3:3: $: expected "," or "}", found "up"'),
        ("", "1:1: $: expected a value, found the end of the file"),
        ("[]", "1:1: $: expected an object with settings, found []"),
        ("{" + '"a": {' * 70, "expected at most 64 levels of nesting"),
        ('{"grid_step": ' + "9" * 5000 + "}", "1:1: $: expected numbers that float64 can hold, found "),
    ],
)
def test_a_mistake_in_the_file_is_reported_with_its_line_and_not_fatal(path, text, says):
    file = written(path, text)
    assert replace(file.settings, first_start_seen=False) == Settings()
    (problem,) = file.problems
    assert file.problem_text == problem
    assert problem.startswith(f"{path}:")
    assert says in problem


def test_bytes_that_are_no_text_are_reported(path):
    path.parent.mkdir()
    path.write_bytes(b'{"theme": "\xff"}')
    (problem,) = SettingsFile(path).problems
    assert problem == f"{path}:1:1: $: expected UTF-8 text, found byte 0xff"


def test_beside_a_wrong_field_the_others_count_and_a_change_leaves_it_for_its_user_to_mend(path):
    file = written(path, '{"theme": "drak", "up": "z", "of a later version": [1, 2]}')
    assert (file.settings.theme, file.settings.up) == ("dark", "z")
    file.change(snapping=True)
    assert json.loads(path.read_text()) == {
        "theme": "drak",
        "up": "z",
        "of a later version": [1, 2],
        "snapping": True,
    }


def test_a_file_that_is_no_json_is_kept_beside_before_it_is_overwritten(path):
    file = written(path, '{"theme": "light",,}')
    assert not path.with_name("settings.json.broken").exists()
    file.change(up="z")
    assert file.backup_path == path.with_name("settings.json.broken")
    assert file.backup_path.read_text() == '{"theme": "light",,}'
    assert SettingsFile(path).problems == []
    # Who has had settings needs no hint of the first start.
    assert SettingsFile(path).settings == Settings(up="z", first_start_seen=True)


def test_a_file_that_breaks_meanwhile_is_replaced_by_the_windows_settings(path):
    file = written(path, '{"theme": "light", "bindings": {"undo": "F2"}}')
    path.write_text("{")
    file.change(up="z")
    assert SettingsFile(path).settings == Settings(theme="light", bindings={"undo": "F2"}, up="z")


def test_of_several_mistakes_the_file_is_named_once(path):
    file = written(path, '{\n  "theme": "drak",\n  "up": "x"\n}')
    assert file.problem_text == (
        f'{path}: 2 problems\n2:12: $.theme: expected "dark" or "light", found "drak"\n'
        '3:9: $.up: expected "y" or "z", found "x"'
    )


def test_beside_a_wrong_entry_the_others_count(path):
    file = written(path, '{"bindings": {"help": "F1", "delete": 5}, "panel_widths": {"panel": 300, "list": -1}}')
    assert file.settings == Settings(bindings={"help": "F1"}, panel_widths={"panel": 300.0})
    keys, width = file.problems
    assert ":1:39: $.bindings.delete: expected keys such as" in keys and keys.endswith("found 5")
    assert width.endswith("$.panel_widths.list: expected a width greater than 0, in points, found -1")


def test_two_windows_keep_each_others_changes(path):
    first, second = SettingsFile(path), SettingsFile(path)
    first.change(theme="light")
    second.change(snapping=True)
    first.change(up="z")
    assert SettingsFile(path).settings == Settings(theme="light", snapping=True, up="z")
    assert second.settings.theme == "dark"  # what the other window looks like is its own affair


def test_windows_that_write_at_the_same_time_lose_nothing(path):
    code = (
        "import sys; from pathlib import Path; from hitscope.viewer.files.settings_file import SettingsFile\n"
        "file = SettingsFile(Path(sys.argv[1]))\n"
        "for n in range(6): file.remember_file(Path('/', sys.argv[2] + str(n)))"
    )
    windows = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in "ab"]
    assert [window.wait() for window in windows] == [0, 0]
    names = [Path(name).name for name in SettingsFile(path).settings.recent]
    assert sorted(names) == sorted(f"{name}{n}" for name in "ab" for n in range(6))


def test_recent_files_are_the_latest_first_and_each_is_there_once(path, tmp_path):
    file = SettingsFile(path)
    for name in "abcdefghijklmnopa":
        file.remember_file(tmp_path / name)
    assert [Path(name).name for name in file.settings.recent] == list("aponmlkjihgf")
    assert len(file.settings.recent) == RECENT
    assert SettingsFile(path).settings == file.settings


def test_a_name_that_is_no_unicode_is_not_remembered_and_does_no_harm(path):
    file = SettingsFile(path)
    file.remember_file(Path(os.fsdecode(b"/\xff.json")))
    assert file.settings.recent == ()


def test_an_unwritable_file_is_reported_in_one_line_and_the_window_has_the_change(tmp_path):
    (tmp_path / "file").write_text("")
    file = SettingsFile(tmp_path / "file" / "settings.json")
    with pytest.raises(HitscopeError, match=r"cannot save settings in .*settings\.json: "):
        file.change(theme="light")
    assert file.settings.theme == "light"


def test_a_lock_is_one_holders_and_is_free_when_its_process_is_gone(tmp_path):
    path = tmp_path / "lock"
    code = (
        "import sys; from pathlib import Path; from hitscope.viewer.files.lock import try_lock\n"
        "lock = try_lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"held\n"
        assert try_lock(path) is None
        with pytest.raises(HitscopeError, match="locked by another window"), locked(path, seconds=0.02):
            pass
        holder.kill()
    taken = try_lock(path)
    assert try_lock(path) is None
    release(taken, remove=True)
    assert not path.exists()


def test_keys_are_overridden_by_the_name_of_the_command():
    wanted = {"save": "shift+ctrl+w", "redo": ["F5", "n r"], "frame": []}
    rows, faults = rebind(TABLE, wanted)
    assert faults == []
    assert rows["save"] == ("Ctrl+Shift+W",)
    assert rows["redo"] == (
        "F5",
        "N R",
    )
    assert rows["frame"] == ()
    assert rows["undo"] == ("Ctrl+Z",)


def test_two_commands_can_swap_their_keys():
    rows, faults = rebind(TABLE, {"save": "Ctrl+Z", "undo": "Ctrl+S"})
    assert faults == []
    assert rows["save"] == ("Ctrl+Z",)


@pytest.mark.parametrize(
    "wanted, path, expected, found",
    [
        ({"sav": "F1"}, ("sav",), "the name of a command (save, undo,", '"sav" (did you mean "save"?)'),
        ({"save": "Ctrl+Blah"}, ("save",), "keys such as", '"Ctrl+Blah"'),
        ({"save": "Ctrl+Ctrl+S"}, ("save",), "keys such as", '"Ctrl+Ctrl+S"'),
        ({"save": ["F1", "S+Ctrl"]}, ("save", 1), "keys such as", '"S+Ctrl"'),
        ({"save": ""}, ("save",), "keys such as", '""'),
        ({"save": "A B C"}, ("save",), "keys such as", '"A B C"'),
        ({"save": "N X"}, ("save",), "keys without a meaning of their own", '"N X", held during a drag'),
        ({"save": "Ctrl+Y"}, ("save",), "keys that are no other command's", '"Ctrl+Y", the keys of "redo"'),
        ({"save": "N"}, ("save",), "keys that are no", '"N", which conflict with "N S" of "new_segment"'),
        ({"save": "F A"}, ("save",), "keys that are no", '"F A", which conflict with "F" of "frame"'),
        ({"save": "F1", "undo": "F1"}, ("undo",), "keys that are no", '"F1", the keys of "save"'),
    ],
)
def test_wrong_keys_are_reported_and_the_command_keeps_those_of_the_table(wanted, path, expected, found):
    rows, (fault,) = rebind(TABLE, wanted, reserved="XYZ")
    assert fault.path == path
    assert fault.expected.startswith(expected)
    assert fault.found == found
    name = path[0] if path[0] in wanted and path[0] != "sav" else "save"
    assert rows[name] == TABLE[name]


def test_keys_that_fall_back_take_theirs_from_who_wanted_them():
    rows, faults = rebind(TABLE, {"save": "Ctrl+Z", "undo": "nonsense"})
    assert [fault.path for fault in faults] == [("undo",), ("save",)]
    assert rows == TABLE


def test_wrong_keys_are_reported_with_their_line_in_the_file(path):
    file = written(path, '{"bindings": {\n  "undo": "F2",\n  "save": ["F1", "F99"]\n}}')
    _, (fault,) = rebind(TABLE, file.settings.bindings)
    file.add_problem(fault.below(("bindings",)))
    assert file.problems == [f"{path}:3:18: $.bindings.save[1]: {fault.message}"]


@pytest.mark.parametrize("keys", ["Ctrl+Alt+Shift+PageUp", "[", "Ctrl+-", "F12", "N S", "Escape", "Shift+."])
def test_keys_that_are_written_as_in_the_table_stay(keys):
    assert spelt(keys) == keys


def test_esc_is_another_word_for_escape():
    assert spelt("esc") == "Escape"
