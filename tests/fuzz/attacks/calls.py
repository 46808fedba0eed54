"""Hostile arguments from Python: a call gives a verdict or a HitscopeError, and nothing else.

A case is the text of an expression in the names of NAMES.
"""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from random import Random

import numpy as np

import hitscope
from hitscope.errors import HitscopeError
from hitscope.evaluate import Verdict
from hitscope.geometry import shapes
from hitscope.geometry.registry import methods, of_pair
from tests.fuzz import messages
from tests.fuzz.harness import Failure
from tests.geometry import cases

CASES, ACCEPTED, KINDS = 500, 0.15, 25
SECONDS = 20
LIMIT_MEMORY = True
SHRINKS = False


class Raising:
    """A number that cannot be converted."""

    def __float__(self) -> float:
        raise RuntimeError("no float")


class Lying:
    """A number that converts to something else."""

    def __float__(self) -> float:
        return "x"


class Endless:
    """A sequence without an end."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> float:
        return 1.0


NAMES = {
    **{name: getattr(hitscope, name) for name in hitscope.__all__},
    **{"Decimal": Decimal, "Fraction": Fraction, "np": np, "nan": float("nan"), "inf": float("inf")},
    **{"Raising": Raising, "Lying": Lying, "Endless": Endless},
}
SHAPE_TYPES = (*shapes.PROBES.values(), *shapes.PRIMITIVES.values())
NUMBERS = (
    "nan", "inf", "-inf", "1e308", "-1e308", "5e-324", "-0.0", "0", "True", "None", "'1'", "b'1'", "''", "1j",
    "10**400", "10**5000", "Fraction(1, 3)", "Fraction(10**400)", "Decimal('0.1')", "Decimal('nan')",
    "Decimal('1e999')", "Decimal('snan')", "np.float32(0.1)", "np.float64('nan')", "np.int64(3)",
    "np.uint8(3)", "np.bool_(True)", "np.array(1.5)", "np.array([1.5])", "np.longdouble(1)",
    "np.complex128(1)", "np.datetime64('2020-01-01')", "Raising()", "Lying()", "[]", "{}", "()", "(1, 2, 3)",
    "object()", "print", "float", "...", "'\\x1b[31m\\n'", "'a' * 9999",
)  # fmt: skip
VECTORS = (
    "()", "(1, 2)", "(1, 2, 3, 4)", "None", "0", "1.5", "'abc'", "'123'", "b'abc'", "[1, 2, 3]", "{1, 2, 3}",
    "{}", "{'x': 1, 'y': 2, 'z': 3}", "iter((1, 2, 3))", "(n for n in (1, 2, 3))", "(n for n in (1, 2))",
    "range(3)", "range(10**9)", "np.zeros(3)", "np.zeros(4)", "np.zeros((3, 1))", "np.zeros((1, 3))",
    "np.array(['a', 'b', 'c'])", "np.zeros(0)", "np.array([1, 2, 3], object)", "np.full(3, np.nan)",
    "np.ma.masked_array([1, 2, 3], [0, 1, 0])", "Endless()", "((1, 2, 3),)", "[[1], [2], [3]]",
    "(1, (2,), 3)", "memoryview(b'abc')", "Raising()", "Point((1, 2, 3))",
)  # fmt: skip
SHAPES = (
    "None", "0", "()", "'segment'", "Segment", "object()", "(((0, 0, 0), (1, 1, 1)))", "np.zeros((2, 3))",
    "[]", "{}", "Polyhedron()", "Polyhedron(vertices=())", "Polyhedron(planes=())",
    "Polyhedron(planes=((1, 2),))", "Polyhedron(planes=(Plane((1, 0, 0), -1), Plane((-1, 0, 0), -1)))",
    "Plane((0, 0, 0), 0)", "Plane((0, 0, 0), 1)", "Polyhedron(planes=[((1, 0, 0), 1)] * 9)",
    "Polyhedron(vertices=[(0, 0, 0)] * 50)", "Aabb((1, 1, 1), (0, 0, 0))", "Aabb((0, 0, 0), (0, 0, -5e-324))",
    "Obb((0, 0, 0), (-1, 1, 1), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))",
    "Obb((0, 0, 0), (1, 1, 1), ((0, 0, 0), (0, 0, 0), (0, 0, 0)))",
    "Polyhedron((Plane((1, 0, 0), 1),), ((0, 0, 0),))",
    "Obb((0, 0, 0), (1, 1, 1), ((1e300, 0, 0), (0, 1, 0), (0, 0, 1)))",
    "Polyhedron(planes=(Plane((0, 0, 0), 0),))", "Polyhedron(vertices=[(i, i * i, i**3) for i in range(60)])",
    "Plane((1e-320, 0, 0), 1e308)", "Verdict", "Scene",
    "Polyhedron(vertices=[(i % 7, i % 11, i % 13) for i in range(300)])", "Polyhedron(vertices='abc')",
    "Polyhedron(planes=3)",
)  # fmt: skip
METHODS = (
    "None", "3", "''", "'EXACT'", "'exact '", "('exact',)", "['exact']", "{'name': 'exact'}", "b'exact'",
    "'\\x1b[2J'", "'x' * 100000", "print", "nan", "'sat13'", "'[bold]'",
)  # fmt: skip
ARGUMENTS = (
    "epsilon",
    "tolerance",
    "thickness",
    "clamp",
    "length_tolerance",
    "name",
    "methode",
    "probe_",
    "x\u0661",
)


def make(random: Random) -> bytes:
    """Return a call of `intersect` with shapes of a random pair, some of its arguments replaced."""
    name = random.choice(cases.PAIRS)
    parts = [repr(shape) for shape in cases.pair(name, random.randrange(10**6))]
    for k in random.sample(range(2), k=random.choice((0, 1, 1, 1, 2))):
        parts[k] = random.choice(SHAPES) if random.random() < 0.15 else _damaged(parts[k], random)
    chosen = random.choice([*of_pair(name).values()])
    given = ""
    if random.random() < 0.7:
        if random.random() < 0.1:
            chosen = random.choice(list(methods()))
        method = random.choice(METHODS) if random.random() < 0.1 else repr(chosen.name)
        given = f", {method}"
        if random.random() < 0.4:
            argument = random.choice([*chosen.arguments] * 9 + [random.choice(ARGUMENTS)])
            given += f", {argument}={random.choice((*NUMBERS, '0.1', '1e-3', 'False'))}"
    return f"intersect({parts[0]}, {parts[1]}{given})".encode()


def check(case: bytes, folder: Path) -> str:
    """Evaluate the call, and use the verdict."""
    call = compile(case.decode(), "case", "eval")
    try:
        verdict = eval(call, dict(NAMES))
    except HitscopeError as error:
        return messages.check(str(error))
    if not isinstance(verdict, Verdict) or type(verdict.hit) is not bool:
        raise Failure("no verdict", repr(verdict)[:300])
    json.dumps(verdict.as_dict(), default=float)
    if not all(isinstance(shape, SHAPE_TYPES) for shape in verdict.shapes):
        raise Failure("verdict of no shapes", repr(verdict.shapes)[:300])
    hash(verdict), repr(verdict)
    return "accepted"


def _damaged(shape: str, random: Random) -> str:
    """Return the text of a shape with one of its vectors or numbers replaced."""
    starts = [i for i, character in enumerate(shape) if character in "(,= "]
    at = random.choice(starts) + 1
    if shape[at] == "(" and random.random() < 0.6:
        depths = accumulate((character == "(") - (character == ")") for character in shape[at:])
        end = at + next(i for i, depth in enumerate(depths) if depth == 0) + 1
        return shape[:at] + random.choice(VECTORS) + shape[end:]
    numbers = [i + 1 for i in starts if shape[i + 1 : i + 2].isdigit() or shape[i + 1 : i + 2] == "-"]
    if not numbers:
        return random.choice(SHAPES)
    at = random.choice(numbers)
    end = min(i for i in (shape.find(",", at), shape.find(")", at)) if i > 0)
    return shape[:at] + random.choice(NUMBERS) + shape[end:]
