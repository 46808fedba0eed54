// The slabs with a reciprocal: where a ray lies in a face, 0 * inf is NaN, and the comparisons go either way.
#include "vectors.h"

int wrong(const real *ray, const real *box, real *t_enter)
{
    real near = 0, far = INFINITY;
    for (int i = 0; i < 3; i++) {
        real inverse = 1 / ray[3 + i];
        real a = (box[i] - ray[i]) * inverse, b = (box[3 + i] - ray[i]) * inverse;
        real first = a < b ? a : b, last = a < b ? b : a;
        near = first > near ? first : near;
        far = last > far ? far : last;
    }
    *t_enter = near;
    return near <= far;
}

int right(const real *ray, const real *box, real *t_enter)
{
    real near = 0, far = INFINITY;
    for (int i = 0; i < 3; i++) {
        real a = box[i] - ray[i], b = box[3 + i] - ray[i], along = ray[3 + i];
        if (along == 0) { // no fraction says where it is
            if (a > 0 || b < 0)
                return 0;
            continue;
        }
        real first = (along > 0 ? a : b) / along, last = (along > 0 ? b : a) / along;
        near = first > near ? first : near;
        far = last < far ? last : far;
    }
    *t_enter = near;
    return near <= far;
}
