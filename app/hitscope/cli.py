"""The command line: arguments in, text and exit status out. Each command imports only what it needs."""

import argparse
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hitscope import __version__
from hitscope.errors import TRACEBACK, Fault, HitscopeError, SceneError, in_words, traceback_of
from hitscope.terminal import (
    drop_output,
    finish_streams,
    json_text,
    one_line,
    prepare_streams,
    print_error,
    print_line,
)

if TYPE_CHECKING:
    from hitscope.evaluate import Verdict
    from hitscope.scene.model import Scene

FINE, MISMATCH, BAD_INPUT = 0, 1, 2
LARGEST_PICTURE = 16384
LONGEST_TURN = 60
"""The most seconds of a turn in an animation."""
LARGEST_SCALE = 8
"""The largest multiple of a picture's size."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 fine, 1 a mismatch was found, 2 bad usage or bad input."""
    prepare_streams()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except Exception as error:
        status = _status_of(error)
    except KeyboardInterrupt:
        status = 130
    finish_streams()
    return status


def _run(given: list[str]) -> int:
    parser = _parser()
    is_named = bool(given) and given[0] in (*COMMANDS, "-h", "--help", "--version")
    try:
        options = parser.parse_args(given if is_named else ["open", *given], argparse.Namespace(is_named=is_named))
    except SystemExit as printed:  # the help, the version or an error
        return int(printed.code or FINE)
    return int(COMMANDS[options.command](options))


def _status_of(error: Exception) -> int:
    """Report what ended a command, and return its exit status."""
    if isinstance(error, BrokenPipeError):  # the reader has all that it wanted
        drop_output(sys.stdout)
        return FINE
    # A fault that is not a SceneError is about the arguments, which have no JSON path.
    _print_failure(error.message if isinstance(error, Fault) else in_words(error), traceback_of(error))
    return BAD_INPUT


def _print_failure(words: str, traceback: str) -> None:
    for line in (*traceback.splitlines(), words):
        print_error(line)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors stay one short line, whatever they quote."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the error, and exit."""
        super().error(one_line(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="hitscope",
        description="See, step through, prove and regression-test intersection tests.",
        epilog=f"With {TRACEBACK}=1 in the environment, an internal error shows its traceback.",
    )
    parser.add_argument("--version", action="version", version=f"hitscope {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    command = commands.add_parser(
        "open", help="open the viewer on scenes and meshes, or on the gallery (the default)"
    )
    command.add_argument("scenes", nargs="*", metavar="FILE", help="scenes (.json) and meshes")
    command.add_argument("--size", type=_size, metavar="WxH", help="size of the window in pixels (1280x800)")
    command.add_argument("--record", type=Path, metavar="FILE", help="record mouse and keyboard into a new file")
    command.add_argument("--play", type=Path, metavar="FILE", help="play a recording, without saving anything")
    command.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="play without a window, and write the final picture (.png) or scene (.json, or - for stdout), "
        "or all of it as an animation (.gif, .mp4)",
    )

    command = commands.add_parser("eval", help="print every probe x primitive verdict")
    command.add_argument("scene", metavar="SCENE", help="a scene file, or - for standard input")
    command.add_argument("--json", action="store_true")
    command.add_argument(
        "--method", action="append", default=[], type=_method_of_pair, metavar="PAIR=NAME[,ARG=VALUE]"
    )
    command.add_argument("--all-methods", action="store_true", help="show every method of a pair side by side")

    command = commands.add_parser("check", help="evaluate scenes against their expectations")
    command.add_argument("paths", nargs="+", metavar="PATH", help="scene files and folders")
    command.add_argument("--json", action="store_true")

    command = commands.add_parser("render", help="draw a scene into a PNG file, without a window")
    command.add_argument("scene", metavar="SCENE")
    command.add_argument(
        "-o",
        "--output",
        required=True,
        type=Path,
        metavar="FILE.png",
        help="a new file or one to replace, or - for standard output; "
        "a .gif or .mp4 file shows the scene turning once",
    )
    command.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH")
    command.add_argument("--samples", type=int, default=4, metavar="N")
    command.add_argument(
        "--scale",
        type=_picture_scale,
        default=1,
        metavar="N",
        help="multiply the size, and all widths with it (1 to 8)",
    )
    command.add_argument("--transparent", action="store_true", help="draw no background")
    command.add_argument(
        "--seconds",
        type=_seconds,
        default=6,
        metavar="N",
        help="the duration of a turn in such a file (6)",
    )
    command.add_argument("--no-grid", action="store_true", help="draw neither the grid nor its axes")

    command = commands.add_parser("explain", help="show a method's own source, line by line as it ran")
    command.add_argument("scene", metavar="SCENE")
    command.add_argument("--probe", required=True, metavar="P")
    command.add_argument("--primitive", required=True, metavar="Q")
    command.add_argument("--method", type=_method, metavar="NAME[,ARG=VALUE]")
    command.add_argument("--json", action="store_true")

    command = commands.add_parser("methods", help="print the catalogue of methods")
    command.add_argument("--json", action="store_true")
    command.add_argument("--markdown", action="store_true", help="print the page assets/methods.md")

    commands.add_parser("schema", help="print the JSON Schema of the scene file")

    command = commands.add_parser("judge", help="compare a method, or your own function, with the exact verdict")
    command.add_argument(
        "target",
        nargs="?",
        type=_target,
        metavar="TARGET",
        help="NAME[,ARG=VALUE] of a method; or module:function or path/to/file.py:function, which takes "
        "(probe, primitive) as hitscope shapes and returns a bool, or a tuple that starts with one",
    )
    command.add_argument("--pair", metavar="PAIR", help="PROBE_PRIMITIVE, e.g. segment_aabb")
    command.add_argument(
        "--builtin", action="store_true", help="judge every method of the catalogue, or of --pair"
    )
    command.add_argument(
        "--cases", type=_positive, metavar="N", help="number of cases of each generator (1000; with --builtin 200)"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the first case; the next ones follow (0)"
    )
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="shrink the pairs that fail, and save them as scenes in place of those of earlier runs of TARGET",
    )
    command.add_argument("--json", action="store_true")

    command = commands.add_parser("bench", help="measure the core, or your own scenes, on this machine")
    command.add_argument("scenes", nargs="*", type=Path, metavar="SCENE")
    command.add_argument(
        "--quick", action="store_true", help="measure at small sizes, only to see that everything runs"
    )
    command.add_argument(
        "--plot", type=Path, metavar="FILE.png", help="draw how the cost grows with the number of primitives"
    )
    command.add_argument("--json", action="store_true")
    return parser


def _open(options: argparse.Namespace) -> int:
    from hitscope import viewer
    from hitscope.viewer.state.paths import openable

    paths = [Path(scene) for scene in options.scenes]
    for path in paths:
        if found := _not_a_file(path):
            other = f", found {found}" if options.is_named else f", or a command ({', '.join(COMMANDS)})"
            raise HitscopeError(f"{path}: expected a scene or a mesh{other}")
        openable(path)
    if options.play is None:
        if options.output:
            raise HitscopeError("expected --play FILE with -o, found none; use `hitscope render` to draw a scene")
        viewer.run(paths, options.size, options.record)
    elif options.record or options.size:
        raise HitscopeError("expected --play without --record and --size: a recording has a size of its own")
    elif options.output:
        from hitscope.viewer.window.replay import play_offscreen

        play_offscreen(options.play, paths, options.output)
    else:
        viewer.play(options.play, paths)
    return FINE


def _not_a_file(path: Path) -> str:
    """Return what is at a path instead of a file, "" for a file."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "none"
    except OSError as error:
        return error.strerror or str(error)
    return "" if stat.S_ISREG(mode) else "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"


def _eval(options: argparse.Namespace) -> int:
    from hitscope.check import report_rows
    from hitscope.evaluate import evaluate
    from hitscope.scene import decide_by

    scene = _load(Path(options.scene))
    for pair, choice in options.method:
        scene = decide_by(scene, pair, choice)
    report = evaluate(scene)
    if options.json:
        _print_verdicts_json(
            options.scene, report_rows.verdicts(report, report_rows.all_pairs(report), options.all_methods)
        )
    else:
        from hitscope.check.tables import print_verdicts

        pairs, left_out = report_rows.printed_pairs(report)
        print_verdicts(list(report_rows.verdicts(report, pairs, options.all_methods)), left_out)
    return FINE


def _print_verdicts_json(scene: str, verdicts: Iterable["Verdict"]) -> None:
    """Print the verdicts one by one: those of a large scene would not fit into memory."""
    print(f'{{"scene": {json_text(scene)}, "version": 1, "verdicts": [', end="")
    for k, row in enumerate(verdicts):
        print(", " if k else "", json_text(row.as_dict()), sep="", end="")
    print("]}")


def _check(options: argparse.Namespace) -> int:
    from hitscope.check import check

    outcomes = []
    for outcome in check(map(Path, options.paths), _load):
        outcomes.append(outcome)
        if outcome.error:
            _print_failure(outcome.error, outcome.traceback)
        elif not options.json:
            count = f"{outcome.expectations} expectation{'s' * (outcome.expectations != 1)}"
            print_line(f"{'ok  ' if outcome.ok else 'FAIL'}  {outcome.path}  ({count})")
            for mismatch in outcome.mismatches:
                print_line(f"      {mismatch}")
    if options.json:
        fields = ("path", "ok", "expectations", "mismatches", "error")
        _print_json({"scenes": [{name: getattr(outcome, name) for name in fields} for outcome in outcomes]})
    elif len(outcomes) > 1:
        failed = sum(not outcome.ok for outcome in outcomes)
        print(f"{len(outcomes) - failed} of {len(outcomes)} scenes pass")
    if any(outcome.error for outcome in outcomes):
        return BAD_INPUT
    return FINE if all(outcome.ok for outcome in outcomes) else MISMATCH


def _render(options: argparse.Namespace) -> int:
    from hitscope.outputs import output_format
    from hitscope.render import animation

    output, size, scale = options.output, options.size, options.scale
    form = output_format(output, (".png", *animation.ENDINGS), on_standard_output=".png")
    if form != ".png" and options.transparent:
        raise HitscopeError(f"{output}: expected a .png file with --transparent, found a {form} file")
    animation.require_animation(output)
    from hitscope.render.offscreen import evaluate_to_draw, write_picture
    from hitscope.render.palette import DARK, without_grid_and_axes
    from hitscope.render.turntable import write_turntable

    report, theme = evaluate_to_draw(_load(Path(options.scene))), DARK
    if options.no_grid:
        theme = without_grid_and_axes(theme)
    if form == ".png":
        write_picture(report, output, size, options.samples, theme, scale, options.transparent)
    else:
        scaled = size[0] * scale, size[1] * scale
        write_turntable(report, output, scaled, theme, options.seconds, options.samples, scale)
    return FINE


def _explain(options: argparse.Namespace) -> int:
    from hitscope.check.tables import plain
    from hitscope.check.trace_listing import print_trace
    from hitscope.evaluate import evaluate
    from hitscope.explain import trace
    from hitscope.geometry.registry import choose, pair_of

    report = evaluate(_load(Path(options.scene)))
    subjects = []
    for what, wanted, known in (
        ("probe", options.probe, report.probes),
        ("primitive", options.primitive, report.elements),
    ):
        try:
            subjects.append(known[known.index_of(wanted)].shape)
        except KeyError:
            raise Fault.unknown((), f"a {what} of {options.scene}", known.names, wanted) from None
    probe, primitive = subjects
    chosen = (
        choose(pair_of(probe, primitive), options.method) if options.method else report.chosen(probe, primitive)
    )
    run = trace(chosen, probe, primitive)
    if options.json:
        steps = [
            {**step._asdict(), "values": {name: plain(value) for name, value in step.values.items()}}
            for step in run.steps
        ]
        _print_json({"method": chosen.method.name, "hit": run.hit, "steps": steps})
    else:
        print_trace(chosen.method, run)
    return FINE


def _methods(options: argparse.Namespace) -> int:
    from hitscope.check import catalogue

    if options.json:
        _print_json({"methods": catalogue.as_dicts()})
    elif options.markdown:
        print(catalogue.as_markdown())
    else:
        catalogue.print_catalogue()
    return FINE


def _judge(options: argparse.Namespace) -> int:
    from hitscope import outputs
    from hitscope.check import judge, tables
    from hitscope.geometry.registry import of_pair

    if options.builtin == (options.target is not None) or not (options.builtin or options.pair):
        raise HitscopeError("expected TARGET and --pair PAIR, or --builtin")
    if options.output:
        outputs.require_folder(options.output)
    with ExitStack() as stack:
        if options.builtin:
            targets = judge.catalogue(options.pair)
        elif isinstance(options.target, str):
            of_pair(options.pair)
            targets = {options.pair: [stack.enter_context(judge.in_own_process(options.target))]}
        else:
            targets = {options.pair: [judge.of_method(options.pair, options.target)]}
        cases = options.cases or (200 if options.builtin else 1000)
        with tables.progress("cases", judge.generator_runs(targets) * cases) as advance:
            tallies = judge.judge(targets, range(options.seed, options.seed + cases), advance)
        findings = judge.examples(tallies, one_each=options.builtin)
        if options.output or not options.builtin:
            with tables.progress("shrinking", len(findings)) as advance:
                findings = judge.shrunk_all(findings, advance)
    paths = judge.save_findings(findings, options.output, targets) if options.output else {}
    if options.json:
        _print_json(judge.as_dict(tallies, findings, paths))
    elif options.builtin:
        tables.print_judged_catalogue(tallies)
    else:
        tables.print_judged(tallies, findings, paths)
    return MISMATCH if findings else FINE


def _bench(options: argparse.Namespace) -> int:
    from hitscope.check import bench

    if options.plot and options.scenes:
        raise HitscopeError("expected --plot, which draws the benchmark of the core, or SCENE, found both")
    draw = bench.plotter(options.plot) if options.plot else None
    results, output = [], sys.stdout
    # What the measured packages print must not mix with our output.
    with redirect_stdout(sys.stderr):
        for result in bench.measure(bench.QUICK if options.quick else bench.FULL, options.scenes):
            results.append(result)
            if not options.json:
                with redirect_stdout(output):
                    bench.print_result(result)
    if draw:
        draw(results)
    if options.json:
        _print_json(bench.as_dict(results))
    return FINE


def _schema(options: argparse.Namespace) -> int:
    from hitscope.scene import schema

    _print_json(schema(), indent=2)
    return FINE


def _load(path: Path) -> "Scene":
    """Load a scene file; `-` is standard input."""
    from hitscope.scene import load, loads

    if path != Path("-"):
        return load(path)
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise SceneError(f"-: expected a scene that can be read, found: {error.strerror}") from error
    return loads(data, "-")


def _print_json(value: Any, indent: int | None = None) -> None:
    print(json_text(value, indent))


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (_is_count(width, LARGEST_PICTURE) and _is_count(height, LARGEST_PICTURE)):
        raise argparse.ArgumentTypeError(
            f"expected WxH in pixels up to {LARGEST_PICTURE}, e.g. 1280x800, found {text!r}"
        )
    return int(width), int(height)


def _picture_scale(text: str) -> int:
    if not _is_count(text, LARGEST_SCALE):
        raise argparse.ArgumentTypeError(f"expected an integer from 1 to {LARGEST_SCALE}, found {text!r}")
    return int(text)


def _seconds(text: str) -> int:
    if not _is_count(text, LONGEST_TURN):
        raise argparse.ArgumentTypeError(f"expected an integer from 1 to {LONGEST_TURN}, found {text!r}")
    return int(text)


def _method(text: str) -> dict[str, Any]:
    name, *given = text.split(",")
    choice: dict[str, Any] = {"name": name}
    for argument in given:
        key, separator, value = argument.partition("=")
        try:
            choice[key] = {"true": True, "false": False}[value] if value in ("true", "false") else float(value)
        except ValueError:
            separator = ""
        if not separator or not key:
            raise argparse.ArgumentTypeError(f"expected NAME[,ARGUMENT=VALUE], found {text!r}")
    return choice


def _target(text: str) -> str | dict[str, Any]:
    return text if ":" in text else _method(text)


def _positive(text: str) -> int:
    if not _is_count(text, sys.maxsize):
        raise argparse.ArgumentTypeError(f"expected a positive integer up to {sys.maxsize}, found {text!r}")
    return int(text)


def _is_count(text: str, largest: int) -> bool:
    """Whether a text is an integer from 1 to the largest; int refuses thousands of digits."""
    return text.isdecimal() and len(text) <= len(str(largest)) and 0 < int(text) <= largest


def _method_of_pair(text: str) -> tuple[str, dict[str, Any]]:
    pair, separator, method = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"expected PAIR=NAME, e.g. segment_aabb=exact, found {text!r}")
    return pair, _method(method)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "open": _open,
    "eval": _eval,
    "check": _check,
    "render": _render,
    "explain": _explain,
    "methods": _methods,
    "schema": _schema,
    "judge": _judge,
    "bench": _bench,
}
