"""The framebuffers of one picture size."""

import moderngl


class Canvas:
    """What one picture is made on: the nearest faces' depth, the layers of all faces, and the picture."""

    def __init__(self, context: moderngl.Context, size: tuple[int, int], samples: int) -> None:
        self.size = size
        self.samples = samples
        self.face_depth = context.depth_texture(size)
        self.face_depth.compare_func = ""
        # Only faces need many samples: lines and marks find their own coverage, finer than samples would.
        # A texture of a single sample is an ordinary one, which software renderers are faster with.
        many = samples if samples > 1 else 0
        self.accumulated = context.texture(size, 4, samples=many, dtype="f2")
        self.weight = context.texture(size, 1, samples=many, dtype="f2")
        self.colours = context.texture(size, 4)
        self.depth = context.framebuffer(depth_attachment=self.face_depth)
        self.layers = context.framebuffer([self.accumulated, self.weight])
        self.picture = context.framebuffer([self.colours])
        # For lines that are hidden by the depth test; those that read the depth cannot have it for their own.
        self.behind = context.framebuffer([self.colours], self.face_depth)
        self.behind.depth_mask = False

    def release(self) -> None:
        """Give the graphics memory back."""
        for framebuffer in (self.depth, self.layers, self.picture, self.behind):
            framebuffer.release()
        for texture in (self.face_depth, self.accumulated, self.weight, self.colours):
            texture.release()
