"""The user's own folders: configuration, state and cache.

Each is the platform's, as platformdirs finds it, unless an environment variable HITSCOPE_..._DIR names another.
Without either, as for a user without a home, they raise HitscopeError.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hitscope.errors import HitscopeError

NAME = "hitscope"


def config_folder() -> Path:
    """The folder of the settings, or HITSCOPE_CONFIG_DIR."""
    from platformdirs import user_config_path

    return _folder("CONFIG", user_config_path, roaming=True)


def state_folder() -> Path:
    """The folder of autosaves, which must survive a crash, or HITSCOPE_STATE_DIR."""
    from platformdirs import user_state_path

    return _folder("STATE", user_state_path)


def cache_folder() -> Path:
    """The folder of files that hitscope can make again, or HITSCOPE_CACHE_DIR."""
    from platformdirs import user_cache_path

    return _folder("CACHE", user_cache_path)


def _folder(purpose: str, of_platform: Callable[..., Path], **options: Any) -> Path:
    variable = f"HITSCOPE_{purpose}_DIR"
    if override := os.environ.get(variable):
        return Path(override)
    try:
        folder = of_platform(NAME, appauthor=False, **options)
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # older versions of platformdirs give a folder named ~
        raise HitscopeError(f"expected a home folder or {variable}, found none")
    return folder
