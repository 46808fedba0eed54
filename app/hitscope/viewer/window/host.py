"""The operating system of a live window: the user's files, settings and autosaves; a replay has none.

The state asks by `host.requests`. The answers, and the changes of files by other programs, are inputs like any
other, so that a recording has them, too.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from hitscope.errors import HitscopeError
from hitscope.geometry import code_files
from hitscope.outputs import write_file
from hitscope.render.animation import require_animation
from hitscope.render.offscreen import png
from hitscope.resources import SCENES
from hitscope.viewer.actions.saving import ending_of
from hitscope.viewer.files import file_inputs
from hitscope.viewer.files.autosave import Autosave, RecoveryOffer
from hitscope.viewer.files.document_files import CHECK_SECONDS, CodeWatch, DocumentFiles
from hitscope.viewer.files.settings_file import SettingsFile
from hitscope.viewer.files.survey import begin_survey
from hitscope.viewer.state import host
from hitscope.viewer.state.dialogs import OpenFile, PictureOptions, Recovery, SaveDialog, in_pixels
from hitscope.viewer.state.gallery import examples
from hitscope.viewer.state.inputs import HostEvent, Input, NativeDialog, SavePathResolved, SceneSurveyed
from hitscope.viewer.state.settings import SNAP_KINDS
from hitscope.viewer.state.state import State
from hitscope.viewer.window import native_dialogs
from hitscope.worker_processes import Background

NO_DIALOG = "This machine has no dialog to choose a file: type a name or a path"
PROGRAMS = {
    "WAYLAND_DISPLAY": ("wl-copy", "--type", "image/png"),
    "DISPLAY": ("xclip", "-selection", "clipboard", "-t", "image/png", "-i"),
}
"""The command that copies a picture, by the environment variable of the desktop that it is for."""
PATIENCE_S = 10.0


class DesktopHost:
    """The host of a live window. Its inputs have the time `at`, in milliseconds, of the call that gives them."""

    def __init__(
        self,
        settings: SettingsFile,
        picture: Callable[[State, PictureOptions], NDArray[np.uint8]],
        use_native_dialogs: bool = False,
    ) -> None:
        """Begin with the settings; `picture` gives the shown scene in pixels (height, width, 3 or 4)."""
        self._settings, self._picture, self._use_native_dialogs = settings, picture, use_native_dialogs
        self._dialog: native_dialogs.FileDialog | None = None
        self._autosave = Autosave()
        self._autosave_problem = ""
        self._shown_code_problems = 0
        self._documents = DocumentFiles(self._autosave.saved)
        self._recovery = RecoveryOffer(self._autosave, self._documents)
        self._surveys: dict[str, Background[SceneSurveyed]] = {}
        """The process for the gallery, by its theme, and the one for the user's own scenes, by an empty name."""
        self._next_check = 0
        self._code_watch = CodeWatch()
        self.files = self._documents.files

    def begin(self, state: State) -> None:
        """Show the problems of the settings file, and search for crashed sessions."""
        state.host.settings_path = self._settings.path
        state.messages.add_problem(self._settings.problem_text)
        self._recovery.begin()

    def close(self, window: tuple[int, int, int, int] | None = None) -> None:
        """End the session: remove its autosaves, end its work, keep the window's left, top, width and height."""
        if window is not None:
            with suppress(HitscopeError):  # the next window opens as one before
                self._settings.change(window=window)
        self._autosave.close()
        self._recovery.close()
        if self._dialog is not None:
            self._dialog.close()
        for survey in self._surveys.values():
            survey.end()

    def check_unsaved(self, state: State, at: int) -> Iterator[Input]:
        """The changes of files that the user's next input may overwrite."""
        if not (state.dialogs.is_open or _is_busy(state)):
            yield from self._documents.check_unsaved(state.session, state.dialogs, at)

    def poll(self, state: State, at: int) -> Iterator[Input]:
        """Fulfil the state's requests; yield the answers and file events."""
        while state.host.requests:
            try:
                yield from self._answer(state, state.host.requests.pop(0), at)
            except OSError as error:
                yield HostEvent(at, "failed", message=f"{error.filename}: {error.strerror or error}")
            except HitscopeError as error:
                yield HostEvent(at, "failed", message=str(error))
        # A document is adopted only when its scene is evaluated.
        dialogs = state.dialogs
        is_offered = isinstance(dialogs.dialog, Recovery) or dialogs.late_recovery is not None
        if not is_offered and state.jobs.opening is None:
            self._recovery.finish()
        yield from self._poll_dialog(state, at)
        yield from self._save_settings(state, at)
        if self._code_watch.changed(state.session.own.files, at / 1000):
            yield HostEvent(at, "code")
        if at >= self._next_check:
            self._next_check = at + round(CHECK_SECONDS * 1000)
            yield from self._check(state, at)

    def _answer(self, state: State, request: host.HostRequest, at: int) -> Iterator[Input]:
        """Fulfil one request; raises OSError and HitscopeError."""
        match request:
            case host.Visit(path=path, opens=opens):
                yield file_inputs.visit(path or Path.cwd(), self._settings.settings.recent, at, opens)
            case host.ShowOpenDialog(folder=folder) if self._has_native_dialogs():
                self._dialog = native_dialogs.FileDialog.to_open(folder or Path.cwd())
                yield NativeDialog(at, True)
            case host.ShowOpenDialog(folder=folder):
                yield file_inputs.visit(folder or Path.cwd(), self._settings.settings.recent, at)
            case host.ShowSaveDialog(path=path) if self._has_native_dialogs():
                self._dialog = native_dialogs.FileDialog.to_save(path)
                yield NativeDialog(at, True)
            case host.ShowSaveDialog(needed=True):
                yield SavePathResolved(at, problem=NO_DIALOG)
            case host.ResolveSavePath():
                yield self._resolve(request, at)
            case host.WritePicture(path=path, options=options, is_new=is_new):
                pixels = self._picture(state, options)
                if path is None:
                    copy_png(png(pixels))
                elif is_new:
                    path = file_inputs.save_new(path, png(pixels))
                else:
                    write_file(path, [png(pixels)])
                done = f"Saved {path}" if path else f"Copied a picture of {in_pixels(*pixels.shape[1::-1])}"
                yield HostEvent(at, "told", message=done)
            case host.RememberFile(path=path):
                self._settings.remember_file(path)
            case host.RememberLesson(name=name):
                self._settings.remember_lesson(name)
            case host.SurveyGallery(theme=theme, own=own):
                recent = self._settings.settings.recent
                yield file_inputs.list_recent(recent, at)
                self._survey_gallery(theme, [*own, *map(Path, recent)])
            case host.Restore(leftover=leftover):
                yield self._recovery.read(leftover, at)
            case host.Adopt(document=document, leftover=leftover):
                self._recovery.adopt(document, leftover)
            case host.Discard(leftover=leftover):
                Path(leftover.autosave).unlink(missing_ok=True)

    def _has_native_dialogs(self) -> bool:
        return self._use_native_dialogs and native_dialogs.available()

    def _poll_dialog(self, state: State, at: int) -> Iterator[Input]:
        """The answer of the operating system's dialog, which is closed when the state's dialog is."""
        if self._dialog is None:
            return
        dialog = state.dialogs.dialog
        if not isinstance(dialog, OpenFile | SaveDialog) or not dialog.native:
            self._dialog.close()
            self._dialog = None
            return
        if (chosen := self._dialog.answer) is None:
            return
        self._dialog = None
        if not chosen:
            yield NativeDialog(at, False)
        elif isinstance(dialog, OpenFile):
            yield HostEvent(at, "open", tuple(file_inputs.recorded_file(path.absolute()) for path in chosen))
        else:
            given = str(chosen[0]), dialog.folder, dialog.document.path, ending_of(state)
            resolved = self._resolve(host.ResolveSavePath(*given), at)
            # The dialog has confirmed overwriting the chosen file, but not the file with an added ending.
            yield replace(resolved, overwrites=resolved.overwrites and Path(resolved.path) != chosen[0])

    def _resolve(self, request: host.ResolveSavePath, at: int) -> SavePathResolved:
        try:
            path, overwrites = file_inputs.resolve_save_path(
                request.typed, request.document, request.folder, request.ending
            )
            require_animation(path)
        except HitscopeError as error:
            return SavePathResolved(at, problem=str(error))
        if overwrites:
            self._documents.watch_from_now(path)
        return SavePathResolved(at, str(path), overwrites)

    def _save_settings(self, state: State, at: int) -> Iterator[Input]:
        """Write the settings that have changed in the window; the problems of that."""
        display, tool = state.display, state.tool
        theme, _, palette = display.theme.name.partition("-")
        try:
            self._settings.change(
                theme=theme,
                palette=palette or "red-green",
                grid=display.grid,
                labels=display.labels,
                snapping=tool.snapping,
                snap_to=tuple(kind for kind in SNAP_KINDS if kind in tool.snap_to),
                panel_widths=display.panel_widths,
                ui_scale=display.ui_scale,
                closed_parts=tuple(sorted(display.closed_parts)),
                first_start_seen=state.messages.introduction.seen,
            )
        except HitscopeError as error:
            yield HostEvent(at, "failed", message=str(error))
            return
        backup, self._settings.backup_path = self._settings.backup_path, None
        if backup is not None:
            consequence = f"A new settings file was written; the old one is kept as {backup}"
            yield HostEvent(at, "failed", message=f"{self._settings.problem_text}\n{consequence}")

    def _survey_gallery(self, theme: str, own: list[Path]) -> None:
        """Survey the gallery once in each theme, and the user's scenes, which change, every time."""
        for name in {*self._surveys} - {theme}:
            self._surveys.pop(name).end()
        if own:
            self._surveys[""] = begin_survey(file_inputs.shown_in_survey(own), theme)
        if theme not in self._surveys:
            self._surveys[theme] = begin_survey(dict.fromkeys(example.path for example in examples()), theme)

    def _check(self, state: State, at: int) -> Iterator[Input]:
        """Write autosaves; return survey findings, crashed sessions' autosaves, and changes of files."""
        self._autosave.update(state.session.unsaved_scenes(state.limits.background_from), at / 1000)
        if self._autosave.problem != self._autosave_problem:
            self._autosave_problem = self._autosave.problem
            yield HostEvent(at, "failed", message=self._autosave.problem)
        for problem in code_files.problems[self._shown_code_problems :]:
            self._shown_code_problems += 1
            yield HostEvent(at, "failed", message=problem)
        for survey in self._surveys.values():
            with suppress(HitscopeError):  # where the process has crashed, there is no more to find
                for finding in survey.results(0):
                    if finding is None:
                        break
                    path = Path(finding.path)
                    name = path.relative_to(SCENES).as_posix() if path.is_relative_to(SCENES) else finding.path
                    yield replace(finding, at=at, path=name)
        if state.dialogs.is_open:
            return
        # A dialog would take the keys from what is being dragged or drawn.
        if state.tool.drag is None and state.tool.armed is None:
            yield from self._recovery.found(at)
        if not _is_busy(state):
            yield from self._documents.check_refused(state.jobs.refused, at)
            yield from self._documents.check(state.session.document, at)


def _is_busy(state: State) -> bool:
    """Whether a drag, an opening or a saving would be disturbed by a change of a file."""
    jobs = state.jobs
    return state.tool.drag is not None or jobs.opening is not None or jobs.saving is not None


def copy_png(data: bytes) -> None:
    """Copy a PNG file to the clipboard; raises HitscopeError where no program can do that."""
    commands = [command for variable, command in PROGRAMS.items() if os.environ.get(variable)]
    command = next((command for command in commands if shutil.which(command[0])), None)
    if command is None:
        wanted = " or ".join(command[0] for command in commands)
        reason = f"install {wanted}, or save it to a file" if wanted else "save it to a file"
        raise HitscopeError(f"cannot copy a picture on this desktop: {reason}")
    try:
        # The program stays to serve the clipboard, so that its output must not be waited for.
        null = subprocess.DEVNULL
        subprocess.run(command, input=data, stdout=null, stderr=null, timeout=PATIENCE_S, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise HitscopeError(f"cannot copy a picture: {command[0]} failed: {error}") from error
