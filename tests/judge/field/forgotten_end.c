// A segment and a box by slabs; the wrong one leaves as soon as it has found an entry, wherever the segment ends.
#include "vectors.h"

static int entry(const real *segment, const real *box, real *t_enter, real far)
{
    real near = 0;
    for (int i = 0; i < 3; i++) {
        real a = box[i] - segment[i], b = box[3 + i] - segment[i], along = segment[3 + i] - segment[i];
        if (along == 0) {
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

int wrong(const real *segment, const real *box, real *t_enter) { return entry(segment, box, t_enter, INFINITY); }

int right(const real *segment, const real *box, real *t_enter) { return entry(segment, box, t_enter, 1); }
