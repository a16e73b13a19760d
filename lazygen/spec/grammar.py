"""Layers and graphs out of a document.

{type: Conv2d, null: [12, 3], padding: 1}          the values under null are positional arguments, or one such
{type: Sequential, layers: [...]}                  also TimeDistributed; layer_list or null instead of layers
{type: TransformerEncoder, null: [{type: ...}, 6]} an argument that is a layer is written as one
{type: Functional, placeholders: {x: [null, 8]},   a graph: nodes are called in their order, by name
 layers: {tower: {type: Linear, null: 16}},        layers that several nodes call
 nodes: [{name: a, layer: tower, inputs: [x]},
         {name: b, function: torch.cat, inputs: [[x, a]], arguments: {dim: 1}}],
 inputs: x, outputs: {score: b}}
"""

from __future__ import annotations

import difflib
import keyword
from collections.abc import Sequence
from typing import Any

from lazygen.diagnostics import Place
from lazygen.spec import names
from lazygen.spec.document import Item, refuse
from lazygen.values import value

_LISTS = ("layers", "layer_list", None)
_GRAPH_KEYS = ("type", "placeholders", "layers", "nodes", "inputs", "outputs")
_NODE_KEYS = ("name", "inputs", "arguments")
CALLS = ("layer", "function", "method", "operator", "attribute")
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "eq": "==", "ne": "!=", "and_": "&", "or_": "|", "xor": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "neg": "-", "pos": "+", "invert": "~", "abs": "abs", "getitem": "[]",
}  # fmt: skip
_UNARY = ("neg", "pos", "invert", "abs")


@value
class Layer:
    """A layer: its class with the arguments, or with the layers in it, or with its graph."""

    kind: str
    where: str
    place: Place
    positional: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()
    layers: tuple[Layer, ...] | None = None
    graph: Graph | None = None


@value
class Ref:
    """A node or a placeholder, by its name."""

    name: str


@value
class Dtype:
    """A dtype of torch, by its name."""

    name: str


@value
class Node:
    """A call in a graph: `call` says of what (a layer, or the name of a function and so on), `how` which of these."""

    name: str
    how: str
    call: Any
    inputs: tuple[Any, ...]
    arguments: tuple[tuple[str, Any], ...]
    where: str
    place: Place


@value
class Graph:
    """A functional model; `inputs` and `outputs` are Refs, nested in lists and dicts."""

    placeholders: tuple[tuple[str, tuple[Any, ...], str | None], ...]
    layers: tuple[tuple[str, Layer], ...]
    nodes: tuple[Node, ...]
    inputs: Any
    outputs: Any


def layer_of(item: Item) -> Layer:
    """The layer that a part of a document is.  Raises Refused: LZ071 for another form, LZ072 for a type that there is
    not, LZ073 for an argument that the type does not take.
    """
    entries = _entries(item, "a layer is a mapping with a type")
    if "type" not in entries:
        refuse("LZ071", "this layer has no type", item.place, "name its class: type: Linear", where=item.where)
    kind = _kind(entries["type"])
    if kind == "Functional":
        return Layer(kind, item.where, item.place, graph=_graph(item))
    if kind in names.CONTAINERS:
        return _container(kind, item)
    positional, keywords = _arguments(kind, item)
    return Layer(kind, item.where, item.place, positional, keywords)


def _kind(item: Item) -> str:
    if not isinstance(item.value, str):
        refuse("LZ071", "the type of a layer is the name of its class", item.place, where=item.where)
    kind = names.known().get(item.value.lower())
    if kind is None:
        close = difflib.get_close_matches(item.value.lower(), names.known(), 1, 0.6)
        helps = [f"did you mean {names.known()[close[0]]}?"] if close else []
        if item.value.lower() == "lambda":
            helps = ["a spec holds no code; write the model in Python"]
        refuse("LZ072", f"there is no layer {item.value}", item.place, *helps, where=item.where)
    return kind


def _container(kind: str, item: Item) -> Layer:
    entries = _entries(item, "")
    given = [key for key in _LISTS if key in entries]
    for key in entries:
        if key != "type" and key not in _LISTS:
            _refuse_argument(kind, key, item, ["layers"])
    if len(given) > 1:
        at = item.keys[given[1]]
        refuse("LZ071", "the layers are given twice", at, f"leave {given[1] or 'null'} out", where=item.where)
    listed = entries[given[0]] if given else None
    parts = [] if listed is None else listed.items if listed.items is not None else [listed]
    return Layer(kind, item.where, item.place, layers=tuple(map(layer_of, parts)))


def _arguments(kind: str, item: Item) -> tuple[tuple[Any, ...], tuple[tuple[str, Any], ...]]:
    entries = _entries(item, "")
    taken = names.arguments(kind)
    positional: tuple[Any, ...] = ()
    if None in entries:
        given = entries[None]
        positional = _argument(given) if given.items is not None else (_argument(given),)
        if taken is not None and len(positional) > len(taken) and kind != "View":
            count = f"{len(taken)} argument{'s' * (len(taken) != 1)}"
            refuse("LZ073", f"{kind} takes {count or 'none'}, and {len(positional)} are given", given.place,
                   where=given.where)  # fmt: skip
    keywords = []
    for key, part in entries.items():
        if key in ("type", None):
            continue
        if taken is not None and key not in taken:
            _refuse_argument(kind, key, item, taken)
        if taken is not None and key in taken[: len(positional)]:
            refuse("LZ073", f"{kind} gets {key} twice: under null, and by name", item.keys[key], where=part.where)
        keywords.append((key, _argument(part)))
    given_names = {*(taken or ())[: len(positional)], *(key for key, _ in keywords)}
    missing = [name for name in names.required(kind) if name not in given_names]
    if missing:
        refuse("LZ073", f"{kind} needs {' and '.join(missing)}", item.place, where=item.where)
    return positional, tuple(keywords)


def _argument(item: Item) -> Any:
    """A value for an argument; a mapping with a type is a layer."""
    if item.entries is not None and "type" in item.entries:
        return layer_of(item)
    if item.entries is not None and set(item.entries) == {"slice"}:
        return _slice(item.entries["slice"].plain())
    if item.value == "...":
        return ...
    return tuple(map(_argument, item.items)) if item.items is not None else item.plain()


def _slice(bounds: Any) -> slice:
    return slice(*bounds) if bounds else slice(None)


def _refuse_argument(kind: str, key: Any, item: Item, taken: Sequence[str]) -> None:
    name = "null" if key is None else key
    left_out = names.LEFT_OUT.get(kind) == key
    close = difflib.get_close_matches(str(key), taken, 1, 0.6)
    helps = [f"did you mean {close[0]}?"] if close else []
    if left_out:
        helps = ["leave it out: it is read off the input"]
    elif not close and taken:
        helps = [f"its arguments are {', '.join(taken)}"]
    where = f"{item.where}.{name}" if item.where else name
    refuse("LZ073", f"{kind} has no argument {name}", item.keys[key], *helps, where=where)


def _entries(item: Item, otherwise: str) -> dict[Any, Item]:
    if item.entries is None:
        refuse("LZ071", otherwise, item.place, "for example: {type: Linear, out_features: 10}", where=item.where)
    return item.entries


# Graphs


def _graph(item: Item) -> Graph:
    entries = _entries(item, "")
    for key in entries:
        if key not in _GRAPH_KEYS:
            _refuse_argument("Functional", key, item, _GRAPH_KEYS[1:])
    for key in ("placeholders", "outputs"):
        if key not in entries:
            refuse("LZ071", f"this graph has no {key}", item.place, where=item.where)
    placeholders = tuple(
        _placeholder(name, part, entries["placeholders"]) for name, part in _named(entries["placeholders"])
    )
    layers = tuple((name, layer_of(part)) for name, part in _named(entries["layers"])) if "layers" in entries else ()
    seen = {name for name, *_ in placeholders}
    nodes = []
    for part in (entries["nodes"].items or []) if "nodes" in entries else []:
        nodes.append(_node(part, seen, dict(layers)))
        seen.add(nodes[-1].name)
    outputs = _nested(entries["outputs"], seen)
    inputs: Any = [Ref(name) for name, *_ in placeholders]
    if "inputs" in entries:
        inputs = _nested(entries["inputs"], seen)
    elif len(inputs) == 1:
        inputs = inputs[0]
    return Graph(placeholders, layers, tuple(nodes), inputs, outputs)


def _named(item: Item) -> list[tuple[str, Item]]:
    entries = _entries(item, "names with what they stand for are expected here")
    return [(_name(key, item.keys[key], item.where), part) for key, part in entries.items()]


def _name(name: Any, place: Place, where: str) -> str:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name in ("L", "torch", "F"):
        refuse("LZ071", f"{name!r} cannot be the name of a variable", place, where=where)
    return name


def _placeholder(name: str, item: Item, around: Item) -> tuple[str, tuple[Any, ...], str | None]:
    shape, dtype = item, None
    if item.entries is not None:
        shape = item.entries.get("shape", item)
        dtype = item.entries["dtype"].value if "dtype" in item.entries else None
    sizes = shape.plain() if shape.items is not None else None
    if sizes is None or not all(size is None or (type(size) is int and size > 0) for size in sizes):
        help_ = f"for example: {name}: [null, 3, 32, 32]; null is a free size"
        refuse("LZ071", "the shape of a placeholder is a list of sizes", shape.place, help_, where=item.where)
    return name, sizes, dtype


def _node(item: Item, seen: set[str], layers: dict[str, Layer]) -> Node:
    entries = _entries(item, "a node is a mapping with a name, what it calls and its inputs")
    for key in entries:
        if key not in _NODE_KEYS and key not in CALLS:
            close = difflib.get_close_matches(str(key), [*_NODE_KEYS, *CALLS], 1, 0.6)
            helps = [f"did you mean {close[0]}?"] if close else []
            refuse("LZ073", f"a node has no {key}", item.keys[key], *helps, where=item.where)
    how = [key for key in CALLS if key in entries]
    if len(how) != 1 or "name" not in entries:
        help_ = "for example: {name: a, layer: {type: ReLU}, inputs: [x]}"
        refuse("LZ071", f"a node has a name and one of {', '.join(CALLS)}", item.place, help_, where=item.where)
    name = _name(entries["name"].value, entries["name"].place, entries["name"].where)
    if name in seen:
        refuse("LZ071", f"the name {name} is taken", entries["name"].place, where=entries["name"].where)
    given = entries["inputs"] if "inputs" in entries else Item(item.where, item.place, items=[])
    inputs = tuple(_nested(given if given.items is not None else Item(given.where, given.place, items=[given]), seen))
    keywords = (entries["arguments"].entries or {}).items() if "arguments" in entries else ()
    arguments = tuple((str(key), _nested(part, seen, lenient=True)) for key, part in keywords)
    return Node(name, how[0], _call(how[0], entries[how[0]], layers, inputs), inputs, arguments, item.where, item.place)


def _call(how: str, item: Item, layers: dict[str, Layer], inputs: tuple[Any, ...]) -> Any:
    if how == "layer":
        if item.entries is not None:
            return layer_of(item)
        if item.value not in layers:
            close = difflib.get_close_matches(str(item.value), layers, 1, 0.6)
            helps = [f"did you mean {close[0]}?"] if close else ["define it under layers"]
            refuse("LZ072", f"the graph has no layer {item.value}", item.place, *helps, where=item.where)
        return item.value
    if not isinstance(item.value, str) or not all(part.isidentifier() for part in item.value.split(".")):
        refuse("LZ071", f"the {how} of a node is a name", item.place, where=item.where)
    if how == "operator":
        wanted = 1 if item.value in _UNARY else 2
        if item.value not in OPERATORS or len(inputs) != wanted:
            problem = f"there is no operator {item.value}" if item.value not in OPERATORS else ""
            problem = problem or f"the operator {item.value} takes {wanted} inputs"
            refuse("LZ072", problem, item.place, f"the operators are {', '.join(OPERATORS)}", where=item.where)
    return item.value


def _nested(item: Item, seen: set[str], lenient: bool = False) -> Any:
    """A part with Refs for the names in it.  With `lenient` a text that is no name stays one."""
    if item.items is not None:
        return [_nested(part, seen, lenient) for part in item.items]
    if item.entries is not None:
        if set(item.entries) == {"text"}:
            return item.entries["text"].value
        if set(item.entries) == {"slice"}:
            return _slice(_nested(item.entries["slice"], seen, lenient))
        if set(item.entries) == {"dtype"}:
            return Dtype(str(item.entries["dtype"].value))
        return {key: _nested(part, seen, lenient) for key, part in item.entries.items()}
    if not isinstance(item.value, str):
        return item.value
    if item.value in seen:
        return Ref(item.value)
    if item.value == "...":
        return ...
    if lenient:
        return item.value
    close = difflib.get_close_matches(item.value, seen, 1, 0.6)
    helps = [f"did you mean {close[0]}?"] if close else ["a text that is no name is written {text: ...}"]
    refuse("LZ074", f"nothing before has the name {item.value}", item.place, *helps, where=item.where)
