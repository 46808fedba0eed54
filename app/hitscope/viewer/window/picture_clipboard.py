"""The clipboard for pictures, through the desktop's own programs: pyglet copies text only."""

import os
import shutil
import subprocess

from hitscope.errors import HitscopeError

PROGRAMS = {
    "WAYLAND_DISPLAY": ("wl-copy", "--type", "image/png"),
    "DISPLAY": ("xclip", "-selection", "clipboard", "-t", "image/png", "-i"),
}
"""The command that copies a picture, by the environment variable of the desktop that it is for."""
PATIENCE_S = 10.0


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
