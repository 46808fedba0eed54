import { areAxes, checkout, isUnit, isZero, OUTSIDE, serve } from "./cases.mjs";

const { Box3, Line3, Matrix3, Plane, Ray, Sphere, Triangle, Vector3 } = await import(`${checkout}/build/three.module.js`);
const { OBB } = await import(`${checkout}/examples/jsm/math/OBB.js`);

const target = new Vector3();

function point(v, i) {
    return new Vector3(v[i], v[i + 1], v[i + 2]);
}

function ray(v) {
    return new Ray(point(v, 0), point(v, 3));
}

function box(v, i) {
    return new Box3(point(v, i), point(v, i + 3));
}

function sphere(v, i) {
    return new Sphere(point(v, i), v[i + 3]);
}

function triangle(v, i) {
    return new Triangle(point(v, i), point(v, i + 3), point(v, i + 6));
}

function plane(v, i) {
    return new Plane(point(v, i), -v[i + 3]);
}

function turnedBox(v, i) {
    const axes = [point(v, i + 6), point(v, i + 9), point(v, i + 12)];
    const rotation = new Matrix3();
    rotation.elements = axes.flatMap((axis) => [axis.x, axis.y, axis.z]);
    return new OBB(point(v, i), point(v, i + 3), rotation);
}

serve({
    ray_box: [12, (v) => (isZero(v, 3) ? OUTSIDE : ray(v).intersectsBox(box(v, 6)))],
    ray_triangle: [15, (v) => ray(v).intersectTriangle(point(v, 6), point(v, 9), point(v, 12), false, target) !== null],
    ray_sphere: [10, (v) => ray(v).intersectsSphere(sphere(v, 6))],
    ray_sphere_point: [10, (v) => ray(v).intersectSphere(sphere(v, 6), target) !== null],
    ray_plane: [
        10,
        (v) => {
            const t = ray(v).distanceToPlane(plane(v, 6));
            return t === null ? false : [true, t];
        },
    ],
    segment_plane: [
        10,
        (v) => plane(v, 6).intersectLine(new Line3(point(v, 0), point(v, 3)), target) !== null,
    ],
    triangle_box: [15, (v) => box(v, 9).intersectsTriangle(triangle(v, 0))],
    box_plane: [10, (v) => box(v, 0).intersectsPlane(plane(v, 6))],
    box_sphere: [10, (v) => box(v, 0).intersectsSphere(sphere(v, 6))],
    sphere_plane: [8, (v) => (isUnit(v, 4) ? sphere(v, 0).intersectsPlane(plane(v, 4)) : OUTSIDE)],
    turned_boxes: [
        30,
        (v) => (areAxes(v, 6) && areAxes(v, 21) ? turnedBox(v, 0).intersectsOBB(turnedBox(v, 15)) : OUTSIDE),
    ],
    turned_box_box: [21, (v) => (areAxes(v, 6) ? turnedBox(v, 0).intersectsBox3(box(v, 15)) : OUTSIDE)],
});
