"""The kernel of the peer warp, which reads a kernel's source from a module of its own."""

import warp as wp


@wp.kernel
def closest(
    mesh: wp.uint64,
    origins: wp.array(dtype=wp.vec3),
    directions: wp.array(dtype=wp.vec3),
    index: wp.array(dtype=wp.int32),
    t: wp.array(dtype=wp.float32),
):
    """Find the first face that each ray enters."""
    i = wp.tid()
    found = wp.mesh_query_ray(mesh, origins[i], wp.normalize(directions[i]), 1.0e30)
    index[i] = -1
    if found.result:
        index[i] = found.face
        t[i] = found.t / wp.length(directions[i])
