"""The background job that compares the methods of the scene with exact, while the scene rests."""

import time

from hitscope.evaluate.method_differences import MethodDifferences, compare_methods
from hitscope.viewer.state.job import Job
from hitscope.viewer.state.jobs import Comparing, Jobs
from hitscope.viewer.state.own_code import OwnCode
from hitscope.viewer.state.session import Session

PAUSE_SECONDS = 1e-4
"""The pause after each pair, in which the window's thread gets the interpreter's lock."""


def follow_scene(session: Session, own: OwnCode, jobs: Jobs, dragging: bool, now: float) -> None:
    """Begin to compare the methods of a new scene; a comparison of another scene, or during a drag, is stopped."""
    report = session.report
    rests = not dragging and not session.has_preview and not own.is_behind(report.scene)
    if jobs.comparing is not None and not (rests and jobs.comparing.report.decides_like(report)):
        jobs.comparing.job.cancel()
        jobs.comparing = None
    if rests and jobs.comparing is None and session.differences is None:

        def compare(_: Job[MethodDifferences]) -> MethodDifferences:
            return compare_methods(report, after_pair=lambda: time.sleep(PAUSE_SECONDS))

        jobs.comparing = Comparing(Job("comparing the methods", compare, now), report)


def finish_comparing(session: Session, jobs: Jobs) -> None:
    """Take what a comparison found."""
    assert jobs.comparing is not None
    session.compared, jobs.comparing = jobs.comparing.job.answer(), None
