"""Where the user's own files are kept, on each platform."""

import sys
from pathlib import Path

import pytest

from hitscope import folders


@pytest.mark.parametrize(
    ("platform", "variables", "config", "state", "cache"),
    [
        ("linux", {}, "/u/.config/hitscope", "/u/.local/state/hitscope", "/u/.cache/hitscope"),
        (
            "linux",
            {"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k"},
            "/c/hitscope",
            "/s/hitscope",
            "/k/hitscope",
        ),
        (
            "linux",
            {"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "s", "XDG_CACHE_HOME": "k"},
            "/u/.config/hitscope",
            "/u/.local/state/hitscope",
            "/u/.cache/hitscope",
        ),
        ("darwin", {}, *["/u/Library/Application Support/hitscope"] * 2, "/u/Library/Caches/hitscope"),
        ("win32", {"APPDATA": "/a", "LOCALAPPDATA": "/l"}, "/a/hitscope", "/l/hitscope", "/l/hitscope"),
        (
            "linux",
            {"HITSCOPE_CONFIG_DIR": "/x", "HITSCOPE_STATE_DIR": "/y", "HITSCOPE_CACHE_DIR": "z"},
            "/x",
            "/y",
            "z",
        ),
    ],
)
def test_the_folders_are_those_of_the_platform(monkeypatch, platform, variables, config, state, cache):
    for purpose in ("CONFIG", "STATE", "CACHE"):
        monkeypatch.delenv(f"XDG_{purpose}_HOME", raising=False)
        monkeypatch.delenv(f"HITSCOPE_{purpose}_DIR", raising=False)
    for name, value in {"HOME": "/u", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert folders.config_folder() == Path(config)
    assert folders.state_folder() == Path(state)
    assert folders.cache_folder() == Path(cache)
