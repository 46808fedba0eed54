"""Pasted and typed text of any length: numbers are found in it in time, or it is refused in one line."""

from pathlib import Path
from random import Random

from hitscope.errors import HitscopeError
from hitscope.scene.clipboard_text import is_scene_text, parsed
from hitscope.scene.fields import parse_number, split_vector
from hitscope.scene.model import PROBES
from hitscope.scene.number_readings import as_scene, readings_of
from hitscope.scene.number_text import LONGEST_TEXT
from tests.fuzz import messages, mutations
from tests.fuzz.attacks import scenes

CASES, ACCEPTED, KINDS = 16, 0.15, 5
SECONDS = 60
LIMIT_MEMORY = True
SHRINKS = True

PIECES = (
    *("1", "-1.5", "1,5", "0x1p-3", "0xf", "1e9", "1.", ".5", "1_0", "1'0", "nan(", "inf", "1.#QNAN", "2f64"),
    *("x=", "y:", "z ", "a_", "a.", "a::", "a->", "vec3(", "origin ", "min", "normal=", "box", "A", "é", "\u017f"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "<",
        ">",
        ",",
        ";",
        "|",
        "\t",
        " ",
        "=",
        "->",
        "- ",
        "−",
        "+",
        "*",
        "/",
        "'",
        '"',
    ),
    *("\n", "\r", "\r\n", "\0", "\x0b", "\x85", "\u2028", "\x1b[31m", "\u202e", "\ud800", "\ufeff", "\u0661"),
    *(
        "2024-05-01 ",
        "12:03:04.5",
        "01-02 ",
        "file.cpp(12",
        "file.c:1",
        "/a.b/",
        "(1, 2, 3)",
        "1 2 3\n",
        "view",
        '"type":',
    ),
)


BEFORE = ("", "0x", "x=1,", "x=", "1e", "1.", "a<", "/", "vec3(", "{(1,2,3)", "12:03", "-", "nan(")
REPEATED = (
    "1",
    "f",
    "a",
    "A",
    "_",
    "1_",
    "a_",
    "a ",
    "a,",
    " ",
    ".",
    "1.",
    "1,",
    "(",
    "<1",
    "{(1,2,3),(4,5,6)}",
    "- ",
)
AFTER = ("", "g", ",1", "x", ")", ">", ":1", ", x, y, z\n" + "1, 2, 3, 4\n" * 5_000, " 1 2 3")


def make(random: Random) -> bytes:
    """Return a text of some pieces, each a few or very many times, or one of many different pieces."""
    text = ""
    for _ in range(random.choice((1, 2, 3, 8))):
        chosen = random.choices(PIECES, k=random.choice((1, 1, 2, 3, 6)))
        count = random.choice((1, 1, 3, 100, 5_000, 100_000))
        text += "".join(chosen) * min(count, LONGEST_TEXT // (2 * sum(map(len, chosen))))
    if random.random() < 0.4:  # where a pattern may begin, a long way to look for its end, and another end
        repeated = random.choice(REPEATED)
        text = random.choice(BEFORE) + repeated * (LONGEST_TEXT // 2 // len(repeated)) + random.choice(AFTER)
    elif random.random() < 0.3:
        text = "".join(random.choices(PIECES, k=random.choice((10, 100, 4_000))))
    if random.random() < 0.1:
        return mutations.spliced(random.choice(scenes.sources()), random, scenes.sources())
    return text.encode("utf-8", "surrogatepass")


def check(case: bytes, folder: Path) -> str:
    """Read the text in every way in which the viewer does."""
    try:
        text = case.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        text = case.decode("latin-1")
    kinds = [_kind(read, text) for read in (parse_number, _parts, _pasted)]
    return kinds[-1]


def _kind(read, text: str) -> str:
    try:
        read(text)
    except HitscopeError as error:
        return messages.check(str(error))
    return "accepted"


def _parts(text: str) -> None:
    for part in split_vector(text, 3) or ():
        parse_number(part)


def _pasted(text: str) -> None:
    if is_scene_text(text):
        parsed(text, scenes.FOLDER)
        return
    for reading in readings_of(text):
        if not reading.is_partial:
            as_scene(reading, "probe" if reading.words <= PROBES.keys() else "primitive")
