"""`hitscope check -j`: the same lines in the same order, whatever ends a process."""

import os
import re
import signal
import subprocess
import sys

import pytest

HITS = {"probe": "cut", "primitive": "box", "hit": True}
MISSES = {**HITS, "hit": False}


@pytest.fixture
def folder(write_scene, tmp_path):
    """Scenes of each kind; the first one takes longer than the next ones together."""
    many = {
        "id": "box",
        "type": "aabbs",
        "min": [[k, 0, 0] for k in range(9000)],
        "max": [[k + 1, 1, 1] for k in range(9000)],
    }
    write_scene("f/00", HITS, primitives=[many])
    for k in range(1, 30):
        write_scene(f"f/{k:02}", HITS, *[MISSES] * (k % 7 == 3))
    write_scene("f/30")
    (tmp_path / "f" / "31.scene.json").write_text("{", encoding="utf-8")
    os.mkfifo(tmp_path / "f" / "32.scene.json")
    return tmp_path


def test_processes_say_the_same_in_the_same_order(hitscope, folder):
    def results(*options):
        run = hitscope("check", "f", "nowhere", "--junit", "x.xml", *options, cwd=folder)
        report = (folder / "x.xml").read_text(encoding="utf-8")
        return run.returncode, run.stdout, run.stderr, re.sub(r' time="[\d.]+"', "", report)

    alone = results("-j", "1")
    assert alone[0] == 2 and alone[1].count("FAIL") == 4 and alone[2].count("\n") == 3
    assert results("-j", "3") == alone


def test_what_only_one_process_can_read_is_read_by_that_one(hitscope, folder):
    text = (folder / "f" / "03.scene.json").read_text(encoding="utf-8")
    run = hitscope("check", "f/01.scene.json", "-", "f/02.scene.json", "-j", "2", cwd=folder, stdin=text)
    assert (run.returncode, run.stderr) == (1, "")
    assert re.findall(r"^(?:ok|FAIL) .*(?=  \()", run.stdout, re.MULTILINE) == [
        "ok    f/01.scene.json",
        "FAIL  -",
        "ok    f/02.scene.json",
    ]


def test_each_process_opens_the_targets(hitscope, folder):
    (folder / "mine.py").write_text("def never(segment, box): return False\n", encoding="utf-8")
    options = ("--method", "segment_aabb=mine.py:never", "-k", "not #2", "-j", "2")
    names = [f"f/{k:02}.scene.json" for k in range(1, 7)]
    run = hitscope("check", *names, *options, cwd=folder)
    assert (run.returncode, run.stdout.count("method mine.py:never says miss")) == (1, 6), run.stderr


DYING = """
import os, signal, sys
if __name__ == "__mp_main__":
    from hitscope.check import scene_processes
    whole = scene_processes.check_file
    def check_file(path, checks):
        if path.name in ("03.scene.json", "29.scene.json"):
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(path, checks)
    scene_processes.check_file = check_file
if __name__ == "__main__":
    from hitscope.cli import main
    sys.exit(main(sys.argv[1:]))
"""


def test_a_process_that_dies_is_an_error_of_its_scene(folder):
    (folder / "dying.py").write_text(DYING, encoding="utf-8")
    names = [f"f/{k:02}.scene.json" for k in range(30)]
    command = [sys.executable, "dying.py", "check", *names, "-j", "2"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    words = "expected a process to check it, found that it was ended by SIGKILL\n"
    assert (run.returncode, run.stderr) == (2, f"{names[3]}: {words}{names[29]}: {words}")
    listed = re.findall(r"f/(\d\d)\.scene\.json  \(", run.stdout)
    assert listed == [f"{k:02}" for k in range(30) if k not in (3, 29)]


def test_processes_that_cannot_start_are_one_line(folder):
    never = DYING.replace("    from hitscope.check import", "    os._exit(3)\n    from hitscope.check import", 1)
    (folder / "never.py").write_text(never, encoding="utf-8")
    command = [sys.executable, "never.py", "check", "f", "-j", "2", "--json"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    words = "a process that checks scenes cannot be started: it ended with status 3\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, '{"scenes": []}\n', words)


def test_the_processes_import_nothing_from_the_folder_of_the_scenes(folder):
    for module in ("pickle", "signal", "msgspec"):
        (folder / f"{module}.py").write_text("open('pwned', 'w')\nraise SystemExit", encoding="utf-8")
    # As the installed program, whose path begins with its own folder.
    program = "import sys; del sys.path[0]; from hitscope.cli import main; sys.exit(main(sys.argv[1:]))"
    names = ("f/01.scene.json", "f/02.scene.json")
    command = [sys.executable, "-c", program, "check", *names, "-j", "2"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "") and not (folder / "pwned").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_with_what_is_known(folder, jobs):
    names = ("f/01.scene.json", "f/31.scene.json", "-", "f/02.scene.json")
    with subprocess.Popen(
        [sys.executable, "-m", "hitscope", "check", *names, "-j", jobs, "--junit", "x.xml"],
        cwd=folder,
        stdin=subprocess.PIPE,  # of which `-` waits for the end
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A suite that runs in the background passes on that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stderr.readline().startswith("f/31.scene.json:1:2: ")
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate()  # which waits for all processes with these pipes
    assert (process.returncode, errors) == (130, "")
    assert output.endswith("1 broken, 2 not checked\n1 of 2 scenes pass (interrupted)\n")
    assert (folder / "x.xml").read_text(encoding="utf-8").count("<testsuite ") == 2
