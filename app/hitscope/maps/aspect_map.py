"""Maps as they are asked for: their planes, targets and aspects, and the map of a pair for a page."""

import base64
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hitscope.draw.builder import Builder
from hitscope.errors import HitscopeError
from hitscope.evaluate import evaluate
from hitscope.geometry.registry import EXACT, choose
from hitscope.geometry.shapes import Shape
from hitscope.geometry.vector import vec3
from hitscope.maps.colours import LABELLED, Aspect
from hitscope.maps.handles import Handle, find_handle, handle_name
from hitscope.maps.labels import deciding_features, deciding_lines
from hitscope.maps.picture import png_bytes
from hitscope.maps.plane import SIZE, MapPlane, plane_facing, telling_scale
from hitscope.maps.position_map import Code, MapMethod, MethodMap, PositionMap, others_of, position_map
from hitscope.render.camera import Camera, Viewport
from hitscope.scene.items import Single
from hitscope.scene.model import Scene
from hitscope.targets.calls import OpenTarget
from hitscope.targets.method_text import choice_of
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.process import InThisProcess
from hitscope.targets.runners import catalogue_method
from hitscope.targets.target import TargetSpec, TargetText

FIGURE = 128
"""The positions of a row of a map in a page."""


def aspect_map(
    aspect: Aspect, handle: Handle, plane: MapPlane, methods: Sequence[MapMethod], others: Sequence[Shape]
) -> PositionMap:
    """Return the map with all that its colours need; of features that of exact geometry. Raises HitscopeError."""
    if aspect in LABELLED and len(others) != 1:
        raise HitscopeError(
            f"expected one pair for a map of what decides, found {len(others):,}: name the other one"
        )
    found = replace(position_map(handle, plane, methods, others, with_t=aspect == "t"), aspect=aspect)
    if aspect == "feature":
        labels = deciding_features(handle, plane, others[0])
        codes = np.where(found.hit, Code.RIGHT_HIT, Code.RIGHT_MISS).astype(np.uint8)
        return replace(found, methods=(MethodMap(EXACT, codes, found.hit, labels=labels),))
    if aspect not in LABELLED:
        return found
    labelled = []
    for method in found.methods:
        if TargetText.of(method.name).kind != "catalogue_method":
            raise HitscopeError(f"{method.name}: expected a method of the catalogue for a map of lines")
        chosen = choose(handle.pair_with(others[0]), choice_of(method.name))
        labelled.append(replace(method, labels=deciding_lines(handle, plane, others[0], chosen)))
    return replace(found, methods=tuple(labelled))


def catalogue_target(text: str, pair: str) -> OpenTarget:
    """Return a method of the catalogue, compiled; raises HitscopeError for any other text."""
    return InThisProcess(catalogue_method.load(TargetSpec(text, pair), compiled_from=0))


def map_target(spec: TargetSpec, opened: OpenTargets, positions: int) -> OpenTarget:
    """Return a target for so many positions: a method of the catalogue is compiled at once if that pays."""
    if TargetText.of(spec.text).kind == "catalogue_method" and positions >= catalogue_method.COMPILED_FROM:
        return InThisProcess(catalogue_method.load(spec, compiled_from=0))
    return opened[spec]


def plane_of(scene: Scene, handle: Handle, scale: float | None = None, size: int = SIZE) -> MapPlane:
    """Return the plane through a handle that faces the scene's camera, as large as its picture unless scaled."""
    camera = Camera.of_view(scene.view, Builder().corners(evaluate(scene)), Viewport(0, 0, size, size))
    right, up, back = (vec3(row) for row in camera.axes.tolist())
    if scale is None:
        depth = float(np.dot(np.subtract(camera.eye, handle.numbers.point), back))
        scale = camera.pixel_size(max(depth, camera.distance * 1e-3), size)
    return plane_facing(handle.numbers.vector, right, up, scale, size)


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
    with OpenTargets() as opened:
        methods = [MapMethod(spec.name, {handle.pair_with(other): opened[spec]}, spec.real) for spec in specs]
        return position_map(handle, plane, methods, [other])


def figure(found: PositionMap) -> str:
    """Return the picture of a map as the content of an HTML figure."""
    text = base64.b64encode(png_bytes(found)).decode()
    words = f"The map of {found.handle.name.translate(_PLAIN)}: right and wrong answers around the pair"
    return f'<img alt="{words}" src="data:image/png;base64,{text}">'


_PLAIN = str.maketrans("", "", "<>&\"'")
