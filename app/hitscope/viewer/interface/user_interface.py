"""The user interface without its window: it applies inputs to the state and the panels, and makes frames.

Each input is applied completely before the next one. So the inputs and their times determine the state, however
often it is drawn, and a recording replays alike everywhere.
"""

import math
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import DrawList
from hitscope.draw.step_marks import with_chart_marks
from hitscope.draw.target import Marked
from hitscope.errors import HitscopeError
from hitscope.resources import SCENES
from hitscope.viewer.actions import appearance, cancel, disk_changes, lessons, opening, recovery, review, saving
from hitscope.viewer.actions.closing import close
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.interface import overlay
from hitscope.viewer.interface.bindings import drag_of
from hitscope.viewer.panels import (
    command_bar,
    empty_scene,
    file_dialogs,
    first_steps,
    gallery_panel,
    help,
    labels,
    lesson_strip,
    menus,
    modal,
    paste_dialog,
    progress,
    review_strip,
    snapping_bar,
    status_line,
)
from hitscope.viewer.panels.gui import MODIFIERS, NOWHERE, PANELS, PICTURE, SETTLING_FRAMES, Gui, Pointer
from hitscope.viewer.panels.map_panel import MapPanel
from hitscope.viewer.panels.modal import Modal
from hitscope.viewer.panels.side_panels import Problems, SidePanels
from hitscope.viewer.panels.step_panel import StepPanel
from hitscope.viewer.state import dialogs, inputs
from hitscope.viewer.state.state import State
from hitscope.viewer.state.tool import AXIS_KEYS
from hitscope.viewer.tools.gizmo import gizmo_of
from hitscope.viewer.tools.picking import pick, surfaces
from hitscope.viewer.tools.pointer import hover, leave, move_drag, press, release, zoom

DOUBLE_CLICK_MILLISECONDS = 300
FOCUS_KEYS = frozenset({"Tab", "F6", "Up", "Down", "Left", "Right", "Enter", "Space"})
"""The keys that act on the panel that has the focus."""
DOUBLE_CLICK_REACH = 6.0
"""In points, as Dear ImGui has them."""
MODALS: Final = (
    Modal("Save changes?", dialogs.Closing, file_dialogs.show_unsaved),
    Modal("Changed on disk", dialogs.Conflict, file_dialogs.show_conflict),
    Modal("Broken on disk", dialogs.Overwrite, file_dialogs.show_overwrite),
    Modal("Restore", dialogs.Recovery, file_dialogs.show_recovery),
    Modal("Open", dialogs.OpenFile, file_dialogs.show_open),
    Modal("Save as", dialogs.SaveAs, file_dialogs.show_save),
    Modal("Export a picture", dialogs.ExportPicture, file_dialogs.show_export),
    Modal("Gallery", dialogs.Gallery, gallery_panel.show, is_whole=True),
    Modal("Commands", dialogs.Palette, menus.show_palette),
    Modal("Paste numbers", dialogs.PasteNumbers, paste_dialog.show),
    Modal("Help", dialogs.Help, help.show),
)
"""The kinds of dialogs, each with its window."""


class UserInterface:
    """The state of a viewer, its panels and its Dear ImGui context."""

    def __init__(self, state: State) -> None:
        self.state = state
        host = state.host
        self.gui = Gui(state.display, lambda: host.clipboard, lambda text: setattr(host, "clipboard", text))
        map_panel = MapPanel(self.gui, state)
        self._side_panels, self._problems = SidePanels(state, map_panel), Problems(state)
        self._step_panel = StepPanel(state, map_panel)
        self._context_menu = menus.ContextMenu(state)
        self._toast = status_line.Toast()
        self._last_press: tuple[inputs.Press, tuple[object, ...]] | None = None
        """The last press, and the parts that were in front of the scene then, or None for each."""
        self._pressed_button: str | None = None
        self._panel: str | None = None
        """The window of the panel in which keys move the focus; None while they act on the scene."""
        self.mouse: tuple[float, float] | None = None
        """The pixel under the mouse; None while that is outside of the window."""
        self._pressed_keys: dict[str, bool] = {}
        """The pressed keys in the order in which they went down, and whether Dear ImGui knows of each."""
        self._framed_at = 0.0
        self.draw_list: DrawList
        """The picture of the state."""
        self._make_frames(2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.gui.close()

    def take(self, given: inputs.Input) -> None:
        """Apply an input: change the state, evaluate the scene if it has changed, make frames."""
        state = self.state
        targets, held = state.selection.targets, self._held
        state.display.advance(given.at / 1000)
        self._apply(given)
        move_drag(state)
        refresh(state)
        hover(state)
        if isinstance(given, inputs.JobDone) and given.work == "comparing" and not state.session.has_wrong:
            return  # which looks as if nothing was compared
        if isinstance(given, inputs.KeyUp) and self._held == held and state.tool.drag is None:
            return  # only its press was of use
        # A move clicks no widget: one frame suffices, two where buttons lie over rows. None answers to the others.
        drags = state.tool.drag is not None
        only_moves = isinstance(given, inputs.Move) and state.selection.targets == targets
        if only_moves and drags and state.jobs.calling is not None:
            return  # its answer makes the frame, or else `advance` does
        only_moves |= drags and isinstance(given, inputs.JobDone)
        is_unanswered = only_moves or isinstance(given, inputs.KeyUp | inputs.JobDone | inputs.Refresh)
        self._make_frames(1 if is_unanswered else 2, 1 + self.gui.takes_mouse if only_moves else SETTLING_FRAMES)

    def _apply(self, given: inputs.Input) -> None:
        state, gui = self.state, self.gui
        if isinstance(given, inputs.KeyDown | inputs.Press):
            state.dialogs.has_acted = True
        match given:
            case inputs.Move(x=x, y=y):
                self._move(x, y)
            case inputs.Leave():
                self.mouse = None
                gui.move(NOWHERE, NOWHERE)
                leave(state)
            case inputs.Press(button=button, x=x, y=y, modifiers=modifiers):
                self._move(x, y)
                self._set_modifiers(modifiers)
                if self._is_stray(given):
                    return
                self._leave_panels()
                gui.button(button, True)
                if gui.takes_text:
                    self._make_frames(2)  # commits half-typed text as an edit before the press
                if state.tool.drag is None and self._in_picture(x, y):
                    press(state, drag_of(button, modifiers), x, y)
                    self._pressed_button = button
            case inputs.Release(button=button, x=x, y=y):
                self._move(x, y)
                gui.button(button, False)
                if button == self._pressed_button:
                    self._pressed_button = None
                    release(state)
            case inputs.Scroll(by=by, x=x, y=y, horizontal=horizontal):
                if self._in_picture(x, y):
                    zoom(state, by, x, y)
                else:
                    gui.wheel(horizontal, by)
            case inputs.KeyDown(key=key, modifiers=modifiers):
                self._press_key(key, modifiers)
            case inputs.KeyUp(key=key, modifiers=modifiers):
                self._release_key(key, modifiers)
            case inputs.Text(text=text):
                gui.text(text)
            case inputs.Clipboard(text=text):
                state.host.clipboard = text
            case inputs.Resize(width=width, height=height, pixel_ratio=pixel_ratio):
                state.display.resize((width, height), pixel_ratio, state.session.corners)
            case inputs.LoseFocus():
                for key in tuple(self._pressed_keys):
                    self._release_key(key, ())
                self._set_modifiers(())
            case inputs.Close():
                close(state)
            case inputs.JobDone(work=work, problem=problem):
                cancel.finish_job(state, work, problem)
            case inputs.FolderListed(problem=problem):
                opening.show_listing(state, None if problem else given, problem)
            case inputs.SavePathResolved(path=path, overwrites=overwrites, problem=problem):
                saving.path_resolved(state, Path(path), overwrites, problem)
            case inputs.NativeDialog(shown=shown):
                cancel.follow_native_dialog(state, shown)
            case inputs.SceneSurveyed(path=path):
                state.dialogs.findings[SCENES / path] = given
            case inputs.RecentListed(files=files):
                opening.list_recent(state, files)
            case inputs.CrashFound(leftovers=leftovers):
                recovery.offer(state, dialogs.Recovery(leftovers))
            case inputs.AutosaveRead(leftover=leftover, scene=scene):
                state.session.files.see((scene,))
                try:
                    recovery.restored(state, leftover, state.session.files.load(Path(scene.path)))
                except HitscopeError as error:
                    state.messages.problem = str(error)
            case inputs.HostEvent(about="drop" | "open", files=files):
                state.session.files.see(files)
                opening.open_given(state, [Path(file.path) for file in files])
            case inputs.HostEvent(about="changed" | "broken" | "mended" | "removed", files=files):
                state.session.files.see(files)
                disk_changes.follow(state, given)
            case inputs.HostEvent(about="code"):
                state.session.own.is_changed = state.session.own.targets is not None
            case inputs.HostEvent(about="told", message=message):
                state.messages.notice = message
            case inputs.HostEvent(about="failed", message=message):
                state.messages.problem, state.messages.notice = message, ""

    def _is_stray(self, press: inputs.Press) -> bool:
        """Whether a press is meant for a dialog, folder or menu which the press just before has replaced."""
        shown = *self.state.dialogs.shown, self.gui.has_popup or None
        before, self._last_press = self._last_press, (press, shown)
        if before is None or not any(before[1]) or all(a is b for a, b in zip(before[1], shown, strict=True)):
            return False
        last, reach = before[0], DOUBLE_CLICK_REACH * self.state.display.pixel_ratio
        is_near = math.dist((last.x, last.y), (press.x, press.y)) <= reach
        again = is_near and press.at - last.at <= DOUBLE_CLICK_MILLISECONDS
        if again:
            self._last_press = None
        return again

    @property
    def lists_commands(self) -> bool:
        """Whether a press may choose a command from a menu or from the search."""
        return self.gui.has_popup and isinstance(self.state.dialogs.dialog, dialogs.Palette | None)

    @property
    def pointer(self) -> Pointer:
        if self.mouse is None or (self.state.tool.drag is None and not self._in_picture(*self.mouse)):
            return self.gui.pointer
        return overlay.pointer_over(self.state, self.mouse)

    def advance(self, now: float) -> bool:
        """Continue animations at the time `now` in seconds; True while one goes on."""
        moves = self.state.display.advance(now)
        refresh(self.state)
        if moves or self.state.jobs.running or self.state.display.stepping.playing:
            self._make_frames(1, 1)
        return moves

    def _press_key(self, key: str, modifiers: inputs.Modifiers) -> None:
        """Apply a press of a key, or its repetition while it is held."""
        state, gui = self.state, self.gui
        if key in MODIFIERS:
            self._set_modifiers({*modifiers, key})
            return
        if self._pressed_keys.get(key):
            gui.key(key, False)
        self._set_modifiers(modifiers)
        in_menu = gui.has_popup and not state.dialogs.is_open
        takes_key = gui.takes_text or in_menu or self._moves_focus(key, modifiers)
        self._pressed_keys[key] = takes_key or state.dialogs.is_open
        if self._pressed_keys[key]:
            gui.key(key, True)
        if not takes_key:
            # Some keyboard layouts need a modifier for brackets.
            press_key(state, key if key in ("[", "]", "?") else "+".join([*modifiers, key]))

    def _moves_focus(self, key: str, modifiers: inputs.Modifiers) -> bool:
        """Whether a key moves the focus in the panels, or presses what has it; the first such key begins there."""
        state, gui = self.state, self.gui
        is_elsewhere = state.dialogs.is_open or state.tool.drag is not None or not state.display.panels
        if is_elsewhere or set(modifiers) - {"Shift"} or (gui.takes_text and key != "F6"):
            return False
        if key == "Escape" and self._panel is not None:
            self._leave_panels()
            return True
        if key == "F6" or (key == "Tab" and self._panel is None):
            shown = [name for name in PANELS if gui.is_shown(name)]
            k = shown.index(self._panel) + 1 if self._panel in shown else 0
            self._panel = shown[k % len(shown)] if shown else None
            gui.focus(self._panel)
            if key == "F6":
                gui.key("Tab", True)
                gui.key("Tab", False)
        return self._panel is not None and key in FOCUS_KEYS

    def _leave_panels(self) -> None:
        if self._panel is not None:
            self._panel = None
            self.gui.focus(None)

    def _release_key(self, key: str, modifiers: inputs.Modifiers) -> None:
        if self._pressed_keys.pop(key, False):
            self.gui.key(key, False)
        self._set_modifiers({*modifiers} - {key})
        tool = self.state.tool
        if tool.drag is not None:
            tool.drag.key_up(key)
        if key in AXIS_KEYS and tool.held_axis == AXIS_KEYS[key]:
            tool.set_held_axis(None)

    @property
    def _held(self) -> tuple[object, ...]:
        """All that the release of a key may end: an axis, modifiers, and a press that Dear ImGui knows of."""
        tool = self.state.tool
        return tool.held_axis, tool.modifiers, sum(self._pressed_keys.values())

    def _set_modifiers(self, modifiers: Collection[str]) -> None:
        self.gui.hold(modifiers)
        self.state.tool.set_modifiers(frozenset(modifiers))

    def _move(self, x: float, y: float) -> None:
        if (x, y) != self.mouse:
            self.mouse = x, y
            self.gui.move(x, y)
        if self.state.tool.drag is not None or self._in_picture(x, y):
            self.state.tool.point_at(x, y)
        else:
            leave(self.state)

    def _in_picture(self, x: float, y: float) -> bool:
        left, top, width, height = self.state.display.layout.drawn
        return not self.gui.takes_mouse and left <= x < left + width and top <= y < top + height

    def _make_frames(self, fewest: int, most: int = SETTLING_FRAMES) -> None:
        """Make frames of the state as it is now, and run after each the actions of its widgets."""
        self._update()
        now = self.state.display.now
        self.gui.navigates = self._panel is not None or self.state.dialogs.is_open
        self.gui.frames(self._make_frame, self._run_deferred, now - self._framed_at, fewest, most)
        self._framed_at = now

    def _run_deferred(self) -> bool:
        """Run the deferred actions of a frame's widgets; True if another frame has to follow."""
        if not self.state.do.run(self.state):
            # A field has the keyboard some frames after a dialog was closed, or it was drawn first.
            opened = self.state.dialogs
            waits = (opened.heading is not None and not self.gui.takes_text) or opened.types_numbers
            return waits or self._side_panels.frames_to_follow > 0
        refresh(self.state)
        self._update()
        return True

    def _update(self) -> None:
        """Compute what the next frame shows, because the frame itself only reads the state."""
        state = self.state
        self.draw_list = draw_list(state)
        self._ghost = overlay.ghost_of(state)
        self._labels = labels.labels_of(state, self.draw_list)
        self._side_panels.update(self.draw_list)
        if review.is_reviewed(state):
            review_strip.differences_of(state.session.report)

    def _make_frame(self) -> None:
        """Make one frame: the picture, and over it the labels and the panels."""
        state = self.state
        display = state.display
        left, top, width, height = display.layout.drawn
        corners = ImVec2(left, top), ImVec2(left + width, top + height)
        texture = imgui.ImTextureRef(PICTURE)
        imgui.get_background_draw_list().add_image(texture, *corners, ImVec2(0, 1), ImVec2(1, 0))
        overlay.show(state, self._ghost)
        labels.show(state, self._labels)
        overlay.show_compass(state)
        if display.panels:
            self._toast.show(state, self.mouse if self.mouse and self._in_picture(*self.mouse) else None)
        progress.show(state)
        progress.show_own_code(state)
        empty_scene.show(state)
        self._show_strip()
        if display.panels:
            command_bar.show(state)
            self._side_panels.show()
            status_line.show(state, self._toast.shown)
            snapping_bar.show(state)
        self._step_panel.show()
        self._problems.show()
        file_dialogs.offer_recovery(state)
        self._context_menu.show()
        modal.show(state, self.gui, MODALS)

    def _show_strip(self) -> None:
        """Show the strip below the picture, its height in a frame that follows where it changes."""
        state = self.state
        is_reviewed, is_lesson = review.is_reviewed(state), lessons.is_shown(state)
        strip = review_strip if is_reviewed else lesson_strip if is_lesson else first_steps
        points = strip.height(state) / state.display.pixel_ratio
        strip.show(state)
        if points != state.display.folding.strip:
            state.do(appearance.set_strip_height, points)


def press_key(state: State, keys: str) -> None:
    """Run the command of a key such as "Ctrl+S"; a drag under way may take the key first."""
    tool = state.tool
    if tool.drag is not None and tool.drag.key_down(keys):
        return
    if keys in AXIS_KEYS:
        tool.key_prefix = ""
        tool.set_held_axis(AXIS_KEYS[keys])
        return
    known = sorted(state.commands.all, key=lambda command: command.overrides)
    acting = [command for command in known if not command.overrides or command.is_possible(state)]
    table = {way: command for command in acting for way in command.keys}
    command = table.get(keys)
    is_busy = tool.drag is not None or state.dialogs.is_open
    if not is_busy:
        state.messages.notice = ""
    closes_help = is_busy and isinstance(state.dialogs.dialog, dialogs.Help)
    if command is not None and (command.name == "cancel" or (closes_help and command.name == "help")):
        command(state)
        return
    if is_busy:
        return
    sequence = f"{tool.key_prefix} {keys}"
    command = table.get(sequence, command)
    tool.key_prefix = ""
    if command is not None:
        command(state)
    elif any(sequence.startswith(f"{keys} ") for sequence in table):
        tool.key_prefix, tool.armed = keys, None


def draw_list(state: State) -> DrawList:
    """The draw list of the report with hover, selection and hidden items."""
    session, selection = state.session, state.selection
    picture = session.picture
    pickable = surfaces.pickable_of(state)
    faces = pick.drawn_face_handles(pickable, selection.hovered)
    report, builder = state.messages.review.drawn(session)
    shown = selection.hovered, selection.targets, selection.hidden, selection.partner(picture)
    faint = pick.faint_handles(pickable, faces, state.tool.pointer)
    built = builder.build(report, Marked(*shown, faces, selection.pair(picture), faint))
    if (gizmo := gizmo_of(state)) is not None and gizmo.visible:
        built = replace(built, origin_axes=False)
    stepping = state.display.stepping
    if stepping.is_open and stepping.shown is not None:
        built = with_chart_marks(stepping.shown.marks.on(built), selection.chart)
    return built
