"""Logs are read whole, and what is no call in them is left out and told."""

import numpy as np
import pytest

from hitscope.errors import HitscopeError
from hitscope.judge.log import Format, mistakes, read
from tests.collect.logged import call

ONE = call("point_plane", 1, 2, 3, 0, 0, 1, 3, 1)
OTHER = call("ray_plane", 1, 2, 3, 0, 0, 1, 0, 0, 1, 3, 0, real="f")
WITH_T = call("ray_plane", 1, 2, 3, 0, 0, 1, 0, 0, 1, 4, 1, 1)


@pytest.fixture
def log(tmp_path):
    """A function that reads a log of these bytes."""

    def log(data):
        (tmp_path / "calls.log").write_bytes(data)
        return read(tmp_path / "calls.log")

    return log


def test_calls_are_told_apart_by_pair_precision_and_width(log):
    found = log(ONE + OTHER + WITH_T + OTHER + ONE)
    assert (found.size, found.cut_off, found.skipped, found.is_full) == (5, False, 0, False)
    order = {(form.pair, form.real, form.width): calls.order.tolist() for form, calls in found.calls.items()}
    assert order == {
        ("point_plane", "float64", 8): [1, 5],
        ("ray_plane", "float32", 11): [2, 4],
        ("ray_plane", "float64", 12): [3],
    }
    (numbers,) = (calls.numbers for form, calls in found.calls.items() if form.real == "float32")
    assert numbers.dtype == np.float32 and numbers.tolist() == [[1, 2, 3, 0, 0, 1, 0, 0, 1, 3, 0]] * 2


@pytest.mark.parametrize("left", [1, 3, 4, 8, 15, 16, len(ONE) - 1])
def test_a_call_that_is_cut_off_at_the_end_is_left_out(left, log):
    found = log(OTHER + ONE[:left])
    assert (found.size, found.cut_off, found.skipped) == (1, True, 0)


@pytest.mark.parametrize("left", [1, 8, 16, len(ONE) - 8])
def test_a_call_that_is_cut_off_in_the_middle_takes_no_numbers_from_the_next(left, log):
    found = log(OTHER + ONE[:left] + ONE + OTHER)
    assert (found.size, found.cut_off, found.skipped) == (3, False, left)
    ((_, calls),) = [item for item in found.calls.items() if item[0].pair == "point_plane"]
    assert calls.numbers.tolist() == [[1, 2, 3, 0, 0, 1, 3, 1]]


def test_other_bytes_are_left_out(log):
    found = log(b"\x9eh" + bytes(99) + ONE + b"\x9ehit\7\7\7\7" + OTHER)
    assert (found.size, found.cut_off, found.skipped) == (2, False, 101 + 8)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b"hello", "other bytes"),
        (bytes(64), "other bytes"),
        (ONE[:-1], "a call that is cut off"),
    ],
    ids=["empty", "text", "zeros", "cut off"],
)
def test_what_has_no_call_is_no_log(data, found, log):
    with pytest.raises(HitscopeError, match=rf"calls\.log: expected a log of calls, found {found}$"):
        log(data)


def test_what_cannot_be_read_is_no_log(tmp_path):
    for path, words in ((tmp_path, "found a folder"), (tmp_path / "none", "found: No such file or directory")):
        with pytest.raises(HitscopeError, match=words):
            read(path)


def test_calls_that_cannot_be_understood_are_told_once_a_kind(log):
    plain = call("point_plain", 1, 2, 3, 0, 0, 1, 3, 1)
    found = log(ONE + plain + call("point_plane", 1, 2, 3, 0, 0, 1, 1) + plain + call("point_plane", *[0] * 9))
    first, *others = [words.partition("calls.log: ")[2] for words in mistakes([found])]
    assert first.startswith("call 2: expected a pair (")
    assert first.endswith('found "point_plain" (did you mean "point_plane"?) (2 such calls)')
    assert others == [
        f"call {k}: expected 7 numbers of point_plane, then 1 or 0, found {width} numbers"
        for k, width in ((3, 7), (5, 9))
    ]


def test_a_format_has_the_layout_that_the_header_describes(log):
    (form,) = log(OTHER).calls
    assert form == Format("ray_plane", "float32", 11, 24, len(OTHER))
    assert len(OTHER) == 8 + 16 + 48
