"""Where the user's own files are kept: the settings, and what must survive a crash."""

import os
import sys
from pathlib import Path

NAME = "hitscope"


def config_folder() -> Path:
    """Give the folder of the settings; HITSCOPE_CONFIG_DIR names another."""
    return _folder("HITSCOPE_CONFIG_DIR", "APPDATA", "AppData/Roaming", "XDG_CONFIG_HOME", ".config")


def state_folder() -> Path:
    """Give the folder of what one run leaves for the next; HITSCOPE_STATE_DIR names another."""
    return _folder("HITSCOPE_STATE_DIR", "LOCALAPPDATA", "AppData/Local", "XDG_STATE_HOME", ".local/state")


def _folder(ours: str, windows: str, windows_default: str, xdg: str, xdg_default: str) -> Path:
    if given := os.environ.get(ours):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get(windows) or Path.home() / windows_default) / NAME
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support" / NAME
    base = os.environ.get(xdg, "")
    # A relative path there is to be ignored, says the XDG Base Directory Specification.
    return (Path(base) if os.path.isabs(base) else Path.home() / xdg_default) / NAME
