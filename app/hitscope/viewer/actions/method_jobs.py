"""The background jobs that compile the methods of the scene, and compare them with exact while it rests."""

import time
from contextlib import suppress

from hitscope.evaluate.compile_process import Compilation, compile_apart
from hitscope.evaluate.method_differences import MethodDifferences, compare_methods
from hitscope.geometry.kinds import word_of
from hitscope.viewer.state.jobs import Job
from hitscope.viewer.state.state import State

PAUSE_SECONDS = 1e-4
"""The pause after each pair, in which the window's thread gets the interpreter's lock."""


def follow_scene(state: State) -> None:
    """Begin to compare the methods of a new scene; a comparison of another scene, or during a drag, is stopped."""
    session, jobs, report = state.session, state.jobs, state.session.report
    rests = state.tool.drag is None and not session.has_preview and not session.own.is_behind(report.scene)
    if jobs.comparing is not None and not (rests and jobs.comparing.about.decides_like(report)):
        jobs.stop("comparing")
    if rests and jobs.comparing is None and session.differences is None:

        def compare(_: Job[MethodDifferences]) -> MethodDifferences:
            return compare_methods(report, after_pair=lambda: time.sleep(PAUSE_SECONDS))

        def take(found: MethodDifferences) -> None:
            session.compared = found

        jobs.comparing = Job("comparing the methods", compare, state.display.now, take=take, about=report)


def begin_compiling(state: State) -> None:
    """Begin to compile the methods of the report's pairs; until it is done they run uncompiled."""
    jobs, report = state.jobs, state.session.report
    if jobs.preparing is not None or not (jobs.compiles or report.lacks_hierarchies):
        return
    missing = [work for work in report.methods_in_use() if not work.group.ready(work.chosen, work.probe)]
    if missing or report.lacks_hierarchies:
        title = state.session.document.title

        def compile_all(job: Job[None]) -> None:
            with suppress(Exception):  # what cannot be compiled stays slow
                compilations = [Compilation.of(use) for use in missing]
                if report.lacks_hierarchies:
                    compilations += map(Compilation.of_hierarchy, report.kinds_in_hierarchies)
                compilations = list({one.mark: one for one in compilations}.values())
                job.set_status(f"Compiling once on this computer, for {title}", units=len(compilations))
                compile_apart(compilations)
                for group, chosen, probe in missing:
                    job.set_status(f"Preparing {chosen.method.name} of {word_of(group.kind)} for {title}")
                    group.prepare(chosen, probe)
                if report.lacks_hierarchies:
                    job.set_status(f"Building the hierarchy of {title}")
                    report.hierarchies(build=True)

        def take(_: None) -> None:
            # Where the hierarchy is not drawn, nothing looks different.
            if (level := state.display.viewpoint.hierarchy) is not None:
                state.session.evaluate(level, state.display.nearest_only)

        jobs.preparing = Job(f"Compiling for {title}", compile_all, state.display.now, take=take)
