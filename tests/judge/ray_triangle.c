/* Ray-triangle tests as engines have them, in the precision HITSCOPE_REAL. */

#include <math.h>
#include <stdlib.h>

typedef HITSCOPE_REAL real;

static real dot(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(real *r, const real *a, const real *b)
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

static void subtract(real *r, const real *a, const real *b)
{
    for (int k = 0; k < 3; k++) r[k] = a[k] - b[k];
}

/* Moller and Trumbore (1997), without culling: Cramer's rule for the barycentric coordinates and t, each triangle
   in coordinates of its own, so that neighbours round a ray at their common edge differently. */
int moller_trumbore(const real *ray, const real *triangle, real *t)
{
    real e[3], f[3], p[3], q[3], s[3];
    subtract(e, triangle + 3, triangle);
    subtract(f, triangle + 6, triangle);
    cross(p, ray + 3, f);
    real determinant = dot(e, p);
    if (determinant == 0) return 0;
    real inverse = 1 / determinant;
    subtract(s, ray, triangle);
    real u = dot(s, p) * inverse;
    if (u < 0 || u > 1) return 0;
    cross(q, s, e);
    real v = dot(ray + 3, q) * inverse;
    if (v < 0 || u + v > 1) return 0;
    *t = dot(f, q) * inverse;
    return *t >= 0;
}

/* Woop, Benthin and Wald (2013): the vertices are moved and sheared so that the ray is the z axis, which depends on
   the vertex alone; then the sign of each edge is the same, but for its direction, in both of its triangles. */
int woop(const real *ray, const real *triangle, real *t)
{
    const real *d = ray + 3;
    int kz = fabs(d[0]) < fabs(d[1]) ? 1 : 0;
    kz = fabs(d[kz]) < fabs(d[2]) ? 2 : kz;
    int kx = (kz + 1) % 3, ky = (kz + 2) % 3;
    if (d[kz] < 0) { int k = kx; kx = ky; ky = k; }
    real x[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
        real depth = triangle[3 * i + kz] - ray[kz];
        x[i] = triangle[3 * i + kx] - ray[kx] - d[kx] / d[kz] * depth;
        y[i] = triangle[3 * i + ky] - ray[ky] - d[ky] / d[kz] * depth;
        z[i] = 1 / d[kz] * depth;
    }
    real w[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = x[k] * y[j] - y[k] * x[j];
        if (w[i] == 0) w[i] = (real)((double)x[k] * y[j] - (double)y[k] * x[j]);
    }
    if ((w[0] < 0 || w[1] < 0 || w[2] < 0) && (w[0] > 0 || w[1] > 0 || w[2] > 0)) return 0;
    real determinant = w[0] + w[1] + w[2];
    if (determinant == 0) return 0;
    *t = dot(w, z) / determinant;
    return *t >= 0;
}

/* What judges must survive, or leave out. */
int aborts_above(const real *ray, const real *triangle, real *t)
{
    if (woop(ray, triangle, t) && ray[5] > 0) abort();
    return 0;
}

int leaves_out(const real *ray, const real *triangle, real *t) { return woop(ray, triangle, t) ? -1 : 0; }
