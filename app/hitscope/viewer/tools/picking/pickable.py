"""The pickable part of the picture: the items that are not hidden, in the current view."""

from typing import NamedTuple

from hitscope.draw.picture import Picture
from hitscope.draw.target import Hidden, Target, Targets
from hitscope.render.view import View
from hitscope.scene.named_items import split
from hitscope.viewer.state.display import Display
from hitscope.viewer.state.selection import Selection
from hitscope.viewer.state.session import Session
from hitscope.viewer.state.tool import Tool


class Pickable(NamedTuple):
    """A picture and its view, with the selection and the hidden items, for picking."""

    picture: Picture
    view: View
    selection: Targets = ()
    hidden: Hidden = frozenset()
    faces: bool = True
    """Whether the faces of boxes have handles."""

    def shows(self, target: Target) -> bool:
        """Whether a target is not hidden."""
        return not self.hidden or (target.kind, split(target.id)[0]) not in self.hidden


def pickable_of(session: Session, selection: Selection, display: Display, tool: Tool) -> Pickable:
    """The picture for picking in the current view."""
    has_faces = tool.gizmo_mode is None
    return Pickable(session.picture, display.view, selection.targets, selection.hidden, has_faces)
