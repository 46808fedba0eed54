"""Functions in GLSL: run by the graphics driver at hand in a vertex shader, one vertex a case."""

import re
import sys
from contextlib import ExitStack
from pathlib import Path

import moderngl
import numpy as np

from hitscope.errors import HitscopeError
from hitscope.offscreen_context import new_context
from hitscope.targets import case_arrays, cases
from hitscope.targets.target import Runner, TargetSpec

VERSION = "#version 330"
NO_MAIN = "void main() {}"
HIT_VARYING, T_VARYING = "hitscope_hit", "hitscope_t"

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_VERSION_LINE = re.compile(r"^[ \t]*#[ \t]*version\b.*$", re.MULTILINE)


def load(spec: TargetSpec) -> Runner:
    """Compile the function; raises HitscopeError if that fails, after printing what the driver says about it."""
    _, file, function = spec.code
    try:
        source = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise HitscopeError(f"{file}: expected a file that can be read, found: {error.strerror}") from error
    context = new_context()
    return ShaderRunner(context, _program(context, source, file, function, spec.pair), spec.pair)


class ShaderRunner(Runner):
    """A compiled function; the driver runs all cases of a call at once."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, pair: str) -> None:
        self.about = str(context.info["GL_RENDERER"])
        self._context, self._program = context, program
        self._framebuffer = context.simple_framebuffer((1, 1))
        """Nothing is drawn, but without a framebuffer nothing runs."""
        self._framebuffer.use()
        self._inputs = _inputs(pair)

    def run(self, arrays: case_arrays.CaseArrays) -> dict[int, str]:
        """Call the function; see `Runner`. A driver that has been reset writes nothing."""
        numbers, hit, t_enter, _, _ = arrays
        formats = " ".join("3f" if kind == "vec3" else "1f" for kind, _ in self._inputs)
        names = [name for _, name in self._inputs]
        answers = np.full((len(numbers), 2), case_arrays.UNWRITTEN, np.int32)
        with ExitStack() as stack:
            given, returned = self._context.buffer(numbers), self._context.buffer(answers)
            stack.callback(given.release)
            stack.callback(returned.release)
            # A function need not read all that it is given: the driver leaves out the rest.
            vertices = self._context.vertex_array(self._program, [(given, formats, *names)], skip_errors=True)
            stack.callback(vertices.release)
            vertices.transform(returned, moderngl.POINTS, vertices=len(numbers))
            answers = np.frombuffer(returned.read(), np.int32).reshape(answers.shape)
        hit[:] = answers[:, 0]
        t_enter[:] = answers[:, 1].view(np.float32)
        return {}


def _inputs(pair: str) -> list[tuple[str, str]]:
    """Return type and name of each attribute of a vertex: of a pair at most ten, where every driver takes 16."""
    fields = [field.in_vectors for part in cases.layout(pair) for field in part]
    types = [kind for field in fields for kind in ["vec3" if field.is_vector else "float"] * field.parts]
    return [(kind, f"hitscope_{k}") for k, kind in enumerate(types)]


def _program(context: moderngl.Context, source: str, file: str, function: str, pair: str) -> moderngl.Program:
    user_code = _numbered(source)
    _compiled(context, f"{user_code}{NO_MAIN}\n", f"{file}: expected GLSL that compiles")
    inputs = _inputs(pair)
    parameters = ", ".join((*(kind for kind, _ in inputs), "inout float"))
    arguments = ", ".join((*(name for _, name in inputs), "t_enter"))
    main = "\n".join(
        (
            *(f"in {kind} {name};" for kind, name in inputs),
            f"flat out int {HIT_VARYING};",
            f"flat out float {T_VARYING};",
            "void main() {",
            "    float t_enter = uintBitsToFloat(0x7fc00000u);",  # NaN
            f"    {HIT_VARYING} = {function}({arguments}) ? 1 : 0;",
            f"    {T_VARYING} = t_enter;",
            "}",
        )
    )
    expected = f"{file}: expected bool {function}({parameters}), as {pair} needs it"
    return _compiled(context, f"{user_code}{main}\n", expected, HIT_VARYING, T_VARYING)


def _numbered(source: str) -> str:
    """Return the source with its version line in front, and its lines numbered as in the file."""
    found = _VERSION_LINE.search(_COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), source))
    if found is None:
        return f"{VERSION}\n#line 1\n{source}\n"
    start, end = found.span()
    return f"{source[start:end].strip()}\n#line 1\n{source[:start]}{source[end:]}\n"


def _compiled(context: moderngl.Context, source: str, expected: str, *varyings: str) -> moderngl.Program:
    """Compile a vertex shader; raises HitscopeError, which begins with what was expected."""
    try:
        return context.program(vertex_shader=source, varyings=varyings)
    except moderngl.Error as error:
        # moderngl puts a heading over what the driver says.
        said = str(error).partition("===\n")[2].strip() or str(error)
        print(said, file=sys.stderr)
        raise HitscopeError(f"{expected}, found: {said.splitlines()[0]}") from error
