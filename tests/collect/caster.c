/* A ray caster as there are many: it prints a small picture of boxes. Its slab test forgets rays along a face. */
#include <math.h>
#include <stdio.h>

typedef struct { float x, y, z; } vec3;
typedef struct { vec3 org, dir; } ray_t;
typedef struct { float min[3], max[3]; } box_t;

static const box_t scene[] = {
    {{-1, -1, 4}, {1, 1, 6}},
    {{2, -1, 5}, {3, 0, 8}},
    {{-4, 1, 3}, {-2, 2, 7}},
};

static int intersect(const ray_t *r, const box_t *b, float *dist)
{
    const float o[3] = {r->org.x, r->org.y, r->org.z}, d[3] = {r->dir.x, r->dir.y, r->dir.z};
    float tmin = 0, tmax = INFINITY;
    int i, hit;
    for (i = 0; i < 3; i++) {
        float t1 = (b->min[i] - o[i]) / d[i], t2 = (b->max[i] - o[i]) / d[i];
        if (t1 > t2) {
            float swap = t1;
            t1 = t2;
            t2 = swap;
        }
        if (!(t1 <= tmin))
            tmin = t1;
        if (!(t2 >= tmax))
            tmax = t2;
    }
    *dist = tmin;
    hit = tmin <= tmax;
    return hit;
}

int main(void)
{
    int row, column, k;
    for (row = 4; row >= -4; row--) {
        for (column = -8; column <= 8; column++) {
            ray_t ray = {{0, 0, 0}, {0, 0, 8}};
            char pixel = '.';
            ray.org.x = (float)column / 2;
            ray.org.y = (float)row / 2;
            for (k = 0; k < 3; k++) {
                float dist;
                if (intersect(&ray, &scene[k], &dist))
                    pixel = "#%@"[k];
            }
            putchar(pixel);
        }
        putchar('\n');
    }
    return 0;
}
