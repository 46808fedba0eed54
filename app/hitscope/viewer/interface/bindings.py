"""The tables of commands and mouse gestures, of which keyboard, menus, search, hints and help are made.

A new command is a function of `actions` or `tools` with `@command`, named here in a group of COMMANDS.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from hitscope.errors import Fault
from hitscope.viewer.actions import (
    appearance,
    cancel,
    clipboard,
    closing,
    command_palette,
    expectation_edits,
    first_steps,
    inspector_edits,
    lessons,
    map_view,
    opening,
    paste_numbers,
    review,
    saving,
    scene_change,
    selecting,
    stepping,
    view,
    wrong_line,
)
from hitscope.viewer.state.messages import Choice
from hitscope.viewer.state.rebinding import Wanted, rebind
from hitscope.viewer.state.state import Command, Commands, Gesture, IsPossible, State, always, command
from hitscope.viewer.state.tool import AXIS_KEYS, ArmedShape, GizmoMode
from hitscope.viewer.tools import edit_commands, tool_commands
from hitscope.viewer.tools.drags.camera_drags import Fly, Orbit, Pan
from hitscope.viewer.tools.edit_commands import ARROWS, nudge_step, nudge_ulp
from hitscope.viewer.tools.left_button import begin_left, begin_shifted, begin_with_ctrl
from hitscope.viewer.tools.pointer import Begin

Value = TypeVar("Value")


ROUNDED, PARTNERS = "convex radius margin border bevel", "probe primitive why"
"""Words by which people search, of two commands each."""
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
    ("new_capsule", ArmedShape("probe", "capsule"), "N U", "round pill swept sphere character"),
    ("new_polyhedron_probe", ArmedShape("probe", "polyhedron"), "", "convex hull wedge prism"),
    ("new_frustum", ArmedShape("probe", "frustum"), "", "camera view volume culling"),
    ("new_rounded_box", ArmedShape("probe", "rounded_aabb"), "", ROUNDED),
    ("new_cast_sphere", ArmedShape("probe", "cast_sphere"), "", "sweep shape cast moving ball motion"),
    ("new_cast_box", ArmedShape("probe", "cast_aabb"), "", "sweep shape cast moving motion"),
    ("new_box_primitive", ArmedShape("primitive", "aabb"), "", "cube cuboid aabb"),
    ("new_obb_primitive", ArmedShape("primitive", "obb"), "", "oriented rotated box cuboid"),
    ("new_parallelepiped_primitive", ArmedShape("primitive", "parallelepiped"), "", "skew sheared box"),
    ("new_triangle_primitive", ArmedShape("primitive", "triangle"), "", "tri face"),
    ("new_sphere_primitive", ArmedShape("primitive", "sphere"), "", "ball round circle bounding volume"),
    ("new_capsule_primitive", ArmedShape("primitive", "capsule"), "", "round pill swept sphere character"),
    ("new_frustum_primitive", ArmedShape("primitive", "frustum"), "", "camera view volume culling"),
    ("new_rounded_box_primitive", ArmedShape("primitive", "rounded_aabb"), "", ROUNDED),
    ("new_plane", ArmedShape("primitive", "plane"), "", "ground floor half-space wall"),
    ("new_polyhedron", ArmedShape("primitive", "polyhedron"), "", "convex hull wedge prism"),
)
"""The names of the commands that add a shape, with their shapes and keys, and with what else people call them."""
GIZMOS: tuple[tuple[GizmoMode, str, str, str, str], ...] = (
    ("move", "move", "Move", "W", "translate gizmo drag"),
    ("rotate", "rotate", "Rotate", "E", "turn gizmo"),
    ("scale", "scale", "Scale", "R", "size resize gizmo"),
)
"""The modes of the gizmo, with their commands."""
ACCEPT, REJECT = "Accept what was found: write it into the file", "Reject what was found: the scene keeps failing"
DECISIONS: tuple[tuple[Choice, str, str, str, str], ...] = (
    ("accepted", "review_accept", ACCEPT, "A", "update expectations approve yes"),
    ("rejected", "review_reject", REJECT, "R", "keep expectations no wrong"),
    ("skipped", "review_skip", "Skip the scene: leave it as it is", "S", "later next"),
)
"""The decisions of a review, with their commands."""


def _group(group: str, *commands: Command, only_while: IsPossible | None = None) -> Iterator[Command]:
    """Commands under a heading; with `only_while`, their keys act only then, in place of other commands' keys."""
    for each in commands:
        is_possible = only_while if only_while and each.is_possible is always else each.is_possible
        yield replace(each, group=group, overrides=only_while is not None, is_possible=is_possible)


def _each(
    run: Callable[[State, Value], object],
    *rows: tuple[Value, str, str, str | tuple[str, ...], str],
    is_possible: IsPossible = always,
) -> Iterator[Command]:
    """The commands of an action with an argument: of each its value, and their name, label, keys and synonyms."""
    for value, name, label, keys, synonyms in rows:

        def act(state: State, value: Value = value) -> None:
            run(state, value)

        act.__doc__ = run.__doc__
        yield command(name, label, keys=keys, synonyms=synonyms, is_possible=is_possible)(act)


COMMANDS = (
    *_group(
        "Files",
        *(opening.new_scene, opening.open_file, opening.show_gallery),
        *(saving.save_shown, saving.save_as, saving.save_picture, saving.export_picture),
        *_each(
            opening.show_listed,
            (-1, "previous_scene", "Previous scene", "[", "back"),
            (1, "next_scene", "Next scene", "]", "forward"),
        ),
        *_each(
            opening.show_open,
            (1, "next_open_scene", "Next open scene", "Ctrl+Tab", "switch tab document"),
            (-1, "previous_open_scene", "Previous open scene", "Ctrl+Shift+Tab", "switch tab document"),
        ),
        *(closing.close_scene, closing.close_all_scenes, closing.close),
    ),
    *_group(
        "New",
        *(
            command(
                name,
                f"New {shape.title}",
                keys=keys,
                synonyms=f"{shape.role} add create draw {words}",
                section=f"{shape.role.capitalize()}s",
            )(partial(tool_commands.draw, shape=shape))
            for name, shape, keys, words in NEW_SHAPE_COMMANDS
        ),
    ),
    *_group(
        "Select and edit",
        *(review.undo, scene_change.redo),
        *(clipboard.cut, clipboard.copy, clipboard.paste, paste_numbers.show, clipboard.copy_as_test),
        *_each(
            clipboard.copy_as,
            ("C++", "copy_as_cpp", "Copy as C++", "", "code source cpp cxx c struct"),
            ("C#", "copy_as_csharp", "Copy as C#", "", "code source csharp unity dotnet"),
            ("Rust", "copy_as_rust", "Copy as Rust", "", "code source rs"),
            ("Python", "copy_as_python", "Copy as Python", "", "code source py namedtuple"),
            ("GLSL", "copy_as_glsl", "Copy as GLSL", "", "code source shader opengl vulkan"),
        ),
        *(edit_commands.duplicate, edit_commands.delete, edit_commands.exchange, edit_commands.toggle_enabled),
        *(inspector_edits.edit_name, inspector_edits.edit_description),
        selecting.select_all,
        *_each(
            selecting.select_neighbour,
            (1, "next_item", "Select the next item", "Ctrl+Down", "row list below"),
            (-1, "previous_item", "Select the previous item", "Ctrl+Up", "row list above"),
        ),
        tool_commands.select_by_box,
        *(selecting.hide, selecting.show_all, selecting.isolate),
        cancel.cancel_topmost,
    ),
    *_group(
        "Pair",
        *_each(
            selecting.pair_with_neighbour,
            (1, "next_partner", "Pair the selection with the next item", "Ctrl+Right", PARTNERS),
            (-1, "previous_partner", "Pair the selection with the previous item", "Ctrl+Left", PARTNERS),
            is_possible=selecting.has_selection,
        ),
        *_each(
            inspector_edits.decide_by_neighbour,
            (1, "next_method", "Let the next method decide", "Ctrl+.", "algorithm choose"),
            (-1, "previous_method", "Let the previous method decide", "Ctrl+,", "algorithm choose"),
            is_possible=expectation_edits.has_pair,
        ),
        *(stepping.toggle, wrong_line.search, wrong_line.copy_fix, map_view.toggle, map_view.go_to_first_wrong),
        *(expectation_edits.expect_pair, expectation_edits.pin_pair, expectation_edits.accept_all),
    ),
    *_group(
        "While stepping",
        *_each(
            stepping.step_by,
            (1, "step_forward", "Step forward", (".", "F10"), "statement line next over debug"),
            (-1, "step_back", "Step back", (",", "Shift+F10"), "statement line previous reverse"),
        ),
        *(stepping.into, stepping.back_into),
        *_each(
            stepping.pass_by,
            (1, "next_pass", "Go to the next pass of the loop", ("Shift+.", "Ctrl+F10"), "iteration axis"),
            (-1, "previous_pass", "Go to the pass before", ("Shift+,", "Ctrl+Shift+F10"), "iteration axis loop"),
        ),
        *(stepping.toggle_play, stepping.to_end, stepping.to_start),
        *(stepping.to_decision, stepping.to_wrong_line, stepping.to_not_finite),
        stepping.toggle_hex,
        only_while=stepping.is_shown,
    ),
    *_group(
        "Move",
        *_each(tool_commands.show_gizmo, *GIZMOS),
        *(inspector_edits.type_numbers, tool_commands.toggle_axes, tool_commands.toggle_snapping),
        *_each(nudge_step, *((key, f"nudge_{key}".lower(), "Nudge by a grid step", key, key) for key in ARROWS)),
        *_each(nudge_ulp, *((key, f"ulp_{key}".lower(), "Nudge by one ulp", f"Alt+{key}", key) for key in ARROWS)),
    ),
    *_group(
        "Camera",
        *(view.frame_selection, view.frame_all),
        *_each(
            view.look_from,
            *(
                (side, f"look_from_{side}", f"View from the {side}", keys, "camera")
                for side, (*_, keys) in view.SIDES.items()
            ),
        ),
        *(view.toggle_orthographic, view.toggle_up, view.save_view),
    ),
    *_group(
        "Lesson",
        *(lessons.go_on, lessons.skip, lessons.fill_in, lessons.go_back, lessons.back_on_track, lessons.toggle),
    ),
    *_group("Review", *_each(review.decide, *DECISIONS), review.toggle_expected, only_while=review.can_decide),
    *_group(
        "Window",
        appearance.toggle_panels,
        *(
            command(
                f"fold_{name}",
                f"Fold or unfold the panel at the {side}",
                synonyms=f"sidebar hide show {words}",
                is_on=partial(appearance.is_unfolded, name=name),
            )(partial(appearance.fold, name=name))
            for name, side, words in (("outliner", "left", "scene list"), ("panel", "right", "pair item map"))
        ),
        *(appearance.toggle_full_screen, appearance.toggle_theme, appearance.toggle_palette),
        appearance.toggle_grid,
        *(appearance.enlarge, appearance.reduce, appearance.reset_scale),
        *(appearance.toggle_rate, appearance.toggle_labels),
        *(view.show_deeper, view.show_shallower),
        *(command_palette.show, appearance.toggle_nearest_only),
        *(first_steps.show, appearance.toggle_help),
    ),
)
"""Every command, in the order of the menus; a settings file names them."""

GESTURES: dict[str, tuple[Begin, str]] = {
    "Alt+Left": (Orbit, "Orbit"),
    "Shift+Left": (begin_shifted, "Pan; click: add to the selection"),
    "Ctrl+Left": (begin_with_ctrl, "Click: shoot a ray from the camera; drag: as without Ctrl"),
    "Middle": (Pan, "Pan"),
    "Right": (Fly, "Look around and fly; click: open the menu"),
    "Left": (begin_left, "Drag a handle, else orbit; click: select; click again: select what is behind"),
}
"""The drags that begin as a mouse button goes down with modifiers, and what they do."""

FIXED = (
    Gesture("Mouse", ("Wheel",), "Zoom to the mouse"),
    Gesture("While dragging", tuple(AXIS_KEYS), "Lock to that axis"),
    Gesture("While dragging", ("Shift+X", "Shift+Y", "Shift+Z"), "Lock to the plane perpendicular to that axis"),
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
    Gesture("Panels", ("Tab", "F6"), "Go to the next button or field; to the next panel"),
    Gesture("Panels", ("Enter", "Escape"), "Press the button, apply what was typed; leave the panels"),
)
"""Keys and clicks that are in no other table."""


def rebound(wanted: Wanted) -> tuple[tuple[Command, ...], list[Fault]]:
    """The commands with the user's own keys, and the mistakes in those, each with its path among them."""
    overriding = {command.name for command in COMMANDS if command.overrides}
    keys, faults = rebind({command.name: command.keys for command in COMMANDS}, wanted, AXIS_KEYS, overriding)
    commands = (one if keys[one.name] == one.keys else replace(one, keys=keys[one.name]) for one in COMMANDS)
    return tuple(commands), faults


def commands_of(wanted: Wanted) -> Commands:
    """The commands with the keys that the user wants, and the gestures, for menus, hints and help."""
    presses = (Gesture("Mouse", (button,), description) for button, (_, description) in GESTURES.items())
    return Commands(rebound(wanted)[0], (*presses, *FIXED))


def drag_of(button: str, modifiers: Collection[str]) -> Begin:
    """The drag of a button that goes down with those modifiers, else of the button alone."""
    return next(begin for keys, (begin, _) in GESTURES.items() if {button, *modifiers}.issuperset(keys.split("+")))
