"""What a conversion costs, as ratios within one run: `python benchmarks/run.py`.

The floor is Python with the packages imported that a conversion cannot do without.  A dry run is what people do
otherwise: the lazy model is built and called once under torch.  The commands of a table run in turns, and a ratio is
the median of the ratios of the turns, so that a machine that gets slower for a while does not change it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import timed_sources as sources
from processes import Cost, environment, lazygen, python, run

FLOOR = "import libcst, black, jinja2, click"
SIZES = {"layers": (10, 100, 1000), "lines": (100, 1000, 10000)}
Commands = Mapping[str, Sequence[str]]
Costs = dict[str, list[Cost]]


def main() -> None:
    """Print the tables."""
    options = parse()
    with tempfile.TemporaryDirectory(prefix="lazygen-benchmark-") as name:
        folder = Path(name)
        conversion(folder, options.repeat, torch=not options.without_torch)
        starting(folder, options.repeat)
        if not options.without_scaling:
            models(folder, options.repeat)
            scaling(folder, max(1, options.repeat // 3))


def parse() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=11, help="turns of each table (11)")
    parser.add_argument("--without-torch", action="store_true", help="leave out the dry run under torch")
    parser.add_argument("--without-scaling", action="store_true", help="leave out longer models and files")
    options = parser.parse_args()
    if not options.without_torch and importlib.util.find_spec("torch") is None:
        print("torch is not installed: no dry run", file=sys.stderr)
        options.without_torch = True
    return options


def conversion(folder: Path, repeat: int, *, torch: bool) -> None:
    """The classifier of README.md, from the start of the command to its end."""
    (folder / "cnn.py").write_text(sources.CNN, encoding="utf-8")
    commands = {
        "floor": python(FLOOR),
        "convert": lazygen("convert", "cnn.py", "--input-shape", sources.CNN_SHAPE, "-o", "-"),
    }
    if torch:
        (folder / "cnn_lazy.py").write_text(sources.in_torch_style(), encoding="utf-8")
        call = f"cnn_lazy.model.eval()(torch.randn({sources.CNN_SHAPE}))"
        commands["dry run"] = python(f"import torch, cnn_lazy\nwith torch.no_grad(): {call}\nprint(cnn_lazy.model)")
    costs = timed(commands, folder, repeat)
    title("The classifier of README.md")
    table(costs)
    print(f"\n  convert / floor      {ratio(costs, 'convert', 'floor'):6.2f}   (at most 1.60)")
    if torch:
        print(f"  dry run / convert    {ratio(costs, 'dry run', 'convert'):6.2f}   (at least 3.00)")


def starting(folder: Path, repeat: int) -> None:
    """What has to be quick because it is waited for: the second conversion of a file, and the words about flags."""
    (folder / "known.py").write_text(sources.CNN, encoding="utf-8")
    commands = {
        "import click": python("import click"),
        "up to date": lazygen("convert", "known.py", "--input-shape", sources.CNN_SHAPE),  # the first turn writes it
        "--help": lazygen("--help"),
    }
    costs = timed(commands, folder, repeat)
    title("Starting")
    table(costs)
    print(f"\n  up to date / click   {ratio(costs, 'up to date', 'import click'):6.2f}   (at most 1.50)")
    print(f"  --help / click       {ratio(costs, '--help', 'import click'):6.2f}")


def models(folder: Path, repeat: int) -> None:
    """A deep model whose arguments are tried with other values, and a file of 100 kB whose every class changes."""
    (folder / "resnet.py").write_text(sources.RESNET, encoding="utf-8")
    (folder / "classes.py").write_text(sources.many_classes(100), encoding="utf-8")
    commands = {
        "floor": python(FLOOR),
        "resnet152": lazygen("convert", "resnet.py", "--input-shape", sources.RESNET_SHAPE, "-o", "-"),
        "100 kB of classes": lazygen("convert", "classes.py", "--input-shape", sources.CNN_SHAPE, "-o", "-"),
    }
    costs = timed(commands, folder, repeat)
    title("Larger models")
    table(costs)
    print(f"\n  resnet152 / floor    {ratio(costs, 'resnet152', 'floor'):6.2f}   (at most 4.50)")
    print(f"  100 kB / floor       {ratio(costs, '100 kB of classes', 'floor'):6.2f}")


def scaling(folder: Path, repeat: int) -> None:
    """Models of more layers, and files of more lines: time should grow as they do."""
    commands = {}
    for kind, sizes in SIZES.items():
        for size in sizes:
            source = sources.mlp(size) if kind == "layers" else sources.long_file(size)
            (folder / f"{kind}_{size}.py").write_text(source, encoding="utf-8")
            shape = "4,3" if kind == "layers" else sources.CNN_SHAPE
            flags = ("--input-shape", shape, "--timeout", "120", "-o", "-")
            commands[f"{size} {kind}"] = lazygen("convert", f"{kind}_{size}.py", *flags)
    commands["floor"] = python(FLOOR)
    costs = timed(commands, folder, repeat)
    title("Larger sources")
    table(costs)
    floor = seconds(costs, "floor")
    for kind, sizes in SIZES.items():
        above = [max(seconds(costs, f"{size} {kind}") - floor, 0.0) / size * 1e3 for size in sizes]
        each = ", ".join(f"{value:.2f}" for value in above)
        print(f"\n  milliseconds above the floor for each of {', '.join(map(str, sizes))} {kind}: {each}")
    longer = ratio(costs, "1000 layers", "100 layers")
    print(f"\n  1000 layers / 100 layers  {longer:.1f}   (at most 12)")


def timed(commands: Commands, folder: Path, repeat: int) -> Costs:
    """Every command once to warm up, then all in turns."""
    variables = environment()
    for command in commands.values():
        run(command, folder, variables)
    costs: Costs = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            costs[name].append(run(command, folder, variables))
    return costs


def ratio(costs: Costs, above: str, below: str) -> float:
    """The median of the ratios of the turns."""
    return median(a.seconds / b.seconds for a, b in zip(costs[above], costs[below], strict=True))


def seconds(costs: Costs, name: str) -> float:
    """The median time of a command."""
    return median(cost.seconds for cost in costs[name])


def title(text: str) -> None:
    """The heading of a table."""
    print(f"\n{text}\n{'-' * len(text)}")


def table(costs: Costs) -> None:
    """Medians of time and memory, a line a command."""
    print(f"  {'':18}{'median s':>10}{'fastest s':>12}{'peak MB':>10}")
    for name, runs in costs.items():
        fastest, memory = min(cost.seconds for cost in runs), max(cost.megabytes for cost in runs)
        print(f"  {name:18}{seconds(costs, name):10.3f}{fastest:12.3f}{memory:10.1f}")


if __name__ == "__main__":
    main()
