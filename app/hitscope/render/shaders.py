"""Reading and compiling the files of shaders/."""

import re
from functools import cache
from typing import Any

import moderngl
import numpy as np

from hitscope.resources import SHADERS

FRAME_BLOCK = 0
"""The binding point of the uniform block Frame in every program."""
FRAME_FLOATS = 16 + 16 + 4 + 4 + 4 * 18 + 4
"""The number of floats in that block."""
FACE_DEPTH = 0
"""The texture unit with the depth of the nearest faces."""

QUAD = ((0, -1), (0, 1), (1, -1), (1, 1))
"""The corners of a line's quad: start or end, one side or the other."""
QUAD_ORDER = np.array([0, 1, 2, 2, 1, 3], np.int32)

_INCLUDE = re.compile(r'^#include "([\w.]+)"$', re.MULTILINE)


def frame_buffer(context: moderngl.Context) -> moderngl.Buffer:
    return context.buffer(reserve=4 * FRAME_FLOATS, dynamic=True)


def program(
    context: moderngl.Context, vertex: str, fragment: str, define: str = "", **textures: int
) -> moderngl.Program:
    """Compile two files of shaders/ with a macro of the second one; `textures` are its samplers' units."""
    version, rest = _source(fragment).split("\n", 1)
    made = context.program(
        _source(vertex), f"{version}\n#define {define}\n{rest}" if define else _source(fragment)
    )
    frame: Any = made.get("Frame", None)
    if frame is not None:
        frame.binding = FRAME_BLOCK
    set_uniforms(made, **textures)
    return made


def set_uniforms(made: moderngl.Program, **values: Any) -> None:
    for name, value in values.items():
        made[name] = value


@cache
def _source(name: str) -> str:
    return _INCLUDE.sub(lambda match: _source(match[1]), (SHADERS / name).read_text(encoding="utf-8"))
