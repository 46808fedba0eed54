"""The map: what methods answer for every position of a handle in a plane, each a real evaluation.

After Kettner, Mehlhorn, Pion, Schirra and Yap, *Classroom Examples of Robustness Problems in Geometric
Computations*, 2008, who drew one predicate on a grid of one ulp a pixel.
"""

from hitscope.maps.handles import Handle, find_handle
from hitscope.maps.plane import MapPlane, plane_facing
from hitscope.maps.position_map import CODES, Code, MethodMap, PositionMap, position_map
