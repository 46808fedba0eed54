// Smits' slabs choose the near plane by the sign of the direction: -0 >= 0 holds, and dividing by -0 turns the signs.
#include "vectors.h"

static int slabs(const real *ray, const real *box, real *t_enter, int by_the_reciprocal)
{
    real near = 0, far = INFINITY;
    if (ray[3] == 0 && ray[4] == 0 && ray[5] == 0)
        return -1;
    for (int i = 0; i < 3; i++) {
        real along = ray[3 + i], inverse = 1 / along;
        int forward = by_the_reciprocal ? inverse >= 0 : along >= 0;
        real first = (box[forward ? i : 3 + i] - ray[i]) * inverse;
        real last = (box[forward ? 3 + i : i] - ray[i]) * inverse;
        if (first > near) // not where the ray lies in a face: 0 * inf is NaN
            near = first;
        if (last < far)
            far = last;
    }
    *t_enter = near;
    return near <= far;
}

int wrong(const real *ray, const real *box, real *t_enter) { return slabs(ray, box, t_enter, 0); }

int right(const real *ray, const real *box, real *t_enter) { return slabs(ray, box, t_enter, 1); }
