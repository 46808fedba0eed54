"""Rotation and scaling of one item, as those of many."""

from hitscope.scene.transforms import rotate_all, scale_all


def rotate(item, *rotation):
    (rotated,) = rotate_all([item], *rotation)
    return rotated


def scale(item, *scaling):
    (scaled,) = scale_all([item], *scaling)
    return scaled
