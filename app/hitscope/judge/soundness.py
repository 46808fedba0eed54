"""Which logged shapes are ones: what a constructor or a scene file would refuse cannot be judged."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hitscope.geometry.arrays import width
from hitscope.geometry.kinds import KINDS
from hitscope.targets.cases import Cases, kinds

Mask = NDArray[np.bool_]

NOT_FINITE = "numbers that are not finite"
"""Why numbers are no case."""


def faults(cases: Cases) -> Iterator[tuple[str, Mask]]:
    """Yield why some of n cases cannot be judged, and which; each has the first of its reasons."""
    with np.errstate(all="ignore"):
        left: Mask = np.asarray(np.isfinite(cases.rows).all(axis=0))
        if not left.all():
            yield NOT_FINITE, ~left
        probe, primitive = kinds(cases.pair)
        for kind, rows in ((probe, cases.rows[: width(probe)]), (primitive, cases.rows[width(probe) :])):
            for words, is_wrong in KINDS[kind].faults:
                wrong = is_wrong(rows) & left
                if wrong.any():
                    yield words, wrong
                    left &= ~wrong
