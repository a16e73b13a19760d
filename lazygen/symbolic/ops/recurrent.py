"""Recurrent networks and their cells: torch's own functions behind `nn.LSTM` and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.ops.windows import same_dtype
from lazygen.symbolic.resize import quotient
from lazygen.symbolic.rules import rule
from lazygen.symbolic.tensor import Tensor, new, shape_text


class PackedSequence(tuple[Any, ...]):
    """Sequences of several lengths in one tensor: (data, batch_sizes, sorted_indices, unsorted_indices).

    `batch` and `length` are the sizes of the padded sequence it was made from.  Where the lengths are not known, the
    data has as many rows as if all were whole.
    """

    batch: int
    length: int

    def __new__(
        cls, data: Tensor, batch_sizes: Tensor | None = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        made = tuple.__new__(cls, (data, batch_sizes, sorted_indices, unsorted_indices))
        made.length = 1 if batch_sizes is None else batch_sizes.shape[0]
        known = None if batch_sizes is None else batch_sizes.values
        made.batch = known[0] if known else quotient(data.shape[0], made.length)
        return made

    data = property(lambda self: self[0])
    batch_sizes = property(lambda self: self[1])
    sorted_indices = property(lambda self: self[2])
    unsorted_indices = property(lambda self: self[3])

    def with_data(self, data: Tensor) -> PackedSequence:
        """The same packing of other data."""
        made = PackedSequence(data, *self[1:])
        made.batch, made.length = self.batch, self.length
        return made

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        return self.with_data(self.data.to(*args, **kwargs))

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        return self.with_data(self.data.cuda(*args, **kwargs))

    def cpu(self) -> PackedSequence:
        return self.with_data(self.data.cpu())


def expect(what: str, tensor: Tensor, wanted: Sequence[int], name: str) -> None:
    """Raise ShapeError (LZ201) unless the tensor has the shape."""
    if not isinstance(tensor, Tensor):
        raise ShapeError(f"{what} of {name} must be a tensor, not a {type(tensor).__name__}", code="LZ202")
    if list(map(int, tensor.shape)) != list(map(int, wanted)):
        raise ShapeError(
            f"{what} of {name} is {shape_text(tensor.shape)}, not {shape_text(wanted)}",
            operands=(tensor,),
            code="LZ201",
        )


def run(
    name: str, input: Tensor, batch: int, states: Sequence[Tensor], weights: Sequence[Tensor],
    has_biases: bool, num_layers: int, bidirectional: bool, gates: int,
) -> tuple[Tensor, ...]:  # fmt: skip
    """(*, input) with states (layers * directions, batch, size) to (*, directions * size) and such states."""
    # source: https://docs.pytorch.org/docs/stable/generated/torch.nn.LSTM.html
    same_dtype(name, input, *states, *weights)
    if int(weights[0].shape[1]) != int(input.shape[-1]):
        raise ShapeError(
            f"{name} has weights for {int(weights[0].shape[1])} features, but {int(input.shape[-1])} reach it",
            operands=(input, weights[0]),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ201",
        )
    directions = 2 if bidirectional else 1
    size, cell = weights[1].shape[1], quotient(weights[1].shape[0], gates)
    for what, state, wanted in zip(("hidden state", "cell state"), states, (size, cell), strict=False):
        expect(what, state, (num_layers * directions, batch, wanted), name)
    output = new((*input.shape[:-1], directions * size), input)
    return output, *(new(state.shape, input) for state in states)


def _padded(
    name: str, input: Tensor, states: Sequence[Tensor], params: Sequence[Tensor], has_biases: bool, num_layers: int,
    bidirectional: bool, batch_first: bool, gates: int,
) -> tuple[Tensor, ...]:  # fmt: skip
    if len(input.shape) != 3:
        raise ShapeError(f"{name} needs an input of 3 dims, not {len(input.shape)}", operands=(input,), code="LZ202")
    batch = input.shape[0 if batch_first else 1]
    return run(name, input, batch, states, params, has_biases, num_layers, bidirectional, gates)


@rule("torch.lstm", examples=[
    "torch.lstm(f32(5, 2, 3), [f32(1, 2, 4)] * 2, [f32(16, 3), f32(16, 4)], False, 1, 0.0, False, False, False)",
])  # fmt: skip
def lstm(
    input: Tensor, hx: Sequence[Tensor], params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, batch_first: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    return _padded("torch.lstm", input, hx, params, has_biases, num_layers, bidirectional, batch_first, 4)


def _declare_simple(short: str, gates: int) -> None:
    name = f"torch.{short}"
    rows = 4 * gates
    example = (
        f"{name}(f32(5, 2, 3), f32(1, 2, 4), [f32({rows}, 3), f32({rows}, 4)], False, 1, 0.0, False, False, False)"
    )

    @rule(name, examples=[example])
    def simple(
        input: Tensor, hx: Tensor, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, batch_first: bool,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        return _padded(name, input, [hx], params, has_biases, num_layers, bidirectional, batch_first, gates)

    cell_name = f"torch.{short}_cell"

    @rule(cell_name, examples=[f"{cell_name}(f32(2, 3), f32(2, 4), f32({rows}, 3), f32({rows}, 4))"])
    def cell(
        input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
    ) -> Tensor:
        return step(cell_name, input, [hx], w_ih, w_hh, b_ih, b_hh)[0]


_declare_simple("gru", 3)
_declare_simple("rnn_tanh", 1)
_declare_simple("rnn_relu", 1)


def step(
    name: str,
    input: Tensor,
    states: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None,
    b_hh: Tensor | None,
) -> tuple[Tensor, ...]:
    """One step of a cell: (batch, input) with states (batch, hidden) to states of the same shape."""
    same_dtype(name, input, *states, w_ih, w_hh, b_ih, b_hh)
    if len(input.shape) != 2 or int(input.shape[1]) != int(w_ih.shape[1]):
        raise ShapeError(
            f"{name} needs (batch, {int(w_ih.shape[1])}), but {shape_text(input.shape)} reaches it",
            operands=(input, w_ih),
            code="LZ201",
        )
    for state in states:
        expect("hidden state", state, (input.shape[0], w_hh.shape[1]), name)
    return tuple(new((input.shape[0], w_hh.shape[1]), input) for _ in states)


@rule("torch.lstm_cell", examples=["torch.lstm_cell(f32(2, 3), (f32(2, 4), f32(2, 4)), f32(16, 3), f32(16, 4))"])
def lstm_cell(
    input: Tensor, hx: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor,
    b_ih: Tensor | None = None, b_hh: Tensor | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    return step("torch.lstm_cell", input, hx, w_ih, w_hh, b_ih, b_hh)
