"""Fixtures for the tests of the judge: users' own code in files, as they write it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hitscope.targets.options import target_specs
from hitscope.targets.target import TargetSpec


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[TargetSpec]]:
    """A function that writes a file of code, and returns the targets that a function in it is."""
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path / "cache"))

    def targets(
        code: str, pair: str, name: str = "mine.py", function: str = "f", **options: Any
    ) -> list[TargetSpec]:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, encoding="utf-8")
        return target_specs(f"{file}:{function}", pair, **options)

    return targets


@pytest.fixture
def target(targets: Callable[..., Sequence[TargetSpec]]) -> Callable[..., TargetSpec]:
    """The same for the one target of code without a choice of flags."""
    return lambda *given, **options: targets(*given, **options)[0]
