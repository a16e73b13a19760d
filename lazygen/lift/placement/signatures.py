"""The parameters `device` and `dtype` of a function, annotated and described as its others are."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lazygen.lift.dataclass_fields import fields_of
from lazygen.lift.plan import AddParameter, Edit, InsertStatements
from lazygen.lift.syntax import Function, Syntax

_SENTENCES = {"device": "device of parameters and buffers", "dtype": "dtype of parameters and buffers"}
_LAST = 1 << 20  # an index behind all parameters


class Annotations:
    """How a file writes the types of devices and dtypes, and what it calls torch."""

    def __init__(self, syntax: Syntax) -> None:
        self.syntax = syntax
        self._torch = ""
        self._optional = self._union = False
        self._imports = False
        for node in ast.walk(syntax.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == "torch" or (alias.name.startswith("torch.") and not alias.asname):
                        self._torch = self._torch or alias.asname or "torch"
            elif isinstance(node, ast.ImportFrom) and node.module == "typing":
                self._optional |= any(alias.name == "Optional" and not alias.asname for alias in node.names)
                self._union |= any(alias.name == "Union" and not alias.asname for alias in node.names)

    def torch(self) -> str:
        """How to write `torch`; notes that it is imported if it was not."""
        self._imports |= not self._torch
        return self._torch or "torch"

    def of(self, name: str) -> str:
        """The annotation of `device` or `dtype`."""
        torch = self.torch()
        if name == "dtype":
            return f"Optional[{torch}.dtype]" if self._optional else f"{torch}.dtype | None"
        if self._optional:
            return f"Optional[Union[{torch}.device, str]]" if self._union else f"Optional[{torch}.device]"
        return f"{torch}.device | str | None"

    def edits(self) -> Iterator[Edit]:
        """The import that is missing, above the first import of torch's."""
        if not self._imports:
            return
        body = self.syntax.tree.body
        nodes = [n for n in body if isinstance(n, ast.Import) or (isinstance(n, ast.ImportFrom) and not _future(n))]
        ours = next((n for n in nodes if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("torch")), None)
        anchor = ours or (nodes[0] if nodes else body[0])
        yield InsertStatements(self.syntax.span(anchor), "import torch\n", before=True)


def has(function: Function, name: str) -> bool:
    """Whether a function has a parameter of this name."""
    return any(parameter.arg == name for parameter in ast.walk(function.args) if isinstance(parameter, ast.arg))


def parameters_for(function: Function, names: list[str], syntax: Syntax, annotations: Annotations) -> Iterator[Edit]:
    """The parameters at the end of a signature, by keyword alone where stars stand before its end."""
    arguments = function.args
    by_keyword = arguments.vararg is not None or bool(arguments.kwonlyargs)
    own = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    in_class = isinstance(syntax.parent(function), ast.ClassDef)
    annotated = any(parameter.annotation is not None for parameter in own[1 if in_class else 0 :])
    annotated |= len(own) <= 1 and function.returns is not None
    for name in names:
        yield AddParameter(
            syntax.span(function),
            name,
            _LAST,
            annotation=annotations.of(name) if annotated else "",
            default="None",
            keyword_only=by_keyword,
            doc=_SENTENCES[name],
            kind=f"torch.{name}",
        )


def fields_for(function: Function, names: list[str], syntax: Syntax, annotations: Annotations) -> list[Edit] | None:
    """The fields of a dataclass for what its `__post_init__` passes on; None if it inherits fields."""
    fields = fields_of(syntax, syntax.place(function))
    if fields is None:
        return None
    lines = [f"{name}: {annotations.of(name)} = None\n" for name in names]
    return [InsertStatements(syntax.span(fields[-1]), "".join(lines), before=False)]


def _future(node: ast.ImportFrom) -> bool:
    return node.module == "__future__"
