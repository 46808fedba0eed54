"""The framebuffers of one picture size."""

from functools import cached_property
from typing import NamedTuple

import moderngl

from hitscope.render.shaders import frame_buffer


class OpaqueLayer(NamedTuple):
    """The colours and depths of the nearest opaque triangles, with as many samples as the layers of faces."""

    colours: moderngl.Texture
    depths: moderngl.Texture
    framebuffer: moderngl.Framebuffer
    before: moderngl.Framebuffer
    """The layers of faces, for those before the opaque triangles."""


class Canvas:
    """The framebuffers of one picture: depth of its nearest faces, opaque and translucent layers, colours."""

    def __init__(self, context: moderngl.Context, picture: tuple[int, int], grain: int, samples: int) -> None:
        """Make framebuffers with one pixel for `grain` by `grain` of the picture's."""
        size = -(-picture[0] // grain), -(-picture[1] // grain)
        self.size = size
        self.ratio = size[1] / picture[1]
        """The size of the framebuffers, in sizes of the picture."""
        self.samples = samples
        self.frame = frame_buffer(context)
        self.face_depth = context.depth_texture(size)
        self.face_depth.compare_func = ""
        # Only faces need many samples: lines and marks compute their own coverage, finer than samples would.
        # A texture of a single sample is an ordinary one, which software renderers are faster with.
        self._context, self._many = context, samples if samples > 1 else 0
        self.accumulated = context.texture(size, 4, samples=self._many, dtype="f2")
        self.weight = context.texture(size, 1, samples=self._many, dtype="f2")
        self.colours = context.texture(size, 4)
        # At the picture's own size it is copied texel by texel, else enlarged smoothly.
        smooth = moderngl.NEAREST if grain == 1 else moderngl.LINEAR
        self.colours.filter = smooth, smooth
        self.colours.repeat_x = self.colours.repeat_y = False
        self.depth = context.framebuffer(depth_attachment=self.face_depth)
        self.layers = context.framebuffer([self.accumulated, self.weight])
        self.picture = context.framebuffer([self.colours])
        # For lines with the depth test; lines that read the depth as a texture cannot have it attached.
        self.behind = context.framebuffer([self.colours], self.face_depth)
        self.behind.depth_mask = False

    @cached_property
    def opaque(self) -> OpaqueLayer:
        """The opaque layer, made for the first picture that has one."""
        colours = self._context.texture(self.size, 4, samples=self._many)
        depths = self._context.depth_texture(self.size, samples=self._many)
        if not self._many:
            depths.compare_func = ""
        before = self._context.framebuffer([self.accumulated, self.weight], depths)
        before.depth_mask = False
        return OpaqueLayer(colours, depths, self._context.framebuffer([colours], depths), before)

    def release(self) -> None:
        """Release the graphics memory."""
        if "opaque" in self.__dict__:
            for part in self.opaque:
                part.release()
        for framebuffer in (self.depth, self.layers, self.picture, self.behind):
            framebuffer.release()
        for texture in (self.face_depth, self.accumulated, self.weight, self.colours):
            texture.release()
        self.frame.release()
