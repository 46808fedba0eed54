"""Adding pasted items to the scene."""

from collections.abc import Sequence

from hitscope.draw.target import Target
from hitscope.scene import Scene
from hitscope.scene.clipboard_text import pasted
from hitscope.viewer.actions.scene_change import change
from hitscope.viewer.state.state import State


def add(state: State, clip: Scene) -> None:
    """Add the items of a scene to the one that is shown, and select them."""
    result = pasted(state.session.document.scene, clip)
    name = words(result.probes, result.primitives)

    def select() -> None:
        targets = [Target("probe", name) for name in result.probes]
        state.selection.select(*targets, *(Target("primitive", name) for name in result.primitives))
        state.messages.notice = f"Pasted {name}"

    change(state, result.scene, f"paste {name}", select)


def words(probes: Sequence[str], primitives: Sequence[str]) -> str:
    """The id of a single item, else the number of items."""
    names = [*probes, *primitives]
    return names[0] if len(names) == 1 else f"{len(names)} items"
