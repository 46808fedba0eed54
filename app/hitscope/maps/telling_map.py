"""The map that shows what is wrong with a pair: its handle, and a scale on which both answers are seen."""

import base64
from collections.abc import Sequence

from hitscope.errors import HitscopeError
from hitscope.maps.facing import plane_of
from hitscope.maps.handles import find_handle
from hitscope.maps.picture import png_bytes
from hitscope.maps.position_map import MapMethod, PositionMap, others_of, position_map
from hitscope.maps.telling_scale import handle_name, telling_scale
from hitscope.scene.items import Single
from hitscope.scene.model import Scene
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.target import TargetSpec

FIGURE = 128
"""The positions of a row of a map in a page."""


def telling_map(
    scene: Scene, probe: str, primitive: str, specs: Sequence[TargetSpec], is_wrong: bool
) -> PositionMap:
    """Return the map of methods around a pair, by the names of probe and primitive; raises HitscopeError."""
    item, _ = scene.named_probes.find(probe, (), "a probe")
    if not isinstance(item, Single):
        raise HitscopeError(f"{probe}: expected a single probe for a map, found one of many")
    handle = find_handle(scene, handle_name(probe, item.shape), "probe")
    (other,) = others_of(scene, handle, primitive)
    scale = telling_scale(item.shape, other, FIGURE) if is_wrong else None
    plane = plane_of(scene, handle, scale, FIGURE)
    pair = handle.pair_with(scene, other)
    with OpenTargets() as opened:
        methods = [MapMethod(spec.name, {pair: opened[spec]}, spec.real) for spec in specs]
        return position_map(scene, handle, plane, methods, [other])


def figure(found: PositionMap) -> str:
    """Return the picture of a map as the content of an HTML figure."""
    text = base64.b64encode(png_bytes(found)).decode()
    words = f"The map of {found.handle.name.translate(_PLAIN)}: right and wrong answers around the pair"
    return f'<img alt="{words}" src="data:image/png;base64,{text}">'


_PLAIN = {ord(character): None for character in "<>&\"'"}
