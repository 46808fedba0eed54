"""Sums of vectors, taken as the decimals that the file shows and rounded once."""

from hitscope.geometry.exact import rounded
from hitscope.geometry.shapes import Vec3
from hitscope.scene.decimals import decimal


def difference(p: Vec3, q: Vec3) -> Vec3:
    """The vector p - q."""
    x, y, z = (rounded(decimal(a) - decimal(b)) for a, b in zip(p, q, strict=True))
    return x, y, z


def total(p: Vec3, q: Vec3) -> Vec3:
    """The vector p + q."""
    x, y, z = (rounded(decimal(a) + decimal(b)) for a, b in zip(p, q, strict=True))
    return x, y, z
