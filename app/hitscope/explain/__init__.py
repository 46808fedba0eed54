"""Why a method answers as it does: its own source as it ran, line by line, and the line that is wrong.

`trace` runs a method under a tracer; `explain` compares the run with the exact verdict and with the same source
run on fractions.
"""

from hitscope.explain.departure import Departure
from hitscope.explain.explanation import Explanation, explain
from hitscope.explain.trace import Call, Compared, Iteration, Reading, Step, Trace, open_call, trace

__all__ = [
    "Call",
    "Compared",
    "Departure",
    "Explanation",
    "Iteration",
    "Reading",
    "Step",
    "Trace",
    "explain",
    "open_call",
    "trace",
]
