"""A recording replayed without a window, as fast as possible, into pictures or an animated file."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from hitscope.offscreen_context import offscreen_context
from hitscope.outputs import output_format, write_output
from hitscope.render.animation import ENDINGS, RATES, Frames, animation, require_animation
from hitscope.render.offscreen import pixels_of, write_png
from hitscope.scene.save import pieces
from hitscope.viewer.actions.stepping import is_playing
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.state.inputs import JobDone
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.settings import Limits
from hitscope.viewer.state.state import State
from hitscope.viewer.window.painter import Painter

FRAME_SECONDS = 1 / 60
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
"""The arrow of the mouse in points from its tip: the system draws that one, and no recording has it."""
LAST_SECONDS = 1.0
"""How long the end is shown before the animation begins again."""


def state_of(recording: Recording, paths: Sequence[Path] = (), own: OwnCode | None = None) -> State:
    """The state in which the recording began, on its scenes or on `paths`; it saves to memory."""
    start = recording.start
    bar, introduces = start.layout >= 2, start.layout >= 3
    listed = DocumentList.of(paths or recording.paths, start.settings.up, introduces)
    parts = listed, start.size, start.pixel_ratio, recording.files, start.settings, Limits(patience_s=0.0)
    return open_state(*parts, bar=bar, introduces=introduces, own=own)


def replay(recording: Recording, interface: UserInterface) -> None:
    """Pass on the inputs of a recording, and finish its jobs and animations."""
    for given in recording.inputs:
        interface.take(given)
    finish_jobs(interface)
    now = interface.state.display.now
    while interface.advance(now):
        now += FRAME_SECONDS


def frame_times(recording: Recording, interface: UserInterface, rate: int) -> Iterator[float]:
    """Replay the inputs; stop at the seconds of each of `rate` frames a second that may differ from the last."""
    frame, differs = 0, False
    yield 0.0
    for given in recording.inputs:
        last = given.at * rate // 1000
        while frame < last and differs:
            frame += 1
            differs = interface.advance(frame / rate) or is_playing(interface.state)
            yield frame / rate
        frame = max(frame, last)
        interface.take(given)
        differs = True
    finish_jobs(interface)
    while differs:
        frame += 1
        differs = interface.advance(frame / rate) or is_playing(interface.state)
        yield frame / rate


def finish_jobs(interface: UserInterface) -> None:
    state = interface.state
    at = round(state.display.now * 1000)
    while state.jobs.running:
        interface.take(JobDone(at, state.jobs.running[0]))


def play_offscreen(
    source: Path, paths: Sequence[Path], outputs: Sequence[Path], own: OwnCode | None = None
) -> None:
    """Replay a recording; write its end, the picture (`.png`) or the scene (`.json`, `-`), or all as an animation.

    Raises HitscopeError where the recording is broken, there is no OpenGL, or a file cannot be written.
    """
    forms = [output_format(output, (".png", ".json", *ENDINGS), on_standard_output=".json") for output in outputs]
    for output in outputs:
        require_animation(output)
    recording = Recording.read(source)
    for output, form in zip(outputs, forms, strict=True):
        if form in ENDINGS:
            with UserInterface(state_of(recording, paths, own)) as interface, offscreen_context() as context:
                times = frame_times(recording, interface, RATES[form])
                write_output(output, [animation(_frames(times, interface, context), form)])
    if set(forms) <= set(ENDINGS):
        return
    with UserInterface(state_of(recording, paths, own)) as interface:
        replay(recording, interface)
        for output, form in zip(outputs, forms, strict=True):
            if form == ".png":
                write_png(output, screenshot(interface))
            elif form == ".json":
                scene = interface.state.session.scene
                write_output(output, (piece.encode() for piece in pieces(scene, output.parent)))


def screenshot(interface: UserInterface) -> NDArray[np.uint8]:
    """Draw the viewer offscreen: (height, width, 3), row 0 at the top."""
    with offscreen_context() as context:
        return _painted(interface, Painter(context), context)


def _frames(times: Iterator[float], interface: UserInterface, context: moderngl.Context) -> Frames:
    """The viewer drawn at each of the times, in seconds, with the one at which that frame ends."""
    painter, time = Painter(context), next(times)
    shown = _with_mouse(interface, painter, context)
    for time in times:
        yield shown, time
        shown = _with_mouse(interface, painter, context)
    yield shown, time + LAST_SECONDS


def _painted(interface: UserInterface, painter: Painter, context: moderngl.Context) -> NDArray[np.uint8]:
    return pixels_of(context, interface.state.display.size, 3, partial(painter.paint, interface, whole=True))


def _with_mouse(interface: UserInterface, painter: Painter, context: moderngl.Context) -> NDArray[np.uint8]:
    picture = Image.fromarray(_painted(interface, painter, context))
    if interface.mouse is not None:
        (x, y), ratio = interface.mouse, interface.state.display.pixel_ratio
        arrow = [(x + ratio * right, y + ratio * down) for right, down in POINTER]
        ImageDraw.Draw(picture).polygon(arrow, fill="white", outline="black")
    return np.asarray(picture)
