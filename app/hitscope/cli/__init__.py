"""The command line: arguments in, text and exit status out. Each command imports only what it needs."""

import argparse
import atexit
import gc
import stat
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hitscope import __version__, terminal
from hitscope.cli import options as command_options
from hitscope.cli.options import add_option, count_up_to
from hitscope.errors import TRACEBACK, Fault, HitscopeError, SceneError, in_words, traceback_of
from hitscope.terminal import BAD_INPUT, FINE, INTERRUPTED, json_text

if TYPE_CHECKING:
    from hitscope.draw.target import Targets
    from hitscope.scene.model import Scene
    from hitscope.viewer.state.own_code import OwnCode

# Else Python looks for garbage again and again in all that a command imports and compiles, a sixth of its time,
gc.set_threshold(100_000, 20, 20)
atexit.register(gc.freeze)  # and at its end, a fifth.


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 fine, 1 a mismatch was found, 2 bad usage or bad input."""
    terminal.prepare_streams()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has all that it wanted
        terminal.drop_output(sys.stdout)
        status = FINE
    except Exception as error:
        # A fault that is not a SceneError is about the arguments, which have no JSON path.
        words = error.message if isinstance(error, Fault) else in_words(error)
        terminal.print_failure(words, traceback_of(error))
        status = BAD_INPUT
    except KeyboardInterrupt:
        status = INTERRUPTED
    terminal.finish_streams()
    return status


def _run(given: list[str]) -> int:
    parser = _parser()
    given = command_options.joined_flags(given)
    is_named = bool(given) and given[0] in (*COMMANDS, "-h", "--help", "--version")
    try:
        options = parser.parse_args(given if is_named else ["open", *given], argparse.Namespace(is_named=is_named))
    except SystemExit as printed:  # the help, the version or an error
        return int(printed.code or FINE)
    return int(COMMANDS[options.command](options))


class _Parser(argparse.ArgumentParser):
    """A parser whose errors stay one short line, whatever they quote."""

    def error(self, message: str) -> NoReturn:
        super().error(terminal.one_line(message))


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
    add_option(command, "scenes FILE", "scenes (.json) and meshes", nargs="*")
    add_option(command, "--size WxH", "size of the window in pixels (1280x800)", type=command_options.size)
    add_option(command, "--record FILE", "record mouse and keyboard into a new file")
    add_option(command, "--play FILE", "play a recording, without saving anything")
    add_option(
        command,
        "-o, --output FILE",
        "play without a window, and write the final picture (.png) or scene (.json, or - for stdout), "
        "or all of it as an animation (.gif, .mp4)",
        action="append",
        default=[],
    )
    add_option(command, "--probe P", "select this probe of the scene and frame it")
    add_option(command, "--primitive Q", "select this primitive, paired with the probe")
    command_options.add_method_option(command)
    command_options.add_target_options(command, timeout=2.0)

    command = commands.add_parser("eval", help="print every probe x primitive verdict")
    add_option(command, "scene SCENE", "a scene file, or - for standard input")
    add_option(command, "--json")
    command_options.add_method_option(command)
    add_option(command, "--all-methods", "show every method of a pair side by side")
    command_options.add_target_options(command)

    command = commands.add_parser("check", help="evaluate scenes against their expectations")
    command_options.add_check_options(command)
    command_options.add_method_option(command)
    command_options.add_target_options(command)

    command = commands.add_parser(
        "review", help="accept or reject what differs from scenes' expectations, in the viewer or without"
    )
    command_options.add_review_options(command)

    command = commands.add_parser("render", help="draw a scene into a PNG file, without a window")
    add = partial(add_option, command)
    add("scene SCENE")
    add(
        "-o, --output FILE.png",
        "a new file or one to replace, or - for standard output; a .gif or .mp4 file shows the scene turning once",
        required=True,
    )
    add("--size WxH", type=command_options.size, default=(1280, 800))
    add("--samples N", type=int, default=4)
    add("--scale N", "multiply the size, and all widths with it (1 to 8)", type=count_up_to(8), default=1)
    add("--transparent", "draw no background")
    add("--seconds N", "the duration of a turn in such a file (6)", type=count_up_to(60), default=6)
    add("--no-grid", "draw neither the grid nor its axes")
    command_options.add_step_options(command)

    command = commands.add_parser("explain", help="show a method's own source, line by line as it ran")
    add_option(command, "scene SCENE")
    add_option(command, "--probe P", required=True)
    add_option(command, "--primitive Q", required=True)
    command_options.add_explain_options(command)

    command = commands.add_parser("map", help="draw what methods answer for every position of a handle")
    add_option(command, "scene SCENE")
    command_options.add_map_options(command)

    command = commands.add_parser("methods", help="print the catalogue of methods")
    add_option(command, "--json")
    add_option(command, "--markdown", "print the page assets/methods.md")

    commands.add_parser("schema", help="print the JSON Schema of the scene file")

    command = commands.add_parser("judge", help="compare a method, or your own function, with the exact verdict")
    command_options.add_judge_options(command)

    command = commands.add_parser("collect", help="find the wrong ones of the calls that your program logged")
    command_options.add_collect_options(command)

    command = commands.add_parser("bench", help="measure the core, or your own scenes, on this machine")
    add_option(command, "scenes SCENE", nargs="*", type=Path)
    add_option(command, "--quick", "measure at small sizes, only to see that everything runs")
    add_option(command, "--plot FILE.png", "draw how the cost grows with the number of primitives")
    add_option(command, "--json")
    return parser


def _open(options: argparse.Namespace) -> int:
    from hitscope import viewer
    from hitscope.viewer.state.paths import openable

    paths, problems = [], []
    for path in options.scenes:
        try:
            if found := _not_a_file(path):
                other = f", found {found}" if options.is_named else f", or a command ({', '.join(COMMANDS)})"
                raise HitscopeError(f"{path}: expected a scene or a mesh{other}")
            openable(path)
            paths.append(path)
        except HitscopeError as error:
            problems.append(str(error))
    if problems and (options.play is not None or not paths):
        raise HitscopeError(problems[0])
    if options.play is None and options.output:
        raise HitscopeError("expected --play FILE with -o, found none; use `hitscope render` to draw a scene")
    if options.play and (options.record or options.size):
        raise HitscopeError("expected --play without --record and --size: a recording has a size of its own")
    pair = _pair_of(options)
    with _own_code(options) as own:
        if options.play is None:
            viewer.run(paths, options.size, options.record, own, pair, problem="\n".join(problems))
        elif options.output:
            from hitscope.viewer.window.replay import play_offscreen

            play_offscreen(options.play, paths, options.output, own)
        else:
            viewer.play(options.play, paths, own)
    return FINE


def _pair_of(options: argparse.Namespace) -> "Targets":
    """Return the probe and the primitive that the options name, if they do; raises HitscopeError for others."""
    if options.probe is None and options.primitive is None:
        return ()
    if len(options.scenes) != 1 or options.play or options.record:
        raise HitscopeError("expected one scene with --probe and --primitive, without --play and --record")
    from hitscope.draw.target import Target

    scene = _load(options.scenes[0])
    pair: Targets = ()
    try:
        if options.probe is not None:
            scene.named_probes.find(options.probe, (), "a probe")
            pair += (Target("probe", options.probe),)
        if options.primitive is not None:
            scene.named_primitives.find(options.primitive, (), "a primitive")
            pair += (Target("primitive", options.primitive),)
    except Fault as fault:
        raise HitscopeError(f"{options.scenes[0]}: {fault.message}") from None
    return pair


def _own_code(options: argparse.Namespace) -> AbstractContextManager["OwnCode | None"]:
    """Return the TARGETs of the options for a window, loaded in a `with`, where there are some."""
    if not options.method:
        return nullcontext()
    from hitscope.targets.deciding import DecidingTargets
    from hitscope.viewer.state.own_code import OwnCode

    return OwnCode(partial(DecidingTargets, options, compares_flags=True))


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
    from hitscope.check.runner import report_source
    from hitscope.cli import report_rows

    scene = _load(Path(options.scene))
    with report_source(options) as report_of:
        report = report_of(scene)
        if options.json:
            # One by one: the verdicts of a large scene would not fit into memory.
            print(f'{{"scene": {json_text(options.scene)}, "version": 1, "verdicts": [', end="")
            for k, row in enumerate(report_rows.verdicts(report, report.pairs(), options.all_methods)):
                print(", " if k else "", json_text(row.as_dict()), sep="", end="")
            print("]}")
        else:
            from hitscope.cli.tables import print_verdicts

            pairs, left_out = report_rows.printed_pairs(report)
            print_verdicts(list(report_rows.verdicts(report, pairs, options.all_methods)), left_out)
    return FINE


def _check(options: argparse.Namespace) -> int:
    from hitscope.check.runner import report_source
    from hitscope.cli.check import run

    with report_source(options) as report_of:
        return run(options, _read, report_of)


def _review(options: argparse.Namespace) -> int:
    from hitscope.cli import review as reviewing

    found = reviewing.differing(options.paths, _read)
    if options.list or options.accept or options.reject or not found.failures:
        return reviewing.run_without_window(options, found)
    reviewing.require_window_review(found)
    from hitscope import viewer
    from hitscope.draw.target import targets_of
    from hitscope.viewer.state.messages import Review
    from hitscope.viewer.window.launch import NoWindow

    first = {path: failures[0] for path, failures in found.failures.items()}
    review = Review({path: targets_of(failure.probe, failure.primitive) for path, failure in first.items()})
    try:
        viewer.run(list(first), None, review=review)
    except NoWindow as error:
        raise HitscopeError(f"{error}; --list, --accept and --reject need none, either") from None
    choices = {one.document.path: one.choice for one in review.decided}
    return reviewing.print_decided(found, choices, any(one.still_differs for one in review.decided))


def _render(options: argparse.Namespace) -> int:
    from hitscope.outputs import output_format
    from hitscope.render import animation

    output, scale = options.output, options.scale
    form = output_format(output, (".png", *animation.ENDINGS), on_standard_output=".png")
    if form != ".png" and options.transparent:
        raise HitscopeError(f"{output}: expected a .png file with --transparent, found a {form} file")
    animation.require_animation(output)
    of_step = [name for name in ("probe", "primitive", "method", "float") if getattr(options, name) is not None]
    if options.step is None and of_step:
        raise HitscopeError(f"expected --step N with --{of_step[0]}, found none")
    if options.step is not None and (form != ".png" or not {"probe", "primitive"}.issubset(of_step)):
        raise HitscopeError(f"{output}: expected --probe P, --primitive Q and a .png file with --step")
    from hitscope.render.offscreen import evaluate_to_draw, picture_of, write_png, write_turntable
    from hitscope.render.palette import DARK, without_grid_and_axes
    from hitscope.render.renderer import Settings

    scene = _load(Path(options.scene))
    report = evaluate_to_draw(scene)
    theme = without_grid_and_axes(DARK) if options.no_grid else DARK
    size = options.size[0] * scale, options.size[1] * scale
    settings = Settings(size, theme, options.samples, scale, options.transparent)
    if options.step is not None:
        from hitscope.check.explaining import explanation_of
        from hitscope.render.step_picture import step_index, step_picture

        with redirect_stdout(sys.stderr):
            explanation = explanation_of(options, scene)
        step = step_index(explanation, options.step)
        write_png(output, step_picture(report, explanation, step, options.probe, options.primitive, settings))
    elif form == ".png":
        write_png(output, picture_of(report, settings))
    else:
        write_turntable(report, output, settings, options.seconds)
    return FINE


def _explain(options: argparse.Namespace) -> int:
    from hitscope.check.explaining import explanation_of
    from hitscope.outputs import output_format

    if options.html:
        output_format(options.html, (".html", ".htm"))
    scene, lines, document = _load(Path(options.scene)), [], {}
    # A user's function runs again for what is asked of it; what it prints must not mix with our output.
    with redirect_stdout(sys.stderr):
        explanation = explanation_of(options, scene, stepped=bool(options.html))
        if options.html:
            from hitscope.check.explaining import map_figures
            from hitscope.explain.page import write_page

            title = f"{options.probe} × {options.primitive}"
            write_page(explanation, options.html, title, map_figures(options, scene, explanation))
        if options.json:
            from hitscope.cli.explain import as_dict

            document = as_dict(explanation)
        elif not options.html:
            from hitscope.explain.listing import Style, listing, terminal_columns

            lines = list(listing(explanation, Style(terminal_columns(), options.hex, options.full)))
    if options.json:
        print(json_text(document))
    for line in lines:
        print(line)
    return FINE


def _map(options: argparse.Namespace) -> int:
    from hitscope.cli.maps import run

    return run(options, _load(Path(options.scene)))


def _methods(options: argparse.Namespace) -> int:
    from hitscope.cli import catalogue

    if options.json:
        print(json_text({"methods": catalogue.as_dicts()}))
    elif options.markdown:
        print(catalogue.as_markdown())
    else:
        catalogue.print_catalogue()
    return FINE


def _new_target(options: argparse.Namespace) -> int:
    from hitscope.outputs import STANDARD_OUTPUT, output_format, write_new_file, write_output
    from hitscope.targets.skeletons import LANGUAGES, new_target
    from hitscope.targets.target import REALS

    if options.target is not None or options.builtin or not options.pair:
        raise HitscopeError("expected --new LANG and --pair PAIR, without TARGET and --builtin")
    path = options.output or STANDARD_OUTPUT
    name = "" if path == STANDARD_OUTPUT else str(path)
    source = new_target(options.new, options.pair, REALS.get(options.float), name).encode()
    if name:
        output_format(path, LANGUAGES[options.new].endings)
        write_new_file(path, source)
    else:
        write_output(path, [source])
    return FINE


def _judge(options: argparse.Namespace) -> int:
    if options.new:
        return _new_target(options)
    if options.mesh is not None:
        from hitscope.cli import watertight

        return watertight.run(options)
    from hitscope.cli.judge import run

    return run(options)


def _collect(options: argparse.Namespace) -> int:
    from hitscope.cli.collect import run

    return run(options)


def _bench(options: argparse.Namespace) -> int:
    from hitscope.resources import HOME

    if not (HOME / "benchmarks").is_dir():
        raise HitscopeError("expected a checkout, which has the benchmarks, found an installed package")
    sys.path.append(str(HOME))
    import benchmarks as bench

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
        print(json_text(bench.as_dict(results)))
    return FINE


def _schema(options: argparse.Namespace) -> int:
    from hitscope.scene import schema

    print(json_text(schema(), indent=2))
    return FINE


def _load(path: Path) -> "Scene":
    from hitscope.scene import loads

    return loads(_read(path), str(path), path.parent)


def _read(path: Path) -> bytes:
    """Return the content of a scene file; `-` is standard input."""
    from hitscope.scene.load import read

    if path != Path("-"):
        return read(path)
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise SceneError(f"-: expected a scene that can be read, found: {error.strerror}") from error


_FUNCTIONS = _open, _eval, _check, _review, _render, _explain, _map, _methods, _schema, _judge, _collect, _bench
COMMANDS = {function.__name__.removeprefix("_"): function for function in _FUNCTIONS}
