// pair: segment_plane
#include <math.h>

static double height(const double *plane, const double *point)
{
    /* a plane of large or small numbers neither overflows nor underflows */
    double size = fmax(fabs(plane[0]), fmax(fabs(plane[1]), fabs(plane[2])));
    double sum = -plane[3] / size;
    int i;
    for (i = 0; i < 3; ++i)
        sum += plane[i] / size * point[i];
    return sum;
}

int hit(const double *probe, const double *primitive, double *t_enter)
{
    double start = height(primitive, probe);
    double end = height(primitive, probe + 3);
    (void)t_enter;
    if (start > 0 && end > 0)
        return 0;
    if (start < 0 && end < 0)
        return 0;
    return 1;
}
