"""Adding pasted items to the scene."""

from collections.abc import Sequence

from hitscope.draw.target import Target
from hitscope.scene import Scene
from hitscope.scene.clipboard_text import pasted
from hitscope.viewer.actions import view
from hitscope.viewer.actions.refresh import refresh
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.state.state import State


def add(state: State, clip: Scene, *, shows: bool = False) -> None:
    """Add the items of a scene to the one that is shown, and select them.

    With `shows`, or if the scene was empty, the camera turns to the whole scene unless all of them are in sight.
    """
    before = state.session.document.scene
    shows = shows or not (before.primitives or before.probes)
    result = pasted(state.session.document.scene, clip)
    name = words(result.probes, result.primitives)

    def select() -> None:
        targets = [Target("probe", name) for name in result.probes]
        state.selection.select(*targets, *(Target("primitive", name) for name in result.primitives))
        state.messages.notice = f"Pasted {name}"
        if shows:
            refresh(state)  # the picture has to know them
            view.show_selection(state)

    change(state, result.scene, f"paste {name}", select)


def words(probes: Sequence[str], primitives: Sequence[str]) -> str:
    """The id of a single item, else the number of items."""
    names = [*probes, *primitives]
    return names[0] if len(names) == 1 else f"{len(names)} items"
