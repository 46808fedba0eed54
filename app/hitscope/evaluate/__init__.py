"""Scene -> Report, and a Report against the scene's expectations."""

from hitscope.evaluate.elements import Element, Elements, Part
from hitscope.evaluate.expectations import Mismatch
from hitscope.evaluate.pairwise import hits
from hitscope.evaluate.report import OwnMethods, Report, evaluate
from hitscope.evaluate.verdict import Verdict, intersect
