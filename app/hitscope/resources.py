"""The folders of shaders, scenes and assets: inside an installed wheel, at the top of a checkout."""

from pathlib import Path
from typing import Final

_PACKAGE = Path(__file__).resolve().parent
HOME: Final = _PACKAGE if (_PACKAGE / "shaders").is_dir() else _PACKAGE.parents[1]

SHADERS: Final = HOME / "shaders"
SCENES: Final = HOME / "scenes"
ASSETS: Final = HOME / "assets"
