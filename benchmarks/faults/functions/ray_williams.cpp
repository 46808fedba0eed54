// pair: ray_aabb
// Williams, Barrus, Morley and Shirley, 2005: the signs of the direction say which face comes first.
#include <limits>

namespace {

struct Ray {
    const double *origin;
    const double *direction;
    int sign[3];

    explicit Ray(const double *numbers) : origin(numbers), direction(numbers + 3)
    {
        for (int i = 0; i < 3; ++i)
            sign[i] = direction[i] < 0;
    }
};

struct Box {
    const double *bounds[2];
};

// Whether the ray is ever in a slab; narrows the range of t to where it is.
bool narrow(const Ray &ray, const Box &box, int axis, double &tmin, double &tmax)
{
    const double o = ray.origin[axis], d = ray.direction[axis];
    const double first = box.bounds[ray.sign[axis]][axis];
    const double second = box.bounds[1 - ray.sign[axis]][axis];
    if (d == 0)
        return o >= first && o <= second;
    const double t0 = (first - o) / d;
    const double t1 = (second - o) / d;
    if (t0 > tmax || t1 < tmin)
        return false;
    if (t0 > tmin)
        tmin = t0;
    if (t1 < tmax)
        tmax = t1;
    return true;
}

} // namespace

extern "C" int hit(const double *probe, const double *primitive, double *t_enter)
{
    const Ray ray(probe);
    const Box box = {{primitive, primitive + 3}};
    double tmin = 0, tmax = std::numeric_limits<double>::infinity();
    if (!narrow(ray, box, 0, tmin, tmax))
        return 0;
    if (!narrow(ray, box, 1, tmin, tmax))
        return 0;
    if (!narrow(ray, box, 2, tmin, tmax))
        return 0;
    *t_enter = tmin;
    return 1;
}
