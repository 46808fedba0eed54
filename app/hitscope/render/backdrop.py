"""The backdrop of pictures in motion: what a drag of a probe leaves as it is, drawn once and in full."""

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from hitscope.draw.chunks import Indices
from hitscope.geometry.arrays import Array
from hitscope.render.shape_meshes import ShapeMeshes

MOST_CHANGED = 256
"""The most shapes that are drawn over a backdrop: more take as long as the reduced picture of all."""
ROOM = 1.5
"""The size of the bounds of a backdrop, in sizes of its picture's: a drag may leave those."""

Meshes = tuple[ShapeMeshes[Any], ...]


class Backdrop:
    """Colours and depth of a picture without its probes, lines and marks, and without shapes that stand out."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._made_of: tuple[object, ...] = ()
        self._codes: list[NDArray[np.uint32]] = []
        self._parts: tuple[moderngl.Texture, ...] = ()
        """The textures of its colours and of its depth, 4 bytes a pixel each."""
        self._framebuffer: moderngl.Framebuffer
        self.bounds: Array = np.zeros((2, 3))
        """The bounds, in the stage frame, of what can be drawn over it."""

    def changed(
        self, size: tuple[int, int], made_of: tuple[object, ...], bounds: Array, meshes: Meshes
    ) -> list[Indices] | None:
        """The rows of each of the meshes that a picture draws over it; None if it does not fit that picture."""
        fits = made_of == self._made_of and (np.clip(bounds, *self.bounds) == bounds).all()
        if not (fits and self._crop(size)):
            return None
        rows = [
            np.union1d(each.code_buffer.standing_out, np.flatnonzero(each.code_buffer.words != codes))
            for each, codes in zip(meshes, self._codes, strict=True)
        ]
        return rows if sum(map(len, rows)) <= MOST_CHANGED else None

    def begin(self, bounds: Array, meshes: Meshes) -> bool:
        """Begin a backdrop of the meshes as they are now, and return whether something can be drawn over it."""
        self.release()
        middle, half = bounds.mean(axis=0), ROOM * np.ptp(bounds, axis=0) / 2
        self.bounds = np.stack([middle - half, middle + half])
        self._codes = [each.code_buffer.words.copy() for each in meshes]
        return sum(len(each.code_buffer.standing_out) for each in meshes) <= MOST_CHANGED

    def keep(self, picture: moderngl.Framebuffer, made_of: tuple[object, ...]) -> None:
        """Take the colours and the depth of a framebuffer."""
        self._set_parts(self._context.texture(picture.size, 4), self._context.depth_texture(picture.size), made_of)
        self._context.copy_framebuffer(self._framebuffer, picture)

    def draw(self, picture: moderngl.Framebuffer) -> None:
        self._context.copy_framebuffer(picture, self._framebuffer)

    def release(self) -> None:
        self._made_of = ()
        if self._parts:
            self._framebuffer.release()
        for part in self._parts:
            part.release()
        self._parts = ()

    def _set_parts(self, colours: moderngl.Texture, depth: moderngl.Texture, made_of: tuple[object, ...]) -> None:
        self.release()
        self._parts, self._made_of = (colours, depth), made_of
        self._framebuffer = self._context.framebuffer([colours], depth)

    def _crop(self, size: tuple[int, int]) -> bool:
        """Make it narrower, as a panel that opens makes the picture; return whether it has a size then."""
        width, height = self._framebuffer.size
        if (width, height) == size:
            return True
        left, odd = divmod(width - size[0], 2)
        if left < 0 or odd or height != size[1]:
            return False
        colours, depth = (
            np.frombuffer(part.read(), np.uint32).reshape(height, width)[:, left : left + size[0]].tobytes()
            for part in self._parts
        )
        parts = self._context.texture(size, 4, colours), self._context.depth_texture(size, depth)
        self._set_parts(*parts, self._made_of)
        return True
