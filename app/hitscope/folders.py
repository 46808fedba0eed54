"""Where the user's own files are kept: the settings, what must survive a crash, and what can be made again."""

import os
import sys
from pathlib import Path

NAME = "hitscope"


def config_folder() -> Path:
    """Give the folder of the settings; HITSCOPE_CONFIG_DIR names another."""
    return _folder("CONFIG", "APPDATA", "AppData/Roaming", "Application Support", ".config")


def state_folder() -> Path:
    """Give the folder of what one run leaves for the next; HITSCOPE_STATE_DIR names another."""
    return _folder("STATE", "LOCALAPPDATA", "AppData/Local", "Application Support", ".local/state")


def cache_folder() -> Path:
    """Give the folder of what hitscope can make again; HITSCOPE_CACHE_DIR names another."""
    return _folder("CACHE", "LOCALAPPDATA", "AppData/Local", "Caches", ".cache")


def _folder(purpose: str, windows: str, windows_default: str, mac: str, xdg_default: str) -> Path:
    if given := os.environ.get(f"HITSCOPE_{purpose}_DIR"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get(windows) or Path.home() / windows_default) / NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / mac / NAME
    base = os.environ.get(f"XDG_{purpose}_HOME", "")
    # A relative path there is to be ignored, says the XDG Base Directory Specification.
    return (Path(base) if os.path.isabs(base) else Path.home() / xdg_default) / NAME
