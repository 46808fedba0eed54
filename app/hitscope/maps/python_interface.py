"""`hitscope.map`: what methods answer for every position of a handle, as arrays."""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any

from hitscope.errors import Fault, faults_in, shown
from hitscope.float_mode import in_default_mode
from hitscope.maps.aspect_map import aspect_map, map_target, plane_of
from hitscope.maps.colours import ASPECTS, Aspect
from hitscope.maps.handles import find_handle
from hitscope.maps.picture import counts, png_bytes, scale_text
from hitscope.maps.plane import LARGEST_MAP, SIZE
from hitscope.maps.position_map import MapMethod, PositionMap, others_of
from hitscope.scene.model import Scene
from hitscope.targets.deciding import function_target
from hitscope.targets.open_targets import OpenTargets
from hitscope.targets.options import target_specs
from hitscope.targets.target import REALS


class ShownMap(PositionMap):
    """A map that a notebook shows as a picture."""

    def __repr__(self) -> str:
        methods = "".join(f"\n    {method.name}: {counts(method)}" for method in self.methods)
        return f"<Map of {scale_text(self)}{methods}>"

    def _repr_png_(self) -> bytes:
        return png_bytes(self)


@in_default_mode
def map(
    scene: Scene,
    handle: str,
    methods: str | Callable[..., Any] | Sequence[str | Callable[..., Any]] = ("exact",),
    *,
    other: str | None = None,
    scale: float | None = None,
    size: int = SIZE,
    float: str | None = None,
    show: Aspect = "agreement",
) -> ShownMap:
    """Evaluate methods for `size` x `size` positions of a handle, in the plane through it that faces the camera.

    `handle` is ID.NAME of a probe or primitive, such as "cut.end"; `methods` are names of the catalogue, texts of
    TARGETs, or functions as `hitscope.judge` takes them; `other` is what the moved shape is tested against, by
    default all. `scale` is in scene units a pixel, by default as large as the picture; `float` is "f32" or "f64".
    The result, which a notebook shows as a picture, has the plane and, for each of its `methods`, `codes`, `hit`
    and `wrong`; with `show="t"` the errors of t in ulps, with "feature" or "line" what decides. Raises
    HitscopeError.

    >>> import hitscope
    >>> from hitscope.resources import SCENES
    >>> classroom = hitscope.load(SCENES / "robustness" / "classroom.scene.json")
    >>> found = hitscope.map(classroom, "cut.start", "slab_intervals", scale=2.0**-53, size=64)
    >>> found.methods[0].wrong > 100, found.methods[0].codes.shape
    (True, (64, 64))
    """
    listed = list(methods) if isinstance(methods, Iterable) and not isinstance(methods, str) else [methods]
    with faults_in("map"):
        if not isinstance(scene, Scene):
            raise Fault(("scene",), "a Scene", shown(scene))
        if not isinstance(size, int) or not 0 < size <= LARGEST_MAP:
            raise Fault(("size",), f"a whole number from 1 to {LARGEST_MAP}", shown(size))
        if show not in ASPECTS:
            raise Fault.unknown(("show",), "what the colours show", ASPECTS, str(show))
        if float not in (None, *REALS):
            raise Fault.unknown(("float",), "a precision", REALS, str(float))
        if scale is not None and not 0 < scale < inf:
            raise Fault(("scale",), "a number above 0", shown(scale))
        for k, method in enumerate(listed):
            if not isinstance(method, str) and not callable(method):
                raise Fault(("methods", k), "a method, a TARGET or a function", shown(method))
        moved = find_handle(scene, handle)
        others = others_of(scene, moved, other)
    pairs = sorted({moved.pair_with(one) for one in others})
    with OpenTargets() as opened:
        compared = []
        for method in listed:
            name, targets, real = str(method), {}, "float64"
            for pair in pairs:
                if isinstance(method, str):
                    spec, *_ = target_specs(method, pair, real=REALS.get(float or ""))
                    targets[pair] = map_target(spec, opened, size * size)
                else:
                    spec, targets[pair] = function_target(method, pair, REALS.get(float or "", real))
                    name = spec.name
                real = spec.real
            compared.append(MapMethod(name, targets, real))
        found = aspect_map(show, moved, plane_of(scene, moved, scale, size), compared, others)
    return ShownMap(**vars(found))
