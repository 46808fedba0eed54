"""Fixtures for the tests of `hitscope check`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hitscope import cli

BOX = {"id": "box", "type": "aabb", "min": [0, 0, 0], "max": [1, 1, 1]}
CUT = {"id": "cut", "type": "segment", "start": [-1, 0.5, 0.5], "end": [3, 0.5, 0.5]}


@pytest.fixture
def write_scene(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes a scene with a box and a segment that hits it, and the expectations given."""

    def write(name: str, *expect: dict, **fields) -> Path:
        path = tmp_path / f"{name}.scene.json"
        scene = {"version": 1, "primitives": [BOX], "probes": [CUT], "expect": expect} | fields
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(scene, indent=1), encoding="utf-8")
        return path

    return write


@pytest.fixture
def check(tmp_path: Path, monkeypatch, capsys) -> Callable[..., tuple[int, str, str]]:
    """A function that runs `hitscope check` in a folder; returns its status, output and errors."""
    monkeypatch.chdir(tmp_path)

    def check(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        status = cli.main(["check", *map(str, arguments)])
        return status, *capsys.readouterr()

    return check
