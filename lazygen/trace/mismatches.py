"""What is said of tensors that meet on different devices: where each of them is, and how they come together."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lazygen.diagnostics import Diagnostic, Note, Place
from lazygen.symbolic.dtypes import Unplaced
from lazygen.symbolic.errors import Mismatch
from lazygen.symbolic.tensor import Tensor

Instruction = tuple[Any, int] | None


def finding(
    error: Mismatch,
    place: Place | None,
    texts: Sequence[str],
    node: ast.expr | None,
    place_of: Callable[[Instruction], Place | None],
) -> Diagnostic:
    """The finding for a mismatch at a place of the source, whose operands the source calls by `texts`."""
    if error.module is not None:
        single = isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords
        texts = [ast.unparse(node.args[0])] if isinstance(node, ast.Call) and single else texts
        kind = type(error.module).__name__
        made = Note(f"the {kind} is made here", place_of(getattr(error.module, "made_at", None)))
        notes = [*_where(error.operands, texts, place_of), made]
        helps = (f"move the tensor to the layer: {_moved(texts[0], str(error.wanted))}",)
        return Diagnostic(error.code, error.message, place, tuple(notes), helps)
    pair = [error.operands[number] for number in error.pair]
    texts = [texts[number] for number in error.pair]
    helps = (f"move one to the other: {_moved(texts[1], str(pair[0].device))}",)
    return Diagnostic(error.code, error.message, place, tuple(_where(pair, texts, place_of)), helps)


def _where(
    operands: Sequence[Any], texts: Sequence[str], place_of: Callable[[Instruction], Place | None]
) -> Iterator[Note]:
    for operand, text in zip(operands, texts, strict=True):
        if not isinstance(operand, Tensor):
            continue
        device = operand.device
        if isinstance(device, Unplaced) and operand.made_at is None:
            note = f"{text} is an input, which is on {device} as what it met first"
            yield Note(note, place_of(device.first.settled_by))
        else:
            yield Note(f"{text} is on {device}", place_of(operand.made_at))


def _moved(text: str, device: str) -> str:
    """`skip.to("cuda:1")`; what has no text of its own is `tensor`."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return f'tensor.to("{device}")'
    atom = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    return f'{text if atom else f"({text})"}.to("{device}")'
