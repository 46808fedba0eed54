"""The system's file dialogs, through imgui-bundle: programs of their own, polled and never waited for."""

import shutil
import sys
from pathlib import Path

from imgui_bundle import portable_file_dialogs

from hitscope.scene import ENDING
from hitscope.viewer.state.paths import MESHES

FILTERS = {
    ".json": ("Scenes", f"*{ENDING} *.json"),
    ".png": ("Pictures", "*.png"),
    ".gif": ("Animations", "*.gif"),
    ".mp4": ("Videos", "*.mp4"),
}
"""The filter of files to save, by ending."""
READABLE_FILTER = "Scenes and meshes", " ".join(f"*{ending}" for ending in (".json", *MESHES))
ALL_FILTER = "All files", "*"
PROGRAMS = ("zenity", "kdialog", "matedialog", "qarma")
"""The programs that show the dialogs on Linux; portable-file-dialogs finds them by the program `which`."""


def available() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return shutil.which("which") is not None and any(map(shutil.which, PROGRAMS))


class FileDialog:
    """A file dialog that is shown until the user answers or `close` ends it."""

    def __init__(self, dialog: portable_file_dialogs.open_file | portable_file_dialogs.save_file) -> None:
        self._dialog = dialog

    @classmethod
    def to_open(cls, folder: Path) -> "FileDialog":
        """Show the dialog that chooses files to open, beginning in a folder."""
        options, filters = portable_file_dialogs.opt.multiselect, [*READABLE_FILTER, *ALL_FILTER]
        # Without the separator at its end, the folder would be taken for a file in its parent.
        return cls(portable_file_dialogs.open_file("Open a scene or a mesh", f"{folder}/", filters, options))

    @classmethod
    def to_save(cls, path: Path) -> "FileDialog":
        """Show the dialog that chooses where to save, suggesting a path; it confirms overwriting itself."""
        filters = [*FILTERS.get(path.suffix, ()), *ALL_FILTER]
        return cls(portable_file_dialogs.save_file(f"Save {path.name} as", str(path), filters))

    @property
    def answer(self) -> tuple[Path, ...] | None:
        """The chosen files, none of them if the dialog was cancelled; None while it is open."""
        if not self._dialog.ready(0):
            return None
        result = self._dialog.result()
        return tuple(Path(path) for path in ([result] if isinstance(result, str) else result) if path)

    def close(self) -> None:
        if not self._dialog.ready(0):
            self._dialog.kill()
            self._dialog.ready()  # takes note of the program's end, which Linux would keep as a zombie
