"""A bounding volume hierarchy, which finds the elements that probes hit without testing all of them.

One cheap test of a bounding box can exclude everything inside it (Ericson 2005, ch. 6). This hierarchy is a tree
of nodes with eight children, whose bounds are tested at once (Wald, Benthin and Boulos 2008; Wald et al. 2014,
Embree), built with the binned surface area heuristic (Wald 2007). Importing this package imports Numba.

No hit is lost: `probes` proves that the bounds are padded by more than the rounding of a node test, which is done
in float32. No hit is invented: the elements of a leaf are tested in float64, eight at a time, by filters with a
proven bound (`exact.linear_blocks`), and pairs that these leave unsure are decided without rounding. So verdicts
are those of `exact`, at any magnitude.
"""

from hitscope.geometry.bvh.tree import Closest, Hits, Touched, Tree

__all__ = ["Closest", "Hits", "Touched", "Tree"]
