"""Recurrent layers, and what takes their results apart.

    GRU(20)                                 (N, L, features) to (N, 20), the last step
    GRU(20, return_sequences=True)          (N, L, features) to (N, L, 20), every step
    LSTM(20, return_state=True)             to (output, h, c), each state (N, layers * directions, 20)
    GetRNNOutput()                          (output, *states) to output
    GetRNNState("concat")                   (output, *states) to the states joined on the last dim

All of them take the batch first.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from lazygen.layers.base import Layer, LayerError, WithSpec, shape_text


class _NotGiven:
    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "False"


NOT_GIVEN: Any = _NotGiven()  # a default that is told from a False that somebody wrote


class Recurrent(Layer):
    """(N, L, input_size) to the last step of the output, or to all of it.

    `return_sequences` gives (N, L, hidden_size * directions) instead of (N, hidden_size * directions).  `return_state`
    gives (output, h), or (output, h, c), each state (N, layers * directions, hidden_size).  `as_torch` gives what
    torch's own layer gives.
    """

    def __init__(
        self,
        hidden_size: int,
        *,
        return_sequences: bool = NOT_GIVEN,
        return_state: bool = NOT_GIVEN,
        as_torch: bool = NOT_GIVEN,
        **kwargs: Any,
    ) -> None:
        flags = {"return_sequences": return_sequences, "return_state": return_state, "as_torch": as_torch}
        given = [name for name, flag in flags.items() if flag is not NOT_GIVEN] + [
            n for n in kwargs if n == "batch_first"
        ]
        if not kwargs.setdefault("batch_first", True):
            raise LayerError(f"{type(self).__name__} always takes the batch first", code="LZ202")
        self.__dict__.update({name: bool(flag) for name, flag in flags.items()})
        super().__init__(hidden_size, **kwargs)
        self.__dict__.update({name: bool(flag) for name, flag in flags.items()})
        for name in ("recurrent", *given):
            Layer.observer.noted(name, self)

    def infer(self, shape: Sequence[int]) -> dict[str, int]:
        if len(shape) != 3:
            raise LayerError(
                f"{type(self).__name__} takes an input of 3 dims, (batch, time, features), and gets "
                f"{shape_text(shape)}",
                code="LZ202",
            )
        return {"input_size": shape[2]}

    def forward(self, input: Any, *args: Any, **kwargs: Any) -> Any:
        output, states = super().forward(input, *args, **kwargs)
        if self.as_torch:
            return output, states
        if not self.return_sequences:
            output = output[:, -1]
        if not self.return_state:
            return output
        states = states if isinstance(states, tuple) else (states,)
        return (output, *(state.transpose(0, 1) for state in states))

    def extra_repr(self) -> str:
        told = [f"{name}=True" for name in ("return_sequences", "return_state", "as_torch") if self.__dict__[name]]
        return ", ".join([super().extra_repr(), *told])

    def _check_arguments(self) -> None:
        args, kwargs = self._given
        given = {name: value for name, value in kwargs.items() if (name, self.native) != ("nonlinearity", nn.RNN)}
        try:
            inspect.signature(nn.RNNBase).bind("", 1, *args, **given)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}") from None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy() if self.has_uninitialized_params() else dict(self.native.__getstate__(self))

    def __setstate__(self, state: dict[str, Any]) -> None:
        owner = self.native if state.get("_sizes") else nn.Module
        owner.__setstate__(self, state)


class SimpleRNN(Recurrent, nn.RNN):
    """torch.nn.RNN with its input_size left out."""

    native = nn.RNN


class GRU(Recurrent, nn.GRU):
    """torch.nn.GRU with its input_size left out."""

    native = nn.GRU


class LSTM(Recurrent, nn.LSTM):
    """torch.nn.LSTM with its input_size left out."""

    native = nn.LSTM


class GetRNNOutput(WithSpec, nn.Module):
    """(output, *states) to output."""

    def native_module(self) -> None:
        """None: there are no parameters."""
        return

    def forward(self, result: Any) -> Any:
        if not isinstance(result, (list, tuple)):
            raise LayerError("GetRNNOutput needs a recurrent layer with return_state=True", code="LZ202", layer=self)
        return result[0]


class GetRNNState(WithSpec, nn.Module):
    """(output, *states) to `h`, to `c`, or to all states joined on the last dim (`concat`)."""

    def __init__(self, mode: str = "concat") -> None:
        super().__init__()
        if mode not in ("h", "c", "concat"):
            raise LayerError(f"there is no mode {mode!r}: it is 'h', 'c' or 'concat'", code="LZ202")
        self.mode = mode

    def native_module(self) -> None:
        """None: there are no parameters."""
        return

    def forward(self, result: Any) -> Any:
        states = list(result[1:]) if isinstance(result, (list, tuple)) else []
        if len(states) < (2 if self.mode == "c" else 1):
            wanted = "a cell state, which only LSTM has" if self.mode == "c" and states else "return_state=True"
            raise LayerError(
                f"GetRNNState({self.mode!r}) needs a recurrent layer with {wanted}", code="LZ202", layer=self
            )
        if self.mode == "concat":
            return torch.cat(states, dim=-1)
        return states["hc".index(self.mode)]

    def extra_repr(self) -> str:
        return f"mode={self.mode!r}"
