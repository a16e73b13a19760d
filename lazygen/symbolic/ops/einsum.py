"""`torch.einsum`."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import meet
from lazygen.symbolic.tensor import Tensor, new, shape_text

ELLIPSIS = "..."


@rule(
    "torch.einsum",
    examples=["torch.einsum('bij,bjk->bik', f32(2, 3, 4), f32(2, 4, 5))", "torch.einsum('...ij->...ji', f32(2, 3, 4))"],
)
def einsum(*args: Any) -> Tensor:
    equation, operands = _parsed(args)
    left, arrow, right = equation.replace(" ", "").partition("->")
    inputs = [_labels(part, equation) for part in left.split(",")]
    if len(inputs) != len(operands):
        raise ShapeError(f"einsum of '{equation}' got {len(operands)} operands", operands=operands)
    sizes: dict[str, int] = {}
    spread = max(
        (t.ndim - len(part) + 1 for part, t in zip(inputs, operands, strict=True) if ELLIPSIS in part), default=0
    )
    bound = [_bound(part, t, equation, spread) for part, t in zip(inputs, operands, strict=True)]
    for labels, operand in zip(bound, operands, strict=True):
        for at, label in enumerate(labels):
            _note(sizes, label, operand.shape[at], equation, operands)
    output = _output(_labels(right, equation) if arrow else None, inputs, spread, equation)
    for label in output:
        if label not in sizes:
            raise ShapeError(f"einsum of '{equation}': {label} is in the result, but in no operand", operands=operands)
    _check_dtypes(operands, equation)
    return new([sizes[label] for label in output], operands[0])


def _parsed(args: Sequence[Any]) -> tuple[str, tuple[Tensor, ...]]:
    """The equation and its operands, also from the form `einsum(x, [0, 1], y, [1, 2], [0, 2])`."""
    if isinstance(args[0], str):
        operands = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
        return args[0], tuple(operands)

    def text(labels: Sequence[Any]) -> str:
        return "".join(ELLIPSIS if label is Ellipsis else ascii_letters[label] for label in labels)

    pairs = len(args) // 2
    equation = ",".join(text(args[2 * at + 1]) for at in range(pairs))
    return equation + (f"->{text(args[-1])}" if len(args) % 2 else ""), tuple(args[2 * at] for at in range(pairs))


def _labels(part: str, equation: str) -> list[str]:
    before, dots, after = part.partition(ELLIPSIS)
    labels = [*before, *([ELLIPSIS] if dots else []), *after]
    wrong = next((label for label in labels if label != ELLIPSIS and label not in ascii_letters), None)
    if wrong is not None:
        raise ShapeError(f"einsum of '{equation}': '{wrong}' is no letter")
    return labels


def _bound(part: list[str], operand: Tensor, equation: str, spread: int) -> list[str]:
    """One label a dim of the operand; the dims of an ellipsis are named by their distance from its end."""
    own = operand.ndim - len([label for label in part if label != ELLIPSIS])
    if own < 0 or (own > 0 and ELLIPSIS not in part):
        raise ShapeError(
            f"einsum of '{equation}': {''.join(part)} does not name the dims of {shape_text(operand.shape)}",
            operands=(operand,),
            code="LZ202",
        )
    labels: list[str] = []
    for label in part:
        labels += [f"...{at}" for at in range(own, 0, -1)] if label == ELLIPSIS else [label]
    for label in set(labels):
        if len({int(operand.shape[at]) for at, other in enumerate(labels) if other == label}) > 1:
            raise ShapeError(
                f"einsum of '{equation}': {label} names dims of different sizes in {shape_text(operand.shape)}",
                operands=(operand,),
                code="LZ201",
            )
    return labels


def _note(sizes: dict[str, int], label: str, size: int, equation: str, operands: tuple[Tensor, ...]) -> None:
    known = sizes.setdefault(label, size)
    if int(known) == 1:
        sizes[label] = size
    elif int(size) not in (1, int(known)):
        name = "a dim of the ellipsis" if label.startswith(".") else label
        raise ShapeError(
            f"sizes do not meet in torch.einsum of '{equation}'",
            operands=operands,
            notes=(f"{name} is {int(known)} and {int(size)}",),
            code="LZ201",
        )
    elif int(size) != 1:
        sizes[label] = meet(known, size)


def _output(named: list[str] | None, inputs: list[list[str]], spread: int, equation: str) -> list[str]:
    """The labels of the result; without an arrow, those named once, in the order of the alphabet, after an ellipsis."""
    dots = [f"...{at}" for at in range(spread, 0, -1)]
    if named is None:
        every = [label for part in inputs for label in part if label != ELLIPSIS]
        return dots + sorted(label for label in set(every) if every.count(label) == 1)
    if len(set(named)) != len(named):
        raise ShapeError(f"einsum of '{equation}': the result names a dim twice")
    output: list[str] = []
    for label in named:
        output += dots if label == ELLIPSIS else [label]
    return output


def _check_dtypes(operands: tuple[Tensor, ...], equation: str) -> None:
    for other in operands[1:]:
        if other.dtype is not operands[0].dtype:
            raise ShapeError(
                f"dtypes do not meet in torch.einsum of '{equation}': {operands[0].dtype.name} and {other.dtype.name}",
                operands=operands,
                code="LZ230",
            )
