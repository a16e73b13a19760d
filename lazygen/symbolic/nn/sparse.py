"""Embeddings: rows of a table by their numbers."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import chosen, function, parameter, whole
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter
from lazygen.symbolic.tensor import Tensor, shape_text


def _table(layer: Embedding | EmbeddingBag, weight: Tensor | None, device: Any, dtype: Any) -> Parameter:
    """The weight (num_embeddings, embedding_dim), made from the author's own tensor where one is given."""
    shape = (layer.num_embeddings, layer.embedding_dim)
    if weight is None:
        return parameter(shape, dtype, device)
    if list(map(int, weight.shape)) != list(map(int, shape)):
        raise ShapeError(
            f"{type(layer).__name__} is for {shape_text(shape)}, but its weight is {shape_text(weight.shape)}",
            operands=(weight,),
            code="LZ201",
        )
    return Parameter(weight)


def _row(layer: Embedding | EmbeddingBag, padding_idx: int | None) -> int | None:
    """The padding row, counted from the front.  Raises ShapeError if there is none."""
    if padding_idx is None:
        return None
    rows = layer.num_embeddings
    if not -int(rows) <= int(padding_idx) < int(rows):
        raise ShapeError(f"padding_idx {int(padding_idx)} is no row of {int(rows)}", code="LZ202")
    return rows + padding_idx if int(padding_idx) < 0 else padding_idx


class Embedding(Module):
    """Whole numbers (*) to (*, embedding_dim)."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False, _weight: Tensor | None = None,
        _freeze: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = whole(num_embeddings), chosen(embedding_dim)
        self.padding_idx = _row(self, padding_idx)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.weight = _table(self, _weight, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def forward(self, input: Tensor) -> Tensor:
        return function("F.embedding")(input, self.weight, self.padding_idx)  # type: ignore[no-any-return]

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Embedding:  # fmt: skip
        """The layer whose weight is a given table (num_embeddings, embedding_dim)."""
        _check_table(embeddings)
        rows, width = embeddings.shape
        return cls(rows, width, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)


def _check_table(embeddings: Tensor) -> None:
    if len(embeddings.shape) != 2:
        raise ShapeError(
            f"a table of embeddings has 2 dims, not {len(embeddings.shape)}", operands=(embeddings,), code="LZ202"
        )


class EmbeddingBag(Module):
    """Bags of whole numbers (B, N), or (N) with offsets (B), to (B, embedding_dim)."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, _weight: Tensor | None = None,
        include_last_offset: bool = False, padding_idx: int | None = None, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_embeddings, self.embedding_dim = whole(num_embeddings), chosen(embedding_dim)
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self.mode, self.sparse, self.include_last_offset = mode, sparse, include_last_offset
        self.padding_idx = _row(self, padding_idx)
        self.weight = _table(self, _weight, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        return None

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        bag = function("F.embedding_bag")
        return bag(  # type: ignore[no-any-return]
            input, self.weight, offsets, mode=self.mode, per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset, padding_idx=self.padding_idx,
        )  # fmt: skip

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, max_norm: float | None = None, norm_type: float = 2.0,
        scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False, include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:  # fmt: skip
        """The layer whose weight is a given table (num_embeddings, embedding_dim)."""
        _check_table(embeddings)
        rows, width = embeddings.shape
        settings = (max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings, include_last_offset, padding_idx)
        return cls(rows, width, *settings)
