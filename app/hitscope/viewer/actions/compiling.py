"""The background job that compiles the methods of the scene that is shown."""

from hitscope.evaluate.compile_process import Compilation, compile_apart
from hitscope.viewer.state.job import Job
from hitscope.viewer.state.jobs import Jobs
from hitscope.viewer.state.session import Session


def begin_compiling(session: Session, jobs: Jobs, now: float) -> None:
    """Begin to compile the methods of the report's pairs; until it is done they run uncompiled."""
    report = session.report
    if jobs.compiling is not None or not (jobs.compiles or report.lacks_hierarchies):
        return
    missing = [work for work in report.methods_in_use() if not work.group.ready(work.chosen, work.probe)]
    if missing or report.lacks_hierarchies:
        title = session.document.title

        def compile_all(job: Job[None]) -> None:
            compilations = [Compilation.of(use) for use in missing]
            if report.lacks_hierarchies:
                compilations += map(Compilation.of_hierarchy, report.kinds_in_hierarchies)
            compilations = list({one.mark: one for one in compilations}.values())
            job.set_status(f"Compiling for {title}, once on this computer", units=len(compilations))
            compile_apart(compilations)
            for group, chosen, probe in missing:
                job.set_status(f"Preparing {chosen.method.name} of {group.kind.__name__.lower()} for {title}")
                group.prepare(chosen, probe)
            if report.lacks_hierarchies:
                job.set_status(f"Building the hierarchy of {title}")
                report.hierarchies(build=True)

        jobs.compiling = Job(f"Compiling for {title}", compile_all, now)


def stop_compiling(jobs: Jobs) -> None:
    """Stop compiling, if it goes on; what is compiled already is kept."""
    if jobs.compiling is not None:
        jobs.compiling.cancel()
        jobs.compiling = None
