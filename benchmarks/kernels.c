/* The plain tests in float64, branch-free over coordinate rows, as one would write them by hand: what the machine does
   without hitscope. A shape's rows lie behind one another as in hitscope's Shapes: rows[k * n + i] is number k of shape i.
   `linear` is origin xyz, direction xyz, t_min, t_max. Compiled with -O3 -march=native. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BLOCK 64

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double magnitude(double a) { return a < 0 ? -a : a; }

/* Kay and Kajiya's slabs; the planes are put in order by the direction's signs, outside the loop. */
static inline void slabs(const double *restrict linear, const double *const near[3], const double *const far[3],
                         ptrdiff_t first, ptrdiff_t count, uint8_t *restrict hit)
{
    const double *restrict near_x = near[0] + first, *restrict near_y = near[1] + first,
                 *restrict near_z = near[2] + first;
    const double *restrict far_x = far[0] + first, *restrict far_y = far[1] + first, *restrict far_z = far[2] + first;
    const double ox = linear[0], oy = linear[1], oz = linear[2];
    const double ix = 1 / linear[3], iy = 1 / linear[4], iz = 1 / linear[5];
    const double t_min = linear[6], t_max = linear[7];
    for (ptrdiff_t i = 0; i < count; i++) {
        double enter = larger((near_x[i] - ox) * ix, larger((near_y[i] - oy) * iy, (near_z[i] - oz) * iz));
        double leave = smaller((far_x[i] - ox) * ix, smaller((far_y[i] - oy) * iy, (far_z[i] - oz) * iz));
        hit[i] = larger(enter, t_min) <= smaller(leave, t_max);
    }
}

static inline void order(const double *linear, const double *rows, ptrdiff_t n, const double *near[3],
                         const double *far[3])
{
    for (int k = 0; k < 3; k++) {
        const double *lo = rows + k * n, *hi = rows + (k + 3) * n;
        near[k] = linear[3 + k] < 0 ? hi : lo;
        far[k] = linear[3 + k] < 0 ? lo : hi;
    }
}

void linear_aabb(const double *linear, const double *rows, ptrdiff_t n, uint8_t *hit)
{
    const double *near[3], *far[3];
    order(linear, rows, n, near, far);
    slabs(linear, near, far, 0, n, hit);
}

/* Every one of m probes against every one of n boxes: bits, (m, (n + 7) / 8) bytes, the first box in the lowest bit. */
void linear_aabb_bits(const double *linear, ptrdiff_t m, const double *rows, ptrdiff_t n, uint8_t *bits)
{
    ptrdiff_t stride = (n + 7) / 8;
    for (ptrdiff_t j = 0; j < m; j++) {
        const double *near[3], *far[3];
        order(linear + 8 * j, rows, n, near, far);
        for (ptrdiff_t first = 0; first < n; first += BLOCK) {
            uint8_t hit[BLOCK] = {0}, packed[BLOCK / 8];
            ptrdiff_t count = n - first < BLOCK ? n - first : BLOCK;
            if (count == BLOCK)
                slabs(linear + 8 * j, near, far, first, BLOCK, hit);
            else
                slabs(linear + 8 * j, near, far, first, count, hit);
            for (int k = 0; k < BLOCK / 8; k++) {
                uint64_t eight;
                memcpy(&eight, hit + 8 * k, 8);
                packed[k] = (uint8_t)((eight * 0x0102040810204080u) >> 56); /* byte i becomes bit i */
            }
            memcpy(bits + j * stride + first / 8, packed, (size_t)(count + 7) / 8);
        }
    }
}

/* The slabs in the frame of each box: centre, half extents, three axes. */
void linear_obb(const double *restrict linear, const double *restrict rows, ptrdiff_t n, uint8_t *restrict hit)
{
    const double *restrict c = rows, *restrict h = rows + 3 * n, *restrict u = rows + 6 * n;
    const double ox = linear[0], oy = linear[1], oz = linear[2], dx = linear[3], dy = linear[4], dz = linear[5];
    const double t_min = linear[6], t_max = linear[7];
    for (ptrdiff_t i = 0; i < n; i++) {
        double x = c[i] - ox, y = c[n + i] - oy, z = c[2 * n + i] - oz;
        double enter = t_min, leave = t_max;
        for (int k = 0; k < 3; k++) {
            double ux = u[3 * k * n + i], uy = u[(3 * k + 1) * n + i], uz = u[(3 * k + 2) * n + i];
            double inverse = 1 / (ux * dx + uy * dy + uz * dz);
            double middle = (ux * x + uy * y + uz * z) * inverse;
            double half = magnitude(h[k * n + i] * inverse);
            enter = larger(middle - half, enter);
            leave = smaller(middle + half, leave);
        }
        hit[i] = enter <= leave;
    }
}

/* The point of the probe nearest to each centre. */
void linear_sphere(const double *restrict linear, const double *restrict rows, ptrdiff_t n, uint8_t *restrict hit)
{
    const double ox = linear[0], oy = linear[1], oz = linear[2], dx = linear[3], dy = linear[4], dz = linear[5];
    const double t_min = linear[6], t_max = linear[7], inverse = 1 / (dx * dx + dy * dy + dz * dz);
    for (ptrdiff_t i = 0; i < n; i++) {
        double x = rows[i] - ox, y = rows[n + i] - oy, z = rows[2 * n + i] - oz, r = rows[3 * n + i];
        double t = smaller(larger((x * dx + y * dy + z * dz) * inverse, t_min), t_max);
        x -= t * dx, y -= t * dy, z -= t * dz;
        hit[i] = x * x + y * y + z * z <= r * r;
    }
}

/* Moeller and Trumbore's two-sided test, multiplied by the determinant's magnitude instead of divided by it. */
void linear_triangle(const double *restrict linear, const double *restrict rows, ptrdiff_t n, uint8_t *restrict hit)
{
    const double ox = linear[0], oy = linear[1], oz = linear[2], dx = linear[3], dy = linear[4], dz = linear[5];
    const double t_min = linear[6], t_max = linear[7];
    for (ptrdiff_t i = 0; i < n; i++) {
        double ax = rows[i], ay = rows[n + i], az = rows[2 * n + i];
        double ex = rows[3 * n + i] - ax, ey = rows[4 * n + i] - ay, ez = rows[5 * n + i] - az;
        double fx = rows[6 * n + i] - ax, fy = rows[7 * n + i] - ay, fz = rows[8 * n + i] - az;
        double px = dy * fz - dz * fy, py = dz * fx - dx * fz, pz = dx * fy - dy * fx;
        double determinant = ex * px + ey * py + ez * pz;
        double sign = determinant < 0 ? -1.0 : 1.0, size = magnitude(determinant);
        double sx = ox - ax, sy = oy - ay, sz = oz - az;
        double u = sign * (sx * px + sy * py + sz * pz);
        double qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex;
        double v = sign * (dx * qx + dy * qy + dz * qz);
        double t = sign * (fx * qx + fy * qy + fz * qz);
        hit[i] = (size > 0) & (u >= 0) & (v >= 0) & (u + v <= size) & (t >= t_min * size) & (t <= t_max * size);
    }
}

/* Akenine-Moeller's thirteen axes. Against one triangle all axes are constants, and so is the corner of a box that
   reaches farthest along each: the rows are picked outside the loop. An edge's axis asks for its outer side only. */
void triangle_aabb(const double *triangle, const double *rows, ptrdiff_t n, uint8_t *restrict hit)
{
    const double *p[3] = {triangle, triangle + 3, triangle + 6};
    double edge[3][3], normal[3], least[3], most[3];
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++)
            edge[j][k] = p[(j + 1) % 3][k] - p[j][k];
        least[k] = smaller(p[0][k], smaller(p[1][k], p[2][k]));
        most[k] = larger(p[0][k], larger(p[1][k], p[2][k]));
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = edge[0][i] * edge[1][j] - edge[0][j] * edge[1][i];
    }
    /* a * u + b * v <= c at the corner (u, v) that is innermost, for each edge seen along each coordinate axis. */
    const double *u[9], *v[9], *top[3], *bottom[3];
    double a[9], b[9], c[9];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double winding = normal[k] < 0 ? -1 : 1;
        for (int m = 0; m < 3; m++) {
            int s = 3 * k + m;
            a[s] = winding * edge[m][j];
            b[s] = -winding * edge[m][i];
            c[s] = a[s] * p[m][i] + b[s] * p[m][j];
            u[s] = rows + (a[s] > 0 ? i : i + 3) * n;
            v[s] = rows + (b[s] > 0 ? j : j + 3) * n;
        }
        top[k] = rows + (normal[k] > 0 ? k + 3 : k) * n;
        bottom[k] = rows + (normal[k] > 0 ? k : k + 3) * n;
    }
    const double offset = normal[0] * p[0][0] + normal[1] * p[0][1] + normal[2] * p[0][2];
    for (ptrdiff_t i = 0; i < n; i++) {
        int meets = 1;
        for (int k = 0; k < 3; k++)
            meets &= (rows[k * n + i] <= most[k]) & (rows[(k + 3) * n + i] >= least[k]);
        for (int s = 0; s < 9; s++)
            meets &= a[s] * u[s][i] + b[s] * v[s][i] <= c[s];
        meets &= normal[0] * top[0][i] + normal[1] * top[1][i] + normal[2] * top[2][i] >= offset;
        meets &= normal[0] * bottom[0][i] + normal[1] * bottom[1][i] + normal[2] * bottom[2][i] <= offset;
        hit[i] = (uint8_t)meets;
    }
}
