"""JUnit XML of a check: a suite for each scene, a test case for each of its expectations.

It is as the schema of Jenkins' xunit plugin has it, with two more attributes of a test case: the file, which
GitLab reads, and the line. GitLab leaves out a test case of the same classname, file and name as another one.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from hitscope.check import outcome_outputs, selection
from hitscope.check.failures import Failure
from hitscope.check.runner import DISABLED, CheckTally, Outcome, error_parts
from hitscope.errors import escaped
from hitscope.outputs import output_format, write_output

WHOLE_SCENE = "scene"
"""The name of the test case of a scene that could not be evaluated, or has no expectations."""

_NOT_IN_XML = re.compile("[\ufffe\uffff]")
"""The characters that XML 1.0 lacks of those that `escaped` leaves."""


class Case(NamedTuple):
    """A test case: its element's tag is "" where it passes."""

    name: str
    line: int | None
    tag: str = ""
    message: str = ""
    text: Sequence[str] = ()


class JunitFile:
    """The outcomes as a file, which replaces the old one at the end, when their number is known."""

    def __init__(self, path: Path, strict: bool) -> None:
        """Begin it; raises HitscopeError for a path that cannot be written."""
        output_format(path, (".xml",))
        self._path, self._strict = path, strict
        self._suites = TemporaryFile()  # noqa: SIM115 - it is open until `finish`
        self._counts = Counter(tests=0, failures=0, errors=0)
        self._seconds = 0.0

    def add(self, outcome: Outcome) -> None:
        cases = list(cases_of(outcome, self._strict))
        tags = [case.tag for case in cases]
        counts = {"tests": len(cases), "failures": tags.count("failure"), "errors": tags.count("error")}
        self._counts.update(counts)
        self._seconds += outcome.seconds
        more = {"skipped": tags.count("skipped"), "time": f"{outcome.seconds:.3f}"}
        attributes = {"name": outcome.path, **counts, **more}
        names = selection.numbered(_legal(case.name) for case in cases)
        elements = [_element(outcome.path, case, name) for case, name in zip(cases, names, strict=True)]
        lines = (f"<testsuite{_attributes(attributes)}>", *elements, "</testsuite>", "")
        self._suites.write("\n".join(lines).encode())

    def finish(self, tally: CheckTally) -> None:
        write_output(self._path, self._document())
        self._suites.close()

    def _document(self) -> Iterator[bytes]:
        attributes = {"name": "hitscope check", **self._counts, "time": f"{self._seconds:.3f}"}
        yield f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites{_attributes(attributes)}>\n'.encode()
        self._suites.seek(0)
        yield from self._suites
        yield b"</testsuites>\n"


def cases_of(outcome: Outcome, strict: bool) -> Iterator[Case]:
    """Yield the test cases of a scene; when it is strict, one without expectations fails."""
    if outcome.error is not None:
        text = (*outcome.traceback.splitlines(), outcome.error)
        yield Case(WHOLE_SCENE, error_parts(outcome).line, "error", outcome.error, text)
    elif not outcome.names:
        tag, words = "failure" if strict else "skipped", "no expectations"
        yield Case(WHOLE_SCENE, None, tag, words, (words,))
    elif any(not failure.name for failure in outcome.failures):  # code under test that crashed or hung
        yield Case(WHOLE_SCENE, None, "failure", *_told(outcome.failures, outcome))
    else:
        failing: dict[str, list[Failure]] = {}
        for failure in outcome.failures:
            failing.setdefault(failure.name, []).append(failure)
        unevaluated = set(outcome.unevaluated)
        for name, line in zip(outcome.names, outcome.lines, strict=True):
            if name in unevaluated:
                yield Case(name, line, "skipped", DISABLED, (DISABLED,))
            elif name in failing:
                yield Case(name, line, "failure", *_told(failing[name], outcome))
            else:
                yield Case(name, line)


def _told(failures: Sequence[Failure], outcome: Outcome) -> tuple[str, list[str]]:
    message = "; ".join(words for failure in failures for words in failure.differences)
    return message, list(outcome_outputs.failure_lines(outcome.path, failures))


def _element(path: str, case: Case, name: str) -> str:
    attributes = {"classname": path, "name": name, "file": path}
    attributes |= {} if case.line is None else {"line": str(case.line)}
    if not case.tag:
        return f"<testcase{_attributes(attributes)}/>"
    result = {"message": case.message, "type": case.tag}
    text = escape("\n".join(map(_legal, case.text)))
    return f"<testcase{_attributes(attributes)}><{case.tag}{_attributes(result)}>{text}</{case.tag}></testcase>"


def _attributes(values: Mapping[str, object]) -> str:
    return "".join(f" {name}={quoteattr(_legal(str(value)))}" for name, value in values.items())


def _legal(text: str) -> str:
    """Return a text on one line, with characters that XML 1.0 lacks as JSON escapes them."""
    return _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped(text))
