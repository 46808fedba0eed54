#include <math.h>

// What is hidden and not called is left out, and with it what it would need of OpenGL.
#pragma GCC visibility push(hidden)
#include "rmodels.c"
#pragma GCC visibility pop

#include "cases.h"

static Vector3 point(const Real *v) { return (Vector3){v[0], v[1], v[2]}; }

static Ray ray(const Real *v) { return (Ray){point(v), point(v + 3)}; }

static BoundingBox box(const Real *v) { return (BoundingBox){point(v), point(v + 3)}; }

int ray_box(const Real *probe, const Real *primitive, Real *t)
{
    if (is_zero(probe + 3)) return OUTSIDE;
    const RayCollision found = GetRayCollisionBox(ray(probe), box(primitive));
    if (!is_in_box(probe, primitive)) *t = found.distance;
    return found.hit;
}

int ray_triangle(const Real *probe, const Real *v, Real *t)
{
    const RayCollision found = GetRayCollisionTriangle(ray(probe), point(v), point(v + 3), point(v + 6));
    *t = found.distance;
    return found.hit;
}

int ray_sphere(const Real *probe, const Real *sphere, Real *t)
{
    const RayCollision found = GetRayCollisionSphere(ray(probe), point(sphere), sphere[3]);
    if (!is_in_sphere(probe, sphere)) *t = found.distance;
    return found.hit;
}

int box_sphere(const Real *probe, const Real *sphere, Real *t)
{
    return CheckCollisionBoxSphere(box(probe), point(sphere), sphere[3]);
}

int box_box(const Real *probe, const Real *primitive, Real *t)
{
    return CheckCollisionBoxes(box(probe), box(primitive));
}

int sphere_sphere(const Real *probe, const Real *primitive, Real *t)
{
    return CheckCollisionSpheres(point(probe), probe[3], point(primitive), primitive[3]);
}
