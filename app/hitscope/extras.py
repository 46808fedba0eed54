"""The packages that are installed on request, by the extra that brings them, and the words for a missing one."""

from typing import NamedTuple


class Extra(NamedTuple):
    """An extra of the distribution `hitscope`."""

    purpose: str
    """The purpose of its packages."""
    packages: dict[str, str]
    """The distribution that brings each module: some have another name."""


EXTRAS = {
    "viewer": Extra(
        "open and draw scenes",
        {
            "PIL": "pillow",
            "filelock": "filelock",
            "imgui_bundle": "imgui-bundle",
            "moderngl": "moderngl",
            "pyglet": "pyglet",
            "pygments": "pygments",
            "pyrr": "pyrr",
        },
    ),
    "compiled": Extra("compile code", {"llvmlite": "numba", "numba": "numba", "platformdirs": "platformdirs"}),
    "fix": Extra(
        "look for the wrong line of a function",
        {
            "tree_sitter": "tree-sitter",
            "tree_sitter_c": "tree-sitter-c",
            "tree_sitter_cpp": "tree-sitter-cpp",
            "tree_sitter_python": "tree-sitter-python",
        },
    ),
    "dask": Extra("share out a campaign", {"distributed": "distributed"}),
    "video": Extra("write MP4 files", {"imageio_ffmpeg": "imageio-ffmpeg"}),
    "bench": Extra("draw measurements", {"matplotlib": "matplotlib"}),
}


def missing(module: str | None) -> str:
    """Return the line on a module that is not installed, with the command that installs it; "" for any other."""
    root = (module or "").partition(".")[0]
    for name, extra in EXTRAS.items():
        if root in extra.packages:
            package = extra.packages[root]
            return f"expected the package {package} to {extra.purpose}, found none: pip install 'hitscope[{name}]'"
    return ""
