"""The rule of polyhedra, which takes exact geometry: half-spaces have a point in common."""

from hitscope.errors import Fault
from hitscope.geometry.checks import check_normal
from hitscope.geometry.exact.sets import convex_set
from hitscope.geometry.shapes import RULES, Polyhedron, replaced_numbers


def check_polyhedron(body: Polyhedron) -> None:
    """Refuse planes beside vertices, neither of them, and half-spaces that define no set."""
    given = [name for name, parts in body._asdict().items() if parts]
    if len(given) != 1:
        raise Fault((), "either planes or vertices", " and ".join(given) or "neither")
    if body.planes:
        check_half_spaces(replaced_numbers(body, float))


def check_half_spaces(body: Polyhedron) -> None:
    """Refuse a zero normal, and half-spaces of float64 numbers without a common point."""
    for i, (normal, _) in enumerate(body.planes):
        try:
            check_normal(normal)
        except Fault as fault:
            raise fault.below(("planes", i)) from None
    if not convex_set(body).faces:
        raise Fault(("planes",), "half-spaces with a common point", "none")


RULES[Polyhedron] = check_polyhedron
