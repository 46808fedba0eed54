"""The pickable part of the picture: the items that are not hidden, in the current view."""

from typing import NamedTuple

from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden, Target, Targets
from hitscope.render.view import View
from hitscope.scene.named_items import split
from hitscope.viewer.state.state import State


class Pickable(NamedTuple):
    """A picture and its view, with the selection and the hidden items, for picking."""

    picture: Picture
    view: View
    selection: Targets = ()
    hidden: Hidden = frozenset()
    faces: bool = True
    """Whether the faces of boxes have handles."""

    def shows(self, target: Target) -> bool:
        return not self.hidden or (target.kind, split(target.id)[0]) not in self.hidden


def pickable_of(state: State) -> Pickable:
    selection, has_faces = state.selection, state.tool.gizmo_mode is None
    return Pickable(state.session.picture, state.display.view, selection.targets, selection.hidden, has_faces)
