/* Ray and segment against a sphere, in the precision HITSCOPE_REAL: right in float, where `wide` is double, and as
   textbooks print it, where every number is rounded. */

#include <math.h>

typedef HITSCOPE_REAL real;
typedef double wide;

static wide dot(const wide *a, const wide *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The distance of the center from the line by a cross product, and the root that no subtraction cancels. */
static int right(const real *o, const wide *d, wide t_max, const real *sphere, real *t_enter)
{
    wide m[3], n[3], r = sphere[3];
    for (int k = 0; k < 3; k++) m[k] = (wide)o[k] - sphere[k];
    wide a = dot(d, d), b = dot(m, d), c = dot(m, m) - r * r;
    *t_enter = 0;
    if (c <= 0) return 1;
    for (int k = 0; k < 3; k++) n[k] = m[(k + 1) % 3] * d[(k + 2) % 3] - m[(k + 2) % 3] * d[(k + 1) % 3];
    wide discriminant = r * r * a - dot(n, n);
    if (a == 0 || b > 0 || discriminant < 0) return 0;
    wide t = c / (sqrt(discriminant) - b);
    if (t > t_max) return 0;
    *t_enter = (real)t;
    return 1;
}

int ray(const real *probe, const real *sphere, real *t_enter)
{
    wide d[3] = {probe[3], probe[4], probe[5]};
    return right(probe, d, INFINITY, sphere, t_enter);
}

int segment(const real *probe, const real *sphere, real *t_enter)
{
    wide d[3] = {(wide)probe[3] - probe[0], (wide)probe[4] - probe[1], (wide)probe[5] - probe[2]};
    return right(probe, d, 1, sphere, t_enter);
}

/* Ericson 2005, 5.3.2, for a direction of any length. */
int quadratic(const real *ray, const real *sphere, real *t_enter)
{
    real a = 0, b = 0, c = -sphere[3] * sphere[3];
    for (int k = 0; k < 3; k++) {
        real m = ray[k] - sphere[k], d = ray[3 + k];
        a += d * d;
        b += m * d;
        c += m * m;
    }
    real discriminant = b * b - a * c;
    if ((c > 0 && b > 0) || discriminant < 0) return 0;
    real t = (-b - (real)sqrt(discriminant)) / a;
    *t_enter = t < 0 ? 0 : t;
    return 1;
}
