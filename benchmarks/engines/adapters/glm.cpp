#include "cases.h"

#define GLM_ENABLE_EXPERIMENTAL
#include <glm/gtx/intersect.hpp>

static glm::vec3 point(const Real *v) { return glm::vec3(v[0], v[1], v[2]); }

int ray_plane(const Real *ray, const Real *plane, Real *t)
{
    const glm::vec3 normal = point(plane);
    if (!is_unit(plane)) return OUTSIDE;
    return glm::intersectRayPlane(point(ray), point(ray + 3), normal * plane[3], normal, *t);
}

int ray_triangle(const Real *ray, const Real *v, Real *t)
{
    glm::vec2 barycentric;
    const bool hit = glm::intersectRayTriangle(
        point(ray), point(ray + 3), point(v), point(v + 3), point(v + 6), barycentric, *t);
    return hit && *t >= 0;
}

int line_triangle(const Real *line, const Real *v, Real *t)
{
    glm::vec3 found;
    const bool hit =
        glm::intersectLineTriangle(point(line), point(line + 3), point(v), point(v + 3), point(v + 6), found);
    *t = found.x;
    return hit;
}

int ray_sphere(const Real *ray, const Real *sphere, Real *t)
{
    float distance;
    const bool hit =
        glm::intersectRaySphere(point(ray), point(ray + 3), point(sphere), sphere[3] * sphere[3], distance);
    if (hit && !is_in_sphere(ray, sphere)) *t = distance;
    return hit;
}
