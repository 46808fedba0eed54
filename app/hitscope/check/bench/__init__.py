"""Benchmarks of hitscope beside NumPy, C and the installed packages, all in one run on this machine."""

from hitscope.check.bench.comparison import CostScaling, Figure
from hitscope.check.bench.plot import plotter
from hitscope.check.bench.results import as_dict, measure
from hitscope.check.bench.sizes import FULL, QUICK, Sizes
from hitscope.check.bench.table import print_result

__all__ = ["FULL", "QUICK", "CostScaling", "Figure", "Sizes", "as_dict", "measure", "plotter", "print_result"]
