"""The user's own folders: configuration, state and cache.

Each is the platform's, as platformdirs finds it, unless an environment variable HITSCOPE_..._DIR names another.
"""

import os
from pathlib import Path

NAME = "hitscope"


def config_folder() -> Path:
    """The folder of the settings, or HITSCOPE_CONFIG_DIR."""
    from platformdirs import user_config_path

    return _override("CONFIG") or user_config_path(NAME, appauthor=False, roaming=True)


def state_folder() -> Path:
    """The folder of autosaves, which must survive a crash, or HITSCOPE_STATE_DIR."""
    from platformdirs import user_state_path

    return _override("STATE") or user_state_path(NAME, appauthor=False)


def cache_folder() -> Path:
    """The folder of files that hitscope can make again, or HITSCOPE_CACHE_DIR."""
    from platformdirs import user_cache_path

    return _override("CACHE") or user_cache_path(NAME, appauthor=False)


def _override(purpose: str) -> Path | None:
    folder = os.environ.get(f"HITSCOPE_{purpose}_DIR")
    return Path(folder) if folder else None
