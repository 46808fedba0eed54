"""Each attack for a moment: nothing is found, and the attack reaches what it attacks."""

import sys

import pytest

from tests.fuzz import harness
from tests.fuzz.attacks import NAMES

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory and files, /proc and /dev")


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_finds_nothing_and_reaches_its_target(name: str) -> None:
    attack = harness.attack(name)
    result = harness.run(name, range(attack.CASES))
    assert {finding.fault: finding.seen for finding in result.findings.values()} == {}
    assert result.cases == attack.CASES
    assert result.accepted >= attack.ACCEPTED, result.kinds
    assert len(result.kinds) >= attack.KINDS, result.kinds


def test_a_case_that_hangs_or_ends_its_process_or_prints_is_a_finding_and_the_next_case_goes_on() -> None:
    with harness.Worker("rehearsal") as worker:
        for case, fault in {
            b"hang": "hang",
            b"crash": "crash by SIGABRT",
            b"print": "prints",
            b"memory": "MemoryError",
        }.items():
            assert worker.check(case).fault.partition(" in ")[0] == fault
            assert worker.check(b"fine") == ("accepted", "", "")


def test_a_finding_is_shrunk_to_what_it_needs() -> None:
    assert (
        harness.shrunk(b"0123456789" * 100 + b"fault" + b"0123456789" * 100, lambda case: b"fault" in case)
        == b"fault"
    )
