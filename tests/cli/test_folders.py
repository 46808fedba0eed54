"""Where the user's own files are kept."""

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from hitscope import folders
from hitscope.errors import HitscopeError


def found() -> list[Path]:
    return [folders.config_folder(), folders.state_folder(), folders.cache_folder()]


@pytest.fixture(autouse=True)
def without_overrides(monkeypatch: pytest.MonkeyPatch) -> None:
    for purpose in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.delenv(f"XDG_{purpose}_HOME", raising=False)
        monkeypatch.delenv(f"HITSCOPE_{purpose}_DIR", raising=False)
    monkeypatch.setenv("HOME", "/u")


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="the XDG Base Directory Specification")
@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, ["/u/.config/hitscope", "/u/.local/state/hitscope", "/u/.cache/hitscope"]),
        (
            {"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k"},
            ["/c/hitscope", "/s/hitscope", "/k/hitscope"],
        ),
    ],
    ids=["default", "xdg"],
)
def test_the_folders_follow_the_xdg_specification(monkeypatch, variables, expected):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert found() == [Path(path) for path in expected]


def test_no_folder_is_named_twice_after_hitscope():
    assert all(folder.parts.count("hitscope") == 1 for folder in found())
    assert folders.config_folder() == platformdirs.user_config_path("hitscope", appauthor=False, roaming=True)


def test_an_environment_variable_overrides_each_folder(monkeypatch):
    for purpose, value in (("CONFIG", "/x"), ("STATE", "/y"), ("CACHE", "z")):
        monkeypatch.setenv(f"HITSCOPE_{purpose}_DIR", value)
    assert found() == [Path("/x"), Path("/y"), Path("z")]


def test_without_a_home_folder_no_folder_named_tilde_is_made_up(monkeypatch):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    for purpose in ("CONFIG", "STATE", "CACHE"):
        with pytest.raises(
            HitscopeError, match=rf"^expected a home folder or HITSCOPE_{purpose}_DIR, found none$"
        ):
            getattr(folders, f"{purpose.lower()}_folder")()
