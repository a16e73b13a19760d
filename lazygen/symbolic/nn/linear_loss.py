"""Cross entropy of a linear layer's outputs, with the layer inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.linear import Linear
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.ops.loss_functions import linear_cross_entropy
from lazygen.symbolic.tensor import Tensor, new, numel


class LinearCrossEntropyLoss(Module):
    """Input (N, in_features), or without N, and a target as for CrossEntropyLoss of (N, num_classes, *out_features)."""

    def __init__(
        self, in_features: int, num_classes: int, *, out_features: Sequence[int] = (), bias: bool = False,
        device: Any = None, dtype: Any = None, weight: Tensor | None = None, reduction: str = "mean",
        ignore_index: int | None = None, label_smoothing: float = 0.0, options: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if weight is not None and list(map(int, weight.shape)) != [int(num_classes)]:
            raise ShapeError(
                f"the weight of LinearCrossEntropyLoss must have {int(num_classes)} numbers", operands=(weight,)
            )
        if not 0 <= label_smoothing <= 1:
            raise ShapeError(f"label_smoothing must be between 0 and 1, not {label_smoothing}")
        self.register_buffer("weight", weight)
        self.reduction, self.num_classes, self.out_features = reduction, num_classes, out_features
        self.ignore_index, self.label_smoothing, self.options = ignore_index, label_smoothing, options
        self.linear = Linear(in_features, numel(out_features) * num_classes, bias, device, dtype)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        outputs = (self.num_classes, *self.out_features)
        bias = None if self.linear.bias is None else new(outputs, self.linear.bias)
        weight = new((*outputs, self.linear.in_features), self.linear.weight)
        return linear_cross_entropy(
            input, weight, target, linear_bias=bias, weight=self.weight, reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )  # fmt: skip
