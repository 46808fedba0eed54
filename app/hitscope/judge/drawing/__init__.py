"""Random cases by named generators, drawn in blocks of arrays: the same on every machine, however a run is cut.

In all of the room numbers of n = BLOCK cases are an array (n,), vectors (3, n), and k vectors each (k, 3, n), of
float64. Shapes are rows (k, n), in the order of their numbers. Only finished cases are rounded to a precision.
"""

from hitscope.judge.drawing.generators import GENERATORS, draw
from hitscope.targets.cases import BLOCK

__all__ = ["BLOCK", "GENERATORS", "draw"]
