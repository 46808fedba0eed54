"""The viewer but for its window: input goes in, to the panels and to the app, and frames come out.

What follows from an input follows at once, so all that the viewer does is determined by the inputs and their
times; how often it is drawn changes nothing. That is why a recording of them plays the same everywhere.
"""

from collections.abc import Collection
from typing import Self

from imgui_bundle import ImVec2, imgui

from hitscope.viewer import commands, keyboard, news
from hitscope.viewer.app import App
from hitscope.viewer.bindings import gesture
from hitscope.viewer.inputs import (
    Clipboard,
    Close,
    Done,
    Found,
    Held,
    Input,
    Key,
    Leave,
    Left,
    LetGo,
    Listed,
    LoseFocus,
    Move,
    NativeDialog,
    News,
    Placed,
    Press,
    Refresh,
    Release,
    Resize,
    Restored,
    Scroll,
    Text,
)
from hitscope.viewer.panels import (
    compass_rose,
    file_dialogs,
    gallery_panel,
    help,
    labels,
    overlay,
    progress,
    question,
    snap_panel,
    status,
)
from hitscope.viewer.panels.gui import MODIFIERS, PICTURE, SETTLING_FRAMES, Gui, Look
from hitscope.viewer.panels.panel import Panel
from hitscope.viewer.tools import pointer
from hitscope.viewer.tools.pointer import Pointer


class Frontend:
    """The app, its panels and Dear ImGui."""

    def __init__(self, app: App) -> None:
        self.app = app
        look = Look(app.points, app.theme)
        self.gui = Gui(look, lambda: app.clipboard, lambda text: setattr(app, "clipboard", text))
        self._panel = Panel(self.gui.fonts)
        self._pressed: str | None = None
        self._mouse: tuple[float, float] | None = None
        self._down: dict[str, None] = {}
        """The keys that are held, in the order in which they went down."""
        self._shown_at = 0.0
        self._show()

    def __enter__(self) -> Self:
        """Be used in a with statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give everything back."""
        self.gui.close()

    def take(self, given: Input) -> None:
        """Do what an input means."""
        app, gui = self.app, self.gui
        selection = app.selection
        app.advance(given.at / 1000)
        match given:
            case Move(x=x, y=y):
                self._move(x, y)
            case Leave():
                self._mouse = None
                gui.leave()
                app.leave()
            case Press(button=button, x=x, y=y, held=held):
                self._move(x, y)
                self._hold(held)
                gui.button(button, True)
                if gui.takes_text:
                    self._show()  # what is half typed is an edit of its own, before what the press begins
                begun = gesture(button, frozenset(held))
                if begun is not None and app.drag is None and self._in_picture(x, y):
                    app.press(begun.begin, x, y)
                    self._pressed = button
            case Release(button=button, x=x, y=y):
                self._move(x, y)
                gui.button(button, False)
                if button == self._pressed:
                    self._pressed = None
                    app.release()
            case Scroll(by=by, x=x, y=y, aside=aside):
                if self._in_picture(x, y):
                    app.zoom(by, x, y)
                else:
                    gui.wheel(aside, by)
            case Key(key=key, held=held):
                self._press_key(key, held)
            case LetGo(key=key, held=held):
                self._let_go(key, held)
            case Text(text=text):
                gui.text(text)
            case Clipboard(text=text):
                app.clipboard = text
            case Resize(width=width, height=height, points=points):
                app.resize((width, height), points)
            case LoseFocus():
                for key in tuple(self._down):
                    self._let_go(key, ())
                self._hold(())
            case Close():
                commands.close(app)
            case Done(work=work, problem=problem):
                app.finish(work, problem)
            case News() | Listed() | Placed() | NativeDialog() | Found() | Left() | Restored():
                news.take(app, given)
            case Refresh():
                pass
        app.settle()
        # A mouse that only moves clicks nothing, and what it does is to be seen at once.
        self._show(1 if isinstance(given, Move) and app.selection == selection else SETTLING_FRAMES)

    @property
    def pointer(self) -> Pointer:
        """The shape of the mouse's pointer."""
        if self._mouse is None or (self.app.drag is None and not self._in_picture(*self._mouse)):
            return self.gui.pointer
        return pointer.over_picture(self.app, self._mouse)

    def advance(self, now: float) -> bool:
        """Go on with what moves by itself; says whether there is more to come. `now` is in seconds."""
        moves = self.app.advance(now)
        if moves or self.app.works:
            self._show(1)
        return moves

    def _press_key(self, key: str, held: Held) -> None:
        """Take a key that goes down; one that is held comes again and again."""
        app, gui = self.app, self.gui
        if key in MODIFIERS:
            self._down[key] = None
            self._hold({*held, key})
            return
        if key in self._down:
            gui.key(key, False)
        self._down[key] = None
        self._hold(held)
        gui.key(key, True)
        if not gui.takes_text:
            keyboard.press(app, _written(key, held))

    def _let_go(self, key: str, held: Held) -> None:
        self._down.pop(key, None)
        if key in MODIFIERS:
            self._hold({*held} - {key})
        else:
            self._hold(held)
            self.gui.key(key, False)
            keyboard.release(self.app, key)

    def _hold(self, held: Collection[str]) -> None:
        self.gui.hold(held)
        self.app.hold(frozenset(held))

    def _move(self, x: float, y: float) -> None:
        if (x, y) != self._mouse:
            self._mouse = x, y
            self.gui.move(x, y)
            if self.app.drag is None:
                # Only a frame finds out whether something lies over the picture there.
                self._show(1)
        if self.app.drag is not None or self._in_picture(x, y):
            self.app.point_at(x, y)
        else:
            self.app.leave()

    def _in_picture(self, x: float, y: float) -> bool:
        left, top, width, height = self.app.layout.picture
        return not self.gui.takes_mouse and left <= x < left + width and top <= y < top + height

    def _show(self, frames: int = SETTLING_FRAMES) -> None:
        app = self.app
        self.gui.frames(self._frame, app.size, Look(app.points, app.theme), app.now - self._shown_at, frames)
        self._shown_at = app.now

    def _frame(self) -> None:
        """Make one frame: the picture, and over it what is written and the panels."""
        app = self.app
        left, top, width, height = app.layout.picture
        corners = ImVec2(left, top), ImVec2(left + width, top + height)
        paper = imgui.ImTextureRef(PICTURE)
        imgui.get_background_draw_list().add_image(paper, *corners, ImVec2(0, 1), ImVec2(1, 0))
        overlay.show(app)
        labels.show(app)
        compass_rose.show(app)
        progress.show(app)
        if app.panels:
            self._panel.show(app)
            status.show(app)
            snap_panel.show(app)
        question.show(app)
        file_dialogs.show(app)
        gallery_panel.show(app, self.gui)
        help.show(app, self.gui.fonts)


def _written(key: str, held: Held) -> str:
    """Give a key as the table of bindings writes it."""
    # Some layouts have the brackets on a key with a modifier.
    return key if key in ("[", "]", "?") else "+".join([*held, key])
