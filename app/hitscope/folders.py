"""The user's folders: the platform's, or those of HITSCOPE_..._DIR; without either HitscopeError is raised."""

import os
from pathlib import Path
from typing import Any

from hitscope import extras
from hitscope.errors import HitscopeError

NAME = "hitscope"


def config_folder() -> Path:
    """The folder of the settings, or HITSCOPE_CONFIG_DIR."""
    return _folder("CONFIG", "user_config_path", roaming=True)


def state_folder() -> Path:
    """The folder of autosaves, which must survive a crash, or HITSCOPE_STATE_DIR."""
    return _folder("STATE", "user_state_path")


def cache_folder() -> Path:
    """The folder of files that hitscope can make again, or HITSCOPE_CACHE_DIR."""
    return _folder("CACHE", "user_cache_path")


def _folder(purpose: str, of_platform: str, **options: Any) -> Path:
    variable = f"HITSCOPE_{purpose}_DIR"
    if override := os.environ.get(variable):
        return Path(override)
    try:
        import platformdirs

        folder: Path = getattr(platformdirs, of_platform)(NAME, appauthor=False, **options)
    except ModuleNotFoundError as error:
        raise HitscopeError(extras.missing(error.name)) from error
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # older versions of platformdirs give a folder named ~
        raise HitscopeError(f"expected a home folder or {variable}, found none")
    return folder
