/* Tests as users write them, for `hitscope judge`: a segment and a box by slabs, a ray and a triangle after Moeller and
   Trumbore. */

int segment_aabb(const double *segment, const double *box, double *t_enter)
{
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; k++) {
        double along = segment[3 + k] - segment[k], one = box[k] - segment[k], other = box[3 + k] - segment[k];
        if (along == 0) {
            if (one > 0 || other < 0)
                return 0;
            continue;
        }
        double first = (along > 0 ? one : other) / along, last = (along > 0 ? other : one) / along;
        if (first > enter)
            enter = first;
        if (last < leave)
            leave = last;
    }
    if (enter > leave)
        return 0;
    *t_enter = enter;
    return 1;
}

int ray_triangle(const double *ray, const double *triangle, double *t_enter)
{
    const double *d = ray + 3;
    double e[3], f[3], s[3];
    for (int k = 0; k < 3; k++) {
        e[k] = triangle[3 + k] - triangle[k];
        f[k] = triangle[6 + k] - triangle[k];
        s[k] = ray[k] - triangle[k];
    }
    double p[3] = {d[1] * f[2] - d[2] * f[1], d[2] * f[0] - d[0] * f[2], d[0] * f[1] - d[1] * f[0]};
    double q[3] = {s[1] * e[2] - s[2] * e[1], s[2] * e[0] - s[0] * e[2], s[0] * e[1] - s[1] * e[0]};
    double determinant = e[0] * p[0] + e[1] * p[1] + e[2] * p[2];
    if (determinant == 0)
        return 0;
    double u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / determinant;
    double v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / determinant;
    double t = (f[0] * q[0] + f[1] * q[1] + f[2] * q[2]) / determinant;
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t >= 0))
        return 0;
    *t_enter = t;
    return 1;
}
