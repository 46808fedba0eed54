"""Roles and cues on the graphics card: only what changed is written, and at the right index."""

import numpy as np
import pytest

from hitscope.draw.items import Cue, Role
from hitscope.offscreen_context import offscreen_context
from hitscope.render.buffers import MOST_WRITES, WIDTH, CodeBuffer, differing

SHAPES = 10_000


@pytest.fixture
def codes():
    with offscreen_context() as context:
        yield CodeBuffer(context)


def held(codes):
    """The codes in the buffer (n, 4)."""
    return np.frombuffer(codes.buffer.read(), np.uint8).reshape(-1, WIDTH)


@pytest.mark.parametrize("sorted_how", [None, "shuffled"])
def test_a_few_changes_write_a_few_bytes(codes, sorted_how):
    order = None if sorted_how is None else np.random.default_rng(0).permutation(SHAPES)
    roles, cues = np.full(SHAPES, Role.MISS, np.uint8), np.zeros(SHAPES, np.uint8)
    codes.update((roles, cues), order)
    assert codes.written == WIDTH * SHAPES
    changed = roles.copy()
    changed[[5, 7777]] = Role.HIT
    pointed = cues.copy()
    pointed[9_999] = Cue.SELECTED
    codes.update((changed, pointed), order)
    assert codes.written == WIDTH * (SHAPES + 3)
    rows = np.arange(SHAPES) if order is None else order
    np.testing.assert_array_equal(held(codes)[:, 0], changed[rows])
    np.testing.assert_array_equal(held(codes)[:, 1], pointed[rows])
    assert codes.highlighted.tolist() == [rows.tolist().index(9_999)]
    assert codes.outlined == [(rows.tolist().index(9_999), 1)]
    codes.update((changed, cues), order)
    assert codes.outlined == codes.highlighted.tolist() == []


def test_the_outlines_of_neighbours_are_drawn_at_once(codes):
    roles, cues = np.zeros(SHAPES, np.uint8), np.zeros(SHAPES, np.uint8)
    cues[[3, 4, 5, 8, 20, 21]] = Cue.SELECTED
    codes.update((roles, cues), None)
    assert codes.outlined == [(3, 3), (8, 1), (20, 2)]


def test_nothing_is_written_where_nothing_changed(codes):
    roles, cues = np.zeros(SHAPES, np.uint8), np.zeros(SHAPES, np.uint8)
    codes.update((roles, cues), None)
    before = codes.written
    codes.update((roles, cues), None)
    codes.update((roles.copy(), cues.copy()), None)
    assert codes.written == before


def test_many_changes_all_arrive(codes):
    roles, cues = np.zeros(SHAPES * 4, np.uint8), np.zeros(SHAPES * 4, np.uint8)
    codes.update((roles, cues), None)
    changed = roles.copy()
    changed[:: 2 * MOST_WRITES // 5] = Role.MISS
    assert np.count_nonzero(changed) > MOST_WRITES
    codes.update((changed, cues), None)
    np.testing.assert_array_equal(held(codes)[:, 0], changed)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1001])
def test_differing_finds_every_index(count):
    random = np.random.default_rng(count)
    old = random.integers(0, 3, count, np.uint8)
    new = np.where(random.random(count) < 0.1, 3, old).astype(np.uint8)
    np.testing.assert_array_equal(differing(new, old), np.flatnonzero(new != old))
