"""Targets that are ready to be called."""

from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack

from hitscope.targets import calls, process, target


class OpenTargets(ExitStack):
    """Targets by their specs, each opened when it is first needed; closed at the end of a `with`."""

    def __init__(
        self,
        printed: Callable[[str], None] = process.print_to_stderr,
        folder: str | None = None,
        opened: Mapping[target.TargetSpec, calls.OpenTarget] = {},
    ) -> None:
        """Begin with those `opened`; `printed` takes what others and their compilers print, run in a folder."""
        super().__init__()
        self._printed, self._folder, self._open = printed, folder, dict(opened)

    def __exit__(self, *exception: object) -> None:
        """Close them; each has some seconds to end by itself, after an exception, too."""
        super().__exit__(None, None, None)

    @property
    def targets(self) -> Collection[calls.OpenTarget]:
        return self._open.values()

    def __getitem__(self, spec: target.TargetSpec) -> calls.OpenTarget:
        """Return an open target; raises HitscopeError if it cannot be judged."""
        if spec not in self._open:
            self._open[spec] = self.enter_context(process.open_target(spec, self._printed, self._folder))
        return self._open[spec]
