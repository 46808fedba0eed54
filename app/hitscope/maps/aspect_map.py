"""A map with what is asked of it: the answers of methods, the error of t, or what decides."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hitscope.errors import HitscopeError
from hitscope.geometry.registry import EXACT, choose
from hitscope.geometry.shapes import Shape
from hitscope.maps.colours import LABELLED, Aspect
from hitscope.maps.handles import Handle
from hitscope.maps.labels import deciding_features, deciding_lines
from hitscope.maps.plane import MapPlane
from hitscope.maps.position_map import Code, MapMethod, MethodMap, PositionMap, position_map
from hitscope.scene.model import Scene
from hitscope.targets.method_text import choice_of
from hitscope.targets.target_text import TargetText


def aspect_map(
    aspect: Aspect,
    scene: Scene,
    handle: Handle,
    plane: MapPlane,
    methods: Sequence[MapMethod],
    others: Sequence[Shape],
) -> PositionMap:
    """Return the map, as `position_map`, with all that its colours need; raises HitscopeError.

    A map of features is that of exact geometry alone.
    """
    if aspect in LABELLED and len(others) != 1:
        raise HitscopeError(
            f"expected one pair for a map of what decides, found {len(others):,}: name the other one"
        )
    found = position_map(scene, handle, plane, methods, others, with_t=aspect == "t")
    found = replace(found, aspect=aspect)
    if aspect == "feature":
        labels = deciding_features(scene, handle, plane, others[0])
        codes = np.where(found.hit, Code.RIGHT_HIT, Code.RIGHT_MISS).astype(np.uint8)
        return replace(found, methods=(MethodMap(EXACT, codes, found.hit, labels=labels),))
    if aspect not in LABELLED:
        return found
    pair = handle.pair_with(scene, others[0])
    labelled = []
    for method in found.methods:
        if TargetText.of(method.name).kind != "catalogue_method":
            raise HitscopeError(f"{method.name}: expected a method of the catalogue for a map of lines")
        chosen = choose(pair, choice_of(method.name))
        labelled.append(replace(method, labels=deciding_lines(scene, handle, plane, others[0], chosen)))
    return replace(found, methods=tuple(labelled))
