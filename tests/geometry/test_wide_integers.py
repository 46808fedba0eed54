"""Wide integers in compiled code: the same results as Python's."""

from random import Random

import numba
import numpy as np
import pytest

from hitscope.geometry.exact.wide_integers import WIDTHS, integer


@pytest.mark.parametrize("bits", WIDTHS)
def test_signs_of_differences_of_products(bits):
    @numba.njit
    def signs(numbers, found):
        for n in range(found.size):
            a, b, c, d = numbers[0, n], numbers[1, n], numbers[2, n], numbers[3, n]
            found_here = integer(a, bits) * integer(b, bits) - integer(c, bits) * integer(d, bits)
            found[n] = (1 if found_here > 0 else 0) - (1 if found_here < 0 else 0)

    random, most = Random(bits), 2 ** min(bits // 2 - 2, 1000)
    rows = []
    for _ in range(4000):
        a, b = (float(random.randint(-most, most) >> random.choice((0, bits // 4, bits // 2 - 8))) for _ in "ab")
        c, d = (x if abs(x) > 2**52 else x + random.randint(-1, 1) for x in (a, b))
        rows.append((a, b, *random.choice(((c, d), (d, c), (-a, b), (a, -d)))))
    found = np.zeros(len(rows), dtype=np.int64)
    signs(np.array(rows).T.copy(), found)
    exact = [int(a) * int(b) - int(c) * int(d) for a, b, c, d in rows]
    assert found.tolist() == [(x > 0) - (x < 0) for x in exact]


@pytest.mark.parametrize("bits", [192, 256, 512])
def test_the_product_of_numbers_made_wider_has_all_its_bits(bits):
    @numba.njit
    def is_square(a, b, c):
        return (+integer(a, bits)) * (+integer(b, bits)) == (+integer(c, bits)) * (+integer(c, bits))

    most = 2.0 ** (bits - 2)
    assert is_square(most, most / 4, most / 2)
    assert not is_square(-most, most / 4, most / 2)
    assert not is_square(most, most / 8, most / 2)
