"""Benchmarks of hitscope beside NumPy, C and the installed packages, all in one run on this machine."""

from benchmarks.comparison import CostScaling, Figure
from benchmarks.plot import plotter
from benchmarks.results import as_dict, measure
from benchmarks.sizes import FULL, QUICK, Sizes
from benchmarks.table import print_result

__all__ = ["FULL", "QUICK", "CostScaling", "Figure", "Sizes", "as_dict", "measure", "plotter", "print_result"]
