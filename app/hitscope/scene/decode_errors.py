"""The error of a scene file that cannot be decoded, with the line and column that msgspec does not report.

Imported only when a file has an error, or may have a key twice.
"""

import gc

import msgspec
from msgspec import Raw

from hitscope.errors import Fault, SceneError
from hitscope.scene.json_locations import excerpt, line_column_of, members, read_strictly
from hitscope.scene.model import MethodChoice, Scene
from hitscope.scene.tables import UndecodedError
from hitscope.scene.validation_errors import VERSION, fault_of, parsed


def check(data: bytes, name: str, error: Exception | None) -> None:
    """Read a file again, strictly, and raise SceneError at the first mistake, else for msgspec's `error`.

    A file that msgspec decoded (`error` is None) passes, unless a key is repeated in it.
    """
    text, collects_garbage = _text(data, name), gc.isenabled()
    gc.disable()  # the search for circles takes most of the time where a large text becomes a million lists
    try:
        if not text.strip():
            raise Fault((), "a scene", "an empty file", offset=0)
        read_strictly(text)  # invalid JSON and repeated keys are reported before any other mistake
        if isinstance(error, msgspec.ValidationError):
            raise _fault_of(text, error)
        if error is not None:
            raise Fault((), "JSON", str(error))
    except Fault as fault:
        raise _located(name, text, fault) from None
    finally:
        if collects_garbage:
            gc.enable()


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        found = f"byte 0x{error.object[error.start]:02x}"
        raise _located(name, before, Fault((), "UTF-8 text", found, offset=len(before))) from None


def _located(name: str, text: str, fault: Fault) -> SceneError:
    line, column = line_column_of(text, fault)
    return SceneError(f"{name}:{line}:{column}: {fault}")


def _fault_of(text: str, error: msgspec.ValidationError) -> Fault:
    """Return msgspec's validation error of a scene's JSON text as a Fault."""
    path, message = parsed(text, str(error), MethodChoice)
    if isinstance(numbers := error.__cause__, UndecodedError):
        inner, message = parsed(text, str(numbers.error))
        path = (*path, numbers.name, *inner)
    found = members(Raw(text.encode())).get("version")
    if (version := excerpt(bytes(found).decode(), 0) if found else VERSION) != VERSION:
        # In a file of another version, the version is the error to report.
        return Fault(("version",), VERSION, version)
    if isinstance(fault := error.__cause__, Fault):
        return fault.below(path)
    return fault_of(text, path, message, Scene)
