"""The operating system as a live window has it: the user's files, settings and autosaves; a replay has none.

The state asks by `host.requests`. The answers, and what happens to files by itself, are inputs like any other, so
that a recording has them, too.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.render.offscreen import png
from hitscope.resources import SCENES
from hitscope.scene import Scene, save
from hitscope.viewer.files import recovery, watch
from hitscope.viewer.files.autosave import Autosave
from hitscope.viewer.files.recovery import Crashed
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.files.watch import Watch
from hitscope.viewer.interface.recording import found, is_large
from hitscope.viewer.state import paths
from hitscope.viewer.state.dialogs import OpenFile, Recovery, SaveAs
from hitscope.viewer.state.documents import Document, Files
from hitscope.viewer.state.gallery import Survey, examples
from hitscope.viewer.state.host import (
    Adopt,
    Discard,
    RememberFile,
    ResolveSavePath,
    Restore,
    SavePicture,
    ShowOpenDialog,
    ShowSaveDialog,
    SurveyGallery,
    Visit,
)
from hitscope.viewer.state.inputs import (
    AutosaveRead,
    CrashFound,
    FolderListed,
    HostEvent,
    Input,
    Leftover,
    NativeDialog,
    RecordedFile,
    SavePathResolved,
    SceneSurveyed,
)
from hitscope.viewer.state.job import Job
from hitscope.viewer.state.settings import SNAP_KINDS
from hitscope.viewer.state.state import State
from hitscope.viewer.window import native_dialogs

LOOK_EVERY = watch.LOOK_EVERY
"""In seconds."""
PATIENCE = 0.02
"""A look at the file on disk is waited for so long, in seconds; what is large is asked for at the next look."""


class Host:
    """The disk and the user's own files; they are asked and written from here alone."""

    def __init__(
        self,
        settings: SettingsFile,
        picture: Callable[[State], NDArray[np.uint8]],
        asks_natively: bool = False,
    ) -> None:
        """Begin with the settings; `picture` gives the scene as it is seen, in pixels (height, width, 3).

        `asks_natively` lets the user choose files in the operating system's dialogs, if there are some.
        """
        self._settings = settings
        self._picture = picture
        self._asks_natively = asks_natively
        self._native: native_dialogs.FileDialog | None = None
        self._autosave = Autosave()
        self._looking: Job[Crashed] | None = None
        self._crashed: Crashed | None = None
        self._left: dict[str, recovery.Leftover] = {}
        self._survey: Survey | None = None
        self._look = ""
        self._found = 0
        self._next_look = 0
        self._watches: dict[Path, Watch] = {}
        self._refused: tuple[Path, watch.Stamp | None] | None = None
        self._looks: dict[Watch, Job[watch.News | None]] = {}
        self._read: dict[Path, Scene] = {}
        self._autosave_problem = ""
        self.files = Files(self._load, self._save)
        """For the state: what was just read to see whether it is news is not read again."""

    def begin(self, state: State) -> None:
        """Tell what is wrong with the settings, and look for what a crash left."""
        state.host.settings_path = self._settings.path
        state.messages.problem = "\n".join(filter(None, [state.messages.problem, self._settings.told]))
        self._looking = Job("", lambda _: Crashed())

    def close(self) -> None:
        """The window is closed, as its user wants it: nothing is to be restored."""
        self._autosave.close()
        if self._native is not None:
            self._native.close()
        if self._looking is not None and self._looking.done():
            self._looking.answer().close()
        if self._crashed is not None:
            self._crashed.close()
        if self._survey is not None:
            self._survey.close()

    def before_input(self, state: State, at: int) -> Iterator[Input]:
        """Give what became of the file of a document that what the user does now may save."""
        if (
            state.dialogs.is_open
            or state.tool.drag is not None
            or state.jobs.opening is not None
            or state.jobs.saving is not None
        ):
            return
        for document in state.session.unsaved:
            watched = self._watch_of(document)
            if watched is None or watched in self._looks or not watched.is_behind or is_large(document.path):
                continue
            yield from self._told(at, document, watched.look(at / 1000, document.edited))
            if state.dialogs.is_open:
                return

    def look(self, state: State, at: int) -> Iterator[Input]:
        """Do what the state asks for, and give what has come of it and else, all of it at the time `at`."""
        yield from self._answers(state, at)
        yield from self._chosen(state, at)
        if problem := self._remember(state):
            yield HostEvent(at, "failed", message=problem)
        if at >= self._next_look:
            self._next_look = at + round(LOOK_EVERY * 1000)
            yield from self._news(state, at)

    def _answers(self, state: State, at: int) -> Iterator[Input]:
        while state.host.requests:
            request = state.host.requests.pop(0)
            try:
                match request:
                    case Visit(path=path):
                        yield self._visit(at, Path.cwd() if path is None else path)
                    case ShowOpenDialog(folder=folder):
                        if self._has_native_dialogs():
                            self._native = native_dialogs.FileDialog.to_open(folder or Path.cwd())
                            yield NativeDialog(at, True)
                        else:
                            yield self._visit(at, folder or Path.cwd())
                    case ShowSaveDialog(path=path):
                        if self._has_native_dialogs():
                            self._native = native_dialogs.FileDialog.to_save(path)
                            yield NativeDialog(at, True)
                    case ResolveSavePath(typed=typed, folder=folder, document=document):
                        yield self._place(at, typed, folder, document)
                    case SavePicture(document=document, example=example):
                        path = paths.picture_path(document, example)
                        kept = paths.save_new(path, png(self._picture(state)))
                        yield HostEvent(at, "told", message=f"Saved {kept}")
                    case RememberFile(path=path):
                        self._settings.opened(path)
                    case SurveyGallery(theme=theme):
                        self._survey_gallery(theme)
                    case Restore(leftover=leftover):
                        yield self._restore(at, leftover)
                    case Adopt(document=document, leftover=leftover):
                        left = self._left[leftover.autosave]
                        self._autosave.adopt(document, left.file, left.scene, left.saved)
                    case Discard(leftover=leftover):
                        self._left[leftover.autosave].discard()
            except OSError as error:
                yield HostEvent(at, "failed", message=f"{error.filename}: {error.strerror or error}")
            except HitscopeError as error:
                yield HostEvent(at, "failed", message=str(error))
        # What is being restored is adopted only when it is decided.
        if (
            self._crashed is not None
            and not isinstance(state.dialogs.dialog, Recovery)
            and state.jobs.opening is None
        ):
            self._crashed.close()
            self._crashed = None

    def _has_native_dialogs(self) -> bool:
        return self._asks_natively and native_dialogs.available()

    def _chosen(self, state: State, at: int) -> Iterator[Input]:
        """Give what was chosen in the operating system's dialog; close it when the state asks no more."""
        if self._native is None:
            return
        dialog = state.dialogs.dialog
        if not isinstance(dialog, OpenFile | SaveAs) or not dialog.native:
            self._native.close()
            self._native = None
            return
        chosen = self._native.answer
        if chosen is None:
            return
        self._native = None
        if not chosen:
            yield NativeDialog(at, False)
        elif isinstance(dialog, OpenFile):
            yield HostEvent(at, "open", tuple(found(path.absolute()) for path in chosen))
        else:
            place = self._place(at, str(chosen[0]), dialog.folder, dialog.document.path)
            # The dialog has asked about the file that was chosen, not about one whose ending was added.
            yield replace(place, overwrites=place.overwrites and Path(place.path) != chosen[0])

    def _remember(self, state: State) -> str:
        """Write down what the user has chosen otherwise than it was; gives what is to be told of that."""
        theme, _, palette = state.display.theme.name.partition("-")
        now = {
            "theme": theme,
            "palette": palette or "red-green",
            "grid": state.display.grid,
            "labels": state.display.labels,
            "snapping": state.tool.snapping,
            "snap_to": tuple(kind for kind in SNAP_KINDS if kind in state.tool.snap_to),
            "panel_widths": state.display.panel_widths,
            "closed_parts": tuple(sorted(state.display.closed_parts)),
            "first_start_seen": not state.messages.greets,
        }
        before = self._settings.settings
        changed = {key: value for key, value in now.items() if getattr(before, key) != value}
        try:
            if changed:
                self._settings.change(**changed)
        except HitscopeError as error:
            return str(error)
        kept, self._settings.kept = self._settings.kept, None
        return (
            ""
            if kept is None
            else f"{self._settings.told}\nThe file was started anew; its old content is kept in {kept}"
        )

    def _news(self, state: State, at: int) -> Iterator[Input]:
        self._autosave.update(state.session.unsaved_scenes(state.limits.background_from), at / 1000)
        if self._autosave.problem != self._autosave_problem:
            self._autosave_problem = self._autosave.problem
            yield HostEvent(at, "failed", message=self._autosave.problem)
        if self._survey is not None:
            findings = list(self._survey.findings.items())
            for path, finding in findings[self._found :]:
                name = path.relative_to(SCENES).as_posix()
                yield SceneSurveyed(at, name, finding.problem, finding.thumbnail)
            self._found = len(findings)
        if state.dialogs.is_open:
            return
        yield from self._offer(at)
        if state.tool.drag is None and state.jobs.opening is None and state.jobs.saving is None:
            yield from self._try_again(state, at)
            yield from self._look_at_file(state, at)

    def _offer(self, at: int) -> Iterator[Input]:
        """Give what a crash left, once it is read."""
        if self._looking is None or not self._looking.done():
            return
        crashed, self._looking = self._looking.answer(), None
        if crashed.problems:
            yield HostEvent(at, "failed", message="\n".join(crashed.problems))
        self._left = {str(leftover.file): leftover for leftover in crashed.leftovers}
        if not self._left:
            crashed.close()
            return
        self._crashed = crashed
        yield CrashFound(
            at,
            tuple(
                Leftover(file, str(left.path), left.time, left.difference, left.example, left.outdated)
                for file, left in self._left.items()
            ),
        )

    def _restore(self, at: int, leftover: Leftover) -> Input:
        left = self._left[leftover.autosave]
        self._watches.setdefault(left.path, Watch(left.path))
        path = left.path.with_name(left.file.name)
        self._read[path] = left.scene
        text = found(left.file).text
        # The first line says what it is of.
        return AutosaveRead(at, leftover, RecordedFile(str(path), text and text.partition("\n")[2]))

    def _survey_gallery(self, look: str) -> None:
        if look == self._look:
            return
        if self._survey is not None:
            self._survey.close()
        self._look, self._found = look, 0
        self._survey = Survey([example.path for example in examples()], look, lambda: None)

    def _visit(self, at: int, path: Path) -> Input:
        """List a folder, or read a file; raises OSError."""
        path = Path(os.path.abspath(path.expanduser()))
        if not path.is_dir():
            if not path.exists():
                return FolderListed(at, problem=f"expected a file or a folder, found none: {path}")
            return HostEvent(at, "open", (found(path),))
        entries = sorted(path.iterdir(), key=lambda entry: entry.name.casefold())
        shown = [entry for entry in entries if not entry.name.startswith(".")]
        return FolderListed(
            at,
            str(path),
            tuple(entry.name for entry in shown if entry.is_dir()),
            tuple(entry.name for entry in shown if _is_shown(entry)),
            self._settings.settings.recent,
        )

    def _try_again(self, state: State, at: int) -> Iterator[Input]:
        """Open the file that could not be loaded when it has become another one."""
        refused = state.jobs.refused
        if refused is None:
            self._refused = None
            return
        before, self._refused = self._refused, (refused, watch.stamp(refused))
        if before is not None and before[0] == refused and before != self._refused:
            yield HostEvent(at, "open", (found(refused),))

    def _look_at_file(self, state: State, at: int) -> Iterator[Input]:
        """Give what became of the file of the document that is shown; what takes long is told another time."""
        document = state.session.document
        watched, saved = self._watch_of(document), document.saved
        if watched is None:
            return
        if watched.scene is not None and saved is not None and watched.scene is not saved:
            if watched.scene != saved:
                # Another document was shown before this one had been loaded again.
                yield self._changed(at, document, watched.scene)
                return
            watched.scene = saved
        if watched not in self._looks:
            unsaved = document.edited
            self._looks[watched] = Job("", lambda _: watched.look(at / 1000, unsaved), at / 1000)
        if not self._looks[watched].done(PATIENCE):
            return
        yield from self._told(at, document, self._looks.pop(watched).answer())

    def _told(self, at: int, document: Document, news: watch.News | None) -> Iterator[Input]:
        file = (RecordedFile(str(document.path.absolute())),)
        match news:
            case watch.Changed(scene=scene) | watch.Conflict(scene=scene):
                yield self._changed(at, document, scene)
            case watch.Broken(problem=problem):
                yield HostEvent(at, "broken", file, problem)
            case watch.Mended():
                yield HostEvent(at, "mended", file)
            case watch.Removed():
                yield HostEvent(at, "removed", file)

    def _changed(self, at: int, document: Document, scene: Scene) -> Input:
        self._read[document.path] = scene
        return HostEvent(at, "changed", (found(document.path.absolute()),))

    def _watch_of(self, document: Document) -> Watch | None:
        """Give the watch of a document's file, which stays: a removed file may come back."""
        return None if document.example else self._watches.get(document.path.absolute())

    def _load(self, path: Path) -> Scene:
        read = self._read.pop(path, None)
        if read is not None:
            return read
        watched = Watch(path)
        scene = watched.read()
        self._watches[path.absolute()] = watched
        return scene

    def _save(self, scene: Scene, path: Path) -> None:
        """Save a scene, over no other file than the one that was loaded, saved or asked about last."""
        watched = self._watches.get(path.absolute())
        if path.exists() and (watched is None or watched.is_behind):
            raise HitscopeError(f"cannot save {path}: another program has written it; nothing was overwritten")
        save(scene, path)
        self._watches[path.absolute()] = Watch(path, scene)
        self._autosave.saved(path)

    def _place(self, at: int, typed: str, folder: Path, document: Path) -> SavePathResolved:
        try:
            path, overwrites = paths.save_as(typed, document, folder)
        except HitscopeError as error:
            return SavePathResolved(at, problem=str(error))
        if overwrites:
            self._watches[path.absolute()] = Watch(path)
        return SavePathResolved(at, str(path), overwrites)


def _is_shown(path: Path) -> bool:
    name = path.name.lower()
    return name.endswith((".json", *paths.MESHES)) and path.is_file()
