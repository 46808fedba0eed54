// A point and a box with axes of its own; the wrong one takes the rows of its matrix for the columns.
#include "vectors.h"

static int inside(const real *point, const real *box, int step, int stride)
{
    real from[3];
    subtract(point, box, from);
    for (int i = 0; i < 3; i++) {
        const real *axis = box + 6 + step * i;
        if (fabs(from[0] * axis[0] + from[1] * axis[stride] + from[2] * axis[2 * stride]) > box[3 + i])
            return 0;
    }
    return 1;
}

int wrong(const real *point, const real *box, real *t_enter) { return (void)t_enter, inside(point, box, 1, 3); }

int right(const real *point, const real *box, real *t_enter) { return (void)t_enter, inside(point, box, 3, 1); }
