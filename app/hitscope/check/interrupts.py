"""Ctrl+C, held back while something is done that must not be left half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class Interrupts:
    """Ctrl+C during a `with`: a KeyboardInterrupt, but for what runs in `held`, after which it comes."""

    def __init__(self) -> None:
        self._is_held = False
        self._is_pending = False
        # Only the main thread has signals, and a caller who handles them keeps them.
        is_ours = threading.current_thread() is threading.main_thread()
        self._is_handled = is_ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> Self:
        if self._is_handled:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        """Leave it to Python again."""
        if self._is_handled:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it back; the second one comes at once, as what is done may wait for a reader."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self._is_pending:
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self._is_held or self._is_pending:
            raise KeyboardInterrupt
        self._is_pending = True
