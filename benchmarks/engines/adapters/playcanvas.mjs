import { areAxes, checkout, isZero, OUTSIDE, parameter, serve } from "./cases.mjs";

async function load(path) {
    return import(`${checkout}/src/core/${path}.js`);
}

const { Vec3 } = await load("math/vec3");
const { Mat4 } = await load("math/mat4");
const { Ray } = await load("shape/ray");
const { BoundingBox } = await load("shape/bounding-box");
const { BoundingSphere } = await load("shape/bounding-sphere");
const { OrientedBox } = await load("shape/oriented-box");
const { Plane } = await load("shape/plane");
const { Tri } = await load("shape/tri");

const target = new Vec3();

function point(v, i) {
    return new Vec3(v[i], v[i + 1], v[i + 2]);
}

function ray(v) {
    return new Ray(point(v, 0), point(v, 3));
}

function box(v, i) {
    const made = new BoundingBox();
    made.setMinMax(point(v, i), point(v, i + 3));
    return made;
}

function sphere(v, i) {
    return new BoundingSphere(point(v, i), v[i + 3]);
}

function turnedBox(v, i) {
    const column = (j) => [v[j], v[j + 1], v[j + 2], 0];
    const frame = new Mat4().set([...column(i + 6), ...column(i + 9), ...column(i + 12), v[i], v[i + 1], v[i + 2], 1]);
    return new OrientedBox(frame, point(v, i + 3));
}

serve({
    ray_box: [12, (v) => (isZero(v, 3) ? OUTSIDE : box(v, 6).intersectsRay(ray(v)))],
    ray_box_point: [
        12,
        (v) => {
            if (isZero(v, 3)) return OUTSIDE;
            return box(v, 6).intersectsRay(ray(v), target) ? [true, parameter(v, target)] : false;
        },
    ],
    ray_turned_box: [21, (v) => (isZero(v, 3) || !areAxes(v, 12) ? OUTSIDE : turnedBox(v, 6).intersectsRay(ray(v)))],
    ray_sphere: [10, (v) => (isZero(v, 3) ? OUTSIDE : sphere(v, 6).intersectsRay(ray(v)))],
    ray_plane: [10, (v) => new Plane(point(v, 6), -v[9]).intersectsRay(ray(v))],
    ray_triangle: [15, (v) => new Tri(point(v, 6), point(v, 9), point(v, 12)).intersectsRay(ray(v))],
    box_box: [12, (v) => box(v, 0).intersects(box(v, 6))],
    box_sphere: [10, (v) => box(v, 0).intersectsBoundingSphere(sphere(v, 6))],
    sphere_sphere: [8, (v) => sphere(v, 0).intersectsBoundingSphere(sphere(v, 4))],
});
