"""The one table of bindings: complete, and free of clashes."""

from types import SimpleNamespace

import pytest

from hitscope.viewer.interface.bindings import COMMANDS, GESTURES, rebound
from hitscope.viewer.state.settings import Settings
from hitscope.viewer.state.tool import AXIS_KEYS
from tests.viewer.user import status_of


@pytest.mark.parametrize("overrides", [False, True])
def test_no_keys_are_bound_twice(overrides):
    acting = (command for command in COMMANDS if command.overrides == overrides)
    written = [keys for command in acting for keys in command.keys] + list(AXIS_KEYS)
    assert len(set(written)) == len(written)


@pytest.mark.parametrize(
    ("group", "others"), [("While stepping", {"full_screen"}), ("Review", {"scale", "toggle_snapping"})]
)
def test_few_commands_lose_a_key_to_those_that_override_others(group, others):
    overriding = {
        keys for command in COMMANDS if command.overrides for keys in command.keys if command.group == group
    }
    lose = {command.name for command in COMMANDS if not command.overrides and overriding & {*command.keys}}
    assert lose == others


def test_keys_that_override_others_can_be_rebound_to_those_of_others_but_not_of_each_other():
    _, faults = rebound({"step_forward": "F11", "step_into": "F10", "step_back": "G"})
    assert not faults
    _, faults = rebound({"step_forward": ",", "toggle_grid": "F11"})
    assert {fault.path for fault in faults} == {("step_forward",), ("toggle_grid",)}


def test_no_sequence_begins_with_a_key_that_acts_at_once():
    written = [keys for command in COMMANDS for keys in command.keys]
    acting = {keys for keys in written if " " not in keys}
    assert not acting & {keys.split()[0] for keys in written if " " in keys}


def test_w_e_and_r_are_the_gizmos_keys():
    by_keys = {keys: command.name for command in COMMANDS for keys in command.keys if not command.overrides}
    assert [by_keys[keys] for keys in "WER"] == ["move", "rotate", "scale"]


def test_the_users_own_keys_replace_those_of_the_table(open_viewer):
    user = open_viewer(settings=Settings(bindings={"toggle_panels": ("F5", "Ctrl+K Ctrl+P")}))
    state = user.state
    user.keys("Ctrl+B")
    assert state.display.panels
    user.keys("F5")
    assert not state.display.panels
    user.keys("Ctrl+K")
    assert status_of(state).startswith("Ctrl+K …   ·   Ctrl+P Show or hide the panels")
    user.keys("Ctrl+P")
    assert state.display.panels


def test_on_a_mac_labels_say_command_and_the_users_keys_may(open_viewer, monkeypatch):
    monkeypatch.setattr("hitscope.viewer.state.rebinding.sys", SimpleNamespace(platform="darwin"))
    user = open_viewer(settings=Settings(bindings={"toggle_panels": "cmd+K ⌘+P"}))
    assert user.state.commands.hint("save").startswith("Save (⌘+S)")
    user.keys("Ctrl+K")
    assert status_of(user.state).startswith("⌘+K …   ·   ⌘+P Show or hide the panels")
    user.keys("Ctrl+P", "S")
    assert not user.state.display.panels
    assert status_of(user.state).startswith("Snapping is on; hold ⌘")


def test_wrong_keys_of_the_user_are_reported_and_those_of_the_table_stay():
    wanted = {"undo": "Ctrl+S", "redoo": "F5"}
    commands, faults = rebound(wanted)
    said = [str(fault) for fault in faults]
    assert len(said) == 2
    assert commands == COMMANDS


def test_everything_bound_is_explained():
    assert all(command.label and command.group for command in COMMANDS)
    sentences = [command.tooltip for command in COMMANDS]
    assert all(words[:1].isupper() and words.endswith(".") and "`" not in words for words in sentences)
    assert all(description for _, description in GESTURES.values())


def test_after_n_the_status_line_lists_what_can_be_drawn(open_viewer):
    user = open_viewer()
    state = user.state
    user.keys("N")
    kinds = ("S New segment", "R New ray", "L New line", "P New point", "T New triangle probe", "B New box probe")
    round_ones = "O New sphere probe", "U New capsule probe"
    assert status_of(state).split("   ·   ") == ["N …", *kinds, *round_ones, "Esc cancels"]
    user.keys("S")
    assert (
        status_of(state)
        == "Drag to draw a segment   ·   Click to place one   ·   Shift places several   ·   Esc cancels"
    )
    user.keys("Escape")
    assert status_of(state) == ""
