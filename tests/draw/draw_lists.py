"""The draw list of a report as tests ask for one, with the pair of what is hovered or selected."""

from hitscope.draw.builder import Builder
from hitscope.draw.target import Marked


def build(report, hovered=None, selection=(), hidden=frozenset(), partner=None, seen_from=None, builder=None):
    """The draw list of a report for a camera with the eye and target `seen_from`."""
    builder = builder or Builder()
    if seen_from is not None:
        builder.set_camera(*seen_from)
    pair = builder.picture(report).pairs.find((hovered, *selection[:-2:-1], partner))
    return builder.build(report, Marked(hovered, selection, hidden, partner, pair=pair))
