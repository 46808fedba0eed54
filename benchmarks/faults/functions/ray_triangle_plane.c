// pair: ray_triangle
// hitscope: require=max-coordinate=1e300
// The point in the plane, then on which side of each edge it is. A ray along the plane is outside its contract.
#include <math.h>

#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])

static void sub(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static void cross(double *out, const double *a, const double *b)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* makes the largest component 1 or -1; not of a zero vector */
static int scale(double *v)
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    for (int i = 0; i < 3; i++)
        v[i] /= largest;
    return largest > 0;
}

/* how far p is inside of an edge from corner a */
static double inside(const double *a, const double *edge, const double *p, const double *normal)
{
    double to_point[3], side[3];
    sub(to_point, p, a);
    cross(side, edge, to_point);
    return DOT(side, normal);
}

int hit(const double *probe, const double *primitive, double *t_enter)
{
    const double *a = primitive, *b = primitive + 3, *c = primitive + 6;
    const double *origin = probe;
    double direction[3] = {probe[3], probe[4], probe[5]};
    double ab[3], bc[3], ca[3], normal[3], to_plane[3], p[3];
    sub(ab, b, a);
    sub(bc, c, b);
    sub(ca, a, c);
    if (!scale(direction) || !scale(ab) || !scale(bc) || !scale(ca))
        return -1;
    cross(normal, ab, bc);
    double speed = DOT(normal, direction);
    if (fabs(speed) <= 1e-9)
        return -1;
    sub(to_plane, a, origin);
    double t = DOT(normal, to_plane) / speed;
    if (t < 0)
        return 0;
    for (int i = 0; i < 3; i++)
        p[i] = origin[i] + t * direction[i];
    if (inside(a, ab, p, normal) < 0)
        return 0;
    if (inside(b, bc, p, normal) < 0)
        return 0;
    if (inside(c, ca, p, normal) < 0)
        return 0;
    (void)t_enter; /* rounds worse than the verdict, and is not told */
    return 1;
}
