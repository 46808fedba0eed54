"""A recording played without a window, as fast as it goes."""

from collections.abc import Sequence
from pathlib import Path

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.render.offscreen import offscreen_context, write_png
from hitscope.scene import save
from hitscope.viewer.interface.open_state import open_state
from hitscope.viewer.interface.recording import Recording
from hitscope.viewer.interface.user_interface import UserInterface
from hitscope.viewer.state.documents import DocumentList
from hitscope.viewer.state.inputs import JobDone
from hitscope.viewer.state.limits import Limits
from hitscope.viewer.state.state import State
from hitscope.viewer.window.painter import Painter

FRAME_SECONDS = 1 / 60


def state_of(recording: Recording, paths: Sequence[Path] = ()) -> State:
    """Give the state as it was when the recording began, or on other scenes; what it saves is kept in memory."""
    shelf = DocumentList.of(paths or recording.paths)
    opening = recording.opening
    limits = Limits(patience_s=0.0)
    return open_state(shelf, opening.size, opening.points, recording.files, opening.settings, limits)


def replay(recording: Recording, frontend: UserInterface) -> None:
    """Play a recording, and let what goes on by itself come to an end."""
    for given in recording.inputs:
        frontend.take(given)
    state = frontend.state
    now = state.display.now
    while state.jobs.running:
        frontend.take(JobDone(round(now * 1000), state.jobs.running[0]))
    while frontend.advance(now):
        now += FRAME_SECONDS


def play_offscreen(source: Path, paths: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Play a recording and write how it ends: the viewer's picture (`.png`) or the scene (`.json`).

    Raises HitscopeError where the recording is broken, there is no OpenGL, or a file cannot be written.
    """
    for output in outputs:
        if output.suffix not in (".png", ".json"):
            raise HitscopeError(f"{output}: expected the name of a .png or .json file")
    recording = Recording.read(source)
    with UserInterface(state_of(recording, paths)) as frontend:
        replay(recording, frontend)
        for output in outputs:
            if output.suffix == ".png":
                write_png(output, screenshot(frontend))
                continue
            try:
                save(frontend.state.session.scene, output)
            except OSError as error:
                raise HitscopeError(f"{output}: cannot be written: {error.strerror or error}") from error


def screenshot(frontend: UserInterface) -> NDArray[np.uint8]:
    """Draw the viewer offscreen: (height, width, 3), row 0 at the top."""
    width, height = frontend.state.display.size
    with offscreen_context() as context:
        try:
            target = context.simple_framebuffer((width, height), components=3)
            Painter(context).paint(frontend, target, whole=True)
            pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8)
        except (moderngl.Error, MemoryError) as error:
            raise HitscopeError(f"a picture of {width}x{height} pixels cannot be drawn: {error}") from error
    return np.ascontiguousarray(pixels.reshape(height, width, 3)[::-1])
