"""Scene -> Report, and a Report against the scene's expectations."""

from hitscope.evaluate.expectations import Mismatch
from hitscope.evaluate.report import Element, Report, evaluate
from hitscope.evaluate.verdict import Verdict, intersect

__all__ = ["Element", "Mismatch", "Report", "Verdict", "evaluate", "intersect"]
