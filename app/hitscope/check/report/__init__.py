"""The page of `hitscope check --report FILE.html`: each failure with its picture, its numbers and its steps."""

from pathlib import Path

from hitscope.check.failures import Failure
from hitscope.check.report.details import SceneDetails
from hitscope.check.report.page import Details, Kept, Page, steps_of
from hitscope.check.report.pictures import Images, Pictures
from hitscope.check.runner import Checks, CheckTally, Outcome
from hitscope.errors import HitscopeError
from hitscope.outputs import output_format, write_output


class CheckReport:
    """The report of a check: it takes each outcome, and is written after the last one."""

    def __init__(self, path: Path, checks: Checks) -> None:
        """Raise HitscopeError for a file that cannot be written: before the work."""
        output_format(path, (".html", ".htm"))
        self._path, self._checks, self._kept = path, checks, Kept()

    def add(self, outcome: Outcome) -> None:
        self._kept.add(outcome)

    def finish(self, tally: CheckTally) -> None:
        """Evaluate what failed again, and write the page and its pictures; raises HitscopeError."""
        page, images = Page(self._kept, self._checks.by, tally), Images(self._path)
        with Pictures() as pictures:
            for outcome in self._kept.failed:
                scene: SceneDetails | HitscopeError
                try:
                    scene = SceneDetails(outcome.path, self._checks)
                except HitscopeError as error:
                    scene = error
                for failure in outcome.failures:
                    page.add(outcome.path, failure, self._details(scene, failure, page, pictures, images))
        lines = page.lines(pictures.lack, images.folder.name, len(images.beside))
        write_output(self._path, (f"{line}\n".encode() for line in lines))
        images.remove_others()

    def _details(
        self, scene: SceneDetails | HitscopeError, failure: Failure, page: Page, pictures: Pictures, images: Images
    ) -> Details:
        if isinstance(scene, HitscopeError):
            return Details(without_steps=f"The scene could not be read again: {scene}")
        if not page.has_room or not failure.name:
            return Details()
        png = pictures.png(scene.report, failure, scene.pair(failure))
        pair = scene.pair_words(failure)
        details = Details(pair, scene.answers(failure), images.source(png) if png else "")
        if not (page.has_room_for_steps or page.has_room_for_listings):
            return details
        try:
            explanation = scene.explanation(failure)
        except HitscopeError as error:
            return details._replace(without_steps=f"There are no steps: {error}")
        if explanation is None:
            return details
        return details._replace(steps=steps_of(explanation, pair, is_listing=not page.has_room_for_steps))
