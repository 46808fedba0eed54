// Woop, Benthin and Wald's watertight ray and triangle, in one precision throughout.
#include "vectors.h"

int right(const real *ray, const real *triangle, real *t_enter)
{
    const real *d = ray + 3;
    int z = fabs(d[0]) > fabs(d[1]) ? (fabs(d[0]) > fabs(d[2]) ? 0 : 2) : (fabs(d[1]) > fabs(d[2]) ? 1 : 2);
    int x = (z + 1) % 3, y = (z + 2) % 3;
    if (d[z] == 0)
        return -1; // no direction
    real sx = d[x] / d[z], sy = d[y] / d[z], sz = 1 / d[z], px[3], py[3], pz[3];
    for (int k = 0; k < 3; k++) {
        real corner[3];
        subtract(triangle + 3 * k, ray, corner);
        px[k] = corner[x] - sx * corner[z];
        py[k] = corner[y] - sy * corner[z];
        pz[k] = sz * corner[z];
    }
    real u = px[2] * py[1] - py[2] * px[1], v = px[0] * py[2] - py[0] * px[2], w = px[1] * py[0] - py[1] * px[0];
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
        return 0;
    real determinant = u + v + w;
    if (determinant == 0)
        return 0;
    real t = (u * pz[0] + v * pz[1] + w * pz[2]) / determinant;
    if (t < 0)
        return 0;
    *t_enter = t;
    return 1;
}
