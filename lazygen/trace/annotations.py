"""Input shapes from the annotations of `forward`, in the language of jaxtyping, where no flag or comment gives them.

    def forward(self, image: Float[Tensor, "batch 3 32 32"], tokens: Int[Tensor, "batch length"])

Read off the text, so that jaxtyping need not be installed.  A number is a fixed size, a name a free one, and one name
is one size in all arguments; `height=32` is 32, `_` and what cannot be told beforehand (`n+1`) are free, `...` and
`*shape` one free size.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lazygen.frontend.parse import tree_of
from lazygen.settings import Argument, Input, Size
from lazygen.symbolic.dtypes import DTYPES
from lazygen.values import replace

# source: https://docs.kidger.site/jaxtyping/api/array/
_KINDS = {
    "Float": "float32", "Inexact": "float32", "Real": "float32", "Num": "float32", "Shaped": "float32",
    "Int": "int64", "Integer": "int64", "UInt": "uint8", "Bool": "bool", "Complex": "complex64",
}  # fmt: skip


def annotated_inputs(
    forward: Callable[..., Any], sources: Mapping[str, str], inputs: tuple[Input, ...], literals: tuple[Argument, ...]
) -> tuple[Input, ...]:
    """Inputs for the required parameters of `forward` that are annotated and not given.

    `sources` are texts by file name.  A name that stands in the annotation of a given input has the size given there.
    """
    literal_names = {literal.name for literal in literals}
    by_name = {item.name: item for item in inputs if item.name is not None}
    positional = [item for item in inputs if item.name is None]
    open_inputs: list[Input] = []
    said: dict[str | None, Size] = {}
    for index, (name, annotation, tree) in enumerate(_annotations(forward, sources)):
        words = _words(annotation, tree)
        if words is None or name in literal_names or any(other.startswith(f"{name}.") for other in by_name):
            continue
        dtype, dims = words
        sizes = tuple(_size(dim, name, at) for at, dim in enumerate(dims))
        given = positional[index] if index < len(positional) else by_name.get(name)
        if given is None:
            open_inputs.append(Input(sizes, dtype, name))
        elif len(given.sizes) == len(sizes):
            said.update({size.name: other for size, other in zip(sizes, given.sizes, strict=True) if size.name})
    return tuple(replace(item, sizes=tuple(said.get(size.name, size) for size in item.sizes)) for item in open_inputs)


def _annotations(
    forward: Callable[..., Any], sources: Mapping[str, str]
) -> Iterator[tuple[str, ast.expr | None, ast.AST]]:
    """The required parameters of a method but for the first, with the annotation of each and the tree it stands in."""
    code = getattr(inspect.unwrap(getattr(forward, "__func__", forward)), "__code__", None)
    text = sources.get(code.co_filename, "") if code is not None else ""
    if code is None or "[" not in text:
        return
    tree = tree_of(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and _starts_at(node, code.co_firstlineno):
            positional = [*node.args.posonlyargs, *node.args.args]
            required = positional[1 : len(positional) - len(node.args.defaults)]
            keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            for argument in (*required, *(keyword for keyword, default in keywords if default is None)):
                yield argument.arg, argument.annotation, tree


def _starts_at(node: ast.FunctionDef, line: int) -> bool:
    return line in (node.lineno, *(decorator.lineno for decorator in node.decorator_list))


def _words(annotation: ast.AST | None, tree: ast.AST, depth: int = 4) -> tuple[str, list[str]] | None:
    """The dtype and the dims that an annotation states; None if it is no such annotation."""
    if annotation is None or not depth:
        return None
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            dims, dtype = node.slice.elts[1], _dtype(node.value)
            if dtype is not None and isinstance(dims, ast.Constant) and isinstance(dims.value, str):
                return dtype, dims.value.split()
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return _words(_parsed(annotation.value), tree, depth - 1)
    if isinstance(annotation, ast.Name):
        return _words(_bound(annotation.id, tree), tree, depth - 1)
    return None


def _dtype(node: ast.expr) -> str | None:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    exact = name.lower()
    return _KINDS.get(name) or (exact if exact in DTYPES and name != exact else None)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None


def _bound(name: str, tree: ast.AST) -> ast.expr | None:
    """What a module binds a name to: `Image = Float[Tensor, "batch 3 32 32"]`."""
    for statement in getattr(tree, "body", ()):
        targets = statement.targets if isinstance(statement, ast.Assign) else ()
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return statement.value  # type: ignore[no-any-return]
    return None


def _size(dim: str, argument: str, at: int) -> Size:
    """One dim.  `#` and `?` say how it may broadcast, which changes no size here."""
    text = dim.lstrip("#?").partition("=")[2] or dim.lstrip("#?*")
    if text.isdigit():
        return Size(int(text))
    plain = text.isidentifier() and not text.startswith("_")
    return Size(None, text if plain else f"dim {at} of {argument}")
