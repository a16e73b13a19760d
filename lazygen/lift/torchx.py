"""What layers of the TorchX style need beside their sizes: arguments that torch does not take, shapes of several dims.

L.LayerNorm(2)             nn.LayerNorm((20, 8))
L.PReLU(shared=False)      nn.PReLU(6)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lazygen.diagnostics import Diagnostic
from lazygen.frontend import torchx
from lazygen.frontend.references import Reference
from lazygen.lift.module_classes import is_module
from lazygen.lift.plan import DeleteStatement, DropArgument, NewArgument, ReplaceExpression
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import Trace
from lazygen.values import replace


def dropped(reference: Reference, syntax: Syntax) -> Iterator[DropArgument]:
    """The argument that torch's class has no place for."""
    if reference.call is not None and reference.kind in torchx.DROPPED:
        yield DropArgument(syntax.span(reference.call), *torchx.DROPPED[reference.kind])


def joined(arguments: Sequence[NewArgument]) -> Iterator[NewArgument]:
    """The sizes `normalized_shape[0]`, `normalized_shape[1]` as one argument, a tuple."""
    parts = [argument for argument in arguments if "[" in argument.name]
    for argument in arguments:
        if "[" not in argument.name:
            yield argument
        elif argument is parts[0]:
            texts = ", ".join(part.text for part in parts)
            yield replace(argument, name=argument.name.partition("[")[0], text=f"({texts})")


def unneeded(tree: ast.Module) -> tuple[str, ...]:
    """The packages of the style that a file imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return tuple(sorted(found & torchx.PACKAGES))


def without_builds(traced: Trace, syntax: Syntax) -> Iterator[DeleteStatement | ReplaceExpression]:
    """`model.build(shape)` goes: plain layers are built."""
    for note in dict.fromkeys(traced.notes):
        call = syntax.calls.get(note.call)
        if note.what != "build" or call is None or not isinstance(call.func, ast.Attribute):
            continue
        statement = syntax.statement(call)
        named = isinstance(call.func.value, (ast.Name, ast.Attribute))
        if isinstance(statement, ast.Expr) and statement.value is call and named:
            yield DeleteStatement(syntax.span(statement))
        else:
            yield ReplaceExpression(syntax.span(call), syntax.text(call.func.value))


def without_twin(reference: Reference, syntax: Syntax) -> Iterator[Diagnostic]:
    """What to say of a name that torch has no word for."""
    if is_module(reference):
        return
    is_layer = reference.module in torchx.MODULES
    if not is_layer or reference.kind in torchx.WITHOUT_TWIN | torchx.GRAPH | torchx.FUNCTIONS:
        yield Diagnostic(
            "LZ322",
            f"{reference.kind} has no twin in torch that could stand here",
            syntax.place(reference.node),
        )
