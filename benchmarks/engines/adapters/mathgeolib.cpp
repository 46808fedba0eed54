#include "cases.h"

#include <algorithm>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// What is hidden and not called is left out.
#pragma GCC visibility push(hidden)
#include <MathGeoLib.h>

#include <Algorithm/GJK.cpp>

#include <Geometry/AABB.cpp>
#include <Geometry/Capsule.cpp>
#include <Geometry/Line.cpp>
#include <Geometry/LineSegment.cpp>
#include <Geometry/Plane.cpp>
#include <Geometry/Ray.cpp>
#include <Geometry/Sphere.cpp>
#include <Geometry/Triangle.cpp>
#include <Math/MathFunc.cpp>
#include <Math/MathOps.cpp>
#include <Math/float2.cpp>
#include <Math/float3.cpp>
#include <Math/float3x3.cpp>
#include <Math/float3x4.cpp>
#include <Math/float4.cpp>
#include <Geometry/LineSegment2D.cpp>
#pragma GCC visibility pop

using namespace math;

static vec point(const Real *v) { return vec(v[0], v[1], v[2]); }

static Ray ray(const Real *v)
{
    Ray made;
    made.pos = point(v);
    made.dir = point(v + 3);
    return made;
}

static AABB box(const Real *v) { return AABB(point(v), point(v + 3)); }

static Sphere sphere(const Real *v) { return Sphere(point(v), v[3]); }

static LineSegment segment(const Real *v) { return LineSegment(point(v), point(v + 3)); }

static Capsule capsule(const Real *v) { return Capsule(segment(v), v[6]); }

static Triangle triangle(const Real *v) { return Triangle(point(v), point(v + 3), point(v + 6)); }

static Plane plane(const Real *v)
{
    Plane made;
    made.normal = point(v);
    made.d = v[3];
    return made;
}

int ray_box(const Real *p, const Real *v, Real *t)
{
    float near = 0, far = FLOAT_INF;
    const bool hit = box(v).Intersects(ray(p), near, far);
    *t = near;
    return hit;
}

int ray_triangle(const Real *p, const Real *v, Real *t) { return triangle(v).Intersects(ray(p), t); }

int ray_plane(const Real *p, const Real *v, Real *t)
{
    return is_unit(v) ? plane(v).Intersects(ray(p), t) : OUTSIDE;
}

int segment_box(const Real *p, const Real *v, Real *) { return box(v).Intersects(segment(p)); }

int triangle_box(const Real *p, const Real *v, Real *) { return box(v).Intersects(triangle(p)); }

int triangles(const Real *p, const Real *v, Real *) { return triangle(v).Intersects(triangle(p)); }

int box_plane(const Real *p, const Real *v, Real *)
{
    return is_unit(v) ? plane(v).Intersects(box(p)) : OUTSIDE;
}

int box_sphere(const Real *p, const Real *v, Real *) { return box(p).Intersects(sphere(v)); }

int ray_capsule(const Real *p, const Real *v, Real *) { return capsule(v).Intersects(ray(p)); }

int segment_capsule(const Real *p, const Real *v, Real *) { return capsule(v).Intersects(segment(p)); }

int capsule_box(const Real *p, const Real *v, Real *) { return capsule(p).Intersects(box(v)); }

int capsule_triangle(const Real *p, const Real *v, Real *) { return capsule(p).Intersects(triangle(v)); }

int capsule_sphere(const Real *p, const Real *v, Real *) { return capsule(p).Intersects(sphere(v)); }

int capsules(const Real *p, const Real *v, Real *) { return capsule(p).Intersects(capsule(v)); }
