"""The signs of the panels, each with one meaning everywhere."""

from typing import Final

from imgui_bundle import icons_fontawesome_6 as icons

HIT: Final = icons.ICON_FA_CHECK
"""A probe meets a primitive."""
MISS: Final = icons.ICON_FA_XMARK
"""A probe does not meet a primitive."""
DIFFERS: Final = icons.ICON_FA_NOT_EQUAL
"""A method differs from exact."""
HOLDS: Final = icons.ICON_FA_CIRCLE_CHECK
"""An expectation holds, or all of a scene."""
FAILS: Final = icons.ICON_FA_FLAG
"""An expectation does not hold, or one of a scene."""
UNANSWERED: Final = icons.ICON_FA_CIRCLE_MINUS
"""The method does not give what an expectation is about."""
PROBLEM: Final = icons.ICON_FA_CIRCLE_EXCLAMATION
"""Something could not be done, such as reading a file."""
STEP: Final = icons.ICON_FA_SHOE_PRINTS
"""Stepping through a method."""
SOLVED: Final = icons.ICON_FA_GRADUATION_CAP
"""A lesson was solved."""
# A degenerate shape has a warning triangle, drawn in the picture and in its legend; no panel uses such a sign.
