"""The offer to restore the autosaves of crashed sessions."""

from collections.abc import Iterator

from hitscope.viewer.files.autosave import Autosave
from hitscope.viewer.files.document_files import DocumentFiles
from hitscope.viewer.files.recorded_file import recorded_file
from hitscope.viewer.files.recovery import CrashedSessions, OrphanedAutosave
from hitscope.viewer.state.documents import Document
from hitscope.viewer.state.inputs import AutosaveRead, CrashFound, HostEvent, Input, Leftover, RecordedFile
from hitscope.viewer.state.job import Job


class RecoveryOffer:
    """The autosaves of crashed sessions, until the user has decided about each of them."""

    def __init__(self, autosave: Autosave, documents: DocumentFiles) -> None:
        """Begin without an offer; `documents` loads a restored scene, and `autosave` takes over its file."""
        self._autosave = autosave
        self._documents = documents
        self._search: Job[CrashedSessions] | None = None
        self._crashed: CrashedSessions | None = None
        self._orphans: dict[str, OrphanedAutosave] = {}

    def begin(self) -> None:
        """Search for crashed sessions in a thread."""
        self._search = Job("", lambda _: CrashedSessions())

    def found(self, at: int) -> Iterator[Input]:
        """The result of the search, once."""
        if self._search is None or not self._search.done():
            return
        self._crashed, self._search = self._search.answer(), None
        if self._crashed.problems:
            yield HostEvent(at, "failed", message="\n".join(self._crashed.problems))
        self._orphans = {str(orphan.file): orphan for orphan in self._crashed.autosaves}
        if not self._orphans:
            self.finish()
            return
        leftovers = (
            Leftover(file, str(orphan.path), orphan.time, orphan.difference, orphan.example, orphan.outdated)
            for file, orphan in self._orphans.items()
        )
        yield CrashFound(at, tuple(leftovers))

    def read(self, leftover: Leftover, at: int) -> AutosaveRead:
        """Read an autosave and let the state load its scene."""
        orphan = self._orphans[leftover.autosave]
        if not self._documents.is_watched(orphan.path):
            self._documents.watch_from_now(orphan.path)
        path = orphan.path.with_name(orphan.file.name)
        self._documents.expect_load(path, orphan.scene)
        text = recorded_file(orphan.file).text
        # The first line is the autosave's header.
        return AutosaveRead(at, leftover, RecordedFile(str(path), text and text.partition("\n")[2]))

    def adopt(self, document: Document, leftover: Leftover) -> None:
        """Assign a crash's autosave to the document restored from it; raises OSError."""
        orphan = self._orphans[leftover.autosave]
        self._autosave.adopt(document, orphan.file, orphan.scene, orphan.saved)

    def discard(self, leftover: Leftover) -> None:
        """Delete an autosave."""
        self._orphans[leftover.autosave].discard()

    def finish(self) -> None:
        """End the offer, so that the next start offers the autosaves that are neither restored nor discarded."""
        if self._crashed is not None:
            self._crashed.close()
            self._crashed = None

    def close(self) -> None:
        """End the offer, or the search where it has a result."""
        if self._search is not None and self._search.done():
            self._search.answer().close()
        self.finish()
