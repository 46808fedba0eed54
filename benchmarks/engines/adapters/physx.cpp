#include "cases.h"

#include <GuIntersectionBoxBox.cpp>
#include <GuIntersectionCapsuleTriangle.cpp>
#include <GuIntersectionRayBox.cpp>
#include <GuIntersectionRayCapsule.cpp>
#include <GuIntersectionRayPlane.h>
#include <GuIntersectionRaySphere.cpp>
#include <GuIntersectionRayTriangle.h>
#include <GuIntersectionTriangleBox.cpp>
#include <GuIntersectionTriangleTriangle.cpp>

using namespace physx;

static PxVec3 point(const Real *v) { return PxVec3(v[0], v[1], v[2]); }

static PxMat33 axes(const Real *v) { return PxMat33(point(v), point(v + 3), point(v + 6)); }

int ray_box(const Real *ray, const Real *v, Real *t)
{
    const PxVec3 size = point(v + 3) - point(v);
    if (is_zero(ray + 3) || size.minElement() < GU_MIN_AABB_EXTENT) return OUTSIDE;
    float near, far;
    const bool hit = Gu::intersectRayAABB2(
        point(v), point(v + 3), point(ray), point(ray + 3), PX_MAX_F32, near, far);
    *t = near;
    return hit;
}

int ray_triangle(const Real *ray, const Real *v, Real *t)
{
    float distance = -1, a, b;
    const bool hit = Gu::intersectRayTriangle(
        point(ray), point(ray + 3), point(v), point(v + 3), point(v + 6), distance, a, b, false);
    *t = distance;
    return hit && distance >= 0;
}

int ray_plane(const Real *ray, const Real *v, Real *t)
{
    if (!is_unit(v)) return OUTSIDE;
    float distance = -1;
    const bool hit = Gu::intersectRayPlane(point(ray), point(ray + 3), PxPlane(point(v), -v[3]), distance);
    *t = distance;
    return hit && distance >= 0;
}

int ray_sphere(const Real *ray, const Real *v, Real *t)
{
    return Gu::intersectRaySphere(point(ray), point(ray + 3), PX_MAX_F32, point(v), v[3], *t);
}

int triangle_box(const Real *a, const Real *v, Real *)
{
    const PxBounds3 box(point(v), point(v + 3));
    return Gu::intersectTriangleBox_ReferenceCode(
        box.getCenter(), box.getExtents(), point(a), point(a + 3), point(a + 6));
}

int triangles(const Real *a, const Real *b, Real *)
{
    return Gu::intersectTriangleTriangle(point(a), point(a + 3), point(a + 6), point(b), point(b + 3), point(b + 6));
}

int turned_boxes(const Real *a, const Real *b, Real *)
{
    if (!are_axes(a + 6) || !are_axes(b + 6)) return OUTSIDE;
    return Gu::intersectOBBOBB(
        point(a + 3), point(a), axes(a + 6), point(b + 3), point(b), axes(b + 6), true);
}

int ray_capsule(const Real *ray, const Real *v, Real *t)
{
    return Gu::intersectRayCapsule(point(ray), point(ray + 3), point(v), point(v + 3), v[6], *t);
}

int capsule_triangle(const Real *c, const Real *v, Real *)
{
    const Gu::Capsule capsule(point(c), point(c + 3), c[6]);
    if (capsule.p0 == capsule.p1) return OUTSIDE;
    Gu::CapsuleTriangleOverlapData params;
    params.init(capsule);
    const PxVec3 a = point(v), b = point(v + 3), normal = (a - b).cross(a - point(v + 6));
    return Gu::intersectCapsuleTriangle(normal, a, b, point(v + 6), capsule, params);
}
