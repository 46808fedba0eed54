// pair: obb_obb
// Ericson, Real-Time Collision Detection, 4.4.1: fifteen axes that may separate the boxes.
#include <cmath>

constexpr double EPSILON = 1e-15; // so that the cross product of parallel edges separates nothing

// Whether the axes are unit vectors at right angles but for rounding.
static bool is_rotation(const double *u)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = u[3 * i] * u[3 * j] + u[3 * i + 1] * u[3 * j + 1] + u[3 * i + 2] * u[3 * j + 2];
            if (std::fabs(sum - (i == j)) > 1e-14)
                return false;
        }
    return true;
}

extern "C" int hit(const double *probe, const double *primitive, double *)
{
    const double *a = probe, *b = primitive;
    const double *ea = a + 3, *eb = b + 3;
    const double *ua = a + 6, *ub = b + 6;
    if (!is_rotation(ua) || !is_rotation(ub))
        return -1;
    double R[3][3], AbsR[3][3], t[3];

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            R[i][j] = 0;
            for (int k = 0; k < 3; k++)
                R[i][j] += ua[3 * i + k] * ub[3 * j + k];
            AbsR[i][j] = std::fabs(R[i][j]) + EPSILON;
        }
    for (int i = 0; i < 3; i++) {
        t[i] = 0;
        for (int k = 0; k < 3; k++)
            t[i] += (b[k] - a[k]) * ua[3 * i + k];
    }

    // the faces of a, and of b
    for (int i = 0; i < 3; i++)
        if (std::fabs(t[i]) > ea[i] + eb[0] * AbsR[i][0] + eb[1] * AbsR[i][1] + eb[2] * AbsR[i][2])
            return 0;
    for (int j = 0; j < 3; j++) {
        const double distance = t[0] * R[0][j] + t[1] * R[1][j] + t[2] * R[2][j];
        if (std::fabs(distance) > ea[0] * AbsR[0][j] + ea[1] * AbsR[1][j] + ea[2] * AbsR[2][j] + eb[j])
            return 0;
    }

    // an edge of each
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double ra = ea[i1] * AbsR[i2][j] + ea[i2] * AbsR[i1][j];
            const double rb = eb[j1] * AbsR[i][j2] + eb[j2] * AbsR[i][j1];
            if (std::fabs(t[i2] * R[i1][j] - t[i1] * R[i2][j]) > ra + rb)
                return 0;
        }
    }
    return 1;
}
