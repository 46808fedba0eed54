"""Every key and mouse gesture, in one table; help, hints and tests read it too."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from hitscope.errors import Fault
from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.files import filing
from hitscope.viewer.files.rebinding import Binding, Wanted, rebind, told
from hitscope.viewer.picture import appearance, viewing
from hitscope.viewer.tools import choosing, editing
from hitscope.viewer.tools.drags import Begin, Orbit, Pan
from hitscope.viewer.tools.flying import Fly
from hitscope.viewer.tools.nudging import ARROWS
from hitscope.viewer.tools.pressing import begin_left, begin_shifted


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


class Fixed(NamedTuple):
    """What is no command's and cannot be rebound, and what it does: keys held or typed meanwhile, other clicks."""

    when: str
    keys: tuple[str, ...]
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
    Key("frame_all", "Home", commands.frame_all, "back to the scene's own view; there, frame all"),
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
    Key("toggle_grid", "G", appearance.toggle_grid, "show or hide the grid"),
    Key("toggle_labels", "I", appearance.toggle_labels, "show the ids and numbers of vertices"),
    Key("help", "H", appearance.toggle_help, "all keys"),
    Key("help", "?", appearance.toggle_help, "all keys"),
    Key("new", "Ctrl+N", filing.new_scene, "a new empty scene"),
    Key("save", "Ctrl+S", filing.save_scene, "save"),
    Key("save_as", "Ctrl+Shift+S", filing.save_as, "save as another file"),
    Key("open", "Ctrl+O", filing.open_file, "open a scene or a mesh"),
    Key("gallery", "Ctrl+G", filing.show_gallery, "the gallery of scenes"),
    Key("picture", "F12", filing.keep_picture, "save a picture"),
    Key("quit", "Ctrl+Q", commands.close, "quit, after a question where something is not saved"),
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
    Gesture("Right", Fly, "look around, and fly"),
    Gesture("Left", begin_left, "drag a handle, else orbit; a click selects, another one what is behind"),
)

FIXED = (
    Fixed("Mouse", ("Wheel",), "zoom to the mouse"),
    Fixed("While dragging", tuple(AXES), "keep to that axis"),
    Fixed("While dragging", tuple(f"Shift+{axis}" for axis in AXES), "keep to the plane across that axis"),
    Fixed("While dragging", ("0–9 . −",), "type the distance, angle or factor"),
    Fixed("While dragging", ("Backspace",), "take back what was typed last"),
    Fixed("While dragging", ("Enter",), "end the drag there"),
    Fixed("While dragging", ("Ctrl",), "snap, or do not where drags snap"),
    Fixed("While flying", ("W", "A", "S", "D"), "ahead, left, back, right"),
    Fixed("While flying", ("E", "Q"), "up, down"),
    Fixed("While flying", ("Shift",), "faster"),
    Fixed("Lists", ("Ctrl+Click",), "select it, too, or no longer"),
    Fixed("Lists", ("Shift+Click",), "select all from the last click on"),
    Fixed("Lists", ("Double click",), "frame it"),
    Fixed("Panels", ("Drag",), "an edge: another width; a double click takes it back"),
    Fixed("Panels", ("Tab", "Enter"), "the next number; take what was typed"),
)
"""All that is not in the other tables."""


def keys_of(wanted: Wanted) -> tuple[Key, ...]:
    """Give the table with the keys that the user wants, by the names of the commands."""
    return _rebound(_frozen(wanted)).keys


def faults_of(wanted: Wanted) -> list[Fault]:
    """Give what is wrong with the keys that the user wants, by their place among them."""
    return _rebound(_frozen(wanted)).faults


class _Rebound(NamedTuple):
    keys: tuple[Key, ...]
    faults: list[Fault]
    told: dict[str, str]
    """How a command is pressed, by its name."""


def _frozen(wanted: Wanted) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    return tuple((name, ways if isinstance(ways, str) else tuple(ways)) for name, ways in wanted.items())


@lru_cache(maxsize=4)  # every frame tells of many commands
def _rebound(wanted: tuple[tuple[str, str | tuple[str, ...]], ...]) -> _Rebound:
    rows, faults = rebind([Binding(key.name, key.keys, key.says) for key in KEYS], dict(wanted), AXES)
    first = {key.name: key for key in reversed(KEYS)}
    keys = tuple(first[row.name]._replace(keys=row.keys, says=row.says) for row in rows)
    return _Rebound(keys, faults, {key.name: told(key.keys) for key in reversed(keys)})


def pressed(wanted: Wanted, *names: str) -> str:
    """Write how commands are pressed, side by side, e.g. "W E R" or "N S R"; one without keys is left out."""
    first = _rebound(_frozen(wanted)).told
    keys = [first[name] for name in names if name in first]
    begin = {others.partition(" ")[0] for others in keys}
    if len(keys) > 1 and len(begin) == 1 and all(" " in others for others in keys):
        return " ".join([*begin, *(others.partition(" ")[2] for others in keys)])
    return (", " if any(" " in others for others in keys) else " ").join(keys)


def gesture(button: str, modifiers: frozenset[str]) -> Gesture | None:
    """Give the gesture of a button with those modifiers, else of the button alone."""
    for entry in GESTURES:
        *needed, name = entry.button.split("+")
        if name == button and modifiers.issuperset(needed):
            return entry
    return None
