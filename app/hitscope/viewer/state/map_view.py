"""The map of a handle that is shown: where it is, which methods it compares, and what was found last."""

from typing import NamedTuple

from hitscope.draw.target import Target
from hitscope.geometry.shapes import Vec3
from hitscope.maps import Handle, MapPlane, PositionMap
from hitscope.maps.colours import Aspect
from hitscope.maps.plane import SIZE
from hitscope.scene import Scene
from hitscope.targets.deciding import DecidingTargets
from hitscope.viewer.state.documents import Document

COARSE, FINE = 64, SIZE
"""The positions of a row while something moves, and when it rests."""
SIZES = (128, FINE, 512)
"""The positions of a row that the user may choose."""
SLOW = 48
"""The positions of a row in a map of what decides, which takes longer."""
MOST_COLUMNS = 6
"""The most methods that are shown side by side."""


class Question(NamedTuple):
    """The question that a map answers; another one is another map."""

    scene: Scene
    handle: Handle
    other: str
    """The name of what the moved shape is tested against."""
    plane: MapPlane
    methods: tuple[str, ...]
    own: DecidingTargets | None
    """The user's own methods, as they were loaded last."""
    aspect: Aspect = "agreement"
    sought: str = ""
    """The method of which the nearest wrong position is looked for; empty for a map."""


class MapView:
    """The panel of the map. Written by `actions/map_view.py`, which follows the scene in each refresh."""

    def __init__(self) -> None:
        self.document: Document | None = None
        """The document that was shown last: another one has a map of its own, or none."""
        self.is_open = False
        self.target: Target | None = None
        """The handle that is mapped."""
        self.pair: tuple[str, str] | None = None
        """The names of probe and primitive."""
        self.aspect: Aspect = "agreement"
        self.sought = ""
        """The method of which the nearest wrong position is to be found; empty for none."""
        self.methods: tuple[str, ...] = ()
        """The methods that the scene's map names; those of the pair where it names none."""
        self.needs: dict[str, str] = {}
        """Why other TARGETs that it names are not mapped, each with the command that maps it."""
        self.size = FINE
        """The positions of a row when nothing moves."""
        self.columns = 3
        """How many methods are shown side by side, if there are as many."""
        self.scale: float | None = None
        """In scene units a pixel of a fine map; None for one as large as the picture."""
        self.center: Vec3 | None = None
        """The vector of the handle in the middle; None while that is where the handle is."""
        self.found: PositionMap | None = None
        self.answered: Question | None = None
        """The question that `found` answers."""
        self.problem = ""
        """Why there is no map."""
        self.notice = ""
        """The result of looking for a wrong position."""
        self.noted: Question | None = None
        """The question of the first map after that."""
