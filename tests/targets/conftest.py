"""Fixtures for the tests of users' own code."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitscope.targets.build_inputs import TICK_NS
from hitscope.targets.options import target_specs
from hitscope.targets.process import open_target
from hitscope.targets.target import Answers
from tests.targets.case_rows import PAIR, row


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder of the test's own, where compiled files are kept, too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HITSCOPE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def call(tmp_path: Path) -> Callable[..., Answers]:
    """A function that writes a file, and calls a function of it on a row of cases."""

    def call(
        name: str,
        code: str,
        function: str = "f",
        *,
        n: int = 20,
        real: str = "float64",
        most: dict[str, int] | None = None,
        **options: Any,
    ) -> Answers:
        (tmp_path / name).write_text(code, encoding="utf-8")
        if not name.endswith(".py"):
            time.sleep(2e-9 * TICK_NS)  # a library of younger files is not kept
        (spec,) = target_specs(f"{name}:{function}", PAIR, real=real, **options)
        with open_target(spec) as target:
            return target.answer(row(n, real), **(most or {}))

    return call
