#include "cases.h"

#include <cglm/cglm.h>
#include <string.h>

typedef struct {
    vec3 a, b, c;
} Vectors;

static Vectors vectors(const Real *v, int count)
{
    Vectors found = {{0}};
    memcpy(&found, v, (size_t)count * sizeof(Real));
    return found;
}

int ray_triangle(const Real *probe, const Real *primitive, Real *t)
{
    Vectors ray = vectors(probe, 6), triangle = vectors(primitive, 9);
    return glm_ray_triangle(ray.a, ray.b, triangle.a, triangle.b, triangle.c, t);
}

int ray_sphere(const Real *probe, const Real *primitive, Real *t)
{
    Vectors ray = vectors(probe, 6);
    CGLM_ALIGN(16) vec4 sphere = {primitive[0], primitive[1], primitive[2], primitive[3]};
    float near = 0, far = 0;
    const int hit = glm_ray_sphere(ray.a, ray.b, sphere, &near, &far);
    if (near >= 0) *t = near;
    return hit;
}

int box_box(const Real *probe, const Real *primitive, Real *t)
{
    vec3 box[2], other[2];
    memcpy(box, probe, sizeof box);
    memcpy(other, primitive, sizeof other);
    return glm_aabb_aabb(box, other);
}

int box_sphere(const Real *probe, const Real *primitive, Real *t)
{
    vec3 box[2];
    memcpy(box, probe, sizeof box);
    CGLM_ALIGN(16) vec4 sphere = {primitive[0], primitive[1], primitive[2], primitive[3]};
    return glm_aabb_sphere(box, sphere);
}

int point_box(const Real *probe, const Real *primitive, Real *t)
{
    vec3 box[2], point = {probe[0], probe[1], probe[2]};
    memcpy(box, primitive, sizeof box);
    return glm_aabb_point(box, point);
}
