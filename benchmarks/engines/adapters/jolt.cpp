#include "cases.h"

#include <Jolt/Jolt.h>

#include <Jolt/Geometry/AABox.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/GJKClosestPoint.h>
#include <Jolt/Geometry/OrientedBox.cpp>
#include <Jolt/Geometry/Plane.h>
#include <Jolt/Geometry/RayAABox.h>
#include <Jolt/Geometry/RaySphere.h>
#include <Jolt/Geometry/RayTriangle.h>
#include <Jolt/Geometry/Sphere.h>

using namespace JPH;

static Vec3 point(const Real *v) { return Vec3(v[0], v[1], v[2]); }

static AABox box(const Real *v) { return AABox(point(v), point(v + 3)); }

static Sphere sphere(const Real *v) { return Sphere(point(v), v[3]); }

static OrientedBox turned_box(const Real *v)
{
    const Mat44 frame(Vec4(point(v + 6), 0), Vec4(point(v + 9), 0), Vec4(point(v + 12), 0), Vec4(point(v), 1));
    return OrientedBox(frame, point(v + 3));
}

static int answer(float found, Real *t)
{
    if (found >= 0 && found < FLT_MAX) *t = found;
    return found < FLT_MAX;
}

int ray_box(const Real *ray, const Real *v, Real *t)
{
    if (is_zero(ray + 3)) return OUTSIDE;
    return answer(RayAABox(point(ray), RayInvDirection(point(ray + 3)), point(v), point(v + 3)), t);
}

int ray_triangle(const Real *ray, const Real *v, Real *t)
{
    return answer(RayTriangle(point(ray), point(ray + 3), point(v), point(v + 3), point(v + 6)), t);
}

int ray_sphere(const Real *ray, const Real *v, Real *t)
{
    if (is_zero(ray + 3)) return OUTSIDE;
    return answer(RaySphere(point(ray), point(ray + 3), point(v), v[3]), t);
}

int box_box(const Real *probe, const Real *v, Real *) { return box(probe).Overlaps(box(v)); }

int box_plane(const Real *probe, const Real *v, Real *)
{
    return is_unit(v) ? box(probe).Overlaps(Plane(point(v), -v[3])) : OUTSIDE;
}

int sphere_box(const Real *probe, const Real *v, Real *) { return sphere(probe).Overlaps(box(v)); }

int sphere_sphere(const Real *probe, const Real *v, Real *) { return sphere(probe).Overlaps(sphere(v)); }

int turned_box_box(const Real *probe, const Real *v, Real *)
{
    return are_axes(probe + 6) ? turned_box(probe).Overlaps(box(v)) : OUTSIDE;
}

int turned_boxes(const Real *probe, const Real *v, Real *)
{
    return are_axes(probe + 6) && are_axes(v + 6) ? turned_box(probe).Overlaps(turned_box(v)) : OUTSIDE;
}

int gjk_capsule_box(const Real *v, const Real *other, Real *)
{
    GJKClosestPoint gjk;
    Vec3 axis = Vec3::sAxisX();
    const TriangleConvexSupport segment(point(v), point(v + 3), point(v + 3));
    return gjk.Intersects(AddConvexRadius(segment, v[6]), box(other), 0, axis);
}

int gjk_triangle_box(const Real *v, const Real *other, Real *)
{
    GJKClosestPoint gjk;
    Vec3 axis = Vec3::sAxisX();
    const TriangleConvexSupport triangle(point(v), point(v + 3), point(v + 6));
    return gjk.Intersects(triangle, box(other), 0, axis);
}
