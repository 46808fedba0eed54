"""The tables of keys and mouse gestures; help, key hints and tests read them, too."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from hitscope.errors import Fault
from hitscope.viewer.actions import appearance, cancel, clipboard, history, opening, saving, view
from hitscope.viewer.state.rebinding import Binding, Wanted, rebind
from hitscope.viewer.state.shortcuts import Gesture, Shortcuts
from hitscope.viewer.state.state import State
from hitscope.viewer.tools import choosing, editing
from hitscope.viewer.tools.drags import Orbit, Pan
from hitscope.viewer.tools.flying import Fly
from hitscope.viewer.tools.nudging import ARROWS
from hitscope.viewer.tools.pointer import Begin
from hitscope.viewer.tools.pressing import begin_left, begin_shifted


class Key(NamedTuple):
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
    Key("cancel", "Escape", cancel.cancel_topmost, "Cancel"),
    Key("previous_scene", "[", opening.previous_scene, "Previous scene"),
    Key("next_scene", "]", opening.next_scene, "Next scene"),
    Key("new_segment", "N S", editing.draw("segment"), "New segment"),
    Key("new_ray", "N R", editing.draw("ray"), "New ray"),
    Key("new_line", "N L", editing.draw("line"), "New line"),
    Key("new_point", "N P", editing.draw("point"), "New point"),
    Key("new_triangle", "N T", editing.draw("triangle"), "New triangle"),
    Key("new_box", "N B", editing.draw("box"), "New box"),
    Key("move", "W", editing.gizmo("move"), "Move"),
    Key("rotate", "E", editing.gizmo("rotate"), "Rotate"),
    Key("scale", "R", editing.gizmo("scale"), "Scale"),
    Key("toggle_axes", "L", editing.toggle_axes, "Switch local and world axes"),
    Key("toggle_snapping", "S", editing.toggle_snapping, "Turn snapping on or off"),
    Key("select_by_box", "B", choosing.select_by_box, "Select by box"),
    Key("select_all", "Ctrl+A", choosing.select_all, "Select all"),
    Key("delete", "Delete", editing.delete, "Delete"),
    Key("delete", "Backspace", editing.delete, "Delete"),
    Key("duplicate", "Ctrl+D", editing.duplicate, "Duplicate"),
    Key("exchange", "M", editing.exchange, "Turn a probe into a primitive, or back"),
    Key("toggle_enabled", "Shift+E", editing.toggle_enabled, "Enable or disable the probe"),
    *(Key(f"nudge_{key}".lower(), key, editing.nudge_step(key), "Nudge by a grid step") for key in ARROWS),
    *(Key(f"ulp_{key}".lower(), f"Alt+{key}", editing.nudge_ulp(key), "Nudge by one ulp") for key in ARROWS),
    Key("hide", "Shift+H", choosing.hide, "Hide"),
    Key("show_all", "Alt+H", choosing.show_all, "Show everything hidden"),
    Key("isolate", "/", choosing.isolate, "Show only the selection, or all again"),
    Key("frame_selection", "F", view.frame_selection, "Frame the selection"),
    Key("frame_all", "Home", view.frame_all, "Return to the scene's own view; there, frame all"),
    Key("look_from_front", "1", view.look_from("front"), "View from the front"),
    Key("look_from_back", "Ctrl+1", view.look_from("back"), "View from the back"),
    Key("look_from_right", "3", view.look_from("right"), "View from the right"),
    Key("look_from_left", "Ctrl+3", view.look_from("left"), "View from the left"),
    Key("look_from_top", "7", view.look_from("top"), "View from the top"),
    Key("look_from_bottom", "Ctrl+7", view.look_from("bottom"), "View from the bottom"),
    Key("orthographic", "5", view.toggle_orthographic, "Switch orthographic and perspective"),
    Key("toggle_up", "U", view.toggle_up, "Switch y up and z up"),
    Key("save_view", "Ctrl+U", view.save_view, "Keep this view in the scene"),
    Key("show_deeper", "V", view.show_deeper, "Show the hierarchy, one level deeper"),
    Key("show_shallower", "Shift+V", view.show_shallower, "Show one level less"),
    Key("toggle_panels", "Tab", appearance.toggle_panels, "Show or hide the panels"),
    Key("toggle_theme", "T", appearance.toggle_theme, "Switch light and dark"),
    Key("toggle_palette", "C", appearance.toggle_palette, "Switch green-red and blue-orange"),
    Key("toggle_grid", "G", appearance.toggle_grid, "Show or hide the grid"),
    Key("toggle_labels", "I", appearance.toggle_labels, "Show or hide ids and vertex numbers"),
    Key("help", "H", appearance.toggle_help, "Show all keys"),
    Key("help", "?", appearance.toggle_help, "Show all keys"),
    Key("new", "Ctrl+N", opening.new_scene, "New empty scene"),
    Key("save", "Ctrl+S", saving.save_shown, "Save"),
    Key("save_as", "Ctrl+Shift+S", saving.save_as, "Save as another file"),
    Key("open", "Ctrl+O", opening.open_file, "Open a scene or a mesh"),
    Key("gallery", "Ctrl+G", opening.show_gallery, "Open the gallery"),
    Key("picture", "F12", lambda state: saving.save_picture(state.host, state.session), "Save a picture"),
    Key("quit", "Ctrl+Q", saving.close, "Quit; ask if something is not saved"),
    Key("copy", "Ctrl+C", clipboard.copy, "Copy the selection, or the view"),
    Key("cut", "Ctrl+X", clipboard.cut, "Cut the selection"),
    Key("paste", "Ctrl+V", clipboard.paste, "Paste"),
    Key("copy_as_test", "Ctrl+Shift+C", clipboard.copy_as_test, "Copy as a Python test"),
    Key("undo", "Ctrl+Z", history.undo, "Undo"),
    Key("redo", "Ctrl+Y", history.redo, "Redo"),
    Key("redo", "Ctrl+Shift+Z", history.redo, "Redo"),
)

AXES = {"X": 0, "Y": 1, "Z": 2}
"""Keys that, held during a drag, keep it to a world axis."""

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
    Gesture("While dragging", tuple(AXES), "Keep to that axis"),
    Gesture("While dragging", tuple(f"Shift+{axis}" for axis in AXES), "Keep to the plane across that axis"),
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


def keys_of(wanted: Wanted) -> tuple[Key, ...]:
    """The table `KEYS` with the user's own keys."""
    return _rebound(_frozen(wanted)).keys


def faults_of(wanted: Wanted) -> list[Fault]:
    """The mistakes in the user's own keys, each with its path among them."""
    return _rebound(_frozen(wanted)).faults


class _Rebound(NamedTuple):
    keys: tuple[Key, ...]
    faults: list[Fault]


def _frozen(wanted: Wanted) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    return tuple((name, ways if isinstance(ways, str) else tuple(ways)) for name, ways in wanted.items())


@lru_cache(maxsize=4)  # every key asks for the table
def _rebound(wanted: tuple[tuple[str, str | tuple[str, ...]], ...]) -> _Rebound:
    rows, faults = rebind([Binding(key.name, key.keys, key.description) for key in KEYS], dict(wanted), AXES)
    first = {key.name: key for key in reversed(KEYS)}
    keys = tuple(first[row.name]._replace(keys=row.keys, description=row.description) for row in rows)
    return _Rebound(keys, faults)


def shortcuts_of(wanted: Wanted) -> Shortcuts:
    """The keys that the user wants and the gestures, for hints and help."""
    keys = tuple(Binding(key.name, key.keys, key.description) for key in keys_of(wanted))
    presses = (Gesture("Mouse", (entry.button,), entry.description) for entry in GESTURES)
    return Shortcuts(keys, (*presses, *FIXED))


def gesture(button: str, modifiers: frozenset[str]) -> PressGesture | None:
    """The gesture of a button with those modifiers, else of the button alone; None if there is neither."""
    for entry in GESTURES:
        *needed, name = entry.button.split("+")
        if name == button and modifiers.issuperset(needed):
            return entry
    return None
