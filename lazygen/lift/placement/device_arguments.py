"""What a device scope was given, as torch writes it.

tx.device_scope(0), ("gpu:0")          "cuda:0"
tx.device_scope(-1), (None)            "cpu"
tx.device_scope([0, "gpu:2"])          "cuda:0", and [0, 2] for DataParallel
tx.device_scope(device)                device
tx.device_scope(devices)               devices[0], and devices
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from lazygen.values import replace, value

_PATHS = (ast.Name, ast.Attribute, ast.Subscript)


@value
class DeviceText:
    """The text for `device=`, and the one for `device_ids=`.

    `cpu` says that it is the CPU (True), that it is not (False), or that this hangs on a run (None).  A text that is no
    `simple` one is worth a variable of its own; one that `may_be_none` is no `torch.device` yet.  `problem` says why
    there is no text, `cure` what to do.
    """

    device: str = ""
    ids: str = ""
    cpu: bool | None = False
    simple: bool = True
    may_be_none: bool = False
    problem: str = ""
    cure: str = ""


@value
class Reader:
    """How an expression reads in its file, and whether one means `torch.device`."""

    source: Callable[[ast.expr], str]
    is_torch_device: Callable[[ast.expr], bool]


def read(node: ast.expr, kinds: Collection[str], reader: Reader) -> DeviceText:
    """The texts for what a scope is given; `kinds` are those of the values that a run saw there."""
    source = reader.source
    match node:
        case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return _constant(ast.literal_eval(node))
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if elements:
            return _several([read(element, (), reader) for element in elements])
        case ast.Call(func=function, args=arguments, keywords=keywords) if reader.is_torch_device(function):
            return _torch_device(node, arguments, keywords, source)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _choice(source(test), *(read(arm, (), reader) for arm in (body, orelse)))
        case ast.NamedExpr():
            return DeviceText(problem="this device gets a name where it is used", cure="assign it in a line of its own")
        case ast.JoinedStr():
            text = source(node).replace("gpu:", "cuda:", 1) if _begins_with_gpu(node) else source(node)
            return DeviceText(text, f"[{text}]", cpu=None, simple=False)
    return _variable(source(node), kinds, isinstance(node, _PATHS))


def _constant(given: object) -> DeviceText:
    if given is None or given == -1:
        return DeviceText('"cpu"', cpu=True)
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return DeviceText(f'"cuda:{given}"', f"[{given}]")
    if isinstance(given, str):
        kind, colon, number = given.partition(":")
        kind = "cuda" if kind == "gpu" else kind
        if kind == "cuda" and number == "all":
            return DeviceText('"cuda:0"', "all")
        if kind.isalpha() and (number.isdecimal() or not colon):
            ids = f"[{number}]" if kind == "cuda" and colon else f'["{kind}{colon}{number}"]'
            return DeviceText(f'"{kind}{colon}{number}"', ids, cpu=kind == "cpu")
    return DeviceText(
        problem=f"{given!r} is no device",
        cure='a device is an int, "cpu", "cuda:0", "cuda:all", a torch.device, or a list of those',
    )


def _several(devices: list[DeviceText]) -> DeviceText:
    wrong = next((device for device in devices if device.problem), None)
    ids = ", ".join(device.ids[1:-1] or device.device for device in devices)
    return wrong or replace(devices[0], ids=f"[{ids}]")


def _torch_device(
    call: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword], source: Callable[[ast.expr], str]
) -> DeviceText:
    values = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
    if len(values) == len(arguments) and not keywords and len(values) in (1, 2):
        return _constant(values[0] if len(values) == 1 else f"{values[0]!s}:{values[1]!s}")
    return DeviceText(source(call), f"[{source(call)}]", cpu=None, simple=False)


def _choice(test: str, one: DeviceText, other: DeviceText) -> DeviceText:
    for arm in (one, other):
        if arm.problem:
            return arm
    ids = f"{one.ids} if {test} else {other.ids}" if one.ids and other.ids else ""
    cpu = one.cpu if one.cpu == other.cpu else None
    return DeviceText(f"{one.device} if {test} else {other.device}", ids, cpu, simple=False)


def _begins_with_gpu(node: ast.JoinedStr) -> bool:
    first = node.values[0] if node.values else None
    return isinstance(first, ast.Constant) and str(first.value).startswith("gpu:")


def _variable(text: str, kinds: Collection[str], is_path: bool) -> DeviceText:
    """A device that only a run knows, by what the traced one saw."""
    seen = set(kinds)
    if seen == {"several"}:
        return DeviceText(f"{text}[0]", text if is_path else f"list({text})", simple=is_path)
    if "odd" in seen:
        return DeviceText(
            problem=f'{text} holds a device that torch does not know: -1, None, or a text with "gpu"',
            cure='say "cpu" and "cuda" where it comes from',
        )
    if seen & {"several", "all"}:
        return DeviceText(
            problem=f"which devices {text} names is not known here",
            cure='write the list of devices, or "cuda:all", into the scope',
        )
    if "gpu" in seen:
        return DeviceText(
            problem=f'{text} is a text that begins with "gpu", which torch does not know',
            cure='say "cuda" instead of "gpu" where it comes from',
        )
    if "cpu" in seen:
        return DeviceText(f'"cpu" if {text} == -1 else {text}', "", cpu=None, simple=False)
    cpu = None if not seen or "none" in seen else False
    return DeviceText(text, f"[{text}]", cpu, simple=is_path, may_be_none="none" in seen)
