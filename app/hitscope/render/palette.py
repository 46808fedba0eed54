"""The colour themes, which give each role its colour."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from hitscope.draw.items import Role

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""
Rgb8: TypeAlias = tuple[int, int, int]


def rgb8(colour: str) -> Rgb8:
    """The parts of a colour written as #rrggbb, 0 to 255."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def rgb(colour: str) -> Rgb:
    """The parts of a colour written as #rrggbb, 0 to 1."""
    red, green, blue = rgb8(colour)
    return red / 255, green / 255, blue / 255


@dataclass(frozen=True)
class Theme:
    """One colour theme; colours are written #rrggbb, opacities are 0 to 1."""

    name: str
    background_top: str
    background_bottom: str
    grid_minor: str
    grid_minor_opacity: float
    grid_major: str
    grid_major_opacity: float
    shadow: str
    shadow_opacity: float  # where the ground sees no sky
    axes: tuple[str, str, str]  # x, y, z
    roles: tuple[str, ...]  # in the order of Role
    face_opacities: tuple[float, ...]  # in the order of Role
    opaque: str  # of opaque triangles that no probe hits
    halo: str  # around probes and handles
    outline: str  # of selected shapes; hovered and touched ones are tinted with it
    warning: str  # the mark of a degenerate shape
    core: str  # inside of handles and of probes that are inside something
    axes_opacity: float = 0.85  # of the two axes in the grid

    @property
    def bright(self) -> str:
        """The lighter of halo and outline: the colour of a bright rim."""
        return max(self.outline, self.halo, key=lambda colour: sum(rgb(colour)))

    def role(self, role: Role) -> Rgb:
        return rgb(self.roles[role])


DARK = Theme(
    name="dark",
    background_top="#1d2127",
    background_bottom="#111317",
    grid_minor="#8c96a8",
    grid_minor_opacity=0.16,
    grid_major="#9aa5b8",
    grid_major_opacity=0.30,
    shadow="#000000",
    shadow_opacity=0.9,
    axes=("#d8574e", "#6fb244", "#4a7fe0"),
    roles=(
        "#3ddc84",  # hit
        "#ff5d5d",  # miss
        "#a9b1be",  # neutral
        "#4aa8ff",  # probe
        "#ffd75e",  # entry
        "#c79bff",  # exit
        "#ffe7a3",  # normal
        "#b9c2d0",  # axis
        "#5ee6e0",  # interval
        "#9aa3b2",  # reference
    ),
    face_opacities=(0.30, 0.13, 0.13, 0.20, 0.2, 0.2, 0.2, 0.10, 0.2, 0.10),
    opaque="#747c88",
    halo="#0a0c0f",
    outline="#ffffff",
    warning="#ffb020",
    core="#ffffff",
)

LIGHT = Theme(
    name="light",
    background_top="#f7f8fa",
    background_bottom="#dfe3e9",
    grid_minor="#5b6678",
    grid_minor_opacity=0.15,
    grid_major="#4a5568",
    grid_major_opacity=0.28,
    shadow="#1a2433",
    shadow_opacity=0.36,
    axes=("#c8372d", "#4b8f22", "#2b62cf"),
    roles=(
        "#007838",  # hit
        "#c9262d",  # miss
        "#66707d",  # neutral
        "#1263c4",  # probe
        "#b87a00",  # entry
        "#8a45e0",  # exit
        "#8f5a00",  # normal
        "#596273",  # axis
        "#0a7f7c",  # interval
        "#5f6978",  # reference
    ),
    face_opacities=(0.32, 0.14, 0.16, 0.22, 0.2, 0.2, 0.2, 0.12, 0.2, 0.12),
    opaque="#b7bdc6",
    halo="#ffffff",
    outline="#10141a",
    warning="#b24e00",
    core="#ffffff",
)


def without_grid_and_axes(theme: Theme) -> Theme:
    return replace(theme, grid_minor_opacity=0.0, grid_major_opacity=0.0, axes_opacity=0.0)


def _blue_and_orange(theme: Theme, hit: str, miss: str, probe: str, core: str) -> Theme:
    roles = hit, miss, theme.roles[Role.NEUTRAL], probe, *theme.roles[Role.ENTRY :]
    return replace(theme, name=theme.name + "-blue-orange", roles=roles, core=core)


THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        DARK,
        LIGHT,
        _blue_and_orange(DARK, hit="#45a5ff", miss="#ff9b3d", probe="#e8ecf4", core="#10141a"),
        _blue_and_orange(LIGHT, hit="#0a5cb5", miss="#a85200", probe="#39414f", core="#ffffff"),
    )
}
