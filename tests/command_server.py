"""A server that runs `hitscope ARGUMENTS...` in forks of itself, which need not import everything anew.

Each line of its input is a command in JSON, each line of its output the status of one. A fork runs it as
`python -m hitscope` does: in a process of its own, with its own arguments, folder, environment and streams.
"""

import atexit
import gc
import json
import os
import runpy
import sys
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

OPENED_FOR = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)
IMPORTED = (
    *("filelock", "numpy.ma"),
    *(f"hitscope.check.{name}" for name in ("explaining", "failures")),
    *(f"hitscope.cli.{name}" for name in ("explain", "judge", "maps", "watertight")),
    *("hitscope.explain.listing", "hitscope.explain.page"),
    *("hitscope.scene.decode_errors", "hitscope.scene.validation_errors"),
    *("hitscope.targets.deciding", "hitscope.targets.judging.target_method"),
)
"""Modules that commands import when they need them."""
STATUSES: list[int] = []
"""The status of a command that has ended, in its process."""


def prepare() -> None:
    """Import what many commands need, some of it by running them."""
    for name in IMPORTED:
        import_module(name)
    from hitscope import cli
    from hitscope.geometry.code_files import problems
    from hitscope.geometry.compiled import code_folder
    from hitscope.resources import SCENES
    from hitscope.targets import fork_server

    scene = str(SCENES / "matrix" / "aabb.scene.json")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        for command in (["methods"], ["check", scene], ["eval", scene]):
            cli.main(command)
    # One process forks the targets of all commands, but not of processes that these start.
    server, each, this = fork_server.ForkServer(), fork_server.ForkServer, os.getpid()
    vars(fork_server)["ForkServer"] = lambda: server if os.getppid() == this else each()
    # A command may have another environment, and so another cache.
    code_folder.cache_clear()
    problems.clear()
    gc.collect()
    gc.freeze()  # so that forks share their memory


def become(command: dict[str, Any]) -> None:
    """Make this process the one of a command; what is left is to run it."""
    for descriptor, (path, flags) in enumerate(zip(command["streams"], OPENED_FOR, strict=True)):
        opened = os.open(path, flags)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(command["environment"])
    os.chdir(command["folder"])
    sys.argv[1:] = command["arguments"]
    sys.path[0] = os.getcwd()


def serve() -> None:
    """Run commands until the input ends."""
    with os.fdopen(os.dup(0)) as requests:  # not by sys.stdin, whose buffer a fork would share
        for line in iter(requests.readline, ""):
            if not (child := os.fork()):
                become(json.loads(line))
                try:
                    runpy.run_module("hitscope", run_name="__main__", alter_sys=True)  # which exits
                except SystemExit as ended:
                    STATUSES.append(int(ended.code or 0))
                    raise
            os.write(1, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def leave() -> None:
    """End a command at once: to take apart what it shares with the server would copy all of that."""
    if STATUSES:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(STATUSES[0])


if __name__ == "__main__":
    atexit.register(leave)  # before all others, so that it is called after them
    prepare()
    serve()
