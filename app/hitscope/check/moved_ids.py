"""Ids by position whose items have moved since the expectations were written.

Such an id, e.g. `aabb-2`, names another item when one is added or removed before it.
"""

from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import UNSET

from hitscope.evaluate import Report
from hitscope.evaluate.expectations import allowed_by, differing
from hitscope.evaluate.verdict import verdict
from hitscope.geometry.registry import choose, pair_of
from hitscope.scene.items import Item, Single
from hitscope.scene.model import Expectation, Tolerance

Role: TypeAlias = Literal["primitive", "probe"]
OFFSETS = (1, -1, 2, -2, 3, -3)
"""The numbers of positions that items are taken to have moved by."""
MOST_TRIED = 64
"""The most expectations of a type of item that are tried at other positions."""
EVIDENCE = 2
"""The number of answers that have to hold at the other positions: a single `hit` holds there by chance."""


class MovedIds:
    """The ids by position of a report's scene; each type of item is looked at when one of its ids is asked for."""

    def __init__(self, report: Report, given: Tolerance | None = None) -> None:
        """Take a report of which some expectations fail, and the tolerance of the command line."""
        self._report = report
        self._given = given
        self._offsets: dict[tuple[Role, type[Item]], int] = {}

    def hint(self, role: Role, expectation: Expectation) -> str:
        """Return the words about an id of an expectation whose item has moved; "" for any other one."""
        name = getattr(expectation, role) or ""
        position = self._by_position[role].get(name)
        if position is None:
            return ""
        kind = type(self._items(role)[position])
        if (role, kind) not in self._offsets:
            self._offsets[role, kind] = self._offset(role, kind)
        offset = self._offsets[role, kind]
        if not offset or not self._holds(role, expectation, position + offset):
            return ""
        return (
            f"{name} is an id by position, and {self._ids(role)[position + offset]} is as expected: it has moved"
        )

    def _items(self, role: Role) -> tuple[Item, ...]:
        scene = self._report.scene
        return scene.primitives if role == "primitive" else scene.probes

    def _ids(self, role: Role) -> tuple[str, ...]:
        scene = self._report.scene
        return scene.primitive_ids if role == "primitive" else scene.probe_ids

    @cached_property
    def _by_position(self) -> dict[Role, dict[str, int]]:
        """The position of each single shape that has an id by position, by that id."""
        roles: tuple[Role, ...] = ("primitive", "probe")
        return {
            role: {
                name: k
                for k, (name, item) in enumerate(zip(self._ids(role), self._items(role), strict=True))
                if item.id is UNSET and isinstance(item, Single)
            }
            for role in roles
        }

    def _offset(self, role: Role, kind: type[Item]) -> int:
        """Return by how many positions all that is expected of a type of item has moved; 0 if it has not."""
        expected = [
            (expectation, position)
            for expectation in self._report.scene.expect
            if (position := self._by_position[role].get(getattr(expectation, role) or "")) is not None
            and type(self._items(role)[position]) is kind
            and expectation.primitive is not UNSET
        ][:MOST_TRIED]
        if sum(1 if expectation.only_hit else EVIDENCE for expectation, _ in expected) < EVIDENCE:
            return 0
        holding = (
            offset
            for offset in OFFSETS
            if all(self._holds(role, expectation, position + offset) for expectation, position in expected)
        )
        return next(holding, 0)

    def _holds(self, role: Role, expectation: Expectation, position: int) -> bool:
        """Whether an expectation holds for the item at another position; not for one of another type."""
        items, report = self._items(role), self._report
        if not 0 <= position < len(items):
            return False
        named = {"probe": expectation.probe, "primitive": expectation.primitive, role: self._ids(role)[position]}
        i, j = report.probes.find_index(str(named["probe"])), report.elements.find_index(str(named["primitive"]))
        old = getattr(expectation, role)
        if i is None or j is None or type(items[position]) is not type(items[self._by_position[role][old]]):
            return False
        probe, primitive = report.probes[i].shape, report.elements[j].shape
        own = expectation.method
        chosen = report.chosen(probe, primitive) if own is UNSET else choose(pair_of(probe, primitive), own)
        found = verdict(str(named["probe"]), str(named["primitive"]), probe, primitive, chosen)
        if expectation.hit is not UNSET and expectation.hit != found.hit:
            return False
        return not any(differing(expectation, found, allowed_by(report, expectation, found, self._given)))
