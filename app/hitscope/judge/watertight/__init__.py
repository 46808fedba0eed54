"""A ray-triangle test on a closed mesh: rays from inside that leak, which no triangle of the mesh stops.

In exact arithmetic there is none: a ray that starts inside a closed surface meets it. Rays that pass close to an
edge or a vertex are the ones that a test with rounding may let through between two triangles.
"""
