"""The tables of keys and mouse gestures; help, key hints and tests read them, too.

A new key is a row of KEYS with a function from `actions` or `tools.commands`. The help lists it in the first group
of `panels.help.GROUPS` that has a prefix of its name.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from hitscope.errors import Fault
from hitscope.viewer.actions import appearance, cancel, clipboard, history, opening, saving, view
from hitscope.viewer.state.rebinding import Binding, Wanted, rebind
from hitscope.viewer.state.shortcuts import Gesture, Shortcuts
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import AXIS_KEYS
from hitscope.viewer.tools.commands import edit_commands, selection_commands, tool_commands
from hitscope.viewer.tools.commands.nudge_commands import ARROWS, nudge_step, nudge_ulp
from hitscope.viewer.tools.drags.camera_drags import Fly, Orbit, Pan
from hitscope.viewer.tools.left_button import begin_left, begin_shifted
from hitscope.viewer.tools.pointer import Begin


class KeyBinding(NamedTuple):
    """A command with one way to press it."""

    name: str
    """The command's name in the settings file; it never changes."""
    keys: str
    command: Callable[[State], None]
    description: str


class PressGesture(NamedTuple):
    """A mouse button with the modifiers pressed when it goes down, and the drag that it begins."""

    button: str
    begin: Begin
    description: str


KEYS = (
    KeyBinding("cancel", "Escape", cancel.cancel_topmost, "Cancel"),
    KeyBinding("previous_scene", "[", opening.previous_scene, "Previous scene"),
    KeyBinding("next_scene", "]", opening.next_scene, "Next scene"),
    KeyBinding("new_segment", "N S", tool_commands.draw("segment"), "New segment"),
    KeyBinding("new_ray", "N R", tool_commands.draw("ray"), "New ray"),
    KeyBinding("new_line", "N L", tool_commands.draw("line"), "New line"),
    KeyBinding("new_point", "N P", tool_commands.draw("point"), "New point"),
    KeyBinding("new_triangle", "N T", tool_commands.draw("triangle"), "New triangle"),
    KeyBinding("new_box", "N B", tool_commands.draw("box"), "New box"),
    KeyBinding("move", "W", tool_commands.show_gizmo("move"), "Move"),
    KeyBinding("rotate", "E", tool_commands.show_gizmo("rotate"), "Rotate"),
    KeyBinding("scale", "R", tool_commands.show_gizmo("scale"), "Scale"),
    KeyBinding("toggle_axes", "L", tool_commands.toggle_axes, "Switch local and world axes"),
    KeyBinding("toggle_snapping", "S", tool_commands.toggle_snapping, "Turn snapping on or off"),
    KeyBinding("select_by_box", "B", tool_commands.select_by_box, "Select by box"),
    KeyBinding("select_all", "Ctrl+A", selection_commands.select_all, "Select all"),
    KeyBinding("delete", "Delete", edit_commands.delete, "Delete"),
    KeyBinding("delete", "Backspace", edit_commands.delete, "Delete"),
    KeyBinding("duplicate", "Ctrl+D", edit_commands.duplicate, "Duplicate"),
    KeyBinding("exchange", "M", edit_commands.exchange, "Turn a probe into a primitive, or back"),
    KeyBinding("toggle_enabled", "Shift+E", edit_commands.toggle_enabled, "Enable or disable the probe"),
    *(KeyBinding(f"nudge_{key}".lower(), key, nudge_step(key), "Nudge by a grid step") for key in ARROWS),
    *(KeyBinding(f"ulp_{key}".lower(), f"Alt+{key}", nudge_ulp(key), "Nudge by one ulp") for key in ARROWS),
    KeyBinding("hide", "Shift+H", selection_commands.hide, "Hide"),
    KeyBinding("show_all", "Alt+H", selection_commands.show_all, "Show everything hidden"),
    KeyBinding("isolate", "/", selection_commands.isolate, "Show only the selection, or all again"),
    KeyBinding("frame_selection", "F", view.frame_selection, "Frame the selection"),
    KeyBinding("frame_all", "Home", view.frame_all, "Go to the scene's view; press again to frame all"),
    KeyBinding("look_from_front", "1", view.look_from("front"), "View from the front"),
    KeyBinding("look_from_back", "Ctrl+1", view.look_from("back"), "View from the back"),
    KeyBinding("look_from_right", "3", view.look_from("right"), "View from the right"),
    KeyBinding("look_from_left", "Ctrl+3", view.look_from("left"), "View from the left"),
    KeyBinding("look_from_top", "7", view.look_from("top"), "View from the top"),
    KeyBinding("look_from_bottom", "Ctrl+7", view.look_from("bottom"), "View from the bottom"),
    KeyBinding("orthographic", "5", view.toggle_orthographic, "Switch orthographic and perspective"),
    KeyBinding("toggle_up", "U", view.toggle_up, "Switch y up and z up"),
    KeyBinding("save_view", "Ctrl+U", view.save_view, "Save this view in the scene"),
    KeyBinding("show_deeper", "V", view.show_deeper, "Show the hierarchy, one level deeper"),
    KeyBinding("show_shallower", "Shift+V", view.show_shallower, "Show one level less"),
    KeyBinding("toggle_panels", "Tab", appearance.toggle_panels, "Show or hide the panels"),
    KeyBinding("toggle_theme", "T", appearance.toggle_theme, "Switch light and dark"),
    KeyBinding("toggle_palette", "C", appearance.toggle_palette, "Switch green-red and blue-orange"),
    KeyBinding("toggle_grid", "G", appearance.toggle_grid, "Show or hide the grid"),
    KeyBinding("toggle_labels", "I", appearance.toggle_labels, "Show or hide ids and vertex numbers"),
    KeyBinding("help", "H", appearance.toggle_help, "Show all keys"),
    KeyBinding("help", "?", appearance.toggle_help, "Show all keys"),
    KeyBinding("new", "Ctrl+N", opening.new_scene, "New empty scene"),
    KeyBinding("save", "Ctrl+S", saving.save_shown, "Save"),
    KeyBinding("save_as", "Ctrl+Shift+S", saving.save_as, "Save as another file"),
    KeyBinding("open", "Ctrl+O", opening.open_file, "Open a scene or a mesh"),
    KeyBinding("gallery", "Ctrl+G", opening.show_gallery, "Open the gallery"),
    KeyBinding("picture", "F12", saving.save_picture, "Save a picture"),
    KeyBinding("quit", "Ctrl+Q", saving.close, "Quit; ask if something is not saved"),
    KeyBinding("copy", "Ctrl+C", clipboard.copy, "Copy the selection, or the view"),
    KeyBinding("cut", "Ctrl+X", clipboard.cut, "Cut the selection"),
    KeyBinding("paste", "Ctrl+V", clipboard.paste, "Paste"),
    KeyBinding("copy_as_test", "Ctrl+Shift+C", clipboard.copy_as_test, "Copy as a Python test"),
    KeyBinding("undo", "Ctrl+Z", history.undo, "Undo"),
    KeyBinding("redo", "Ctrl+Y", history.redo, "Redo"),
    KeyBinding("redo", "Ctrl+Shift+Z", history.redo, "Redo"),
)

GESTURES = (
    PressGesture("Alt+Left", Orbit, "Orbit"),
    PressGesture("Shift+Left", begin_shifted, "Pan; click: add to the selection"),
    PressGesture("Middle", Pan, "Pan"),
    PressGesture("Right", Fly, "Look around and fly"),
    PressGesture(
        "Left", begin_left, "Drag a handle, else orbit; click: select; click again: select what is behind"
    ),
)

FIXED = (
    Gesture("Mouse", ("Wheel",), "Zoom to the mouse"),
    Gesture("While dragging", tuple(AXIS_KEYS), "Lock to that axis"),
    Gesture(
        "While dragging",
        tuple(f"Shift+{key}" for key in AXIS_KEYS),
        "Lock to the plane perpendicular to that axis",
    ),
    Gesture("While dragging", ("0–9 . −",), "Type the distance, angle or factor"),
    Gesture("While dragging", ("Backspace",), "Delete the last typed character"),
    Gesture("While dragging", ("Enter",), "Finish the drag"),
    Gesture("While dragging", ("Ctrl",), "Snap; with snapping on, do not"),
    Gesture("While flying", ("W", "A", "S", "D"), "Forward, left, back, right"),
    Gesture("While flying", ("E", "Q"), "Up, down"),
    Gesture("While flying", ("Shift",), "Faster"),
    Gesture("Lists", ("Ctrl+Click",), "Add to the selection, or remove from it"),
    Gesture("Lists", ("Shift+Click",), "Select all rows from the last click"),
    Gesture("Lists", ("Double click",), "Frame it"),
    Gesture("Panels", ("Drag",), "Resize at the edge; double click: reset"),
    Gesture("Panels", ("Tab", "Enter"), "Next number; apply what was typed"),
)
"""Keys and clicks that are in no other table."""


class Rebound(NamedTuple):
    """The table `KEYS` with the user's own keys, and the mistakes in those, each with its path among them."""

    keys: tuple[KeyBinding, ...]
    faults: list[Fault]


def rebound(wanted: Wanted) -> Rebound:
    """The table with the keys that the user wants."""
    return _rebound(tuple((name, ways if isinstance(ways, str) else tuple(ways)) for name, ways in wanted.items()))


@lru_cache(maxsize=4)  # the table is read for every key
def _rebound(wanted: tuple[tuple[str, str | tuple[str, ...]], ...]) -> Rebound:
    rows, faults = rebind([Binding(key.name, key.keys, key.description) for key in KEYS], dict(wanted), AXIS_KEYS)
    first = {key.name: key for key in reversed(KEYS)}
    return Rebound(tuple(first[row.name]._replace(keys=row.keys) for row in rows), faults)


def shortcuts_of(wanted: Wanted) -> Shortcuts:
    """The keys that the user wants and the gestures, for hints and help."""
    keys = tuple(Binding(key.name, key.keys, key.description) for key in rebound(wanted).keys)
    presses = (Gesture("Mouse", (entry.button,), entry.description) for entry in GESTURES)
    return Shortcuts(keys, (*presses, *FIXED))


def gesture(button: str, modifiers: frozenset[str]) -> PressGesture | None:
    """The gesture of a button with those modifiers, else of the button alone; None if there is neither."""
    for entry in GESTURES:
        *needed, name = entry.button.split("+")
        if name == button and modifiers.issuperset(needed):
            return entry
    return None
