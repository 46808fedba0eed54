"""A bounding volume hierarchy: which of many boxes or triangles do probes hit, without asking about each.

That a box stands in for what is inside it, so that one cheap test spares many, is what boxes are for (Ericson
2005, ch. 6; the article on AABBs that this project began with names hierarchies as their use). This one is a tree
of nodes with eight children, whose bounds are tested at once (Wald, Benthin and Boulos 2008; Wald et al. 2014,
Embree), made by the surface area heuristic in bins (Wald 2007). Importing this package imports Numba.

No hit is lost: `probes` has the proof that the rounding of a node test, which is done in float32, is made up for.
No hit is invented: what is in a leaf is tested in float64, eight elements at a time, by filters with a proven
bound (`exact.eights`), and what they leave open is settled without rounding. So answers are those of `exact`, at
any magnitude.
"""

from hitscope.geometry.bvh.tree import Closest, Hits, Touched, Tree

__all__ = ["Closest", "Hits", "Touched", "Tree"]
