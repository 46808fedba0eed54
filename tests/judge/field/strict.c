// Two boxes along the axes; the wrong one compares strictly, and loses those that touch.
#include "vectors.h"

int wrong(const real *one, const real *other, real *t_enter)
{
    (void)t_enter;
    for (int i = 0; i < 3; i++)
        if (!(one[i] < other[3 + i] && other[i] < one[3 + i]))
            return 0;
    return 1;
}

int right(const real *one, const real *other, real *t_enter)
{
    (void)t_enter;
    for (int i = 0; i < 3; i++)
        if (!(one[i] <= other[3 + i] && other[i] <= one[3 + i]))
            return 0;
    return 1;
}
