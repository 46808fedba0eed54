"""The viewer but for its window: input goes in, to the panels and to the state, and frames come out.

What follows from an input follows at once, so all that the viewer does is determined by the inputs and their
times; how often it is drawn changes nothing. That is why a recording of them plays the same everywhere.
"""

from collections.abc import Collection
from typing import Self

from imgui_bundle import ImVec2, imgui

from hitscope.draw.items import DrawList
from hitscope.viewer.actions.background import finish_job
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.actions.saving import close
from hitscope.viewer.interface import compass_rose, host_events, keyboard, overlay, pointer_shape
from hitscope.viewer.interface.bindings import gesture
from hitscope.viewer.interface.picture import draw_list
from hitscope.viewer.panels import (
    document_dialogs,
    file_dialogs,
    gallery_panel,
    help,
    labels,
    progress,
    snapping_bar,
    status_line,
)
from hitscope.viewer.panels.gui import MODIFIERS, PICTURE, SETTLING_FRAMES, Gui, Look, Pointer
from hitscope.viewer.panels.side_panels import SidePanels
from hitscope.viewer.state import inputs
from hitscope.viewer.state.state import State
from hitscope.viewer.tools.pointer import hover, leave, move_drag, press, release, zoom


class UserInterface:
    """The state, its panels and Dear ImGui."""

    def __init__(self, state: State) -> None:
        self.state = state
        look = Look(state.display.pixel_ratio, state.display.theme)
        self.gui = Gui(look, lambda: state.host.clipboard, lambda text: setattr(state.host, "clipboard", text))
        self._side_panels = SidePanels(self.gui.fonts, state)
        self._pressed: str | None = None
        self._mouse: tuple[float, float] | None = None
        self._down: dict[str, None] = {}
        """The keys that are held, in the order in which they went down."""
        self._shown_at = 0.0
        self.draw_list: DrawList
        """What is to be seen in the picture."""
        self._show()

    def __enter__(self) -> Self:
        """Be used in a with statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give everything back."""
        self.gui.close()

    def take(self, given: inputs.Input) -> None:
        """Do what an input means: change the state, evaluate the scene if it is another one, make the frames."""
        state = self.state
        targets = state.selection.targets
        state.display.advance(given.at / 1000)
        self._apply(given)
        move_drag(state.tool)
        refresh(state)
        hover(state.session, state.selection, state.display, state.tool)
        # A mouse that only moves clicks nothing, and what it does is to be seen at once.
        self._show(1 if isinstance(given, inputs.Move) and state.selection.targets == targets else SETTLING_FRAMES)

    def _apply(self, given: inputs.Input) -> None:
        state, gui = self.state, self.gui
        match given:
            case inputs.Move(x=x, y=y):
                self._move(x, y)
            case inputs.Leave():
                self._mouse = None
                gui.leave()
                leave(state.selection, state.tool)
            case inputs.Press(button=button, x=x, y=y, modifiers=modifiers):
                self._move(x, y)
                self._hold(modifiers)
                gui.button(button, True)
                if gui.takes_text:
                    self._show()  # what is half typed is an edit of its own, before what the press begins
                begun = gesture(button, frozenset(modifiers))
                if begun is not None and state.tool.drag is None and self._in_picture(x, y):
                    press(state, begun.begin, x, y)
                    self._pressed = button
            case inputs.Release(button=button, x=x, y=y):
                self._move(x, y)
                gui.button(button, False)
                if button == self._pressed:
                    self._pressed = None
                    release(state.session, state.selection, state.display, state.tool)
            case inputs.Scroll(by=by, x=x, y=y, horizontal=horizontal):
                if self._in_picture(x, y):
                    zoom(state.session, state.selection, state.display, state.tool, by, x, y)
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
                for key in tuple(self._down):
                    self._release_key(key, ())
                self._hold(())
            case inputs.Close():
                close(state)
            case inputs.JobDone(work=work, problem=problem):
                finish_job(state, work, problem)
            case inputs.Refresh():
                pass
            case _:
                host_events.take(state, given)

    @property
    def pointer(self) -> Pointer:
        """The shape of the mouse's pointer."""
        if self._mouse is None or (self.state.tool.drag is None and not self._in_picture(*self._mouse)):
            return self.gui.pointer
        return pointer_shape.over_picture(self.state.selection, self.state.display, self.state.tool, self._mouse)

    def advance(self, now: float) -> bool:
        """Go on with what moves by itself; says whether there is more to come. `now` is in seconds."""
        moves = self.state.display.advance(now)
        refresh(self.state)
        if moves or self.state.jobs.running:
            self._show(1)
        return moves

    def _press_key(self, key: str, modifiers: inputs.Modifiers) -> None:
        """Take a key that went down; a key that is held comes again and again."""
        state, gui = self.state, self.gui
        if key in MODIFIERS:
            self._down[key] = None
            self._hold({*modifiers, key})
            return
        if key in self._down:
            gui.key(key, False)
        self._down[key] = None
        self._hold(modifiers)
        gui.key(key, True)
        if not gui.takes_text:
            keyboard.press(state, _written(key, modifiers))

    def _release_key(self, key: str, modifiers: inputs.Modifiers) -> None:
        self._down.pop(key, None)
        if key in MODIFIERS:
            self._hold({*modifiers} - {key})
        else:
            self._hold(modifiers)
            self.gui.key(key, False)
            keyboard.release(self.state.tool, key)

    def _hold(self, modifiers: Collection[str]) -> None:
        self.gui.hold(modifiers)
        self.state.tool.set_modifiers(frozenset(modifiers))

    def _move(self, x: float, y: float) -> None:
        if (x, y) != self._mouse:
            self._mouse = x, y
            self.gui.move(x, y)
            if self.state.tool.drag is None:
                # Only a frame finds out whether something lies over the picture there.
                self._show(1)
        if self.state.tool.drag is not None or self._in_picture(x, y):
            self.state.tool.point_at(x, y)
        else:
            leave(self.state.selection, self.state.tool)

    def _in_picture(self, x: float, y: float) -> bool:
        left, top, width, height = self.state.display.layout.picture
        return not self.gui.takes_mouse and left <= x < left + width and top <= y < top + height

    def _show(self, frames: int = SETTLING_FRAMES) -> None:
        """Make frames, and do after each what its widgets ask for."""
        display = self.state.display
        look = Look(display.pixel_ratio, display.theme)
        self._update()
        self.gui.frames(self._frame, self._follow, display.size, look, display.now - self._shown_at, frames)
        self._shown_at = display.now

    def _follow(self) -> bool:
        """Do what the widgets of a frame asked for; True if there was something."""
        if not self.state.do.run(self.state):
            return False
        refresh(self.state)
        self._update()
        return True

    def _update(self) -> None:
        """Compute what the next frame shows of the state, which the frame itself only reads."""
        self.draw_list = draw_list(self.state)
        self._side_panels.update()

    def _frame(self) -> None:
        """Make one frame: the picture, and over it what is written and the panels."""
        state = self.state
        session, selection, display, tool = state.session, state.selection, state.display, state.tool
        dialogs, messages, shortcuts, do = state.dialogs, state.messages, state.shortcuts, state.do
        left, top, width, height = display.layout.picture
        corners = ImVec2(left, top), ImVec2(left + width, top + height)
        texture = imgui.ImTextureRef(PICTURE)
        imgui.get_background_draw_list().add_image(texture, *corners, ImVec2(0, 1), ImVec2(1, 0))
        overlay.show(session, selection, display, tool)
        labels.show(session, selection, display, tool, messages, shortcuts, self.draw_list)
        compass_rose.show(display, tool)
        progress.show(session, display, state.jobs, do)
        if display.panels:
            self._side_panels.show()
            status_line.show(session, selection, display, tool, messages, shortcuts)
            snapping_bar.show(display, tool, do)
        document_dialogs.show(session, display, dialogs, do)
        file_dialogs.show(display, dialogs, do)
        gallery_panel.show(display, dialogs, do, self.gui)
        help.show(display, dialogs, state.host, shortcuts, do, self.gui.fonts)


def _written(key: str, modifiers: inputs.Modifiers) -> str:
    """Give a key as the table of bindings writes it."""
    # Some layouts have the brackets on a key with a modifier.
    return key if key in ("[", "]", "?") else "+".join([*modifiers, key])
