"""The configurations of docs/ci.md do what it says, as far as they run without their servers."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from hitscope.resources import SCENES

PAGE = Path(__file__).parents[2] / "docs" / "ci.md"
SCENE = SCENES / "triangle-aabb-szauer" / "unit-test.scene.json"


@pytest.fixture
def project(tmp_path):
    """A project with a scene that passes."""
    folder = tmp_path / "tests" / "scenes"
    folder.mkdir(parents=True)
    shutil.copy(SCENE, folder / "a.scene.json")
    return tmp_path


@pytest.fixture
def run(project, monkeypatch):
    """A function that runs a line of a shell in the project; returns its status and output."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")

    def run(line, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, str(value))
        done = subprocess.run(line, shell=True, cwd=project, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout

    return run


def snippet(key):
    """Return the configuration of the page with a key at its top."""
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (found,) = [block for block in map(yaml.safe_load, blocks) if key in block]
    return found


def line_of(lines):
    (found,) = [line for line in lines if line.startswith("hitscope check ")]
    assert "pip install ./tools/hitscope" in lines
    return found


def invert(project):
    """Let an expectation of the scene fail."""
    path = project / "tests" / "scenes" / "a.scene.json"
    path.write_text(path.read_text("utf-8").replace('"hit": true', '"hit": false', 1), encoding="utf-8")


def test_on_github_a_failure_is_annotated_and_in_the_summary(run, project):
    steps = snippet("jobs")["jobs"]["scenes"]["steps"]
    line = line_of([step.get("run", "") for step in steps])
    environment = {"GITHUB_STEP_SUMMARY": project / "summary.md", "GITHUB_WORKSPACE": project}
    status, output = run(line, **environment)
    assert status == 0 and "::error" not in output
    invert(project)
    status, output = run(line, **environment)
    assert status == 1 and output.startswith("::error file=tests/scenes/a.scene.json,line=")
    assert "1 failed" in (project / "summary.md").read_text(encoding="utf-8")


def test_on_gitlab_the_report_is_where_the_server_looks_for_it(run, project):
    job = snippet("scenes")["scenes"]
    line, report = line_of(job["script"]), project / job["artifacts"]["reports"]["junit"]
    assert job["artifacts"]["when"] == "always"  # reports of failures, too
    for status, failures in ((0, "0"), (1, "1")):
        assert run(line)[0] == status
        assert ElementTree.parse(report).getroot().get("failures") == failures
        invert(project)


def test_pre_commit_checks_the_scenes_of_a_commit(run, project):
    (hook,) = snippet("repos")["repos"][0]["hooks"]
    changed = ["docs/ci.md", "tests/scenes/a.scene.json", "tests/scenes/a.json"]
    files = [name for name in changed if re.search(hook["files"], name)]
    assert files == changed[1:2]
    line = " ".join([hook["entry"], *files])
    assert run(line)[0] == 0
    invert(project)
    status, output = run(line)
    assert status == 1 and output.startswith("FAIL  tests/scenes/a.scene.json")
