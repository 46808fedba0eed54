"""A Report: which probe hits which primitive, and each pair's full verdict when it is asked for."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from hitscope import progress
from hitscope.errors import HitscopeError
from hitscope.evaluate.elements import Elements
from hitscope.evaluate.expectations import MethodName, Mismatch, mismatches
from hitscope.evaluate.verdict import Verdict, verdict
from hitscope.geometry.arrays import Shapes
from hitscope.geometry.group import Group, Tally
from hitscope.geometry.registry import EXACT, Chosen, choose
from hitscope.geometry.shapes import Shape
from hitscope.scene.model import Bulk, Item, Scene, Single

if TYPE_CHECKING:
    from hitscope.geometry.bvh import Tree

LARGEST_HITS = 1 << 28
"""`hits` holds at most so many verdicts, a byte each (256 MiB)."""
LARGEST_BITS = 1 << 35
"""`bits` holds at most so many verdicts (4 GiB)."""
BLOCK = 1 << 24
"""So many verdicts are put into bits at a time."""


class Placed(NamedTuple):
    """Elements of one type that are decided together, and their places among all."""

    places: slice | NDArray[np.intp]
    kind: type[Shape]
    items: tuple[Item, ...]
    group: Group


class Work(NamedTuple):
    """What decides: a method, for the probes of a type against a group."""

    group: Group
    chosen: Chosen
    probe: type[Shape]


class Report:
    """The verdicts of a scene: does probe i hit element j.

    `probes` are the enabled probes, `unasked` the others, and `elements` the primitives, N in all, those of bulk
    items one by one. Of every probe item, bulk or not, it is kept which elements any of its probes hits; what
    says more of a bundle of probes - `row`, `bits`, `hits` - is found when it is asked for, and no array of all
    pairs is made before.
    """

    def __init__(
        self,
        scene: Scene,
        previous: "Report | None" = None,
        compile: bool = True,
        level: int | UnsetType | None = UNSET,
    ) -> None:
        """Decide every probe, but for those that `previous` has decided against the same primitives."""
        self.scene = scene
        self.level = scene.view.hierarchy if level is UNSET else level
        """The level of the hierarchies that is to be shown."""
        self._compile = compile
        self.probes, self.unasked = _probes(scene, enabled=True), _probes(scene, enabled=False)
        self.elements: Elements
        self._groups: list[Placed]
        self._tallies: list[Tally]
        known: dict[int, Tally] = {}
        if previous and previous.scene.primitives is scene.primitives:
            self.elements, self._groups = previous.elements, previous._groups
            if previous.scene.methods == scene.methods:
                # A probe is known by the item itself: equal numbers may differ in the sign of a zero.
                items = map(id, previous.probes.items)
                known = dict(zip(items, previous._tallies, strict=True))
        else:
            self.elements = Elements(scene.primitive_ids, scene.primitives)
            self._groups = _groups_of(self.elements, previous._groups if previous else ())
        decided = [item for item in self.probes.items if id(item) not in known]
        progress.add_total(sum(map(_size, decided)) * len(self.elements))
        self._tallies = [
            known[id(item)] if id(item) in known else self._decide(item, self._groups)
            for item in self.probes.items
        ]
        self._verdicts: dict[tuple[int, int], Verdict] = {}

    @cached_property
    def green(self) -> NDArray[np.bool_]:
        """Of each element: does any enabled probe hit it; (N,)."""
        if len(self._tallies) == 1:
            return self._tallies[0].primitives
        green = np.zeros(len(self.elements), dtype=np.bool_)
        for tally in self._tallies:
            green |= tally.primitives
        return green

    @cached_property
    def hitting(self) -> NDArray[np.bool_]:
        """Of each probe: does it hit any element; (P,)."""
        none = np.zeros(0, dtype=np.bool_)
        return np.concatenate([none, *(tally.probes for tally in self._tallies)])

    def tally(self, k: int, method: MethodName | None = None, places: range | None = None) -> Tally:
        """Give what the probes of the k-th enabled item hit together, by the deciding methods or by the one named.

        `primitives` (N,) says which elements any of them hits, `probes` which of them hit any element. Of a method
        that is not every element's, only the elements at the `places`, all of one type, may be asked about.
        """
        if method is None:
            return self._tallies[k]
        return self._decide(self.probes.items[k], self._groups_at(places), method)

    def row(self, i: int, method: MethodName | None = None, places: range | None = None) -> NDArray[np.bool_]:
        """Say which elements probe i hits, by the deciding methods or by the one named; (N,). See `tally`."""
        k, _ = self.probes.locate(i)
        if method is None and isinstance(self.probes.items[k], Single):
            return self._tallies[k].primitives
        return self._row(self.probes[i].shape, self._groups_at(places), method)

    def count(self, i: int) -> int:
        """Say how many elements probe i hits."""
        return int(np.count_nonzero(self.row(i)))

    @cached_property
    def bits(self) -> NDArray[np.uint8]:
        """Every pair's hit as a bit: (P, ceil(N / 8)), bit j % 8 of [i, j // 8] says whether i hits element j.

        Raises HitscopeError where they are more than memory should be asked for.
        """
        size = len(self.elements)
        self._check_size(LARGEST_BITS, "bits", "row(i), green or hitting")
        bits = np.zeros((len(self.probes), (size + 7) // 8), dtype=np.uint8)
        for part, tally in zip(self.probes.parts, self._tallies, strict=True):
            if part.shapes is None:
                bits[part.first] = np.packbits(tally.primitives, bitorder="little")
                continue
            step = max(1, BLOCK // max(size, 1))
            for first in range(0, part.size, step):
                probes = part.shapes[first : first + step]
                bits[part.first + first : part.first + first + len(probes)] = self._bits(probes)
        return bits

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Every pair's hit, `hits[i, j]`: (P, N). Raises HitscopeError for more than 2**28 pairs."""
        self._check_size(LARGEST_HITS, "hits", "bits (a bit a pair), row(i), green or hitting")
        size = len(self.elements)
        return np.unpackbits(self.bits, axis=1, count=size, bitorder="little").view(np.bool_)

    def chosen(self, probe: Shape, primitive: Shape) -> Chosen:
        """Give the deciding method of a pair: the one that the scene names, else `exact`."""
        return self._chosen(type(probe), type(primitive))

    def verdict(self, i: int, j: int, method: MethodName | None = None) -> Verdict:
        """Give what is known of probe i and element j, by the deciding method or by the one named."""
        if method is not None:
            return self.find_verdict(i, j, method)
        if (i, j) not in self._verdicts:
            self._verdicts[i, j] = self.find_verdict(i, j)
        return self._verdicts[i, j]

    def find_verdict(self, i: int, j: int, method: MethodName | None = None) -> Verdict:
        """Give what `verdict` gives, found anew and not kept: for those who ask about very many pairs."""
        probe, primitive = self.probes[i], self.elements[j]
        chosen = self._chosen(type(probe.shape), type(primitive.shape), method)
        return verdict(probe.id, primitive.id, probe.shape, primitive.shape, chosen)

    def verdicts(self) -> Iterator[Verdict]:
        """Give every pair's verdict, probe by probe; none of them is kept."""
        for i in range(len(self.probes)):
            for j in range(len(self.elements)):
                yield self.find_verdict(i, j)

    def work(self) -> Iterator[Work]:
        """Give what decides the pairs, e.g. to compile it ahead."""
        for kind in dict.fromkeys(map(_kind, self.probes.items)):
            for placed in self._groups:
                yield Work(placed.group, self._chosen(kind, placed.kind), kind)

    @cached_property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """Give what differs from the scene's expectations, in words."""
        return tuple(mismatches(self))

    def _chosen(self, probe: type, primitive: type, method: MethodName | None = None) -> Chosen:
        pair = f"{probe.__name__}_{primitive.__name__}".lower()
        return choose(pair, method or self.scene.methods.get(pair, EXACT))

    def hierarchies(self, grow: bool = False) -> "list[Tree]":
        """Give the hierarchies over the primitives that there are; `grow` makes all that there can be."""
        trees = [placed.group.hierarchy(grow) for placed in self._groups if placed.group.can_grow]
        return [tree for tree in trees if tree is not None]

    @property
    def lacks_hierarchies(self) -> bool:
        """Whether hierarchies are to be shown that are not made yet."""
        able = sum(placed.group.can_grow for placed in self._groups)
        return self.level is not None and len(self.hierarchies()) < able

    def _groups_at(self, places: range | None) -> list[Placed]:
        """Give the groups that have elements at the places; all groups without them."""
        if places is None:
            return self._groups
        some = np.zeros(len(self.elements), dtype=np.bool_)
        some[places.start : places.stop] = True
        return [placed for placed in self._groups if some[placed.places].any()]

    def _decide(self, item: Item, groups: Sequence[Placed], method: MethodName | None = None) -> Tally:
        """Decide the probes of an item against the elements of some groups."""
        if isinstance(item, Single):
            row = self._row(item.shape, groups, method)
            row.flags.writeable = False  # reports share it
            return Tally(row, np.array([row.any()]))
        assert isinstance(item, Bulk)
        primitives = np.zeros(len(self.elements), dtype=np.bool_)
        probes = np.zeros(len(item.shapes), dtype=np.bool_)
        if len(item.shapes):
            for places, kind, _, group in groups:
                found = group.tally(self._chosen(item.kind, kind, method), item.shapes)
                primitives[places] = found.primitives
                probes |= found.probes
        primitives.flags.writeable = False
        return Tally(primitives, probes)

    def _row(self, probe: Shape, groups: Sequence[Placed], method: MethodName | None) -> NDArray[np.bool_]:
        row = np.zeros(len(self.elements), dtype=np.bool_)
        for places, kind, _, group in groups:
            if len(group.shapes) == len(row):
                return group.hits(self._chosen(type(probe), kind, method), probe, self._compile)
            row[places] = group.hits(self._chosen(type(probe), kind, method), probe, self._compile)
        return row

    def _bits(self, probes: Shapes) -> NDArray[np.uint8]:
        """Decide some probes of one type against every element; (m, ceil(N / 8))."""
        rows = np.zeros((len(probes), len(self.elements)), dtype=np.bool_)
        for places, kind, _, group in self._groups:
            bits = group.bits(self._chosen(probes.kind, kind), probes)
            rows[:, places] = np.unpackbits(bits, axis=1, count=len(group.shapes), bitorder="little")
        return np.packbits(rows, axis=1, bitorder="little")

    def _check_size(self, largest: int, what: str, instead: str) -> None:
        probes, elements = len(self.probes), len(self.elements)
        if probes * elements > largest:
            expected = f"{what} of at most {largest:,} pairs; ask for {instead}"
            raise HitscopeError(f"expected {expected}, found {probes:,} probes and {elements:,} elements")


def _probes(scene: Scene, *, enabled: bool) -> Elements:
    """Give the probes that are enabled, or those that are not."""
    chosen = [i for i, item in enumerate(scene.probes) if item.enabled == enabled]
    return Elements([scene.probe_ids[i] for i in chosen], [scene.probes[i] for i in chosen])


def evaluate(
    scene: Scene,
    previous: Report | None = None,
    compile: bool = True,
    level: int | UnsetType | None = UNSET,
) -> Report:
    """Decide every enabled probe against every primitive of a scene.

    `previous` is a report of a scene that this one was edited from: what did not change is not decided again.
    Without `compile` no single probe waits for code that is not compiled yet. `level` is the level of the
    hierarchies that is to be shown, unless it is the scene's.
    """
    return Report(scene, previous, compile, level)


def _groups_of(elements: Elements, previous: Sequence[Placed]) -> list[Placed]:
    """Give the elements that are one type's and the elements of each bulk item, as groups; known ones stay.

    Of as many of the same type as before, others are taken for the same ones moved.
    """
    known = {tuple(map(id, placed.items)): placed.group for placed in previous}
    before = {(placed.kind, len(placed.group.shapes)): placed.group for placed in previous}

    def placed(places: slice | NDArray[np.intp], items: tuple[Item, ...], shapes: Sequence[Shape]) -> Placed:
        kind = _kind(items[0])
        group = known.get(tuple(map(id, items)))
        if group is None:
            alike = before.get((kind, len(shapes)))
            group = Group(shapes) if alike is None else alike.moved(shapes)
        return Placed(places, kind, items, group)

    groups = []
    singles: dict[type, list[tuple[int, Single]]] = {}
    for part in elements.parts:
        progress.advance(0)
        if isinstance(part.item, Single):
            singles.setdefault(type(part.item.shape), []).append((part.first, part.item))
        elif isinstance(part.item, Bulk) and part.size:
            groups.append(placed(part.places, (part.item,), part.item.shapes))
    for found in singles.values():
        places, items = zip(*found, strict=True)
        groups.append(placed(np.array(places), items, [item.shape for item in items]))
    return groups


def _size(item: Item) -> int:
    """Say how many shapes an item is."""
    return len(item.shapes) if isinstance(item, Bulk) else 1


def _kind(item: Item) -> type[Shape]:
    """Give the type of an item's shapes."""
    if isinstance(item, Bulk):
        return item.kind
    assert isinstance(item, Single)
    return type(item.shape)
