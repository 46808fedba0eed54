"""The packages that are installed on request, by the extra that brings them, and the words for a missing one."""

from typing import NamedTuple


class Extra(NamedTuple):
    """An extra of the distribution `hitscope`."""

    purpose: str
    modules: tuple[str, ...]
    """The modules that they bring."""


EXTRAS = {
    "viewer": Extra(
        "open and draw scenes", ("PIL", "filelock", "imgui_bundle", "moderngl", "pyglet", "pygments", "pyrr")
    ),
    "compiled": Extra("compile code", ("llvmlite", "numba", "platformdirs")),
    "fix": Extra(
        "look for the wrong line of a function",
        ("tree_sitter", "tree_sitter_c", "tree_sitter_cpp", "tree_sitter_python"),
    ),
    "dask": Extra("share out a campaign", ("distributed",)),
    "video": Extra("write MP4 files", ("imageio_ffmpeg",)),
    "bench": Extra("draw measurements", ("matplotlib",)),
}
OTHER_NAMES = {"PIL": "pillow", "llvmlite": "numba"}
"""The distributions that have another name than their module, a hyphen for an underscore aside."""


def package_of(module: str) -> str:
    """Return the distribution that brings a module of an extra."""
    return OTHER_NAMES.get(module, module.replace("_", "-"))


def missing(module: str | None) -> str:
    """Return the line on a module that is not installed, with the command that installs it; "" for any other."""
    root = (module or "").partition(".")[0]
    for name, extra in EXTRAS.items():
        if root in extra.modules:
            words = f"expected the package {package_of(root)} to {extra.purpose}"
            return f"{words}, found none: pip install 'hitscope[{name}]'"
    return ""
