// A triangle and a box by separating axes; the wrong one forgets the last product of edges.
#include "vectors.h"

static int separates(const real *axis, const real corners[3][3], const real *half)
{
    real a = dot(axis, corners[0]), b = dot(axis, corners[1]), c = dot(axis, corners[2]);
    real radius = half[0] * fabs(axis[0]) + half[1] * fabs(axis[1]) + half[2] * fabs(axis[2]);
    return fmax(a, fmax(b, c)) < -radius || fmin(a, fmin(b, c)) > radius;
}

static int overlap(const real *triangle, const real *box, int products)
{
    real half[3], corners[3][3], edges[3][3], axis[3], units[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        half[i] = box[3 + i] / 2 - box[i] / 2;
        for (int k = 0; k < 3; k++)
            corners[k][i] = triangle[3 * k + i] - (box[i] / 2 + box[3 + i] / 2);
    }
    for (int k = 0; k < 3; k++)
        subtract(triangle + 3 * ((k + 1) % 3), triangle + 3 * k, edges[k]);
    cross(edges[0], edges[1], axis);
    if (separates(axis, corners, half))
        return 0;
    for (int i = 0; i < 3; i++)
        if (separates(units[i], corners, half))
            return 0;
    for (int n = 0; n < products; n++) {
        cross(units[n % 3], edges[n / 3], axis);
        if (separates(axis, corners, half))
            return 0;
    }
    return 1;
}

int wrong(const real *triangle, const real *box, real *t_enter) { return (void)t_enter, overlap(triangle, box, 8); }

int right(const real *triangle, const real *box, real *t_enter) { return (void)t_enter, overlap(triangle, box, 9); }
