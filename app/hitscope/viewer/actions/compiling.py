"""The background job that compiles the methods of the scene that is shown."""

from hitscope.evaluate.compile_process import compile_apart
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

        def compile_all(job: Job[None]) -> None:
            job.set_status("compiling the methods of this scene, once for all", units=len(missing))
            compile_apart(missing)
            for group, chosen, probe in missing:
                job.set_status(f"Preparing {chosen.method.name} of {group.kind.__name__.lower()}")
                group.prepare(chosen, probe)
            if report.lacks_hierarchies:
                job.set_status("building the hierarchy")
                report.hierarchies(build=True)

        jobs.compiling = Job("compiling", compile_all, now)
