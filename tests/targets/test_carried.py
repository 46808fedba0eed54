"""What a target carries with it: a comment line in its file, and `hitscope.toml`."""

import os
from pathlib import Path

import pytest

from hitscope.errors import HitscopeError
from hitscope.targets.carried import carried
from hitscope.targets.options import target_specs
from hitscope.targets.target import Carried

LINE = "hitscope: flags=-Iinclude libengine.a float=f32 boundary=either slack=4"
FLAGS = ("-Iinclude libengine.a",)
TOML = """
[targets.engine]
file = "src/ray.c:hit"
pair = "ray_aabb"
flags = ["-O2 -Iinclude", "-O3"]
float = "f32"
slack = 2
require = ["unit-direction", "max-coordinate=1e4"]
generators = ["engine", "edges"]

[targets.server]
file = "exec:./server"
"""


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mine.c", f"/* {LINE} */\n"),
        ("mine.c", f"/*\n * {LINE}\n */\n"),
        ("mine.cpp", f"int a;\n  // {LINE}\n"),
        ("mine.cpp", f"/// {LINE}\n"),
        ("mine.glsl", f"//{LINE}  \n"),
        ("mine.py", f"#!/usr/bin/python\n# {LINE}\n"),
    ],
)
def test_a_comment_line_in_the_syntax_of_a_language_carries_options(name, text):
    write(f"sub/{name}", text)
    found = carried(f"sub/{name}:hit")
    assert (found.flags, found.precision, found.boundary, found.slack) == (FLAGS, "f32", "either", 4.0)
    assert found.folder == str(Path("sub").absolute())


def test_a_script_that_a_command_runs_has_a_comment_line_too():
    write("mine.js", "// hitscope: float=f32 slack=4\n")
    found = carried("exec:node mine.js")
    assert (found.precision, found.slack) == ("f32", 4.0)


def test_flags_may_be_quoted_as_a_whole_and_several_lines_add_columns():
    write("mine.c", "// hitscope: flags=\"-O2 -DN=1\" float=f32\n// hitscope: flags=-O3 -I'my include'\n")
    found = carried("mine.c:hit")
    assert found.flags == ("-O2 -DN=1", "-O3 -I'my include'")
    assert [spec.flags for spec in target_specs("mine.c:hit", "ray_aabb")] == list(found.flags)


def test_prose_about_hitscope_carries_nothing():
    write(
        "mine.c", '// hitscope: see the manual\nchar *s = "// hitscope: slack=4";\nint n; // hitscope: slack=4\n'
    )
    assert carried("mine.c:hit") == Carried("mine.c:hit")


def test_the_command_line_goes_before_a_comment_line():
    write("mine.c", f"// {LINE}\n")
    (spec,) = target_specs("mine.c:hit", "ray_aabb", real="float64", flags=["-O0"])
    assert (spec.real, spec.flags, spec.carried.folder, spec.name) == ("float64", "-O0", "", "mine.c:hit -O0")
    (spec,) = target_specs("mine.c:hit", "ray_aabb")
    assert (spec.real, spec.flags, spec.name) == ("float32", *FLAGS, "mine.c:hit")


def test_a_name_stands_for_a_target_in_the_folders_below(capsys, monkeypatch):
    write("hitscope.toml", TOML)
    write("src/ray.c", "// hitscope: boundary=open slack=8\n")
    write("deep/er/x", "")
    for folder, file in ((".", "src/ray.c:hit"), ("deep/er", "../../src/ray.c:hit")):
        monkeypatch.chdir(folder)
        first, second = target_specs("engine", "ray_aabb")
        assert (first.text, first.given, first.real, first.flags) == (file, "engine", "float32", "-O2 -Iinclude")
        assert second.name == "engine -O3"
        found = carried("engine")
        assert (found.pair, found.boundary, found.slack) == ("ray_aabb", "open", 2.0)
        assert found.require == ("unit-direction", "max-coordinate=1e4")
        assert found.generators == ("engine", "edges")
    assert capsys.readouterr().err.splitlines()[0] == (
        "hitscope.toml: engine is src/ray.c:hit, compiled with -O2 -Iinclude or with -O3"
    )


def test_what_a_name_stands_for_is_said_before_it_runs(capsys):
    write("hitscope.toml", '[targets.server]\nfile = "exec:touch pwned"\n')
    target_specs("server", "ray_aabb")
    assert capsys.readouterr().err == "hitscope.toml: server is exec:touch pwned\n"
    assert not Path("pwned").exists()


def test_the_current_folder_goes_before_the_folder_of_a_scene():
    write("hitscope.toml", '[targets.engine]\nfile = "exec:./own"\n')
    write(
        "theirs/hitscope.toml",
        '[targets.engine]\nfile = "exec:./theirs"\n[targets.other]\nfile = "exec:./other"\n',
    )
    assert carried("engine", None, [Path("theirs")]).text == "exec:./own"
    assert carried("other", None, [Path("theirs/deeper")]).folder == str(Path("theirs").absolute())


def test_a_table_says_what_goes_with_its_file_by_its_file_too(capsys):
    write("engine/hitscope.toml", TOML)
    write("engine/src/ray.c", "")
    found = carried("engine/src/ray.c:hit", "ray_aabb")
    assert (found.given, found.flags, found.slack) == ("engine/src/ray.c:hit", ("-O2 -Iinclude", "-O3"), 2.0)
    assert "compiled with -O2" in capsys.readouterr().err
    assert carried("engine/src/ray.c:other").flags == carried("engine/src/ray.c:hit", "point_aabb").flags == ()
    write("engine/hitscope.toml", TOML + TOML.replace("engine]", "fast]").replace("server]", "other]"))
    with pytest.raises(
        HitscopeError, match=r"expected its name in hitscope.toml \(engine, fast\), found its file"
    ):
        carried("engine/src/ray.c:hit", "ray_aabb")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("slack=much", 'mine.c:2: expected a number of ulps, at least 0, found "much"'),
        ("slack=-1", 'mine.c:2: expected a number of ulps, at least 0, found "-1"'),
        ("require=fast", 'mine.c:2: expected unit-direction, non-degenerate or max-coordinate=N, found "fast"'),
        ("float=f16", 'mine.c:2: expected f32 or f64, found "f16"'),
        ("boundary=either slck=4", 'mine.c:2: expected closed or open or either, found "either slck=4"'),
        ("slck=4", "mine.c:2: expected an option (flags, float, boundary, slack, "),
        ("flags=-D'x", 'mine.c:2: expected flags as a shell reads them, found "-D\'x"'),
    ],
)
def test_a_mistake_in_a_comment_line_names_file_and_line(line, message):
    write("mine.c", f"\n// hitscope: {line}\n")
    with pytest.raises(HitscopeError) as raised:
        carried("mine.c:hit")
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[targets.a]\nfile = 3\n", 'hitscope.toml:2: expected file = "FILE:FUNCTION", found 3'),
        ("\n[targets.a]\nflags = 'x'\n", 'hitscope.toml:2: expected file = "FILE:FUNCTION", found "none"'),
        (
            "[targets.a]\nfile = 'exec:x'\nslack = [1]\n",
            "hitscope.toml:3: expected a number of ulps, at least 0, found [1]",
        ),
        ("[targets.a]\nfile = 'exec:x'\nflag = 'x'\n", "hitscope.toml:3: expected an option (pair, flags, "),
        (
            "[targets.a]\nfile = 'exec:x'\npair = 'ray_box'\n",
            'hitscope.toml:3: expected a pair PROBE_PRIMITIVE, found "ray_box"',
        ),
        ("[targets.a]\nfile = 'exec:x'\n[targets.b\n", "hitscope.toml:3: expected TOML, found: "),
        (
            "[targets.slab_ericson]\nfile = 'exec:x'\n",
            "hitscope.toml:1: expected a name of letters, digits, _ and - that no",
        ),
        (
            "\n[target.a]\nfile = 'exec:x'\n",
            'hitscope.toml:2: expected a table (targets), found "target" (did you mean "targets"?)',
        ),
        ("targets = 1\n", "hitscope.toml:1: expected tables [targets.NAME], found 1"),
    ],
)
def test_a_mistake_in_a_table_names_file_and_line(text, message):
    write("hitscope.toml", text)
    with pytest.raises(HitscopeError) as raised:
        carried("a")
    assert str(raised.value).startswith(message)


def test_an_unknown_name_is_compared_with_those_of_the_tables():
    write("hitscope.toml", TOML)
    with pytest.raises(HitscopeError, match=r'\(engine, server, .*found "engin" \(did you mean "engine"\?\)'):
        target_specs("engin", "ray_aabb")
    with pytest.raises(
        HitscopeError, match=r"engine: expected ray_aabb, as .*hitscope.toml has it, found ray_obb"
    ):
        write("src/ray.c", "")
        target_specs("engine", "ray_obb")


def test_a_method_of_the_catalogue_is_looked_for_in_no_table():
    write("hitscope.toml", "not TOML")
    assert carried("slab_ericson,epsilon=0.5", "ray_aabb").text == "slab_ericson,epsilon=0.5"


def test_a_file_that_another_user_laid_where_everyone_may_write_is_not_read(monkeypatch):
    write("hitscope.toml", TOML)
    stat = Path.stat

    def of_another_user(path, **options):
        found = stat(path, **options)
        return os.stat_result([*found[:4], 12345, *found[5:]]) if path.name == "hitscope.toml" else found

    monkeypatch.setattr(Path, "stat", of_another_user)
    assert carried("server").text == "exec:./server"
    Path().absolute().chmod(0o1777)
    with pytest.raises(
        HitscopeError, match=r"hitscope.toml: expected a file of your own, found one of another user"
    ):
        carried("server")
