"""The command `hitscope map`."""

import argparse
from collections.abc import Sequence
from typing import Any

from hitscope import outputs, terminal
from hitscope.errors import HitscopeError
from hitscope.geometry import registry, shapes
from hitscope.maps.aspect_map import aspect_map, map_target, plane_of
from hitscope.maps.handles import Handle, find_handle
from hitscope.maps.position_map import MapMethod, PositionMap, others_of
from hitscope.scene.model import Scene
from hitscope.targets.method_text import method_text
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import rules_of, specs
from hitscope.targets.target import Carried


def run(options: argparse.Namespace, scene: Scene) -> int:
    """Make the map that the options name: a picture, its counts as JSON, or the counts as text."""
    if options.output:
        outputs.output_format(options.output, (".png",))
    handle = find_handle(scene, options.handle)
    others = others_of(scene, handle, options.other)
    plane = plane_of(scene, handle, options.scale, options.size)
    with OpenTargets() as opened:
        methods = _methods(options, scene, handle, others, opened)
        found = aspect_map(options.show, handle, plane, methods, others)
    if options.output:
        from hitscope.maps.picture import png_bytes

        outputs.write_output(options.output, [png_bytes(found)])
    if options.json:
        print(terminal.json_text(as_dict(found)))
    elif str(options.output) != "-":
        from hitscope.maps.picture import counts, scale_text

        terminal.print_line(scale_text(found))
        for method in found.methods:
            terminal.print_line(f"{method.name}: {counts(method)}")
    return 0


def as_dict(found: PositionMap) -> dict[str, Any]:
    """Return a map as `hitscope map --json` prints it."""
    counts = ("wrong", "wrong_hits", "wrong_misses")
    return {
        **{name: getattr(found.plane, name) for name in ("size", "scale", "origin", "right", "up")},
        "methods": [
            {"method": method.name, **{name: getattr(method, name) for name in counts}} for method in found.methods
        ],
    }


def _methods(
    options: argparse.Namespace, scene: Scene, handle: Handle, others: Sequence[shapes.Shape], opened: OpenTargets
) -> list[MapMethod]:
    """Return the methods of the command line, each open for the pairs of the map."""
    if not (pairs := sorted({handle.pair_with(other) for other in others})):
        raise HitscopeError(f"{options.handle}: expected shapes to test it against, found none")
    methods: list[MapMethod] = []
    for text in options.method or [Carried(method_text(scene.methods.get(pairs[0], registry.EXACT)))]:
        for column in zip(*(specs(text, pair, options, options.float) for pair in pairs), strict=True):
            targets = {spec.pair: map_target(spec, opened, options.size**2) for spec in column}
            rules = rules_of(options, column[0].carried, scene.judged)
            methods.append(MapMethod(column[0].name, targets, column[0].real, rules))
    return methods
