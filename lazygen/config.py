"""Settings from text: what stands behind `--input-shape`, `--arg` and `--entry`.

Every parser takes a `Written`, a text that knows where it stands, and returns a value of `settings.py` or raises a
`ConfigError` whose finding points into that text.  Where it came from, a flag or a line of a file, makes no difference.

    --input-shape [NAME=]SIZES[:DTYPE]

    8,3,32,32        float32, the next argument of `forward` by position
    x=4,2,50         the argument `x`
    2,16:int64       token ids
    N,3,H=32,W=32    free sizes: N without, H and W with a sample value
    x=N=2,3          the argument `x`; its first size is free, with the sample value 2.  (`N=2,3` is the argument `N` of
                     shape (2, 3): a name with `=` before the first comma is that of the argument.)
    None,3           a free size without a name
    x=:float32       a tensor without dimensions; the dtype must be said, so that a forgotten size is not taken for one
    obs.camera=8,3   `forward` gets a dict `obs` with the key `camera`
    levels.0=8,3     `forward` gets a list `levels`

A size may be 0, as a batch may be empty in torch, but not negative.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from keyword import iskeyword

from lazygen.diagnostics import Diagnostic, Note, Refused
from lazygen.placing import placement_of
from lazygen.settings import Argument, Input, Placement, Settings, Size, Target
from lazygen.written import COMMAND_LINE, Given, Written

DTYPES = (
    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8",
    "uint8", "uint16", "uint32", "uint64", "bool", "complex32", "complex64", "complex128",
)  # fmt: skip

# Other spellings that people know, to name the right one; none of them is accepted.
DTYPE_SPELLINGS = {
    "float": "float32", "double": "float64", "half": "float16", "f16": "float16", "f32": "float32", "f64": "float64",
    "bf16": "bfloat16", "fp16": "float16", "fp32": "float32", "fp64": "float64", "long": "int64", "int": "int32",
    "short": "int16", "char": "int8", "byte": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "u8": "uint8", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip

LARGEST_SIZE = 2**63 - 1  # torch counts elements in int64


class ConfigError(Refused):
    """A setting that cannot be read: the command line or a configuration file is at fault (exit 2)."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic, usage=True)


def read_settings(models: Sequence[Given] = ({},)) -> Settings:
    """The settings of what goes into one output: of each model its own.  Raises ConfigError.

    The longest time limit holds for all, and all are converted partially if one is.
    """
    targets = tuple(_target(model) for model in models)
    if len(models) > 1:
        _check_entries(targets, models)
    timeouts = [_timeout(model["timeout"][0]) for model in models if "timeout" in model]
    partial = [_truth(model["partial"][0]) for model in models if "partial" in model]  # each of them is read
    engines = [_engine(model["engine"][0]) for model in models if "engine" in model]
    engine = "torch" if "torch" in engines else Settings().engine
    placement = placement_of(models, _truth)
    if engine == "torch" and placement != Placement():
        written = next(model["engine"][0] for model in models if "engine" in model)
        problem = "the torch engine follows no devices, and the models are to be placed"
        raise ConfigError(Diagnostic("LZ069", problem, written.place(), helps=("leave the engine out",)))
    timeout = max(timeouts, default=Settings().timeout)
    return Settings(targets, any(partial), timeout, engine, placement)


def _target(model: Given) -> Target:
    shapes = model.get("input-shape", [])
    inputs = parse_inputs(shapes)
    arguments = parse_arguments(model.get("arg", []), shapes, inputs)
    return Target(parse_entry(model["entry"][0]) if "entry" in model else None, inputs, arguments)


def _check_entries(targets: Sequence[Target], models: Sequence[Given]) -> None:
    """Models that go into one output are told apart by their entries."""
    seen: set[str] = set()
    for target, model in zip(targets, models, strict=True):
        first = next((written for values in model.values() for written in values), None)
        place = first.place() if first else None
        if target.entry is None:
            problem = "several models go into one output, and this one has no entry"
            raise ConfigError(Diagnostic("LZ062", problem, place, helps=("name each one: entry=Net",)))
        if target.entry in seen:
            problem = f"{target.entry} goes into one output twice"
            raise ConfigError(Diagnostic("LZ062", problem, place, helps=("give each model one line, or output=PATH",)))
        seen.add(target.entry)


def _timeout(written: Written) -> float:
    try:
        seconds = float(written.text)
    except ValueError:
        seconds = 0.0
    if 0 < seconds < float("inf"):
        return seconds
    helps = (f"a time limit is a number of seconds: {written.before}30",)
    problem = f'"{written.text}" is no time limit'
    raise ConfigError(Diagnostic("LZ057", problem, written.place(), helps=helps))


def _engine(written: Written) -> str:
    if written.text in ("symbolic", "torch"):
        return written.text
    helps = (f"it is symbolic, which needs no torch, or torch: {written.before}torch",)
    raise ConfigError(Diagnostic("LZ067", f'"{written.text}" is no engine', written.place(), helps=helps))


def _truth(written: Written) -> bool:
    if written.text in ("true", "false"):
        return written.text == "true"
    key = written.before.strip(" -=") or "partial"
    helps = (f"it is on as {key} or {key}=true, and off as {key}=false",)
    raise ConfigError(Diagnostic("LZ063", f'"{written.text}" is neither true nor false', written.place(), helps=helps))


def parse_inputs(shapes: Sequence[Written]) -> tuple[Input, ...]:
    """All inputs of a model, in the order they were written.  Raises ConfigError, also where two do not go together.

    A free size is one size wherever its name stands, so a sample value given once holds in all inputs; each `None` is a
    size of its own and is called `free_1`, `free_2`, ...
    """
    inputs = [parse_input(shape) for shape in shapes]
    _check_names([(item.name, shape) for item, shape in zip(inputs, shapes, strict=True) if item.name])
    samples: dict[str, tuple[int, Written]] = {}
    for item, shape in zip(inputs, shapes, strict=True):
        for size in item.sizes:
            if size.name is None or size.value is None:
                continue
            value, other = samples.setdefault(size.name, (size.value, shape))
            if value != size.value:
                raise ConfigError(
                    Diagnostic(
                        "LZ054",
                        f'the free size "{size.name}" has two sample values, {value} and {size.value}',
                        shape.place(),
                        notes=(Note(f"{size.name} is {value} in {other.text}"),),
                        helps=("give two sizes two names, or one size one value",),
                    )
                )
    taken = {size.name for item in inputs for size in item.sizes}
    unused = (name for name in map("free_{}".format, range(1, 10**6)) if name not in taken)

    def named(size: Size) -> Size:
        if size.name is not None:
            value = samples[size.name][0] if size.name in samples else None
            return Size(value, size.name)
        return Size(None, next(unused)) if size.value is None else size

    return tuple(Input(tuple(map(named, item.sizes)), item.dtype, item.name) for item in inputs)


def parse_input(shape: Written) -> Input:
    """One `[NAME=]SIZES[:DTYPE]`.  A size that was written `None` has neither value nor name yet."""
    text = shape.text
    sizes_end = text.find(":") if ":" in text else len(text)
    dtype = _dtype(shape, sizes_end + 1) if sizes_end < len(text) else "float32"
    first_comma = text.find(",", 0, sizes_end)
    name, start = None, 0
    equals = text.find("=", 0, first_comma if first_comma >= 0 else sizes_end)
    if equals >= 0:
        name = _argument_name(shape, equals, dotted=True)
        start = equals + 1
    if not text[start:sizes_end].strip():
        if sizes_end < len(text):
            return Input((), dtype, name)
        example = f"{name or 'x'}=:float32"
        raise _shape_error(
            shape, start, sizes_end, "the sizes are missing", f"a tensor without dimensions says its dtype: {example}"
        )
    sizes = []
    for part in text[start:sizes_end].split(","):
        sizes.append(_size(shape, part, start))
        start += len(part) + 1
    return Input(tuple(sizes), dtype, name)


def parse_argument(written: Written) -> Argument:
    """One `NAME=LITERAL`: an argument of `forward` that is a number, a string, None, or made of such."""
    text = written.text
    example = f"for example: {written.before}mask=None"
    name_text, equals, literal = text.partition("=")
    if not equals:
        raise ConfigError(Diagnostic("LZ055", f'"{text}" has no "=" with a value', written.place(), helps=(example,)))
    name = _argument_name(written, len(name_text), dotted=False)
    literal = literal.strip()
    try:
        ast.literal_eval(literal)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        start = len(name_text) + 1
        helps = ["a value is a number, a string in quotes, True, False, None, or a list, tuple, set or dict of them"]
        if literal.isidentifier():
            helps.append(f"a string needs quotes of Python inside those of the shell: \"{name}='{literal}'\"")
        if literal.startswith("torch.") or "zeros(" in literal or "ones(" in literal:
            helps.append(f"a tensor is given by its shape: --input-shape {name}=8,3")
        raise ConfigError(
            Diagnostic("LZ055", f'"{literal}" is not a literal of Python', written.place(start), helps=tuple(helps))
        ) from None
    return Argument(name, literal)


def parse_arguments(
    values: Sequence[Written], shapes: Sequence[Written], inputs: Sequence[Input]
) -> tuple[Argument, ...]:
    """All literal arguments; a name that is given twice, here or as an input of `shapes`, is a ConfigError."""
    arguments = [parse_argument(value) for value in values]
    names = [(item.name, shape) for item, shape in zip(inputs, shapes, strict=True) if item.name]
    names += [(argument.name, value) for argument, value in zip(arguments, values, strict=True)]
    _check_names(names)
    return tuple(arguments)


def parse_entry(written: Written) -> str:
    """The model to run: a name, or what Python makes of one (`Net(8)`, `models.build("small")`, `NETS[0]`)."""
    text = written.text.strip()
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        node = None
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name) and "\n" not in text:
        return text
    example = f"{written.before}Net or {written.before}'Net(8)'"
    raise ConfigError(
        Diagnostic(
            "LZ056",
            f'"{text}" does not name a model' if text else "the entry is empty",
            written.place(),
            helps=(f"an entry is a class, a function or a variable of the file, or a call of one: {example}",),
        )
    )


def _size(shape: Written, part: str, start: int) -> Size:
    """One size; `part` starts at `start` of the text, the spaces around it do not count."""
    start += len(part) - len(part.lstrip())
    part = part.strip()
    end = start + len(part)
    name, equals, sample = (piece.strip() for piece in part.partition("="))
    if part == "None":
        return Size()
    if not equals and _is_number(part):
        return _counted(shape, part, None, start, end)
    if equals and _is_name(name) and _is_number(sample):
        return _counted(shape, sample, name, start, end)
    if not equals and _is_name(part):
        return Size(None, part)
    problem = f'"{part}" is not a size' if part else "a size is missing here"
    cure = "a size is an integer, a name (N, or N=4 with a sample value) or None"
    if part.startswith("-") and _is_number(part[1:]):
        problem = f"a size cannot be negative, as {part} is"
        cure = "a free size is written None, or as a name: N"
    elif equals and _is_name(name) and sample:
        problem = f'"{sample}" is not a sample value for the size "{name}"'
        cure = "a sample value is an integer: N=4"
    raise _shape_error(shape, start, end, problem, cure)


def _counted(shape: Written, digits: str, name: str | None, start: int, end: int) -> Size:
    if len(digits) > 30 or int(digits) > LARGEST_SIZE:
        raise _shape_error(shape, start, end, "no tensor is that large", "a size is counted in 64 bits")
    return Size(int(digits), name)


def _shape_error(shape: Written, start: int, end: int, problem: str, cure: str) -> ConfigError:
    meant = "8,3,32,32"
    likely = shape.text.strip().strip("()[]{}").replace(" ", ",").replace("x", ",").replace("*", ",").replace(";", ",")
    pieces = [piece for piece in likely.split(",") if piece]
    if pieces and all(map(_is_number, pieces)):
        meant = ",".join(pieces)
    helps = (cure, f"for example: {shape.before}{meant}")
    return ConfigError(Diagnostic("LZ050", problem, shape.place(start, end), helps=helps))


def _dtype(shape: Written, start: int) -> str:
    text = shape.text[start:]
    name = text.strip()
    if name in DTYPES:
        return name
    sizes = shape.text[: start - 1]
    stem, separator, rest = name.replace("=", ",", 1).partition(",")
    if separator and stem in DTYPES:
        helps = [f"the dtype stands last: {shape.before}{sizes}={rest}:{stem}"]
    else:
        import difflib

        plain = name.lower().removeprefix("torch.")
        meant = DTYPE_SPELLINGS.get(plain) or next(iter(difflib.get_close_matches(plain, DTYPES, 1)), None)
        helps = [f"did you mean {shape.before}{sizes}:{meant}"] if meant else []
        helps.append(f"the dtypes are {', '.join(DTYPES)}")
    problem = f'"{name}" is not a dtype' if name else 'the dtype after ":" is missing'
    raise ConfigError(Diagnostic("LZ051", problem, shape.place(start), helps=tuple(helps)))


def _argument_name(written: Written, end: int, *, dotted: bool) -> str:
    """The name before the `=` at `end`: an argument of `forward`, perhaps with keys or indices after dots."""
    text = written.text[:end]
    name = text.strip()
    first, *keys = name.split(".")
    if _is_name(first) and all(key.isidentifier() or _is_number(key) for key in keys) and (dotted or not keys):
        return name
    helps = ["the name is that of an argument of forward: x=8,3"]
    if dotted:
        helps.append("what forward unpacks gets dots: obs.camera=8,3,84,84 for a dict, levels.0=8,3 for a list")
    else:
        helps = [f"the name is that of an argument of forward: {written.before}mask=None"]
    problem = f'"{name}" cannot be the name of an argument' if name else 'the name before "=" is missing'
    raise ConfigError(Diagnostic("LZ052", problem, written.place(0, end), helps=tuple(helps)))


def _check_names(names: Sequence[tuple[str, Written]]) -> None:
    """Each name once, no name that is both a tensor and a container, and lists without a gap."""
    containers: dict[str, set[str]] = {}
    seen: dict[str, Written] = {}
    for name, written in names:
        if name in seen:
            first = Note("it is given first here", seen[name].place())
            if written.path == COMMAND_LINE:
                first = Note(f"the first one is {seen[name].before}{seen[name].text}")
            helps = ("give each argument of forward once",)
            raise ConfigError(Diagnostic("LZ053", f'"{name}" is given twice', written.place(), (first,), helps))
        seen[name] = written
        parts = name.split(".")
        for depth in range(1, len(parts)):
            containers.setdefault(".".join(parts[:depth]), set()).add(parts[depth])
    for container, keys in containers.items():
        last = next(written for name, written in reversed(names) if name.startswith(container + "."))
        indices = {int(key) for key in keys if _is_number(key)}
        if container in seen:
            problem = f'"{container}" is given as a value and by its parts'
        elif indices and len(indices) < len(keys):
            problem = f'"{container}" has both indices and names: {", ".join(sorted(keys))}'
        elif indices and indices != set(range(len(indices))):
            missing = min(set(range(len(indices))) - indices)
            problem = f'"{container}.{missing}" is missing: the indices are {", ".join(map(str, sorted(indices)))}'
        else:
            continue
        helps = (
            f"a dict has names ({container}.camera=...), a list indices from 0 ({container}.0=..., {container}.1=...)",
        )
        raise ConfigError(Diagnostic("LZ053", problem, last.place(), helps=helps))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_name(text: str) -> bool:
    return text.isidentifier() and not iskeyword(text)
