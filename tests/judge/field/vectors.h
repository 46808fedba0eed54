// What the listings of this folder share.
#include <math.h>
typedef HITSCOPE_REAL real;

static inline void subtract(const real *a, const real *b, real *difference)
{
    for (int i = 0; i < 3; i++)
        difference[i] = a[i] - b[i];
}

static inline real dot(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void cross(const real *a, const real *b, real *product)
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}
