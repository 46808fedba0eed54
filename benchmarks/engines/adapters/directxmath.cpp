#include "cases.h"

#include <DirectXCollision.h>

using namespace DirectX;

static XMFLOAT3 numbers(const Real *v) { return {v[0], v[1], v[2]}; }

static XMVECTOR point(const Real *v) { return XMVectorSet(v[0], v[1], v[2], 0); }

static BoundingBox box(const Real *v)
{
    BoundingBox made;
    BoundingBox::CreateFromPoints(made, point(v), point(v + 3));
    return made;
}

static BoundingSphere sphere(const Real *v) { return {numbers(v), v[3]}; }

static XMVECTOR plane(const Real *v) { return XMVectorSet(v[0], v[1], v[2], -v[3]); }

int ray_box(const Real *ray, const Real *v, Real *t)
{
    float distance = 0;
    const bool hit = box(v).Intersects(point(ray), point(ray + 3), distance);
    if (hit && distance >= 0) *t = distance;
    return hit;
}

int ray_sphere(const Real *ray, const Real *v, Real *t)
{
    float distance = 0;
    const bool hit = sphere(v).Intersects(point(ray), point(ray + 3), distance);
    if (hit && !is_in_sphere(ray, v)) *t = distance;
    return hit;
}

int ray_triangle(const Real *ray, const Real *v, Real *t)
{
    float distance = 0;
    const bool hit =
        TriangleTests::Intersects(point(ray), point(ray + 3), point(v), point(v + 3), point(v + 6), distance);
    *t = distance;
    return hit;
}

int triangle_box(const Real *a, const Real *v, Real *)
{
    return box(v).Intersects(point(a), point(a + 3), point(a + 6));
}

int triangle_sphere(const Real *a, const Real *v, Real *)
{
    return sphere(v).Intersects(point(a), point(a + 3), point(a + 6));
}

int triangles(const Real *a, const Real *b, Real *)
{
    return TriangleTests::Intersects(
        point(a), point(a + 3), point(a + 6), point(b), point(b + 3), point(b + 6));
}

int triangle_plane(const Real *a, const Real *v, Real *)
{
    if (!is_unit(v)) return OUTSIDE;
    return TriangleTests::Intersects(point(a), point(a + 3), point(a + 6), plane(v)) == INTERSECTING;
}

int box_plane(const Real *a, const Real *v, Real *)
{
    return is_unit(v) ? box(a).Intersects(plane(v)) == INTERSECTING : OUTSIDE;
}

int box_sphere(const Real *a, const Real *v, Real *) { return box(a).Intersects(sphere(v)); }

int box_box(const Real *a, const Real *v, Real *) { return box(a).Intersects(box(v)); }
