"""The lessons of the open documents: which step is shown, and which are solved."""

from collections.abc import Collection
from dataclasses import dataclass, field

from hitscope.scene import Scene
from hitscope.scene.model import LessonStep
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.session import Session


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
    """Whether its card is shown; closed, it can be shown again."""

    def steps(self, scene: Scene) -> tuple[LessonStep, ...]:
        """The steps, as a scene has them where it has all: deleting an item removes steps that ask of it."""
        began = self.begun[self.index].lesson
        return scene.lesson if len(scene.lesson) == len(began) else began


class Lessons:
    """The lessons of the documents that were shown. Written by their commands, and by `note_lesson`."""

    def __init__(self, solved: Collection[str]) -> None:
        self.progress: dict[Document, LessonProgress] = {}
        self.solved = frozenset(solved)
        """The names of the lessons that were solved, in this window or before; see `name_of`."""

    def shown(self, document: Document) -> LessonProgress | None:
        """The progress in the lesson of a document, if its card is shown."""
        progress = self.progress.get(document)
        return progress if progress is not None and progress.shown else None

    def is_tried_out(self, session: Session) -> bool:
        """Whether an example or a lesson under way was changed: it differs from the saved test, and fails none."""
        document = session.document
        return (document.ships or self.shown(document) is not None) and session.scene is not document.saved
