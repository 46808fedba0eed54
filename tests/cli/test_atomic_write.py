"""Drafts: what a killed writer leaves is removed with the next save, and no draft of a writer that lives."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hitscope.outputs import replacing

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks of open files")


def killed_while_writing(path: Path) -> set[str]:
    """Let a process be killed while it writes a file; give the names of what it leaves."""
    before = {*os.listdir(path.parent)}
    program = (
        "import os, signal, sys; from pathlib import Path; from hitscope.outputs import replacing\n"
        "with replacing(Path(sys.argv[1])) as file: file.write(b'half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    result = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert result.returncode == -signal.SIGKILL
    return {*os.listdir(path.parent)} - before


def test_the_next_save_of_a_file_removes_what_a_killed_writer_left_of_it_and_nothing_else(
    tmp_path: Path,
) -> None:
    path, other = tmp_path / "a.scene.json", tmp_path / "b.scene.json"
    (first,) = killed_while_writing(path)
    (second,) = killed_while_writing(path)
    assert os.listdir(tmp_path) == [second] != [first]
    kept = killed_while_writing(other)
    (foreign := tmp_path / ".0123456789abcdef.tmp").touch()
    assert len(kept) == 1
    with replacing(path) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"
    assert {*os.listdir(tmp_path)} == {path.name, foreign.name, *kept}


def test_two_who_write_a_file_at_once_both_come_to_an_end_and_the_last_one_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.scene.json"
    with replacing(path) as first:
        first.write(b"first")
        with replacing(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == [path.name]


def test_a_draft_that_was_taken_for_nobodys_before_it_was_locked_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = tmp_path / "a.scene.json", list[Path]()
    real = Path.open

    def lose_the_first(self: Path, mode: str) -> object:
        file = real(self, mode)
        opened.append(self)
        if len(opened) == 1:
            self.unlink()
        return file

    monkeypatch.setattr(Path, "open", lose_the_first)
    with replacing(path) as file:
        file.write(b"whole")
    assert len({*opened}) == 2
    assert path.read_bytes() == b"whole"
    assert os.listdir(tmp_path) == [path.name]
