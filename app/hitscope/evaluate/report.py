"""A Report: which probe hits which primitive, and each pair's full verdict when it is asked for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hitscope.evaluate.expectations import Mismatch, mismatches
from hitscope.evaluate.verdict import Verdict, verdict
from hitscope.geometry.group import Group
from hitscope.geometry.registry import EXACT, Chosen, choose, pair_of
from hitscope.geometry.shapes import Shape
from hitscope.scene.model import Scene


class Element(NamedTuple):
    """What has a colour or asks for one: an enabled probe, or a primitive."""

    id: str
    shape: Shape


class Report:
    """The verdicts of a scene: `hits[i, j]` says whether probe i hits element j."""

    def __init__(self, scene: Scene, previous: "Report | None" = None) -> None:
        """Decide every pair, but for the probes that `previous` has decided against the same primitives."""
        self.scene = scene
        enabled = [(name, item) for name, item in zip(scene.probe_ids, scene.probes, strict=True) if item.enabled]
        self.probes: tuple[Element, ...] = tuple(Element(name, item.shape) for name, item in enabled)
        self.elements: tuple[Element, ...]
        self._groups: list[tuple[NDArray[np.intp], Group]]
        # Rows are known by the probe item itself: equal numbers may differ in the sign of a zero.
        self._items = [item for _, item in enabled]
        known: dict[int, NDArray[np.bool_]] = {}
        if previous and previous.scene.primitives is scene.primitives and previous.scene.methods == scene.methods:
            self.elements, self._groups = previous.elements, previous._groups
            known = {id(item): row for item, row in zip(previous._items, previous.hits, strict=True)}
        else:
            self.elements = tuple(
                Element(name, item.shape) for name, item in zip(scene.primitive_ids, scene.primitives, strict=True)
            )
            self._groups = _groups_of(self.elements)
        self.hits: NDArray[np.bool_] = np.zeros((len(self.probes), len(self.elements)), dtype=np.bool_)
        for i, item in enumerate(self._items):
            self.hits[i] = known[id(item)] if id(item) in known else self.row(i)
        self._verdicts: dict[tuple[int, int], Verdict] = {}

    @cached_property
    def green(self) -> NDArray[np.bool_]:
        """Of each element: does any enabled probe hit it; (len(elements),)."""
        green: NDArray[np.bool_] = np.any(self.hits, axis=0)
        return green

    def chosen(self, probe: Shape, primitive: Shape) -> Chosen:
        """Give the deciding method of a pair: the one that the scene names, else `exact`."""
        pair = pair_of(probe, primitive)
        return choose(pair, self.scene.methods.get(pair, EXACT))

    def verdict(self, i: int, j: int, method: str | Mapping[str, Any] | None = None) -> Verdict:
        """Give what is known of probe i and element j, by the deciding method or by the one named."""
        probe, primitive = self.probes[i], self.elements[j]
        if method is not None:
            chosen = choose(pair_of(probe.shape, primitive.shape), method)
            return verdict(probe.id, primitive.id, probe.shape, primitive.shape, chosen)
        if (i, j) not in self._verdicts:
            chosen = self.chosen(probe.shape, primitive.shape)
            self._verdicts[i, j] = verdict(probe.id, primitive.id, probe.shape, primitive.shape, chosen)
        return self._verdicts[i, j]

    def verdicts(self) -> Iterator[Verdict]:
        """Give every pair's verdict, probe by probe."""
        for i in range(len(self.probes)):
            for j in range(len(self.elements)):
                yield self.verdict(i, j)

    @cached_property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """Give what differs from the scene's expectations, in words."""
        return tuple(mismatches(self))

    def row(self, i: int, method: str | Mapping[str, Any] | None = None) -> NDArray[np.bool_]:
        """Decide probe i against every element, by the deciding methods or by the one named; (len(elements),)."""
        probe = self.probes[i].shape
        row = np.zeros(len(self.elements), dtype=np.bool_)
        for places, group in self._groups:
            first = group.shapes[0]
            chosen = choose(pair_of(probe, first), method) if method else self.chosen(probe, first)
            row[places] = group.hits(chosen, probe)
        return row


def evaluate(scene: Scene, previous: Report | None = None) -> Report:
    """Decide every enabled probe against every primitive of a scene.

    `previous` is a report of a scene that this one was edited from: what did not change is not decided again.
    """
    return Report(scene, previous)


def _groups_of(elements: Sequence[Element]) -> list[tuple[NDArray[np.intp], Group]]:
    """Give the places of the elements of each type, and the elements themselves as a group."""
    places: dict[type, list[int]] = {}
    for j, element in enumerate(elements):
        places.setdefault(type(element.shape), []).append(j)
    return [(np.array(found), Group([elements[j].shape for j in found])) for found in places.values()]
