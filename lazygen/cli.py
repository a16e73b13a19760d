"""The command line: commands, their flags, and the help for them.

`--help` and `--version` import click and nothing heavier; what a command needs is imported when it runs.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lazygen import __version__

if TYPE_CHECKING:
    from lazygen.flags import Flags
    from lazygen.report import Color, Report

_Command = TypeVar("_Command", bound=Callable[..., Any])

INTERRUPTED = 130  # what a shell gives for a command that was stopped with Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run lazygen on `arguments` (those of the process if None) and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _collect_seldom()
    try:
        return int(commands.main(list(arguments), prog_name="lazygen", standalone_mode=False) or 0)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        from lazygen.usage import finding

        command = commands.commands.get(arguments[0]) if arguments else None
        _report(arguments).tell([finding(error, command or commands)], {}, usage=True)
        return 2
    except Exception as error:
        report = _report(arguments)
        report.bug("reading the command line", error)
        return report.finish()


def _collect_seldom() -> None:
    """Nearly all that a command makes stays to its end; looking through it for garbage would be a sixth of its time."""
    gc.set_threshold(200_000)
    atexit.register(gc.freeze)


class Commands(click.Group):
    """The group of commands, which knows what a file name in the place of a command means."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from lazygen.usage import unknown_command

            raise unknown_command(args, self.commands)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Begin with: lazygen convert model.py --input-shape 8,3,32,32",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> int:
    """Turn lazy PyTorch modules into plain explicit ones, in source.

    lazygen reads a module written with nn.LazyLinear, nn.LazyConv2d and the like, works out every size from the shape
    of the input, and writes the same module with the sizes filled in. Torch is not needed for that.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        return 2
    return 0


def _timeout(of_what: str) -> Callable[[_Command], _Command]:
    return click.option("--timeout", type=float, metavar="SECONDS", help=f"Time limit for {of_what}")


def _color(help_text: str) -> Callable[[_Command], _Command]:
    return click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help=help_text)


_PLACING_OPTIONS = (
    click.option("--device", metavar="DEVICE", help="Place the models there: cuda:1. Inputs are moved to it."),
    click.option("--dtype", metavar="DTYPE", help="Make their parameters of that dtype: float64, bfloat16."),
    click.option(
        "--device-argument", is_flag=True, help="Give the classes torch's arguments device=None and dtype=None."
    ),
    click.option(
        "--data-parallel", metavar="0,1|all", help="Wrap the module's models in nn.DataParallel on these GPUs."
    ),
    click.option("--pipeline", is_flag=True, help="Cut models whose layers are on several devices into stages."),
    click.option("--shard", is_flag=True, help="Write a function that shards a model with FSDP2."),
)


def _placing_options(command: Any) -> Any:
    """The options that say where models are placed: `written.PLACING`."""
    for option in reversed(_PLACING_OPTIONS):
        command = option(command)
    return command


def _placing(options: dict[str, Any]) -> dict[str, str | bool | None]:
    """Take these options out of those of a command."""
    from lazygen.written import PLACING

    return {key: options.pop(key.replace("-", "_")) for key in PLACING}


@commands.command(short_help="Write the explicit form of lazy modules.", no_args_is_help=False)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path())
@click.option(
    "--input-shape",
    multiple=True,
    metavar="[NAME=]SIZES[:DTYPE]",
    help="Shape of an argument of forward, once for each: 8,3,32,32 or tokens=2,16:int64 or N,3,H=32,W=32.",
)
@click.option(
    "--arg", multiple=True, metavar="NAME=LITERAL", help="An argument of forward that is no tensor: mask=None."
)
@click.option("--entry", metavar="NAME", help="The model to run, if the file has several: Net or 'Net(classes=7)'.")
@click.option("-o", "--output", metavar="PATH|-", help="Where to write; - prints. Default: FILE_explicit.py beside it.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if an output is missing, stale or hand-edited.")
@click.option("--diff", is_flag=True, help="As --check, and print what would change as a unified diff.")
@click.option("--partial", is_flag=True, help="Leave lazy layers that get no size as they are, and write the rest.")
@click.option("--force", is_flag=True, help="Overwrite what was edited by hand or not written by lazygen.")
@click.option(
    "--engine",
    type=click.Choice(["symbolic", "torch"]),
    help="What the model runs on: a stand-in for torch, or torch itself, whose sizes are numbers. Default: symbolic.",
)
@_placing_options
@_timeout("running the model. Default: 10.")
@click.option("--stdin-filename", metavar="PATH", help="What the source on stdin (-) is called, and where it lies.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.option("-v", "--verbose", is_flag=True, help="Print more of what was done, and the traceback of a bug.")
@_color("Colours in messages. Default: auto, on a terminal without NO_COLOR.")
def convert(
    files: tuple[str, ...],
    input_shape: tuple[str, ...],
    arg: tuple[str, ...],
    entry: str | None,
    partial: bool,
    timeout: float | None,
    engine: str | None,
    quiet: bool,
    verbose: bool,
    color: Color,
    **rest: Any,
) -> int:
    """Write the explicit form of the lazy modules in each FILE; - reads from stdin and prints.

    A FOLDER stands for the files below it that have settings in comments (# lazygen: input-shape=8,3,32,32) or in
    pyproject.toml, and those that lazygen generated. Of a generated file, the source is converted.

    \b
    Examples:
      lazygen convert model.py --input-shape 8,3,32,32
      lazygen convert model.py --input-shape x=8,3,32,32 --arg mask=None -o -
      lazygen convert --check gpt.py --entry 'GPT(layers=2)' --input-shape 2,16:int64

    Code and diffs go to stdout, words to stderr. Exit code: 0 done or up to date, 1 something in a file is wrong or
    out of date, 2 the command is wrong, 3 a bug in lazygen.
    """
    from lazygen.flags import flags_of

    flags = flags_of(
        entry=entry,
        input_shape=input_shape,
        arg=arg,
        partial=partial,
        timeout=timeout,
        engine=engine,
        placing=_placing(rest),
    )
    return _run(files, flags, quiet, verbose, color, **rest)


def _model_options(command: Any) -> Any:
    """The options that say which model is run with what, for commands that explain them no more."""
    command = click.option("--entry", metavar="NAME", help="As of convert.")(command)
    command = click.option("--arg", multiple=True, metavar="NAME=LITERAL", help="As of convert.")(command)
    shape = click.option("--input-shape", multiple=True, metavar="[NAME=]SIZES[:DTYPE]", help="As of convert.")
    return shape(command)


@commands.command(short_help="Show where the size of a layer comes from.")
@click.argument("file", metavar="FILE[:LINE]")
@click.argument("what", required=False, metavar="[NAME|NUMBER]")
@_model_options
@_timeout("running the model. Default: 10.")
@_color("Colours in messages.")
def explain(file: str, what: str | None, color: Color, **settings: Any) -> int:
    """Print the way of a size from the input to a layer, one operation a line with its shape and arithmetic.

    The layer is named by the line that makes it, by its NAME in the model or by a size of its own; without any of
    these, all lazy layers are explained. A line without a layer, or a number that no layer has, is looked for among
    the results of operations.

    \b
    Examples:
      lazygen explain model.py:12 --input-shape 8,3,32,32
      lazygen explain model.py fc1 --input-shape 8,3,32,32
      lazygen explain model.py 1960
    """
    from lazygen.explain import explain_file
    from lazygen.flags import flags_of
    from lazygen.jobs import Options
    from lazygen.report import Report

    return explain_file(file, what, Options(flags_of(**settings), output="-"), Report(color=color))


@commands.command(short_help="Write the spec of a model as YAML or JSON.")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--input-shape", multiple=True, metavar="[NAME=]SIZES[:DTYPE]", help="Inputs of a graph; N is free.")
@click.option("--entry", metavar="NAME", help="The model, if the file has several. Default: the variable model.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of YAML.")
@_timeout("running the definitions. Default: 10.")
@_color("Colours in messages.")
def spec(file: str, as_json: bool, color: Color, **settings: Any) -> int:
    """Print the spec of a model of the TorchX style, of an nn.Sequential, or of a class whose forward is a graph.

    A spec is a source, too: lazygen convert net.yaml --input-shape 8,3,32,32

    \b
    Examples:
      lazygen spec model.py > net.yaml
      lazygen spec model.py --entry siamese --input-shape left=N,40 --input-shape right=N,60 --json
    """
    from lazygen.flags import flags_of
    from lazygen.jobs import Options
    from lazygen.report import Report
    from lazygen.spec_file import spec_file

    options = Options(flags_of(**settings), output="-")
    return spec_file(file, "json" if as_json else "yaml", options, Report(color=color))


@commands.command(short_help="Print TorchX's names of parameters, or rename a checkpoint.")
@click.argument("file", metavar="FILE", type=click.Path())
@_model_options
@click.option("--apply", nargs=2, metavar="OLD NEW", type=click.Path(), help="Write checkpoint OLD, renamed, to NEW.")
@_timeout("running the model. Default: 10.")
@_color("Colours in messages.")
def keymap(file: str, apply: tuple[str, str] | None, color: Color, **settings: Any) -> int:
    """Print, as JSON, the name that TorchX gave to each parameter of the explicit form of FILE.

    \b
    Examples:
      lazygen keymap model.py --input-shape 8,3,32,32
      lazygen keymap model.py --input-shape 8,3,32,32 --apply torchx.pt explicit.pt
    """
    from lazygen.flags import flags_of
    from lazygen.jobs import Options
    from lazygen.keymap import keymap_file
    from lazygen.report import Report

    return keymap_file(file, apply, Options(flags_of(**settings)), Report(color=color))


@commands.command(short_help="Compare lazy modules with their explicit form under torch.")
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path())
@_model_options
@click.option("-o", "--output", metavar="PATH", help="The output to compare. Default: FILE is converted for this.")
@click.option("--partial", is_flag=True, help="As of convert.")
@_placing_options
@click.option("--devices", metavar="NAME=DEVICE,...", help="Devices that stand for others: cuda:0=cpu,cuda:1=meta.")
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@_timeout("each file. Default: 300.")
@click.option("-v", "--verbose", is_flag=True, help="Print the traceback of a bug.")
@_color("Colours in tables.")
def verify(
    files: tuple[str, ...],
    output: str | None,
    devices: str | None,
    as_json: bool,
    verbose: bool,
    color: Color,
    **settings: Any,
) -> int:
    """Build the lazy modules of each FILE and their explicit form under torch, and compare the two.

    The weights of one are loaded into the other; then names, sizes, results, gradients, a step of training and more
    have to be equal to the last bit. Nothing is written. Of a generated file, that file is compared with its source.

    \b
    Examples:
      lazygen verify model.py --input-shape 8,3,32,32
      lazygen verify model.py --input-shape 8,3,32,32 -o net.py
      lazygen verify parallel.py --input-shape 8,64 --devices cuda:0=cpu,cuda:1=meta

    Tables go to stdout, words to stderr. Exit code: 0 no difference, 1 a difference or a file that does not run, 2 the
    command is wrong or torch is not installed, 3 a bug in lazygen.
    """
    from lazygen.flags import flags_of
    from lazygen.jobs import Options
    from lazygen.report import Report
    from lazygen.verify import verify_files

    flags = flags_of(placing=_placing(settings), **settings)
    options, report = Options(flags, output=output), Report(verbose=verbose, color=color)
    return verify_files(files, options, report, devices=devices, as_json=as_json, color=color)


@commands.command(short_help="Convert what is staged, for pre-commit.")
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path())
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if an output is missing, stale or hand-edited.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
@click.option("-v", "--verbose", is_flag=True, help="Print more of what was done, and the traceback of a bug.")
@_color("Colours in messages.")
def hook(files: tuple[str, ...], check: bool, quiet: bool, verbose: bool, color: Color) -> int:
    """Convert those FILEs that have settings, in comments or in pyproject.toml, and those that lazygen generated.

    This is what the hooks `lazygen` and `lazygen-check` of pre-commit run. Files without settings are left alone. Exit
    code: as of convert, and 1 if a file was created or changed, which is not in the commit then.
    """
    return _run(files, [], quiet, verbose, color, check=check, hook=True)


def _run(files: Sequence[str], flags: Flags, quiet: bool, verbose: bool, color: Color, **rest: Any) -> int:
    from lazygen.driver import convert_files
    from lazygen.jobs import Options
    from lazygen.report import Report

    if quiet and verbose:
        from lazygen.usage import Usage

        raise Usage("-q and -v contradict each other", "leave one of them out")
    options = Options(flags, **rest)
    report = Report(quiet=quiet, verbose=verbose, color=color, dry=options.dry, files=len(files))
    return convert_files(files, options, report)


def _report(arguments: Sequence[str]) -> Report:
    """A report for a mistake that was found before the flags were known: those that matter are looked for by hand."""
    from lazygen.report import Report

    line = " ".join(arguments).replace("--color=", "--color ")
    color: Color = "always" if "--color always" in line else "never" if "--color never" in line else "auto"
    return Report(verbose="-v" in arguments or "--verbose" in arguments, color=color)
