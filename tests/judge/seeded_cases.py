"""Single cases of the generators, which draw them in blocks."""

from functools import lru_cache

from hitscope.judge.drawing import BLOCK, draw
from hitscope.targets.cases import Cases, ShapePair


def generate(generator: str, pair: str, seed: int) -> ShapePair:
    """Return the case of a seed, in float64."""
    block, index = divmod(seed, BLOCK)
    return _recent(generator, pair, block, max(64, 1 << index.bit_length())).shapes(index)


@lru_cache(maxsize=64)
def _recent(generator: str, pair: str, block: int, count: int) -> Cases:
    return draw(generator, pair, block, count=count)
