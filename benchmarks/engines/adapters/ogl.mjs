import { checkout, isZero, OUTSIDE, serve } from "./cases.mjs";

const { Vec3 } = await import(`${checkout}/src/math/Vec3.js`);
const { Raycast } = await import(`${checkout}/src/extras/Raycast.js`);

function point(v, i) {
    return new Vec3(v[i], v[i + 1], v[i + 2]);
}

function raycast(v) {
    const made = new Raycast();
    made.origin.copy(point(v, 0));
    made.direction.copy(point(v, 3));
    return made;
}

// A distance of 0 stands for a miss: rays that start inside are tested apart, as intersectBounds does.
function answer(distance) {
    return distance ? [true, distance] : false;
}

serve({
    ray_box: [
        12,
        (v) => {
            const isInside = [0, 1, 2].every((i) => v[i] >= v[i + 6] && v[i] <= v[i + 9]);
            if (isZero(v, 3) || isInside) return OUTSIDE;
            return answer(raycast(v).intersectBox({ min: point(v, 6), max: point(v, 9) }));
        },
    ],
    ray_triangle: [
        15,
        (v) => answer(raycast(v).intersectTriangle(point(v, 6), point(v, 9), point(v, 12), false)),
    ],
    ray_sphere: [
        10,
        (v) => {
            const center = point(v, 6);
            const isInside = point(v, 0).distance(center) <= v[9];
            if (isInside) return OUTSIDE;
            return answer(raycast(v).intersectSphere({ center, radius: v[9] }));
        },
    ],
});
