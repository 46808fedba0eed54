// Moeller and Trumbore's ray and triangle, as it is copied: the paper's epsilon compares an area with a constant.
#include "vectors.h"

static int crossing(const real *ray, const real *triangle, real *t_enter, real epsilon)
{
    real side[3], other[3], from[3], p[3], q[3];
    subtract(triangle + 3, triangle, side);
    subtract(triangle + 6, triangle, other);
    cross(ray + 3, other, p);
    real determinant = dot(side, p);
    if (determinant >= -epsilon && determinant <= epsilon)
        return 0;
    subtract(ray, triangle, from);
    real u = dot(from, p) / determinant;
    cross(from, side, q);
    real v = dot(ray + 3, q) / determinant;
    real t = dot(other, q) / determinant;
    if (u < 0 || v < 0 || u + v > 1 || t < 0)
        return 0;
    *t_enter = t;
    return 1;
}

int wrong(const real *ray, const real *triangle, real *t_enter) { return crossing(ray, triangle, t_enter, (real)1e-6); }

int right(const real *ray, const real *triangle, real *t_enter) { return crossing(ray, triangle, t_enter, 0); }
