"""The tables of commands and mouse gestures, of which keyboard, menus, search, hints and help are made.

A new command is a row of COMMANDS with a function from `actions` or `tools.commands`; its keys may be none.
"""

from functools import lru_cache
from typing import NamedTuple

from hitscope.errors import Fault
from hitscope.viewer.actions import (
    appearance,
    cancel,
    clipboard,
    closing,
    command_palette,
    exporting,
    first_steps,
    inspector_edits,
    lessons,
    map_view,
    open_dialog,
    opening,
    paste_numbers,
    review,
    saving,
    scene_change,
    stepping,
    view,
)
from hitscope.viewer.actions.expectation_edits import (
    accept_all,
    can_pin,
    expect_pair,
    has_mismatches,
    has_pair,
    pin_pair,
)
from hitscope.viewer.actions.selecting import has_hidden, has_selection
from hitscope.viewer.state.commands import Command, Commands, Gesture, IsPossible, Run
from hitscope.viewer.state.rebinding import Wanted, rebind
from hitscope.viewer.state.tool import AXIS_KEYS, ArmedShape
from hitscope.viewer.tools.commands import edit_commands, selection_commands, tool_commands
from hitscope.viewer.tools.commands.nudge_commands import ARROWS, nudge_step, nudge_ulp
from hitscope.viewer.tools.drags.camera_drags import Fly, Orbit, Pan
from hitscope.viewer.tools.left_button import begin_left, begin_shifted, begin_with_ctrl
from hitscope.viewer.tools.pointer import Begin


class PressGesture(NamedTuple):
    """A mouse button with the modifiers pressed when it goes down, and the drag that it begins."""

    button: str
    begin: Begin
    description: str


NEW_SHAPE_COMMANDS = (
    ("new_segment", ArmedShape("probe", "segment"), "N S", "edge line"),
    ("new_ray", ArmedShape("probe", "ray"), "N R", "raycast"),
    ("new_line", ArmedShape("probe", "line"), "N L", "infinite"),
    ("new_point", ArmedShape("probe", "point"), "N P", "vertex position"),
    ("new_triangle", ArmedShape("probe", "triangle"), "N T", "tri face"),
    ("new_box", ArmedShape("probe", "aabb"), "N B", "cube cuboid aabb"),
    ("new_obb", ArmedShape("probe", "obb"), "", "oriented rotated box cuboid"),
    ("new_parallelepiped", ArmedShape("probe", "parallelepiped"), "", "skew sheared box"),
    ("new_sphere", ArmedShape("probe", "sphere"), "N O", "ball round circle bounding volume"),
    ("new_box_primitive", ArmedShape("primitive", "aabb"), "", "cube cuboid aabb"),
    ("new_obb_primitive", ArmedShape("primitive", "obb"), "", "oriented rotated box cuboid"),
    ("new_parallelepiped_primitive", ArmedShape("primitive", "parallelepiped"), "", "skew sheared box"),
    ("new_triangle_primitive", ArmedShape("primitive", "triangle"), "", "tri face"),
    ("new_sphere_primitive", ArmedShape("primitive", "sphere"), "", "ball round circle bounding volume"),
    ("new_plane", ArmedShape("primitive", "plane"), "", "ground floor half-space wall"),
    ("new_polyhedron", ArmedShape("primitive", "polyhedron"), "", "convex hull wedge prism"),
)
"""The names of the commands that add a shape, with their shapes and keys, and with what else people call them."""
CODE = {
    "cpp": ("C++", "cpp cxx c struct"),
    "csharp": ("C#", "csharp unity dotnet"),
    "rust": ("Rust", "rs"),
    "python": ("Python", "py namedtuple"),
    "glsl": ("GLSL", "shader opengl vulkan"),
}
"""The languages that the selection is copied as, by the end of the command's name, and what people search."""
SIDES = {"front": "1", "back": "Ctrl+1", "right": "3", "left": "Ctrl+3", "top": "7", "bottom": "Ctrl+7"}
"""The sides from which the camera looks, with their keys."""


def _group(group: str, *commands: Command) -> tuple[Command, ...]:
    return tuple(command._replace(group=group) for command in commands)


def _step(
    name: str,
    label: str,
    run: Run,
    keys: tuple[str, ...],
    synonyms: str,
    is_possible: IsPossible = stepping.is_shown,
    is_on: IsPossible | None = None,
) -> Command:
    """A command of the panel of steps: its keys act only while that is shown."""
    return Command(name, label, run, keys, synonyms, is_possible, is_on, overrides=True)


def _review(
    name: str,
    label: str,
    run: Run,
    keys: str,
    synonyms: str,
    is_possible: IsPossible = review.can_decide,
    is_on: IsPossible | None = None,
) -> Command:
    """A command of a review: its keys act only while a scene under review is shown."""
    return Command(name, label, run, (keys,), synonyms, is_possible, is_on, overrides=True)


COMMANDS = (
    *_group(
        "Files",
        Command("new", "New empty scene", opening.new_scene, ("Ctrl+N",), "create blank file"),
        Command("open", "Open a scene or a mesh", open_dialog.open_file, ("Ctrl+O",), "load import file"),
        Command("gallery", "Open the gallery", opening.show_gallery, ("Ctrl+G",), "examples samples demos"),
        Command("save", "Save", saving.save_shown, ("Ctrl+S",), "write store"),
        Command("save_as", "Save as another file", saving.save_as, ("Ctrl+Shift+S",), "rename copy export"),
        Command("picture", "Save a picture", exporting.save_picture, ("F12",), "screenshot image png export"),
        Command(
            *("export_picture", "Export a picture…", exporting.export_picture, ("Shift+F12",)),
            "image png transparent scale legend labels copy clipboard",
        ),
        Command("previous_scene", "Previous scene", opening.previous_scene, ("[",), "back"),
        Command("next_scene", "Next scene", opening.next_scene, ("]",), "forward"),
        Command(
            *("next_open_scene", "Next open scene", opening.next_open_scene, ("Ctrl+Tab",)), "switch tab document"
        ),
        Command(
            *("previous_open_scene", "Previous open scene", opening.previous_open_scene, ("Ctrl+Shift+Tab",)),
            "switch tab document",
        ),
        Command("close_scene", "Close the scene", closing.close_scene, ("Ctrl+W",), "document tab"),
        Command(
            "close_all_scenes", "Close all scenes", closing.close_all_scenes, ("Ctrl+Shift+W",), "documents tabs"
        ),
        Command("quit", "Quit; ask if something is not saved", closing.close, ("Ctrl+Q",), "exit close"),
    ),
    *_group(
        "New",
        *(
            Command(
                *(name, f"New {shape.title}", tool_commands.draw(shape), (keys,) if keys else ()),
                f"{shape.role} add create draw {words}",
                section=f"{shape.role.capitalize()}s",
            )
            for name, shape, keys, words in NEW_SHAPE_COMMANDS
        ),
    ),
    *_group(
        "Select and edit",
        Command("undo", "Undo", review.undo, ("Ctrl+Z",), "back revert take decision", review.can_undo),
        Command(
            "redo", "Redo", scene_change.redo, ("Ctrl+Y", "Ctrl+Shift+Z"), "again repeat", scene_change.can_redo
        ),
        Command("cut", "Cut the selection", clipboard.cut, ("Ctrl+X",), "", has_selection),
        Command("copy", "Copy the selection, or the view", clipboard.copy, ("Ctrl+C",), "json clipboard"),
        Command("paste", "Paste", clipboard.paste, ("Ctrl+V",), "json numbers clipboard insert"),
        Command(
            "paste_numbers",
            "Paste or type numbers",
            paste_numbers.show,
            (),
            "coordinates vector log csv table import",
        ),
        Command(
            "copy_as_test",
            "Copy as a Python test",
            clipboard.copy_as_test,
            ("Ctrl+Shift+C",),
            "pytest regression code",
        ),
        *(
            Command(f"copy_as_{name}", f"Copy as {label}", clipboard.copy_as(label), (), f"code source {words}")
            for name, (label, words) in CODE.items()
        ),
        Command("duplicate", "Duplicate", edit_commands.duplicate, ("Ctrl+D",), "clone", has_selection),
        Command("delete", "Delete", edit_commands.delete, ("Delete", "Backspace"), "remove erase", has_selection),
        Command(
            "exchange",
            "Turn a probe into a primitive, or back",
            edit_commands.exchange,
            ("M",),
            "role swap convert",
            has_selection,
        ),
        Command(
            "toggle_enabled",
            "Enable or disable the probe",
            edit_commands.toggle_enabled,
            ("Shift+E",),
            "mute off ignore",
        ),
        Command("rename_scene", "Rename the scene", inspector_edits.edit_name, ("F2",), "title name"),
        Command(
            "describe_scene",
            "Describe the scene",
            inspector_edits.edit_description,
            ("Shift+F2",),
            "description text note",
        ),
        Command("select_all", "Select all", selection_commands.select_all, ("Ctrl+A",)),
        Command(
            *("next_item", "Select the next item", selection_commands.select_neighbour(1), ("Ctrl+Down",)),
            "row list below",
        ),
        Command(
            *("previous_item", "Select the previous item", selection_commands.select_neighbour(-1), ("Ctrl+Up",)),
            "row list above",
        ),
        Command("select_by_box", "Select by box", tool_commands.select_by_box, ("B",), "rectangle marquee lasso"),
        Command("hide", "Hide", selection_commands.hide, ("Shift+H",), "invisible", has_selection),
        Command(
            "show_all", "Show everything hidden", selection_commands.show_all, ("Alt+H",), "unhide", has_hidden
        ),
        Command(
            "isolate",
            "Show only the selection, or all again",
            selection_commands.isolate,
            ("/",),
            "solo focus local view",
        ),
        Command("cancel", "Cancel", cancel.cancel_topmost, ("Escape",), "stop deselect close"),
    ),
    *_group(
        "Pair",
        Command(
            "next_partner",
            "Pair the selection with the next item",
            selection_commands.pair_with_neighbour(1),
            ("Ctrl+Right",),
            "probe primitive why",
            has_selection,
        ),
        Command(
            "previous_partner",
            "Pair the selection with the previous item",
            selection_commands.pair_with_neighbour(-1),
            ("Ctrl+Left",),
            "probe primitive why",
            has_selection,
        ),
        Command(
            "next_method",
            "Let the next method decide",
            inspector_edits.decide_by_neighbour(1),
            ("Ctrl+.",),
            "algorithm choose",
            has_pair,
        ),
        Command(
            "previous_method",
            "Let the previous method decide",
            inspector_edits.decide_by_neighbour(-1),
            ("Ctrl+,",),
            "algorithm choose",
            has_pair,
        ),
        Command(
            *("step_through", "Step through the method", stepping.toggle, ("D",)),
            "debug debugger trace source code line why explain",
            lambda state: stepping.is_shown(state) or has_pair(state),
            stepping.is_shown,
        ),
        Command(
            *("map", "Map the handle: the answer for each position", map_view.toggle, ("Shift+M",)),
            "where wrong heat robustness plane pixels ulp microscope",
            is_on=map_view.is_shown,
        ),
        Command(
            *("map_wrong", "Go to the nearest wrong position of the map", map_view.go_to_first_wrong, ("Ctrl+M",)),
            "find error counterexample fail",
            map_view.is_shown,
        ),
        Command(
            *("expect", "Expect the right answer of the pair", expect_pair, ("Ctrl+E",)),
            "expectation this test assert save regression",
            has_pair,
        ),
        Command(
            *("pin", "Expect the wrong answer of the deciding method, by its name", pin_pair, ()),
            "expectation known deviation specimen why",
            can_pin,
        ),
        Command(
            *("accept_all", "Accept the right answers for all expectations that fail", accept_all, ()),
            "update regenerate test",
            has_mismatches,
        ),
    ),
    *_group(
        "While stepping",
        _step("step_forward", "Step forward", stepping.step_by(1), (".", "F10"), "statement line next over debug"),
        _step(
            "step_back", "Step back", stepping.step_by(-1), (",", "Shift+F10"), "statement line previous reverse"
        ),
        _step("step_into", "Step forward, also in helpers", stepping.into, ("F11",), "into call function debug"),
        _step(
            *("step_back_into", "Step back, also in helpers", stepping.back_into, ("Shift+F11",)),
            "out of call function reverse debug",
        ),
        _step(
            "next_pass",
            "Go to the next pass of the loop",
            stepping.pass_by(1),
            ("Shift+.", "Ctrl+F10"),
            "iteration axis",
        ),
        _step(
            *("previous_pass", "Go to the pass before", stepping.pass_by(-1), ("Shift+,", "Ctrl+Shift+F10")),
            "iteration axis loop",
        ),
        _step(
            *("play_steps", "Play or pause", stepping.toggle_play, ("Space",), "run animate continue"),
            is_on=stepping.is_playing,
        ),
        _step("steps_end", "Go to the end", stepping.to_end, ("F5",), "run continue answer last"),
        _step("steps_start", "Go to the start", stepping.to_start, ("Shift+F5",), "restart rewind first"),
        _step("to_decision", "Go to the decision", stepping.to_decision, ("J",), "jump deciding line comparison"),
        _step(
            *("to_wrong_line", "Go to the wrong line", stepping.to_wrong_line, ("Shift+J",)),
            "jump wrong rounding error fault departure",
        ),
        _step(
            *("to_not_finite", "Go to the next NaN or infinity", stepping.to_not_finite, ("Ctrl+J",)),
            "jump inf invalid",
        ),
        _step(
            *("steps_in_hex", "Show numbers in hex", stepping.toggle_hex, ("Shift+D",), "hexadecimal bits digits"),
            is_on=stepping.is_hex,
        ),
    ),
    *_group(
        "Move",
        Command("move", "Move", tool_commands.show_gizmo("move"), ("W",), "translate gizmo drag"),
        Command("rotate", "Rotate", tool_commands.show_gizmo("rotate"), ("E",), "turn gizmo"),
        Command("scale", "Scale", tool_commands.show_gizmo("scale"), ("R",), "size resize gizmo"),
        Command(
            *("type_numbers", "Type the numbers of the item", inspector_edits.type_numbers, ("F9",)),
            "inspector field edit coordinates value",
            has_selection,
        ),
        Command(
            "toggle_axes", "Switch local and world axes", tool_commands.toggle_axes, ("L",), "global orientation"
        ),
        Command(
            "toggle_snapping", "Turn snapping on or off", tool_commands.toggle_snapping, ("S",), "snap magnet grid"
        ),
        *(Command(f"nudge_{key}".lower(), "Nudge by a grid step", nudge_step(key), (key,), key) for key in ARROWS),
        *(
            Command(f"ulp_{key}".lower(), "Nudge by one ulp", nudge_ulp(key), (f"Alt+{key}",), key)
            for key in ARROWS
        ),
    ),
    *_group(
        "Camera",
        Command(
            "frame_selection",
            "Frame the selection",
            view.frame_selection,
            ("F",),
            "zoom to fit focus center",
            has_selection,
        ),
        Command(
            "frame_all",
            "Go to the scene's view; press again to frame all",
            view.frame_all,
            ("Home",),
            "reset camera zoom to fit",
        ),
        *(
            Command(f"look_from_{side}", f"View from the {side}", view.look_from(side), (keys,), "camera")
            for side, keys in SIDES.items()
        ),
        Command(
            "orthographic",
            "Switch orthographic and perspective",
            view.toggle_orthographic,
            ("5",),
            "parallel projection 2d",
        ),
        Command("toggle_up", "Switch y up and z up", view.toggle_up, ("U",), "axis"),
        Command("save_view", "Save this view in the scene", view.save_view, ("Ctrl+U",), "camera bookmark"),
    ),
    *_group(
        "Lesson",
        Command(
            *("lesson_continue", "Continue the lesson", lessons.go_on, ("Enter",), "next step tutorial"),
            lessons.can_continue,
        ),
        Command(
            *("lesson_skip", "Skip the step of the lesson", lessons.skip, ("Ctrl+Enter",), "next tutorial"),
            lessons.is_shown,
        ),
        Command(
            *("lesson_back", "Go back a step of the lesson", lessons.go_back, ("Ctrl+Backspace",), "previous"),
            lessons.can_go_back,
        ),
        Command(
            *("lesson_back_on_track", "Back on track: put the lesson's scene back", lessons.back_on_track),
            *(("Ctrl+Home",), "reset restart stuck step tutorial", lessons.is_shown),
        ),
        Command(
            *("toggle_lesson", "Show or close the lesson", lessons.toggle, ("Ctrl+L",), "tutorial learn course"),
            lessons.has_lesson,
        ),
    ),
    *_group(
        "Review",
        _review(
            *("review_accept", "Accept what was found: write it into the file", review.decide("accepted"), "A"),
            "update expectations approve yes",
        ),
        _review(
            *("review_reject", "Reject what was found: the scene keeps failing", review.decide("rejected"), "R"),
            "keep expectations no wrong",
        ),
        _review("review_skip", "Skip the scene: leave it as it is", review.decide("skipped"), "S", "later next"),
        _review(
            *("review_expected", "Show what is expected, or what was found", review.toggle_expected, "O"),
            "before after old new compare difference",
            review.is_reviewed,
            review.shows_expected,
        ),
    ),
    *_group(
        "Window",
        Command("toggle_panels", "Show or hide the panels", appearance.toggle_panels, ("Tab",), "sidebar"),
        Command(
            *("full_screen", "Full screen", appearance.toggle_full_screen, ("F11",)),
            "fullscreen projector maximise maximize",
            is_on=appearance.is_full_screen,
        ),
        Command("toggle_theme", "Switch light and dark", appearance.toggle_theme, ("T",), "theme mode"),
        Command(
            "toggle_palette",
            "Switch green-red and blue-orange",
            appearance.toggle_palette,
            ("C",),
            "colours colors colour-blind palette",
        ),
        Command("toggle_grid", "Show or hide the grid", appearance.toggle_grid, ("G",), "ground floor"),
        Command(
            *("enlarge", "Show everything larger", appearance.enlarge, ("Ctrl+=", "Ctrl+Plus", "Ctrl+Shift+=")),
            "ui scale zoom in font size bigger",
        ),
        Command(
            *("reduce", "Show everything smaller", appearance.reduce, ("Ctrl+-",)),
            "ui scale zoom out font size",
        ),
        Command(
            *("reset_scale", "Show everything at 100%", appearance.reset_scale, ("Ctrl+0",)),
            "ui scale font original size",
        ),
        Command(
            "toggle_labels",
            "Show or hide ids and vertex numbers",
            appearance.toggle_labels,
            ("I",),
            "names labels",
        ),
        Command(
            "show_deeper",
            "Show the hierarchy, one level deeper",
            view.show_deeper,
            ("V",),
            "bvh tree bounding volumes",
        ),
        Command("show_shallower", "Show one level less", view.show_shallower, ("Shift+V",), "bvh tree"),
        Command(
            *("palette", "Search all commands", command_palette.show, ("Ctrl+Shift+P", "F1")),
            "find menu action launcher",
        ),
        Command(
            *("toggle_nearest_only", "Show only the nearest hits, or all", appearance.toggle_nearest_only),
            *(("Shift+N",), "first closest raycast hit"),
        ),
        Command(
            "first_steps", "Show the first steps", first_steps.show, (), "tutorial introduction welcome tour learn"
        ),
        Command("help", "Show all keys", appearance.toggle_help, ("H", "?"), "shortcuts manual about"),
    ),
)
"""Every command, in the order of the menus; a settings file names them."""

GESTURES = (
    PressGesture("Alt+Left", Orbit, "Orbit"),
    PressGesture("Shift+Left", begin_shifted, "Pan; click: add to the selection"),
    PressGesture("Ctrl+Left", begin_with_ctrl, "Click: shoot a ray from the camera; drag: as without Ctrl"),
    PressGesture("Middle", Pan, "Pan"),
    PressGesture("Right", Fly, "Look around and fly; click: open the menu"),
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
    """The commands with the user's own keys, and the mistakes in those, each with its path among them."""

    commands: tuple[Command, ...]
    faults: list[Fault]

    @property
    def by_keys(self) -> dict[str, Command]:
        """The command of each way to press one, without those that override others."""
        return {keys: command for command in self.commands for keys in command.keys if not command.overrides}

    @property
    def overriding(self) -> dict[str, Command]:
        """Likewise of the commands that override others while they are possible."""
        return {keys: command for command in self.commands for keys in command.keys if command.overrides}


def rebound(wanted: Wanted) -> Rebound:
    """The commands with the keys that the user wants."""
    return _rebound(tuple((name, ways if isinstance(ways, str) else tuple(ways)) for name, ways in wanted.items()))


@lru_cache(maxsize=4)  # the table is read for every key
def _rebound(wanted: tuple[tuple[str, str | tuple[str, ...]], ...]) -> Rebound:
    overriding = {command.name for command in COMMANDS if command.overrides}
    keys, faults = rebind(
        {command.name: command.keys for command in COMMANDS}, dict(wanted), AXIS_KEYS, overriding
    )
    return Rebound(tuple(command._replace(keys=keys[command.name]) for command in COMMANDS), faults)


def commands_of(wanted: Wanted) -> Commands:
    """The commands with the keys that the user wants, and the gestures, for menus, hints and help."""
    presses = (Gesture("Mouse", (entry.button,), entry.description) for entry in GESTURES)
    return Commands(rebound(wanted).commands, (*presses, *FIXED))


def gesture(button: str, modifiers: frozenset[str]) -> PressGesture | None:
    """The gesture of a button with those modifiers, else of the button alone; None if there is neither."""
    for entry in GESTURES:
        *needed, name = entry.button.split("+")
        if name == button and modifiers.issuperset(needed):
            return entry
    return None
