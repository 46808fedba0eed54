"""`hitscope.scene` and `hitscope.save`: scenes made of shapes and arrays, and written to files."""

from __future__ import annotations  # so that signatures are short in help()

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from msgspec.structs import replace

from hitscope.errors import ArgumentFault, Fault, HitscopeError, faults_below, faults_in, shown
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.kinds import innermost, listed, word_of
from hitscope.geometry.shapes import PRIMITIVES, PROBES, Shape
from hitscope.scene import model
from hitscope.scene.bulk import Bulk, MeshPrimitive
from hitscope.scene.items import Item
from hitscope.scene.model import Scene
from hitscope.scene.save import save as write_scene
from hitscope.scene.shape_items import SHAPE_ITEMS, arrays_of, fields_of
from hitscope.scene.triangle_mesh import Mesh

ItemLike: TypeAlias = Shape | Shapes | Mesh | Item | Sequence[Shape]
"""One shape; or many of one type, each of which then is an element `ID[i]`."""
Items: TypeAlias = Mapping[str, ItemLike] | Sequence[ItemLike]
"""Items by id, or without ids."""


def scene(
    primitives: Items = (),
    probes: Items = (),
    *,
    methods: Mapping[str, Any] = {},
    expect: Iterable[Any] = (),
    name: str = "",
    description: str = "",
    view: Mapping[str, Any] = {},
) -> Scene:
    """Return a scene of primitives, which are coloured, and of probes, which hit them.

    Either is a dictionary by id, or a list, whose ids are by default `aabb-0` and so on. An item is a shape; or
    many of one type, as `Shapes`, a list of shapes or a `Mesh`, each of which then is an element `ID[i]`.

    `methods` names a method by a pair of types, `expect` has expectations and `view` a view, as in scene files:
    `{"segment_aabb": "slab_ericson"}`, `[{"probe": "r", "primitive": "box", "hit": True}]`, `{"up": "z"}`.
    Raises HitscopeError for items that are no probes or primitives, and for what scene files do not allow.

    >>> import hitscope
    >>> from hitscope import Aabb, Ray
    >>> made = hitscope.scene({"box": Aabb((1, -1, -1), (2, 1, 1))}, {"ray": Ray((0, 0, 0), (1, 0, 0))})
    >>> [(row.probe, row.primitive, row.t_enter) for row in hitscope.evaluate(made).verdicts() if row.hit]
    [('ray', 'box', 1.0)]
    """
    with faults_in("scene"):
        return Scene(
            version=1,
            name=name,
            description=description,
            primitives=tuple(_items("primitives", "a primitive", model.PRIMITIVES, primitives)),
            probes=tuple(_items("probes", "a probe", model.PROBES, probes)),
            methods=dict(methods),
            expect=tuple(expect),
            view=view,  # type: ignore[arg-type] # the struct checks and converts it
        )


def save(scene: Scene, path: str | PathLike[str]) -> None:
    """Write a scene to a file, in place of one that is there; such files are named `NAME.scene.json`.

    The files that it refers to have to be in or below the folder. Raises HitscopeError where that fails.

    >>> import hitscope, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hitscope.save(hitscope.scene([hitscope.Plane((0, 0, 1), 0)]), f"{folder}/ground.scene.json")
    ...     hitscope.load(f"{folder}/ground.scene.json").primitive_ids
    ('plane-0',)
    """
    if not isinstance(scene, Scene):
        raise ArgumentFault("save", Fault(("scene",), "a Scene", shown(scene)))
    try:
        write_scene(scene, path)
    except OSError as error:
        raise HitscopeError(f"{path}: expected a file that can be written, found: {error.strerror}") from error


def _items(role: str, what: str, kinds: Mapping[str, type[Item]], items: Any) -> Iterator[Any]:
    """Yield the items of a role; raises Fault."""
    if isinstance(items, Mapping):
        named = list(items.items())
    elif isinstance(items, Sequence) and not (isinstance(items, str | Shapes) or _is_shape(items)):
        named = list(enumerate(items))
    else:
        expected = f"a dictionary of {role} by id, or a list of them"
        raise Fault((role,), expected, repr(items) if _is_shape(items) else shown(items))
    for key, value in named:
        with faults_below((role, key)):
            item = _item(what, kinds, value, {"id": key} if isinstance(items, Mapping) else {})
        yield item


def _item(what: str, kinds: Mapping[str, type[Item]], value: Any, more: dict[str, Any]) -> Item:
    if isinstance(value, Item) and type(value) in kinds.values():
        return replace(value, **more)
    known = (PROBES if kinds is model.PROBES else PRIMITIVES).values()
    if type(value) in known:
        return kinds[word_of(innermost(type(value)))](**fields_of(value), **more)
    if isinstance(value, list | tuple) and value and all(map(_is_shape, value)):
        try:
            value = Shapes.of(value)
        except Fault as fault:
            raise Fault((), fault.expected, fault.found) from None
    shapes = value.shapes if isinstance(value, Mesh) else value
    if not isinstance(shapes, Shapes):
        found = repr(value) if _is_shape(value) else shown(value)
        raise Fault((), f"{what} ({listed(known)}), Shapes of one type or a Mesh", found)
    bulk = {kind.kind: kind for kind in kinds.values() if issubclass(kind, Bulk) and kind is not MeshPrimitive}
    if shapes.kind not in bulk:
        names = ", ".join(kind.__name__ for kind in bulk)
        raise Fault((), f"{what} each by itself, or Shapes of {names}", f"Shapes of {shapes.kind.__name__}")
    return bulk[shapes.kind](**arrays_of(shapes), **more)


def _is_shape(value: object) -> bool:
    return type(value) in SHAPE_ITEMS
