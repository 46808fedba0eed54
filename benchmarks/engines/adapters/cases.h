// Of the numbers of a case, for adapters in C and C++.

#pragma once
#include <float.h>
#include <math.h>

typedef HITSCOPE_REAL Real;

enum { MISS = 0, HIT = 1, OUTSIDE = -1 }; // outside: a case that the function is not made for

static inline double squared_length(const Real *v)
{
    return (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
}

static inline int is_zero(const Real *v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

// Whether a normal has a length of one, but for rounding.
static inline int is_unit(const Real *v)
{
    const double epsilon = sizeof(Real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    return fabs(squared_length(v) - 1) <= 4 * epsilon;
}

// Whether three axes are at right angles and of unit length, but for rounding.
static inline int are_axes(const Real *v)
{
    const double epsilon = sizeof(Real) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    for (int i = 0; i < 3; i++) {
        const Real *a = v + 3 * i, *b = v + 3 * ((i + 1) % 3);
        const double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
        if (fabs(dot) > 4 * epsilon || !is_unit(a)) return 0;
    }
    return 1;
}

// Whether a point lies in a sphere: some functions answer then where a ray leaves it, which is left unsaid.
static inline int is_in_sphere(const Real *p, const Real *sphere)
{
    const Real away[3] = {p[0] - sphere[0], p[1] - sphere[1], p[2] - sphere[2]};
    return squared_length(away) <= (double)sphere[3] * sphere[3];
}

static inline int is_in_box(const Real *p, const Real *box)
{
    for (int i = 0; i < 3; i++)
        if (p[i] < box[i] || p[i] > box[i + 3]) return 0;
    return 1;
}
