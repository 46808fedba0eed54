"""Every key and mouse gesture, in one table; help, hints and tests read it too."""

from collections.abc import Callable
from typing import NamedTuple

from hitscope.errors import Fault
from hitscope.viewer import appearance, choosing, commands, editing, filing, viewing
from hitscope.viewer.app import App
from hitscope.viewer.compass import begin_left
from hitscope.viewer.dragging import begin_shifted
from hitscope.viewer.flying import Fly
from hitscope.viewer.nudging import ARROWS
from hitscope.viewer.rebinding import Binding, Wanted, rebind
from hitscope.viewer.tools import Begin, Orbit, Pan


class Key(NamedTuple):
    """A key, or keys one after the other, and what it does."""

    name: str
    """What the command is called in the settings file; it never changes."""
    keys: str
    command: Callable[[App], None]
    says: str


class Gesture(NamedTuple):
    """A mouse button with the modifiers held when it goes down, and the drag that it begins."""

    button: str
    begin: Begin
    says: str


KEYS = (
    Key("cancel", "Escape", commands.peel, "cancel"),
    Key("previous_scene", "[", commands.previous_scene, "previous scene"),
    Key("next_scene", "]", commands.next_scene, "next scene"),
    Key("new_segment", "N S", editing.draw("segment"), "new segment"),
    Key("new_ray", "N R", editing.draw("ray"), "new ray"),
    Key("new_line", "N L", editing.draw("line"), "new line"),
    Key("new_point", "N P", editing.draw("point"), "new point"),
    Key("new_triangle", "N T", editing.draw("triangle"), "new triangle"),
    Key("new_box", "N B", editing.draw("box"), "new box"),
    Key("move", "W", editing.gizmo("move"), "move"),
    Key("rotate", "E", editing.gizmo("rotate"), "rotate"),
    Key("scale", "R", editing.gizmo("scale"), "scale"),
    Key("toggle_axes", "L", editing.toggle_axes, "local or world axes"),
    Key("toggle_snapping", "S", editing.toggle_snapping, "snap drags or not"),
    Key("select_by_box", "B", choosing.select_by_box, "select by a box"),
    Key("select_all", "Ctrl+A", choosing.select_all, "select all"),
    Key("delete", "Delete", editing.delete, "delete"),
    Key("delete", "Backspace", editing.delete, "delete"),
    Key("duplicate", "Ctrl+D", editing.duplicate, "duplicate"),
    Key("exchange", "M", editing.exchange, "make it a primitive, or a probe"),
    Key("toggle_enabled", "Shift+E", editing.toggle_enabled, "enable or disable the probe"),
    *(Key(f"nudge_{key}".lower(), key, editing.nudge_step(key), "nudge by a step of the grid") for key in ARROWS),
    *(Key(f"ulp_{key}".lower(), f"Alt+{key}", editing.nudge_ulp(key), "nudge by one ulp") for key in ARROWS),
    Key("hide", "Shift+H", choosing.hide, "hide"),
    Key("show_all", "Alt+H", choosing.show_all, "show all that is hidden"),
    Key("isolate", "/", choosing.isolate, "show only this, or all again"),
    Key("frame_selection", "F", commands.frame_selection, "frame the selection"),
    Key("frame_all", "Home", commands.frame_all, "frame all"),
    Key("look_from_front", "1", viewing.look_from("front"), "from the front"),
    Key("look_from_back", "Ctrl+1", viewing.look_from("back"), "from the back"),
    Key("look_from_right", "3", viewing.look_from("right"), "from the right"),
    Key("look_from_left", "Ctrl+3", viewing.look_from("left"), "from the left"),
    Key("look_from_top", "7", viewing.look_from("top"), "from the top"),
    Key("look_from_bottom", "Ctrl+7", viewing.look_from("bottom"), "from the bottom"),
    Key("orthographic", "5", viewing.toggle_orthographic, "orthographic or perspective"),
    Key("toggle_up", "U", viewing.toggle_up, "y up or z up"),
    Key("save_view", "Ctrl+U", viewing.save_view, "keep this view in the scene"),
    Key("show_deeper", "V", commands.show_deeper, "show the hierarchy, a level deeper"),
    Key("show_shallower", "Shift+V", commands.show_shallower, "a level less deep"),
    Key("toggle_panels", "Tab", commands.toggle_panels, "hide or show the panels"),
    Key("toggle_theme", "T", appearance.toggle_theme, "light or dark"),
    Key("toggle_palette", "C", appearance.toggle_palette, "green and red, or blue and orange"),
    Key("toggle_labels", "I", appearance.toggle_labels, "show the ids and numbers of vertices"),
    Key("help", "H", appearance.show_help, "all keys"),
    Key("help", "?", appearance.show_help, "all keys"),
    Key("save", "Ctrl+S", filing.save_scene, "save"),
    Key("save_as", "Ctrl+Shift+S", filing.save_as, "save as another file"),
    Key("open", "Ctrl+O", filing.open_file, "open a scene or a mesh"),
    Key("gallery", "Ctrl+G", filing.show_gallery, "the gallery of scenes"),
    Key("picture", "F12", filing.keep_picture, "save a picture"),
    Key("copy", "Ctrl+C", filing.copy, "copy what is selected, or the view"),
    Key("cut", "Ctrl+X", filing.cut, "cut what is selected"),
    Key("paste", "Ctrl+V", filing.paste, "paste"),
    Key("copy_as_test", "Ctrl+Shift+C", filing.copy_as_test, "copy as a test in Python"),
    Key("undo", "Ctrl+Z", commands.undo, "undo"),
    Key("redo", "Ctrl+Y", commands.redo, "redo"),
    Key("redo", "Ctrl+Shift+Z", commands.redo, "redo"),
)

AXES = {"X": 0, "Y": 1, "Z": 2}
"""Held during a drag: along that world axis."""

GESTURES = (
    Gesture("Alt+Left", Orbit, "orbit"),
    Gesture("Shift+Left", begin_shifted, "pan; a click adds to what is selected"),
    Gesture("Middle", Pan, "pan"),
    Gesture("Right", Fly, "look around; with W A S D Q E fly, with Shift faster"),
    Gesture("Left", begin_left, "drag a handle, else orbit; a click selects"),
)


def keys_of(wanted: Wanted) -> tuple[Key, ...]:
    """Give the table with the keys that the user wants, by the names of the commands."""
    return _rebound(wanted)[0]


def faults_of(wanted: Wanted) -> list[Fault]:
    """Give what is wrong with the keys that the user wants, by their place among them."""
    return _rebound(wanted)[1]


def _rebound(wanted: Wanted) -> tuple[tuple[Key, ...], list[Fault]]:
    rows, faults = rebind([Binding(key.name, key.keys, key.says) for key in KEYS], wanted, AXES)
    first = {key.name: key for key in reversed(KEYS)}
    return tuple(first[row.name]._replace(keys=row.keys, says=row.says) for row in rows), faults


def gesture(button: str, modifiers: frozenset[str]) -> Gesture | None:
    """Give the gesture of a button with those modifiers, else of the button alone."""
    for entry in GESTURES:
        *needed, name = entry.button.split("+")
        if name == button and modifiers.issuperset(needed):
            return entry
    return None
