"""Softmax over many classes in clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.containers import ModuleList, Sequential
from lazygen.symbolic.nn.linear import Linear
from lazygen.symbolic.nn.module import Module, fit
from lazygen.symbolic.tensor import Tensor, new, shape_text


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """(N, in_features) and classes (N), or both without N, to log-probabilities of the classes (N) and a loss ()."""

    def __init__(
        self, in_features: int, n_classes: int, cutoffs: Sequence[int], div_value: float = 4.0, head_bias: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        edges = list(cutoffs)
        rising = all(int(low) < int(high) for low, high in zip([0, *edges], [*edges, n_classes], strict=True))
        if not edges or not rising:
            raise ShapeError(f"cutoffs must rise from above 0 to below n_classes ({int(n_classes)}), not {edges}")
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*edges, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for index in range(self.n_clusters):
            hidden = int(in_features // div_value ** (index + 1))
            size = self.cutoffs[index + 1] - self.cutoffs[index]
            first = Linear(in_features, hidden, False, device, dtype)
            self.tail.append(Sequential(first, Linear(hidden, size, False, device, dtype)))

    def reset_parameters(self) -> None:
        return None

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        ranks = (len(input_.shape), len(target_.shape))
        if ranks not in ((1, 0), (2, 1)) or list(map(int, input_.shape[:-1])) != list(map(int, target_.shape)):
            raise ShapeError(
                "AdaptiveLogSoftmaxWithLoss needs (N, in_features) and (N), or (in_features) and ()",
                operands=(input_, target_),
                notes=(f"they are {shape_text(input_.shape)} and {shape_text(target_.shape)}",),
                code="LZ201",
            )
        fit(self, "in_features", self.in_features, input_.shape[-1], input_)
        return _ASMoutput(new(input_.shape[:-1], input_), new((), input_))

    def log_prob(self, input: Tensor) -> Tensor:
        """(N, in_features) to the log-probabilities of all classes (N, n_classes)."""
        head = self.head(input)
        return new((*head.shape[:-1], self.n_classes), head)

    def predict(self, input: Tensor) -> Tensor:
        """(N, in_features) to the likeliest class of each (N)."""
        return new(self.head(input).shape[:-1], input, dtype=dtypes.int64)
