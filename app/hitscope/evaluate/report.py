"""The report of a scene: which probe hits which primitive, and the full verdict of each pair on demand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import islice, product
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from hitscope import numerals, progress
from hitscope.errors import ArgumentFault, Fault, HitscopeError, shown
from hitscope.evaluate.elements import Elements
from hitscope.evaluate.expectations import MethodName, Mismatch, mismatches
from hitscope.evaluate.verdict import Verdict, verdict
from hitscope.geometry import exact, kinds, traits
from hitscope.geometry.arrays import Array, Shapes
from hitscope.geometry.group import Group, HitMasks
from hitscope.geometry.registry import EXACT, KINDS_OF_PAIR, Chosen, Method, choose, of_pair, pair_of
from hitscope.geometry.shapes import T_RANGES, Shape, is_linear, linear
from hitscope.scene.bulk import Bulk
from hitscope.scene.items import Item, Single
from hitscope.scene.model import Expectation, Scene

if TYPE_CHECKING:
    from hitscope.geometry.bvh import Tree

LOST = 2.0**-48
"""More than the relative rounding error of a t that is computed from bounds."""
COMPARED_CASTS = 64
"""The most elements of which the one is found that a cast enters first."""


class NearestHit(NamedTuple):
    """The exact t at which a probe enters a shape, and the shape's position; the lesser of two is the first."""

    t_enter: Fraction | float
    position: int


def nearest_hit(probe: Shape, shapes: Sequence[Shape]) -> NearestHit | None:
    """Return which shape a linear probe or cast enters first, the first of several; t are computed as needed."""
    found: NearestHit | None = None
    least = _least_t(probe, shapes)
    for k in np.argsort(least, kind="stable").tolist():
        if found is not None and least[k] > found.t_enter:
            break
        t = exact.relation(probe, shapes[k]).t_enter
        # A method may call a hit what is none; that has no t.
        hit = NearestHit(inf if t is None else t, k)
        found = hit if found is None else min(found, hit)
    return found


def _least_t(probe: Shape, shapes: Sequence[Shape]) -> Array:
    """A lower bound of the t at which a probe enters each shape, by the slabs of its bounds; (n,). 0 of a cast."""
    if not is_linear(probe):
        return np.zeros(len(shapes))
    line = linear(probe)
    direction = np.array(line.direction, float)
    with np.errstate(all="ignore"):
        ways = traits.all_bounds(shapes) - np.array(line.origin)
        # Where numbers overflow nothing is known.
        known = np.isfinite(direction) & (direction != 0) & np.isfinite(ways).all(axis=1)
        enters = np.where(known, (ways / direction).min(axis=1), -inf)
        least = np.nan_to_num(enters, nan=-inf, posinf=np.finfo(float).max, neginf=-inf).max(axis=1)
        return np.asarray(np.maximum(least - np.abs(least) * LOST - np.finfo(float).tiny, line.t_min))


class ReportLimits(NamedTuple):
    """The most verdicts that an array may hold."""

    hits: int = 1 << 28
    """Verdicts of `Report.hits`, a byte each: 256 MiB."""
    bits: int = 1 << 35
    """Verdicts of `Report.bits`, a bit each: 4 GiB."""
    block: int = 1 << 24
    """The number of verdicts packed into bits at a time."""


NearestHits: TypeAlias = NDArray[np.intp]
"""The element that each of m probes enters first, -1 for none; (m,)."""


class ElementGroup(NamedTuple):
    """Elements of one type that are decided together, and their indices among all."""

    indices: slice | NDArray[np.intp]
    kind: type[Shape]
    items: tuple[Item, ...]
    group: Group


class MethodUse(NamedTuple):
    """A method that decides the probes of one type against a group."""

    group: Group
    chosen: Chosen
    probe: type[Shape]


class OwnMethods(NamedTuple):
    """The user's own methods, by the pair of types."""

    deciding: Mapping[str, Chosen] = {}
    """Methods that decide in place of those that the scene names."""
    beside: Mapping[str, Chosen] = {}
    """Methods that only stand beside the deciding one."""

    def named(self, pair: str, name: MethodName) -> Chosen | None:
        """Return the method of a pair with a name; None where none of them has it."""
        chosen = (table[pair] for table in self if pair in table)
        return next((own for own in chosen if own.method.name == name), None)

    def probes_decided_anew(self, before: "OwnMethods") -> set[type]:
        """Return the types of the probes of which some pairs are decided otherwise than before."""
        pairs = self.deciding.keys() | before.deciding.keys()
        return {KINDS_OF_PAIR[pair][0] for pair in pairs if self.deciding.get(pair) != before.deciding.get(pair)}


NO_OWN_METHODS = OwnMethods()


class Report:
    """The verdicts of a scene: whether probe i hits element j.

    `probes` are the enabled probes, `disabled_probes` the others, and `elements` the primitives, N in all, those
    of bulk items one by one. A report holds, of each probe item, bulk or not, which elements any of its probes
    hits. The verdicts of the single probes of a bulk item - `row`, `bits`, `hits` - are computed on demand.

    >>> import hitscope
    >>> from hitscope import Aabb, Point
    >>> made = hitscope.scene({"box": Aabb((0, 0, 0), (1, 1, 1))}, [Point((0, 0, 0)), Point((5, 0, 0))])
    >>> report = hitscope.evaluate(made)
    >>> report.hits
    array([[ True],
           [False]])
    >>> [(row["probe"], row["hit"], row["distance"]) for row in report.rows()]
    [('point-0', True, 0.0), ('point-1', False, 4.0)]
    """

    limits = ReportLimits()
    _groups: list[ElementGroup]
    _tallies: list[HitMasks]
    _nearest: list[NearestHits | None]

    def __init__(
        self,
        scene: Scene,
        previous: "Report | None" = None,
        compile: bool = True,
        level: int | UnsetType | None = UNSET,
        nearest_only: bool = False,
        own: OwnMethods = NO_OWN_METHODS,
    ) -> None:
        """Decide every probe but those that `previous` has decided against the same primitives."""
        self.own = own
        self.scene = scene
        self.nearest_only = nearest_only
        """Whether of the hits of each linear probe only the nearest one is to be shown."""
        self.level = scene.view.hierarchy if level is UNSET else level
        """The level of the hierarchies to show; None for none."""
        self._compile = compile
        self.probes, self.disabled_probes = _probes(scene, enabled=True), _probes(scene, enabled=False)
        known: dict[int, HitMasks] = {}
        nearest: dict[int, NearestHits | None] = {}
        if previous is None or previous.scene.primitives is not scene.primitives:
            if previous is None:  # a scene like no other: one of thousands, perhaps, that are checked
                exact.forget_sets()
            self.elements = Elements(scene.primitive_ids, scene.primitives)
            self._groups = _groups_of(self.elements, previous._groups if previous else ())
        else:
            self.elements, self._groups = previous.elements, previous._groups
            if previous.scene.methods == scene.methods:
                # Items are compared by identity: equal numbers may differ in the sign of a zero.
                changed = own.probes_decided_anew(previous.own)
                items = [-1 if _kind(item) in changed else id(item) for item in previous.probes.items]
                known = dict(zip(items, previous._tallies, strict=True))
                nearest = dict(zip(items, previous._nearest, strict=True)) if previous.nearest_only else {}
        decided = [item for item in self.probes.items if id(item) not in known]
        progress.add_total(sum(map(_size, decided)) * len(self.elements))
        self._tallies = [known.get(id(item)) or self._decide(item, self._groups) for item in self.probes.items]
        self._verdicts: dict[tuple[int, int], Verdict] = {}
        self._nearest = self._nearest_after(nearest)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and copy the scene and what its probes hit, without hierarchies and other caches."""
        return {name: getattr(self, name) for name in ("scene", "nearest_only", "level", "_compile", "_tallies")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the elements again, and the nearest hits, and decide nothing else."""
        vars(self).update(state, own=NO_OWN_METHODS, _verdicts={})
        for tally in self._tallies:
            tally.primitives.flags.writeable = False
        self.probes, self.disabled_probes = _probes(self.scene, enabled=True), _probes(self.scene, enabled=False)
        self.elements = Elements(self.scene.primitive_ids, self.scene.primitives)
        self._groups = _groups_of(self.elements, ())
        self._nearest = self._nearest_after({})

    def with_answers(
        self, tallies: Mapping[int, HitMasks], verdicts: Mapping[tuple[int, int], Verdict]
    ) -> "Report":
        """Return the report with other answers of some probe items, and of some pairs, by index."""
        other = type(self).__new__(type(self))
        computed = {name for name, value in vars(type(self)).items() if isinstance(value, cached_property)}
        vars(other).update((name, value) for name, value in vars(self).items() if name not in computed)
        other._tallies = [tallies.get(k, tally) for k, tally in enumerate(self._tallies)]
        other._verdicts = dict(verdicts)
        return other

    @cached_property
    def hit_elements(self) -> NDArray[np.bool_]:
        """Whether any enabled probe hits each element; (N,)."""
        rows = [tally.primitives for tally in self._tallies] or [np.zeros(len(self.elements), dtype=np.bool_)]
        return reduce(np.logical_or, rows)

    @cached_property
    def hitting_probes(self) -> NDArray[np.bool_]:
        """Whether each probe hits any element; (P,)."""
        return np.concatenate([np.zeros(0, np.bool_), *(tally.probes for tally in self._tallies)])

    def tally(self, k: int, method: MethodName | None = None, elements: range | None = None) -> HitMasks:
        """Return what the probes of the k-th enabled item hit together, by the deciding methods or the one named.

        `primitives` (N,): whether any of them hits each element; `probes`: whether each probe hits any element.
        A method that does not serve every element needs a range of `elements`, all of one type that it serves.
        """
        if method is None:
            return self._tallies[k]
        return self._decide(self.probes.items[k], self._groups_in(elements), method)

    def row(self, i: int, method: MethodName | None = None, elements: range | None = None) -> NDArray[np.bool_]:
        """Return whether probe i hits each element; (N,). `method` and `elements` as for `tally`."""
        k, _ = self.probes.locate(i)
        if method is None and isinstance(self.probes.items[k], Single):
            return self._tallies[k].primitives
        return self._row(self.probes[i].shape, self._groups_in(elements), method)

    def nearest_hits(self, k: int) -> NearestHits | None:
        """Return the element that each probe of the k-th enabled item enters first, -1 for none; (m,).

        None for probes that are not linear, which enter nothing first, and unless `nearest_only`.
        """
        return self._nearest[k] if self.nearest_only else None

    @cached_property
    def shown_hits(self) -> NDArray[np.bool_]:
        """Whether each element is to be shown as a hit; (N,)."""
        if not self.nearest_only:
            return self.hit_elements
        shown = np.zeros(len(self.elements), dtype=np.bool_)
        for tally, found in zip(self._tallies, self._nearest, strict=True):
            if found is None:
                shown |= tally.primitives
            else:
                shown[found[found >= 0]] = True
        return shown

    def shown_row(self, i: int) -> NDArray[np.bool_]:
        """Return whether each element is to be shown as hit by probe i; (N,)."""
        k, row = self.probes.locate(i)
        if (found := self.nearest_hits(k)) is None:
            return self.row(i)
        shown = np.zeros(len(self.elements), dtype=np.bool_)
        shown[found[row] : found[row] + 1] = True  # none for -1
        return shown

    def first_entered(self, i: int) -> int | None:
        """Return which element probe i, a cast, enters first, among many nearly so; None if it hits none."""
        probe, row, found = self.probes[i].shape, self.row(i), [np.empty(0, np.intp)]
        for indices, kind, _, group in self._groups:
            hits = group.may_be_first(self._chosen(type(probe), kind), probe, np.flatnonzero(row[indices]))
            found.append(np.arange(len(self.elements))[indices][hits])
        candidates = np.sort(np.concatenate(found))[:COMPARED_CASTS].tolist()
        first = nearest_hit(probe, [self.elements[e].shape for e in candidates])
        return None if first is None else candidates[first.position]

    def count(self, i: int) -> int:
        """Return how many elements probe i hits."""
        return int(np.count_nonzero(self.row(i)))

    @cached_property
    def bits(self) -> NDArray[np.uint8]:
        """Hits as bits, (P, ceil(N / 8)): bit j % 8 of [i, j // 8]. Raises HitscopeError beyond 2**35 pairs."""
        size = len(self.elements)
        self._check_size(self.limits.bits, "bits", "row(i), hit_elements or hitting_probes")
        bits = np.zeros((len(self.probes), (size + 7) // 8), dtype=np.uint8)
        for part, tally in zip(self.probes.parts, self._tallies, strict=True):
            if part.shapes is None:
                bits[part.first] = np.packbits(tally.primitives, bitorder="little")
                continue
            step = max(1, self.limits.block // max(size, 1))
            for first in range(0, part.size, step):
                probes, start = part.shapes[first : first + step], part.first + first
                rows = np.zeros((len(probes), size), dtype=np.bool_)
                for indices, kind, _, group in self._groups:
                    packed = group.bits(self._chosen(probes.kind, kind), probes)
                    rows[:, indices] = np.unpackbits(packed, axis=1, count=len(group.shapes), bitorder="little")
                bits[start : start + len(probes)] = np.packbits(rows, axis=1, bitorder="little")
        return bits

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Every pair's hit, `hits[i, j]`: (P, N). Raises HitscopeError for more than 2**28 pairs."""
        self._check_size(self.limits.hits, "hits", "bits (a bit a pair), row(i), hit_elements or hitting_probes")
        return np.unpackbits(self.bits, axis=1, count=len(self.elements), bitorder="little").view(np.bool_)

    def chosen(self, probe: Shape, primitive: Shape) -> Chosen:
        """Return the deciding method of a pair: the one that the scene names, else `exact`."""
        return self._chosen(type(probe), type(primitive))

    def is_decided_by_target(self, expectation: Expectation, found: Verdict) -> bool:
        """Whether a TARGET gave the verdict that an expectation is compared with."""
        return expectation.method is UNSET and pair_of(*found.shapes) in self.own.deciding

    def methods_of(self, pair: str) -> dict[str, Method]:
        """Return the methods of a pair of types by name: the user's own, then the catalogue's, `exact` first."""
        known = of_pair(pair)
        chosen = (table[pair].method for table in self.own if pair in table)
        own = {method.name: method for method in chosen if method not in known.values()}
        return own | {name: method for name, method in known.items() if name not in own}

    def decides_like(self, other: "Report") -> bool:
        """Whether another report has the same verdicts: of the same scene, by the same methods."""
        return self.scene is other.scene and self.own is other.own

    def verdict(self, i: int, j: int, method: MethodName | None = None) -> Verdict:
        """Return the verdict of probe i on element j, by the deciding method or the one named."""
        if method is not None:
            return self.find_verdict(i, j, method)
        if (i, j) not in self._verdicts:
            self._verdicts[i, j] = self.find_verdict(i, j)
        return self._verdicts[i, j]

    def find_verdict(self, i: int, j: int, method: MethodName | None = None) -> Verdict:
        """Compute the result of `verdict` without caching it: for a loop over very many pairs."""
        probe, primitive = self.probes[i], self.elements[j]
        chosen = self._chosen(type(probe.shape), type(primitive.shape), method)
        return verdict(probe.id, primitive.id, probe.shape, primitive.shape, chosen)

    def verdicts(self) -> Iterator[Verdict]:
        """Yield every pair's verdict, probe by probe; none of them is cached."""
        return (self.find_verdict(i, j) for i, j in self.pairs())

    def rows(self, only_hits: bool = False) -> list[dict[str, Any]]:
        """Return the verdict of each pair as a dictionary, probe by probe: what a DataFrame is made of.

        Vectors are tuples, and what a method does not answer is None. With `only_hits` only the pairs that hit: of
        many pairs the others take long, as the distance of each is exact.

        >>> import hitscope
        >>> from hitscope import Point, Plane
        >>> report = hitscope.evaluate(hitscope.scene([Plane((0, 0, 1), 0)], {"p": Point((0, 0, 2))}))
        >>> [(row["probe"], row["primitive"], row["hit"], row["distance"]) for row in report.rows()]
        [('p', 'plane-0', False, 2.0)]
        """
        return list(self._rows(self.hitting_pairs() if only_hits else self.pairs()))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the indices of every pair, probe by probe."""
        return product(range(len(self.probes)), range(len(self.elements)))

    def hitting_pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the indices of the pairs that hit, probe by probe."""
        for i in np.flatnonzero(self.hitting_probes).tolist():
            for j in np.flatnonzero(self.row(i)).tolist():
                yield i, j

    def _rows(self, pairs: Iterable[tuple[int, int]]) -> Iterator[dict[str, Any]]:
        for i, j in pairs:
            row = self.find_verdict(i, j).as_dict()
            del row["answered"]
            yield row

    def __repr__(self) -> str:
        probes, elements = len(self.probes), len(self.elements)
        counts = f"{numerals.counted(probes, 'probe')}, {numerals.counted(elements, 'primitive')}"
        return f"<Report: {counts}, {np.count_nonzero(self.hit_elements):,} of them hit>"

    def _repr_html_(self) -> str:
        """Return the counts, the differences from what the scene expects, and the first rows, of many the hits."""
        from hitscope import notebook

        differences = [str(mismatch) for mismatch in self.mismatches]
        size = len(self.probes) * len(self.elements)
        shown, words = self._rows(self.pairs()), repr(self)[1:-1]
        if size > notebook.SHOWN_ROWS:
            hits = list(islice(self.hitting_pairs(), notebook.SHOWN_ROWS))
            first = "first " * (len(hits) == notebook.SHOWN_ROWS)
            shown, size, words = self._rows(hits), len(hits), f"{words}; these are the {first}hits"
        wrong = notebook.preformatted(differences) if differences else ""
        return notebook.paragraph(words) + wrong + notebook.table_of(shown, size)

    def methods_in_use(self) -> Iterator[MethodUse]:
        """Yield each method that decides pairs of the scene, e.g. to compile it ahead."""
        for kind in dict.fromkeys(map(_kind, self.probes.items)):
            for placed in self._groups:
                yield MethodUse(placed.group, self._chosen(kind, placed.kind), kind)

    @cached_property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The differences from the scene's expectations, in words."""
        return tuple(mismatch for mismatch in self.comparison if mismatch.kind == "differs")

    @cached_property
    def comparison(self) -> tuple[Mismatch, ...]:
        """The mismatches, and the parts of expectations that cannot be compared."""
        return tuple(mismatches(self))

    def _chosen(self, probe: type, primitive: type, method: MethodName | None = None) -> Chosen:
        pair = f"{kinds.word_of(probe)}_{kinds.word_of(primitive)}"
        own = self.own.deciding.get(pair) if method is None else self.own.named(pair, method)
        return own or choose(pair, method or self.scene.methods.get(pair, EXACT))

    def hierarchies(self, build: bool = False) -> "list[Tree]":
        """Return the hierarchies over the primitives; with `build` the missing ones are built first."""
        groups = (placed.group for placed in self._groups if placed.group.can_have_hierarchy)
        return [tree for group in groups if (tree := group.hierarchy(build)) is not None]

    @property
    def kinds_in_hierarchies(self) -> set[type]:
        """The types of the primitives over which there are hierarchies."""
        return {placed.kind for placed in self._groups if placed.group.can_have_hierarchy}

    @property
    def lacks_hierarchies(self) -> bool:
        """Whether hierarchies should be shown that are not built yet."""
        able = sum(placed.group.can_have_hierarchy for placed in self._groups)
        return self.level is not None and len(self.hierarchies()) < able

    def _groups_in(self, elements: range | None) -> list[ElementGroup]:
        """Return the groups that have elements in a range, or all groups."""
        if elements is None:
            return self._groups
        inside = np.zeros(len(self.elements), dtype=np.bool_)
        inside[elements.start : elements.stop] = True
        return [placed for placed in self._groups if inside[placed.indices].any()]

    def _decide(self, item: Item, groups: Sequence[ElementGroup], method: MethodName | None = None) -> HitMasks:
        if isinstance(item, Single):
            row = self._row(item.shape, groups, method)
            row.flags.writeable = False  # reports share it
            return HitMasks(row, np.array([row.any()]))
        assert isinstance(item, Bulk)
        primitives = np.zeros(len(self.elements), dtype=np.bool_)
        probes = np.zeros(len(item.shapes), dtype=np.bool_)
        if len(item.shapes):
            for indices, kind, _, group in groups:
                found = group.tally(self._chosen(item.kind, kind, method), item.shapes)
                primitives[indices] = found.primitives
                probes |= found.probes
        primitives.flags.writeable = False
        return HitMasks(primitives, probes)

    def _row(self, probe: Shape, groups: Sequence[ElementGroup], method: MethodName | None) -> NDArray[np.bool_]:
        row = np.zeros(len(self.elements), dtype=np.bool_)
        for indices, kind, _, group in groups:
            if len(group.shapes) == len(row):
                return group.hits(self._chosen(type(probe), kind, method), probe, self._compile)
            row[indices] = group.hits(self._chosen(type(probe), kind, method), probe, self._compile)
        return row

    def _nearest_after(self, known: dict[int, NearestHits | None]) -> list[NearestHits | None]:
        """The nearest hits of each probe item, those `known` by its identity or found, if they are to be shown."""
        items = enumerate(self.probes.items if self.nearest_only else ())
        return [known[id(item)] if id(item) in known else self._find_nearest(k) for k, item in items]

    def _find_nearest(self, k: int) -> NearestHits | None:
        """Find the element that each probe of the k-th enabled item enters first; see `nearest_hits`."""
        part = self.probes.parts[k]
        shapes = Shapes.of([part.shape]) if part.shape is not None else part.shapes
        if shapes is None or shapes.kind not in T_RANGES:
            return None
        found, found_t = np.full(len(shapes), -1, np.intp), np.full(len(shapes), np.inf)
        for placed in self._groups:
            for n, e, t in self._first_in_group(placed, k, shapes):
                before = int(found[n])
                if before < 0 or t < found_t[n] or (t == found_t[n] and self._enters_first(shapes[n], e, before)):
                    found[n], found_t[n] = e, t
        return found

    def _first_in_group(self, placed: ElementGroup, k: int, shapes: Shapes) -> Iterator[tuple[int, int, float]]:
        """Yield each of the k-th item's probes that hits in a group, what it enters first, and t, rounded once."""
        indices, kind, _, group = placed
        own, chosen = np.arange(len(self.elements))[indices], self._chosen(shapes.kind, kind)
        if (closest := group.closest(chosen, shapes)) is not None:
            hitting = np.flatnonzero(closest.element >= 0)
            elements = own[closest.element[hitting]]
            yield from zip(hitting.tolist(), elements.tolist(), closest.t[hitting].tolist(), strict=True)
            return
        tally, alone = self._tallies[k], len(shapes) == 1
        for n in np.flatnonzero(tally.probes).tolist():
            row = tally.primitives[indices] if alone else group.hits(chosen, shapes[n], self._compile)
            hits = np.flatnonzero(row)
            if (first := nearest_hit(shapes[n], [group.shapes[i] for i in hits.tolist()])) is not None:
                yield n, int(own[hits[first.position]]), exact.rounded(first.t_enter)

    def _enters_first(self, probe: Shape, e: int, other: int) -> bool:
        """Whether a probe enters an element before another one, or as soon and it comes first."""
        both = sorted((e, other))
        first = nearest_hit(probe, [self.elements[k].shape for k in both])
        return first is not None and both[first.position] == e

    def _check_size(self, largest: int, what: str, instead: str) -> None:
        probes, elements = len(self.probes), len(self.elements)
        if probes * elements > largest:
            expected = f"{what} of at most {largest:,} pairs; use {instead}"
            raise HitscopeError(f"expected {expected}, found {probes:,} probes and {elements:,} elements")


def _probes(scene: Scene, *, enabled: bool) -> Elements:
    chosen = [i for i, item in enumerate(scene.probes) if item.enabled == enabled]
    return Elements([scene.probe_ids[i] for i in chosen], [scene.probes[i] for i in chosen])


def evaluate(
    scene: Scene,
    previous: Report | None = None,
    compile: bool = True,
    level: int | UnsetType | None = UNSET,
    nearest_only: bool = False,
    own: OwnMethods = NO_OWN_METHODS,
) -> Report:
    """Decide every enabled probe against every primitive of a scene.

    `previous` is a report of a scene that this one was edited from: what did not change is not decided again.
    Without `compile` no single probe waits for code that is not compiled yet. `level` is the level of the
    hierarchies to show, the scene's unless given; with `nearest_only` only the nearest hits are to be shown.
    `own` are the user's own methods, which no scene can name. Raises HitscopeError for anything but a scene.

    >>> import hitscope
    >>> from hitscope import Aabb, Segment
    >>> boxes = {f"box{x}": Aabb((x, 0, 0), (x + 1, 1, 1)) for x in range(0, 6, 2)}
    >>> report = hitscope.evaluate(hitscope.scene(boxes, {"probe": Segment((0.5, 0.5, 0.5), (3, 0.5, 0.5))}))
    >>> report
    <Report: 1 probe, 3 primitives, 2 of them hit>
    >>> report.verdict(0, 1).t_enter
    0.6
    """
    if not isinstance(scene, Scene):
        raise ArgumentFault("evaluate", Fault(("scene",), "a Scene, as `load` or `scene` gives one", shown(scene)))
    return Report(scene, previous, compile, level, nearest_only, own)


def _groups_of(elements: Elements, previous: Sequence[ElementGroup]) -> list[ElementGroup]:
    """Return groups of the single elements of each type, and of each bulk item, from previous ones where alike."""
    known = {tuple(map(id, placed.items)): placed.group for placed in previous}
    before = {(placed.kind, len(placed.group.shapes)): placed.group for placed in previous}

    together: list[tuple[slice | NDArray[np.intp], tuple[Item, ...], Sequence[Shape]]] = []
    singles: dict[type, list[tuple[int, Item, Shape]]] = {}
    for part in elements.parts:
        progress.advance(0)
        if part.shape is not None:
            singles.setdefault(type(part.shape), []).append((part.first, part.item, part.shape))
        elif part.shapes:
            together.append((part.indices, (part.item,), part.shapes))
    for found in singles.values():
        firsts, items, alike = zip(*found, strict=True)
        together.append((np.array(firsts), items, alike))
    groups = []
    for indices, items, shapes in together:
        kind = _kind(items[0])
        if (group := known.get(tuple(map(id, items)))) is None:
            moved = before.get((kind, len(shapes)))
            group = Group(shapes) if moved is None else moved.moved(shapes)
        groups.append(ElementGroup(indices, kind, items, group))
    return groups


def _size(item: Item) -> int:
    return len(item.shapes) if isinstance(item, Bulk) else 1


def _kind(item: Item) -> type[Shape]:
    if isinstance(item, Bulk):
        return item.kind
    assert isinstance(item, Single)
    return type(item.shape)
