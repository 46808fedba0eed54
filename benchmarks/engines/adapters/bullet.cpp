#include "cases.h"

#include <LinearMath/btAabbUtil2.h>

// What is hidden and not called is left out.
#pragma GCC visibility push(hidden)
#include <BulletCollision/CollisionShapes/btTriangleCallback.cpp>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.cpp>
#pragma GCC visibility pop

static btVector3 point(const Real *v) { return btVector3(v[0], v[1], v[2]); }

struct RayTest : btTriangleRaycastCallback {
    RayTest(const Real *p) : btTriangleRaycastCallback(point(p), point(p + 3)) {}

    btScalar reportHit(const btVector3 &, btScalar fraction, int, int) override
    {
        hit = true;
        return fraction;
    }

    bool hit = false;
};

int segment_triangle(const Real *p, const Real *v, Real *t)
{
    btVector3 triangle[] = {point(v), point(v + 3), point(v + 6)};
    RayTest test(p);
    test.processTriangle(triangle, 0, 0);
    *t = test.m_hitFraction;
    return test.hit;
}

int segment_box(const Real *p, const Real *v, Real *t)
{
    btScalar fraction = 1;
    btVector3 normal;
    const bool hit = btRayAabb(point(p), point(p + 3), point(v), point(v + 3), fraction, normal);
    *t = fraction;
    return hit;
}

int box_box(const Real *a, const Real *b, Real *)
{
    return TestAabbAgainstAabb2(point(a), point(a + 3), point(b), point(b + 3));
}

int point_box(const Real *p, const Real *v, Real *)
{
    return TestPointAgainstAabb2(point(v), point(v + 3), point(p));
}
