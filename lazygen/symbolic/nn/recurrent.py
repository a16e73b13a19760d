"""Recurrent layers and cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import chosen, parameter, register
from lazygen.symbolic.nn.module import Module, fit
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.ops import recurrent
from lazygen.symbolic.ops.recurrent import PackedSequence, expect
from lazygen.symbolic.tensor import Tensor, shape_text

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """Layers of weight_ih (gates * hidden, input), weight_hh (gates * hidden, size), biases, weight_hr (size, hidden).

    `size` is `proj_size` if that is given, else `hidden_size`.
    """

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if mode not in GATES:
            raise ShapeError(f"there is no recurrent mode {mode}")
        self.mode, self.input_size, self.hidden_size = mode, input_size, chosen(hidden_size)
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional, self.proj_size = float(dropout), bidirectional, proj_size
        self._check_arguments()
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        for layer in range(int(num_layers)):
            for suffix in ("", "_reverse") if bidirectional else ("",):
                self._add_layer(layer, suffix, device, dtype)
        self.reset_parameters()

    def _check_arguments(self) -> None:
        for name in ("input_size", "hidden_size", "num_layers"):
            value = getattr(self, name)
            if not isinstance(value, int) or int(value) <= 0:
                raise ShapeError(
                    f"{name} of {type(self).__name__} must be a positive integer, not {value!r}", code="LZ202"
                )
        for name in ("bias", "batch_first"):
            if not isinstance(getattr(self, name), bool):
                raise ShapeError(f"{name} of {type(self).__name__} must be a bool, not {getattr(self, name)!r}")
        if not 0 <= self.dropout <= 1:
            raise ShapeError(f"dropout must be between 0 and 1, not {self.dropout}")
        if not 0 <= int(self.proj_size) < int(self.hidden_size):
            raise ShapeError(
                f"proj_size ({int(self.proj_size)}) must be smaller than hidden_size ({int(self.hidden_size)})",
                code="LZ202",
            )

    def _add_layer(self, layer: int, suffix: str, device: Any, dtype: Any) -> None:
        rows = GATES[self.mode] * self.hidden_size
        into = self.input_size if layer == 0 else self._size * (2 if self.bidirectional else 1)
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, into), "weight_hh": (rows, self._size)}
        if self.bias:
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        if int(self.proj_size):
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        names = [f"{name}_l{layer}{suffix}" for name in shapes]
        for name, shape in zip(names, shapes.values(), strict=True):
            setattr(self, name, parameter(shape, dtype, device))
        self._flat_weights_names += names
        self._all_weights.append(names)

    @property
    def _size(self) -> int:
        return self.proj_size if int(self.proj_size) else self.hidden_size

    @property
    def _flat_weights(self) -> list[Parameter]:
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def reset_parameters(self) -> None:
        return None

    def flatten_parameters(self) -> None:
        return None

    def extra_repr(self) -> str:
        return f"{int(self.input_size)}, {int(self.hidden_size)}"

    def forward(self, input: Any, hx: Any = None) -> Any:
        if isinstance(input, PackedSequence):
            output, states = self._run(input.data, input.batch, hx, batched=True)
            return input.with_data(output), states
        if len(input.shape) not in (2, 3):
            raise ShapeError(
                f"{type(self).__name__} needs an input of 3 dims, or 2 without a batch, not {len(input.shape)}",
                operands=(input,),
                notes=(f"the input is {shape_text(input.shape)}",),
                code="LZ202",
            )
        batched = len(input.shape) == 3
        return self._run(input, input.shape[0 if self.batch_first else 1] if batched else 1, hx, batched)

    def _run(self, input: Tensor, batch: int, hx: Any, batched: bool) -> tuple[Tensor, Any]:
        """The output, and the last states in the form in which the first ones are given."""
        name = type(self).__name__
        fit(self, "input_size", self.input_size, input.shape[-1], input)
        layers = self.num_layers * (2 if self.bidirectional else 1)
        sizes = [self._size, self.hidden_size] if self.mode == "LSTM" else [self._size]
        shapes = [(layers, batch, size) if batched else (layers, size) for size in sizes]
        if hx is not None:
            given = list(hx) if self.mode == "LSTM" else [hx]
            for what, state, shape in zip(("hidden state", "cell state"), given, shapes, strict=False):
                expect(what, state, shape, name)
        else:
            given = [Tensor(shape, input.dtype, input.device) for shape in shapes]
        whole = [Tensor((layers, batch, size), s.dtype, s.device) for s, size in zip(given, sizes, strict=True)]
        output, *_ = recurrent.run(
            name, input, batch, whole, self._flat_weights, self.bias, self.num_layers, self.bidirectional,
            GATES[self.mode],
        )  # fmt: skip
        last = tuple(Tensor(shape, input.dtype, input.device) for shape in shapes)
        return output, last if self.mode == "LSTM" else last[0]


class RNN(RNNBase):
    """(length, batch, input_size) to (length, batch, directions * hidden_size) and the last hidden state."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ShapeError("proj_size is only for LSTM")
        if len(args) > 3:
            self.nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            self.nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ShapeError(f"there is no nonlinearity {self.nonlinearity!r}: it is 'tanh' or 'relu'")
        super().__init__(f"RNN_{self.nonlinearity.upper()}", *args, **kwargs)


class LSTM(RNNBase):
    """(length, batch, input_size) to (length, batch, directions * size) and the last hidden and cell states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """(length, batch, input_size) to (length, batch, directions * hidden_size) and the last hidden state."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ShapeError("proj_size is only for LSTM")
        super().__init__("GRU", *args, **kwargs)


class RNNCellBase(Module):
    """weight_ih (chunks * hidden, input), weight_hh (chunks * hidden, hidden) and their biases."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, chosen(hidden_size), bias
        rows = num_chunks * hidden_size
        register(self, "weight_ih", (rows, input_size), dtype, device)
        register(self, "weight_hh", (rows, hidden_size), dtype, device)
        register(self, "bias_ih", (rows,) if bias else None, dtype, device)
        register(self, "bias_hh", (rows,) if bias else None, dtype, device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def _step(self, input: Tensor, given: Sequence[Tensor] | None, count: int) -> tuple[Tensor, ...]:
        name = type(self).__name__
        rank = len(input.shape)
        if rank not in (1, 2) or any(len(state.shape) not in (1, 2) for state in given or ()):
            raise ShapeError(f"{name} needs an input and states of 1 or 2 dims", operands=(input,), code="LZ202")
        fit(self, "input_size", self.input_size, input.shape[-1], input)
        batch = tuple(input.shape[:-1]) or (1,)
        if given is None:
            given = [Tensor((*batch, self.hidden_size), input.dtype, input.device)] * count
        elif rank == 1:
            given = [Tensor((1, *state.shape), state.dtype, state.device) for state in given]
        whole = Tensor((*batch, input.shape[-1]), input.dtype, input.device)
        states = recurrent.step(name, whole, given, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return tuple(Tensor(s.shape[1:] if rank == 1 else s.shape, s.dtype, s.device) for s in states)


class RNNCell(RNNCellBase):
    """(batch, input_size) and (batch, hidden_size) to (batch, hidden_size)."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if self.nonlinearity not in ("tanh", "relu"):
            raise ShapeError(f"there is no nonlinearity {self.nonlinearity!r}: it is 'tanh' or 'relu'")
        return self._step(input, None if hx is None else [hx], 1)[0]


class LSTMCell(RNNCellBase):
    """(batch, input_size) and two states (batch, hidden_size) to two states of that shape."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Sequence[Tensor] | None = None) -> tuple[Tensor, ...]:
        return self._step(input, hx, 2)


class GRUCell(RNNCellBase):
    """(batch, input_size) and (batch, hidden_size) to (batch, hidden_size)."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(input, None if hx is None else [hx], 1)[0]
