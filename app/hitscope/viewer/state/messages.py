"""The texts of the status line and of the problem list, the introduction, the lessons and the review."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from hitscope.draw.builder import Builder
from hitscope.draw.target import Targets
from hitscope.evaluate import Report
from hitscope.evaluate.acceptance import SceneUpdate
from hitscope.scene import Scene
from hitscope.scene.model import LessonStep
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.session import Session

Choice: TypeAlias = Literal["accepted", "rejected", "skipped"]
"""Accepted: the file expects what was found. Rejected and skipped: it stays as it is, and its check fails."""


class Decided(NamedTuple):
    """A scene that was decided about."""

    document: Document
    choice: Choice
    update: SceneUpdate | None = None
    """How its file was changed, where it was accepted."""

    @property
    def still_differs(self) -> bool:
        """Whether the check of its file goes on to fail."""
        return self.update is None or bool(self.update.left)


class Expected(NamedTuple):
    """The expectations of the scene that is shown, to be drawn in place of what was found."""

    found: Report
    report: Report
    builder: Builder


class Review:
    """The scenes under review. Written by `actions/review.py`; a window that reviews nothing has an empty one."""

    def __init__(self, pairs: Mapping[Path, Targets] | None = None) -> None:
        """Begin the review of the files of some scenes, with the pair of each that is shown first."""
        self.pairs = dict(pairs or {})
        self.documents: list[Document] = []
        self.decided: list[Decided] = []
        """The decisions in the order in which they were taken."""
        self.shows_expected = False
        """Whether the picture shows what is expected instead of what was found."""
        self.expected: Expected | None = None

    def begin(self, documents: list[Document]) -> None:
        """Review the documents, which are those of the files, in their order."""
        self.documents = list(documents) if self.pairs else []
        for document in self.documents:
            document.pair, document.is_recent = self.pairs[document.path], True

    def decision(self, document: Document) -> Decided | None:
        return next((decided for decided in self.decided if decided.document is document), None)

    @property
    def left(self) -> list[Document]:
        """The documents that nothing was decided about."""
        known = {decided.document for decided in self.decided}
        return [document for document in self.documents if document not in known]

    def drawn(self, session: Session) -> tuple[Report, Builder]:
        """The report that is drawn and its builder: what was found, or where that is wanted, what is expected."""
        expected = self.expected
        if self.shows_expected and expected is not None and expected.found is session.report:
            return expected.report, expected.builder
        return session.report, session.builder


HINT_SEPARATOR = "   ·   "
"""Between the parts of a line of hints."""


def hints(*parts: str) -> str:
    """A line of hints, without those that are empty."""
    return HINT_SEPARATOR.join(filter(None, parts))


Step: TypeAlias = Literal["drag", "why", "gallery"]
"""Move a probe, select a primitive that is missed if there is one, open the gallery."""
STEPS: Final[tuple[Step, ...]] = get_args(Step)


class Noted(NamedTuple):
    """The document, scene and selection of the last look, by whose changes a step is noticed."""

    document: Document
    scene: Scene
    targets: Targets


class Introduction:
    """The strip of the first steps. Written by its commands, and, where a step is done, by `first_steps.py`."""

    def __init__(self, seen: bool, offers: bool) -> None:
        self.shown = offers and not seen
        self.seen = seen
        """Whether the steps were done or skipped once, in this window or before."""
        self.offers = offers
        """Whether there are first steps and buttons in an empty scene; older recordings were made without."""
        self.done: frozenset[Step] = frozenset()
        self.noted: Noted | None = None

    @property
    def current(self) -> Step | None:
        """The first step that is not done; None if all are."""
        return next((step for step in STEPS if step not in self.done), None)


@dataclass
class LessonProgress:
    """How far the user is in the lesson of a document."""

    begun: dict[int, Scene]
    """The scene with which each step began that has begun."""
    index: int = 0
    """The index of the step that is shown."""
    solved: set[int] = field(default_factory=set)
    """The indices of the steps whose condition held, or that were read."""
    unmet: tuple[str, ...] = ()
    """The parts of the step's condition that do not hold now."""
    shown: bool = True
    """Whether its strip is shown; closed, it can be shown again."""
    ended_at: float | None = None
    """When its end came to be shown in place of a step, in seconds; None before."""

    @property
    def ended(self) -> bool:
        return self.ended_at is not None

    def steps(self, scene: Scene) -> tuple[LessonStep, ...]:
        """The steps, as a scene has them where it has all: deleting an item removes steps that ask of it."""
        began = self.begun[self.index].lesson
        return scene.lesson if len(scene.lesson) == len(began) else began


class Lessons:
    """The lessons of the documents that were shown. Written by their commands, and by `lessons.py`."""

    def __init__(self, solved: Collection[str]) -> None:
        self.progress: dict[Document, LessonProgress] = {}
        self.solved = frozenset(solved)
        """The names of the lessons that were solved, in this window or before; see `name_of`."""

    def shown(self, document: Document) -> LessonProgress | None:
        """The progress in the lesson of a document, if its strip is shown."""
        progress = self.progress.get(document)
        return progress if progress is not None and progress.shown else None

    def is_tried_out(self, session: Session) -> bool:
        """Whether an example or a lesson under way was changed: it differs from the saved test, and fails none."""
        document = session.document
        return (document.ships or self.shown(document) is not None) and session.scene is not document.saved


class Messages:
    """The texts for the user. Written by actions, tools and host events; the status line and panels show them."""

    def __init__(self, introduction: Introduction, lessons: Lessons, review: Review) -> None:
        self.notice = ""
        """The notice in the status line: what was just done, or why it was not."""
        self.problem = ""
        """The problems, a line each; they stay until they are dismissed or replaced."""
        self.introduction, self.lessons, self.review = introduction, lessons, review

    def note_saved(self, path: Path, problem: str = "") -> None:
        """Tell that a file was written or, with a problem, why it was not."""
        self.problem, self.notice = problem, "" if problem else f"Saved {path}"

    def add_problem(self, problem: str) -> None:
        self.problem = f"{self.problem}\n{problem}".strip()
