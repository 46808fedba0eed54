"""Targets that are ready to be called."""

from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from typing import Self

from hitscope.targets.process import open_target, print_to_stderr
from hitscope.targets.target import OpenTarget, TargetSpec


class OpenTargets:
    """Targets by their specs, each opened when it is first needed; closed at the end of a `with`."""

    def __init__(
        self,
        printed: Callable[[str], None] = print_to_stderr,
        folder: str | None = None,
        opened: Mapping[TargetSpec, OpenTarget] = {},
    ) -> None:
        """Begin with those that are `opened`; `printed` takes what the others and their compilers print.

        They run in a folder, by default the current one.
        """
        self._printed = printed
        self._folder = folder
        self._stack = ExitStack()
        self._open = dict(opened)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes of all targets."""
        self._stack.close()

    @property
    def targets(self) -> Collection[OpenTarget]:
        return self._open.values()

    def __getitem__(self, spec: TargetSpec) -> OpenTarget:
        """Return an open target; raises HitscopeError if it cannot be judged."""
        if spec not in self._open:
            self._open[spec] = self._stack.enter_context(open_target(spec, self._printed, self._folder))
        return self._open[spec]
