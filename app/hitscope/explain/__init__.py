"""Why a method answers as it does: its own source as it ran, line by line, and the wrong line.

The way of an explanation, from a method and a pair to the listing:

1. `explanation.py`, `explain` takes a method of the catalogue and a pair; `own_function.py`, `explain_function`
   takes a user's Python function. `exact` has no source to step through: `exact_trace` states facts instead.
2. `trace.py`, `trace` makes the parameters of the method in float64, float32 or without rounding, and
   `trace_call` runs it under a tracer of Python.
3. `observed_code.py`, `observed` compiles the source with a call around each operand and test, and
   `statements.py` finds which statement each line is of.
4. `_Recorder` of `trace.py` makes a `Step` of each statement that ran, with copies of the values by `snapshot.py`.
5. `Explanation.unrounded` runs the source on the numbers of `unrounded.py`, and `departure.py`, `decisive` finds
   the first comparison of the two runs that makes the verdict wrong. `Explanation.cause` and `wrong_step` follow
   from it, or from a run with other tolerances, a NaN, or an error. Each is computed when it is asked for.
6. `step_words.py` puts the cause and the wrong line into words, and `listing.py`, `listing` yields the lines.

The steps are shown by others too: `page` writes a page of HTML, `charts` draws how the method decides,
`value_pictures.py` says what the values look like in the scene, and the window's panels follow its steps.
"""

from hitscope.explain.departure import Departure
from hitscope.explain.explanation import Explanation, explain
from hitscope.explain.trace import Call, Compared, Iteration, Reading, Step, Trace, open_call, trace
