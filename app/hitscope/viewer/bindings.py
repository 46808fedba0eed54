"""Every key and mouse gesture, in one table; help, hints and tests read it too."""

from collections.abc import Callable
from typing import NamedTuple

from hitscope.viewer import commands
from hitscope.viewer.app import App
from hitscope.viewer.tools import Begin, Orbit, Pan, begin_left


class Key(NamedTuple):
    """A key, or keys one after the other, and what it does."""

    keys: str
    command: Callable[[App], None]
    says: str


class Gesture(NamedTuple):
    """A mouse button with the modifiers held when it goes down, and the drag that it begins."""

    button: str
    begin: Begin
    says: str


KEYS = (
    Key("Escape", commands.peel, "cancel"),
    Key("[", commands.previous_scene, "previous scene"),
    Key("]", commands.next_scene, "next scene"),
    Key("N S", commands.draw("segment"), "new segment"),
    Key("N R", commands.draw("ray"), "new ray"),
    Key("N L", commands.draw("line"), "new line"),
    Key("N P", commands.draw("point"), "new point"),
    Key("N T", commands.draw("triangle"), "new triangle"),
    Key("N B", commands.draw("box"), "new box"),
    Key("Delete", commands.delete_probe, "delete the probe"),
    Key("Backspace", commands.delete_probe, "delete the probe"),
    Key("F", commands.frame_selection, "frame the selection"),
    Key("Home", commands.frame_all, "frame all"),
    Key("V", commands.show_deeper, "show the hierarchy, a level deeper"),
    Key("Shift+V", commands.show_shallower, "a level less deep"),
    Key("Tab", commands.toggle_panels, "hide or show the panels"),
    Key("Ctrl+S", commands.save_scene, "save"),
    Key("Ctrl+Z", commands.undo, "undo"),
    Key("Ctrl+Y", commands.redo, "redo"),
    Key("Ctrl+Shift+Z", commands.redo, "redo"),
)

AXES = {"X": 0, "Y": 1, "Z": 2}
"""Held during a drag: along that world axis."""

GESTURES = (
    Gesture("Alt+Left", Orbit, "orbit"),
    Gesture("Shift+Left", Pan, "pan"),
    Gesture("Middle", Pan, "pan"),
    Gesture("Left", begin_left, "drag a handle, else orbit; a click selects"),
)


def gesture(button: str, modifiers: frozenset[str]) -> Gesture | None:
    """Give the gesture of a button with those modifiers, else of the button alone."""
    for entry in GESTURES:
        *needed, name = entry.button.split("+")
        if name == button and modifiers.issuperset(needed):
            return entry
    return None
