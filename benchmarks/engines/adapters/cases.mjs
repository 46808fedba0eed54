// Frames of cases from standard input and answers to standard output, for adapters in JavaScript.

import { readSync, writeSync } from "node:fs";

export const [checkout, name] = process.argv.slice(2);

const Numbers = process.env.HITSCOPE_FLOAT === "f32" ? Float32Array : Float64Array;

// Calls readSync or writeSync until all of an array is moved; returns whether it was, and not at the end of the input.
function moveAll(move, stream, array) {
    const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
    for (let done = 0; done < bytes.length; ) {
        try {
            const moved = move(stream, bytes, done, bytes.length - done);
            if (moved === 0) return false;
            done += moved;
        } catch (error) {
            if (error.code === "EOF") return false;
            if (error.code !== "EAGAIN") throw error;
        }
    }
    return true;
}

// Calls the test of that name, [width, function of the numbers of a case], which returns a boolean or [hit, t].
export function serve(tests) {
    const [width, test] = tests[name];
    const count = new BigUint64Array(1);
    while (moveAll(readSync, 0, count)) {
        const n = Number(count[0]);
        const cases = new Numbers(n * width);
        if (!moveAll(readSync, 0, cases)) break;
        const hits = new Int8Array(n);
        const ts = new Numbers(n).fill(NaN);
        for (let k = 0; k < n; k++) {
            const answer = test(cases.subarray(k * width, (k + 1) * width));
            const [hit, t] = Array.isArray(answer) ? answer : [answer];
            hits[k] = Number(hit);
            if (t !== undefined) ts[k] = t;
        }
        moveAll(writeSync, 1, hits);
        moveAll(writeSync, 1, ts);
    }
}

export const OUTSIDE = -1; // a case that the function is not made for

export function isZero(v, i) {
    return v[i] === 0 && v[i + 1] === 0 && v[i + 2] === 0;
}

const EPSILON = Numbers === Float32Array ? 2 ** -23 : Number.EPSILON;

function dot(v, i, j) {
    return v[i] * v[j] + v[i + 1] * v[j + 1] + v[i + 2] * v[j + 2];
}

// Whether a direction is of unit length, but for rounding.
export function isUnit(v, i) {
    return Math.abs(dot(v, i, i) - 1) <= 4 * EPSILON;
}

// Whether three axes are at right angles and of unit length, but for rounding.
export function areAxes(v, i) {
    const are = (a, b) => isUnit(v, a) && Math.abs(dot(v, a, b)) <= 4 * EPSILON;
    return are(i, i + 3) && are(i + 3, i + 6) && are(i + 6, i);
}

// The t of a point that a function returned, by the coordinate along which the ray moves most.
export function parameter(v, point) {
    const found = [point.x, point.y, point.z];
    const size = [3, 4, 5].map((i) => Math.abs(v[i]));
    const axis = size.indexOf(Math.max(...size));
    return (found[axis] - v[axis]) / v[axis + 3];
}
