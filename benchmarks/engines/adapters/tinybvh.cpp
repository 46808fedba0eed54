#include "cases.h"

#define TINYBVH_IMPLEMENTATION
#include <tiny_bvh.h>

using namespace tinybvh;

struct Tests : BVHBase {
    using BVHBase::IntersectTri;
};

int ray_triangle(const Real *p, const Real *v, Real *t)
{
    bvhvec4 vertices[3];
    for (int i = 0; i < 3; i++) vertices[i] = bvhvec4(v[3 * i], v[3 * i + 1], v[3 * i + 2], 0);
    // Its constructor makes a direction one of unit length, which would be another ray than the one that is judged.
    Ray ray;
    ray.O = bvhvec3(p[0], p[1], p[2]);
    ray.D = bvhvec3(p[3], p[4], p[5]);
    ray.rD = tinybvh_rcp(ray.D);
    ray.hit.t = BVH_FAR;
    Tests().IntersectTri(ray, 0, bvhvec4slice(vertices, 3), 0, 1, 2);
    *t = ray.hit.t;
    return ray.hit.t < BVH_FAR;
}
