/* Tests as users write them, for `hitscope judge`: boxes by slabs, triangles after Moeller and Trumbore, and a triangle and
   a box by separating axes. */

#include <math.h>

typedef HITSCOPE_REAL real;

static real dot(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void subtract(const real *a, const real *b, real *difference)
{
    for (int k = 0; k < 3; k++)
        difference[k] = a[k] - b[k];
}

static void cross(const real *a, const real *b, real *product)
{
    for (int k = 0; k < 3; k++)
        product[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static int line_box(const real *origin, const real *d, const real *lo, const real *hi, real last, real *t_enter)
{
    real enter = 0, leave = last;
    for (int k = 0; k < 3; k++) {
        real one = lo[k] - origin[k], other = hi[k] - origin[k];
        if (d[k] == 0) {
            if (one > 0 || other < 0)
                return 0;
            continue;
        }
        real first = (d[k] > 0 ? one : other) / d[k], second = (d[k] > 0 ? other : one) / d[k];
        if (first > enter)
            enter = first;
        if (second < leave)
            leave = second;
    }
    if (enter > leave)
        return 0;
    *t_enter = enter;
    return 1;
}

static int line_obb(const real *origin, const real *d, const real *box, real last, real *t_enter)
{
    real from[3], start[3], along[3], lo[3];
    subtract(origin, box, from);
    for (int k = 0; k < 3; k++) {
        start[k] = dot(box + 6 + 3 * k, from);
        along[k] = dot(box + 6 + 3 * k, d);
        lo[k] = -box[3 + k];
    }
    return line_box(start, along, lo, box + 3, last, t_enter);
}

static int line_triangle(const real *origin, const real *d, const real *triangle, real last, real *t_enter)
{
    real e[3], f[3], s[3], p[3], q[3];
    subtract(triangle + 3, triangle, e);
    subtract(triangle + 6, triangle, f);
    subtract(origin, triangle, s);
    cross(d, f, p);
    cross(s, e, q);
    real determinant = dot(e, p);
    if (determinant == 0)
        return 0;
    real u = dot(s, p) / determinant, v = dot(d, q) / determinant, t = dot(f, q) / determinant;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= last))
        return 0;
    *t_enter = t;
    return 1;
}

int ray_aabb(const real *ray, const real *box, real *t_enter)
{
    return line_box(ray, ray + 3, box, box + 3, INFINITY, t_enter);
}

int segment_aabb(const real *segment, const real *box, real *t_enter)
{
    real d[3];
    subtract(segment + 3, segment, d);
    return line_box(segment, d, box, box + 3, 1, t_enter);
}

int ray_obb(const real *ray, const real *box, real *t_enter)
{
    return line_obb(ray, ray + 3, box, INFINITY, t_enter);
}

int segment_obb(const real *segment, const real *box, real *t_enter)
{
    real d[3];
    subtract(segment + 3, segment, d);
    return line_obb(segment, d, box, 1, t_enter);
}

int ray_triangle(const real *ray, const real *triangle, real *t_enter)
{
    return line_triangle(ray, ray + 3, triangle, INFINITY, t_enter);
}

int segment_triangle(const real *segment, const real *triangle, real *t_enter)
{
    real d[3];
    subtract(segment + 3, segment, d);
    return line_triangle(segment, d, triangle, 1, t_enter);
}

static int separates(const real *axis, const real corners[3][3], const real *half)
{
    real reach = 0, low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        real at = dot(axis, corners[k]);
        reach += half[k] * (axis[k] < 0 ? -axis[k] : axis[k]);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return low > reach || high < -reach;
}

int triangle_aabb(const real *triangle, const real *box, real *t_enter)
{
    static const real axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    real corners[3][3], half[3], edges[3][3], axis[3];
    for (int k = 0; k < 3; k++) {
        half[k] = (box[3 + k] - box[k]) / 2;
        for (int i = 0; i < 3; i++)
            corners[i][k] = triangle[3 * i + k] - (box[k] + box[3 + k]) / 2;
    }
    for (int i = 0; i < 3; i++) {
        subtract(corners[(i + 1) % 3], corners[i], edges[i]);
        if (separates(axes[i], corners, half))
            return 0;
    }
    for (int i = 0; i < 9; i++) {
        cross(axes[i % 3], edges[i / 3], axis);
        if (separates(axis, corners, half))
            return 0;
    }
    cross(edges[0], edges[1], axis);
    return !separates(axis, corners, half);
}
