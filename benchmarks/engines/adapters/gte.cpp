#include "cases.h"

#include <Mathematics/IntrAlignedBox3OrientedBox3.h>
#include <Mathematics/IntrAlignedBox3Sphere3.h>
#include <Mathematics/IntrCapsule3Capsule3.h>
#include <Mathematics/IntrLine3AlignedBox3.h>
#include <Mathematics/IntrLine3Capsule3.h>
#include <Mathematics/IntrLine3Triangle3.h>
#include <Mathematics/IntrOrientedBox3OrientedBox3.h>
#include <Mathematics/IntrPlane3Capsule3.h>
#include <Mathematics/IntrPlane3OrientedBox3.h>
#include <Mathematics/IntrPlane3Triangle3.h>
#include <Mathematics/IntrRay3AlignedBox3.h>
#include <Mathematics/IntrRay3Capsule3.h>
#include <Mathematics/IntrRay3OrientedBox3.h>
#include <Mathematics/IntrRay3Sphere3.h>
#include <Mathematics/IntrRay3Triangle3.h>
#include <Mathematics/IntrSegment3AlignedBox3.h>
#include <Mathematics/IntrSegment3Capsule3.h>
#include <Mathematics/IntrSegment3Triangle3.h>
#include <Mathematics/IntrTriangle3AlignedBox3.h>
#include <Mathematics/IntrTriangle3Triangle3.h>

using namespace gte;

static Vector3<Real> point(const Real *v) { return {v[0], v[1], v[2]}; }

static Line3<Real> line(const Real *v) { return {point(v), point(v + 3)}; }

static Ray3<Real> ray(const Real *v) { return {point(v), point(v + 3)}; }

static Segment3<Real> segment(const Real *v) { return {point(v), point(v + 3)}; }

static Triangle3<Real> triangle(const Real *v) { return {point(v), point(v + 3), point(v + 6)}; }

static AlignedBox3<Real> box(const Real *v) { return {point(v), point(v + 3)}; }

static Sphere3<Real> sphere(const Real *v) { return {point(v), v[3]}; }

static Capsule3<Real> capsule(const Real *v) { return {segment(v), v[6]}; }

static Plane3<Real> plane(const Real *v) { return {point(v), v[3]}; }

static OrientedBox3<Real> turned_box(const Real *v)
{
    return {point(v), {point(v + 6), point(v + 9), point(v + 12)}, point(v + 3)};
}

template <class A, class B> static bool meet(const A &a, const B &b)
{
    return TIQuery<Real, A, B>{}(a, b).intersect;
}

int line_box(const Real *p, const Real *v, Real *) { return meet(line(p), box(v)); }

int line_capsule(const Real *p, const Real *v, Real *) { return meet(line(p), capsule(v)); }

int line_triangle(const Real *p, const Real *v, Real *) { return meet(line(p), triangle(v)); }

int ray_box(const Real *p, const Real *v, Real *) { return meet(ray(p), box(v)); }

int ray_turned_box(const Real *p, const Real *v, Real *)
{
    return are_axes(v + 6) ? meet(ray(p), turned_box(v)) : OUTSIDE;
}

int ray_sphere(const Real *p, const Real *v, Real *) { return meet(ray(p), sphere(v)); }

int ray_capsule(const Real *p, const Real *v, Real *) { return meet(ray(p), capsule(v)); }

int ray_triangle(const Real *p, const Real *v, Real *) { return meet(ray(p), triangle(v)); }

int segment_box(const Real *p, const Real *v, Real *) { return meet(segment(p), box(v)); }

int segment_capsule(const Real *p, const Real *v, Real *) { return meet(segment(p), capsule(v)); }

int segment_triangle(const Real *p, const Real *v, Real *) { return meet(segment(p), triangle(v)); }

int triangle_box(const Real *p, const Real *v, Real *) { return meet(triangle(p), box(v)); }

int capsules(const Real *p, const Real *v, Real *) { return meet(capsule(p), capsule(v)); }

int triangles(const Real *p, const Real *v, Real *) { return meet(triangle(p), triangle(v)); }

int triangle_plane(const Real *p, const Real *v, Real *)
{
    return is_unit(v) ? meet(plane(v), triangle(p)) : OUTSIDE;
}

int capsule_plane(const Real *p, const Real *v, Real *)
{
    return is_unit(v) ? meet(plane(v), capsule(p)) : OUTSIDE;
}

int turned_box_plane(const Real *p, const Real *v, Real *)
{
    return is_unit(v) && are_axes(p + 6) ? meet(plane(v), turned_box(p)) : OUTSIDE;
}

int box_sphere(const Real *p, const Real *v, Real *) { return meet(box(p), sphere(v)); }

int box_turned_box(const Real *p, const Real *v, Real *)
{
    return are_axes(v + 6) ? meet(box(p), turned_box(v)) : OUTSIDE;
}

int turned_boxes(const Real *p, const Real *v, Real *)
{
    return are_axes(p + 6) && are_axes(v + 6) ? meet(turned_box(p), turned_box(v)) : OUTSIDE;
}
