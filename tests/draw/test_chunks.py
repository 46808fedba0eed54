"""Chunks of neighbours: culling keeps all that may be seen, and a line of sight finds all that it meets."""

import numpy as np
import pytest

from hitscope.draw.chunks import CHUNK, Chunks, CullingView
from hitscope.render.camera import Camera

BOXES = 20_000
PIXELS = (640, 480)


def scattered(count=BOXES, size=0.02, seed=0):
    """The lowest and highest corners of boxes in a cube of side 2."""
    random = np.random.default_rng(seed)
    lows = random.uniform(-1, 1, (count, 3))
    return lows, lows + random.uniform(0, size, (count, 3))


def culling_of(camera):
    view = camera.view_matrix(np.zeros(3), 1.0)
    projection = camera.projection_matrix(PIXELS[0] / PIXELS[1], 1e-3, 10.0)
    return CullingView(view, projection, 2 * camera.slope / PIXELS[1], 1e-3)


def members(chunks, runs):
    order = np.arange(chunks.count) if chunks.order is None else chunks.order
    return np.concatenate([np.empty(0, int), *(order[first : first + count] for first, count in runs)])


@pytest.mark.parametrize("seed", range(12))
def test_no_box_with_a_visible_corner_is_culled(seed):
    random = np.random.default_rng(seed)
    eye, target = random.uniform(-1.5, 1.5, (2, 3)).tolist()
    camera = Camera(tuple(eye), tuple(target), fov_deg=float(random.uniform(10, 80)))
    lows, highs = scattered()
    chunks = Chunks(lows, highs)
    large, small = chunks.visible(culling_of(camera), smallest=5.0)
    kept = np.zeros(BOXES, bool)
    kept[members(chunks, large + small)] = True
    view, projection = culling_of(camera)[:2]
    for corner in (lows, highs, np.stack([lows[:, 0], highs[:, 1], lows[:, 2]], axis=1)):
        clip = np.c_[corner, np.ones(BOXES)] @ view @ projection
        seen = (np.abs(clip[:, :2]) <= clip[:, 3:]).all(axis=1) & (clip[:, 3] > 0)
        assert kept[seen].all()


def test_what_is_behind_the_eye_or_beside_the_picture_is_culled():
    chunks = Chunks(*scattered())
    away = Camera((0.0, 0.0, 1.5), (0.0, 0.0, 3.0))
    assert chunks.visible(culling_of(away), smallest=1.0) == ([], [])
    narrow = Camera((0.6, 0.6, 3.0), (0.6, 0.6, 0.0), fov_deg=5.0)
    assert 0 < sum(count for _, count in chunks.visible(culling_of(narrow), smallest=0.0)[0]) < BOXES


def test_every_box_is_in_one_run_and_those_of_small_runs_are_small():
    lows, highs = scattered()
    chunks = Chunks(lows, highs)
    camera = Camera((0.0, 0.0, 8.0), (0.0, 0.0, 0.0))
    large, small = chunks.visible(culling_of(camera), smallest=1.6)
    assert sorted(members(chunks, large + small)) == list(range(BOXES))
    assert small, "nothing is far away"
    found = members(chunks, small)
    depths = 8.0 - highs[found, 2]
    sizes = (highs - lows)[found].max(axis=1)
    assert (sizes / depths / culling_of(camera).pixel_size < 1.6).all()


def test_a_few_shapes_keep_their_order():
    lows, highs = scattered(CHUNK)
    assert Chunks(lows, highs).order is None
    assert Chunks(*scattered(CHUNK + 1)).order is not None
    assert Chunks(lows[:0], highs[:0]).visible(culling_of(Camera((0, 0, 3), (0, 0, 0))), 1.0) == ([], [])


@pytest.mark.parametrize("direction", [(0.0, 0.0, -1.0), (0.3, -0.2, 0.5), (1.0, 0.0, 0.0)])
def test_along_a_line_every_box_that_it_meets_is_found_from_near_to_far(direction):
    lows, highs = scattered(size=0.1)
    origin, way = np.array([0.01, 0.02, 0.5]), np.array(direction)
    with np.errstate(divide="ignore"):
        enters = np.minimum((lows - origin) / way, (highs - origin) / way).max(axis=1)
        leaves = np.maximum((lows - origin) / way, (highs - origin) / way).min(axis=1)
    met = np.flatnonzero(enters.clip(0) <= leaves)
    offered, starts = [], []
    for away, shapes in Chunks(lows, highs, length=64).along(origin, way):
        starts.append(away)
        offered += shapes.tolist()
        assert (enters.clip(0)[np.intersect1d(shapes, met)] >= away).all()
    assert starts == sorted(starts)
    assert len(met) > 0
    assert set(met) <= set(offered)
    assert len(offered) < BOXES / 2
