"""Targets that are ready to be called."""

from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack

from hitscope.targets.calls import OpenTarget
from hitscope.targets.process import open_target, print_to_stderr
from hitscope.targets.target import TargetSpec


class OpenTargets(ExitStack):
    """Targets by their specs, each opened when it is first needed; closed at the end of a `with`."""

    def __init__(
        self,
        printed: Callable[[str], None] = print_to_stderr,
        folder: str | None = None,
        opened: Mapping[TargetSpec, OpenTarget] = {},
    ) -> None:
        """Begin with those `opened`; `printed` takes what others and their compilers print, run in a folder."""
        super().__init__()
        self._printed, self._folder, self._open = printed, folder, dict(opened)

    def __exit__(self, *exception: object) -> None:
        """Close them; each has some seconds to end by itself, after an exception, too."""
        super().__exit__(None, None, None)

    @property
    def targets(self) -> Collection[OpenTarget]:
        return self._open.values()

    def __getitem__(self, spec: TargetSpec) -> OpenTarget:
        """Return an open target; raises HitscopeError if it cannot be judged."""
        if spec not in self._open:
            self._open[spec] = self.enter_context(open_target(spec, self._printed, self._folder))
        return self._open[spec]
