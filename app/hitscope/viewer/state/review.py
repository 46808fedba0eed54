"""The review of scenes that differ from their expectations: which ones, and what was decided of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from hitscope.draw.builder import Builder
from hitscope.draw.target import Targets
from hitscope.evaluate import Report
from hitscope.evaluate.acceptance import SceneUpdate
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
