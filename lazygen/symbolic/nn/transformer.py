"""Transformers: encoder, decoder and both."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.attention import MultiheadAttention
from lazygen.symbolic.nn.build import function, placed
from lazygen.symbolic.nn.containers import ModuleList
from lazygen.symbolic.nn.dropout import Dropout
from lazygen.symbolic.nn.linear import Linear
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.norm import LayerNorm
from lazygen.symbolic.tensor import Tensor, shape_text

Activation = str | Callable[[Tensor], Tensor]


def _activation(activation: Activation) -> Callable[[Tensor], Tensor]:
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise ShapeError(f"the activation of a transformer is 'relu', 'gelu' or a function, not {activation!r}")
    return function(f"F.{activation}")


class _Layer(Module):
    """What encoder and decoder layers share: the feed-forward block, and where the norms stand."""

    norms = 2

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        for name in ("self_attn", "multihead_attn")[: self.norms - 1]:
            made = MultiheadAttention(
                d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
            )
            setattr(self, name, made)
        self.linear1 = Linear(d_model, dim_feedforward, bias, device, dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, device, dtype)
        self.norm_first = norm_first
        for index in range(1, self.norms + 1):
            setattr(self, f"norm{index}", LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype))
        for index in range(1, self.norms + 1):
            setattr(self, f"dropout{index}", Dropout(dropout))
        self.activation = _activation(activation)

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return getattr(self, f"dropout{self.norms}")(x)  # type: ignore[no-any-return]

    def _sa_block(
        self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        masks = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask, "is_causal": is_causal}
        return self.dropout1(self.self_attn(x, x, x, need_weights=False, **masks)[0])  # type: ignore[no-any-return]

    def _residual(self, x: Tensor, index: int, block: Callable[[Tensor], Tensor]) -> Tensor:
        norm, add = getattr(self, f"norm{index}"), function("torch.add")
        return add(x, block(norm(x))) if self.norm_first else norm(add(x, block(x)))  # type: ignore[no-any-return]


class TransformerEncoderLayer(_Layer):
    """(S, N, d_model) to the same; (N, S, d_model) with batch_first; N may be missing."""

    def forward(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        x = self._residual(src, 1, lambda y: self._sa_block(y, src_mask, src_key_padding_mask, is_causal))
        return self._residual(x, 2, self._ff_block)


class TransformerDecoderLayer(_Layer):
    """(T, N, d_model) and memory (S, N, d_model) to (T, N, d_model)."""

    norms = 3

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        masks = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = self._residual(tgt, 1, lambda y: self._sa_block(y, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self._residual(x, 2, lambda y: self._mha_block(y, memory, *masks))
        return self._residual(x, 3, self._ff_block)

    def _mha_block(
        self, x: Tensor, mem: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        masks = {"attn_mask": attn_mask, "key_padding_mask": key_padding_mask, "is_causal": is_causal}
        return self.dropout2(self.multihead_attn(x, mem, mem, need_weights=False, **masks)[0])  # type: ignore[no-any-return]


def _copies(layer: Module, count: int) -> ModuleList:
    return ModuleList([deepcopy(layer) for _ in range(int(count))])


class TransformerEncoder(Module):
    """A stack of copies of an encoder layer."""

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check

    def forward(
        self, src: Tensor, mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:  # fmt: skip
        for layer in self.layers:
            # Whether a mask is causal is a hint for speed only.
            src = layer(src, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """A stack of copies of a decoder layer."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        for layer in self.layers:
            tgt = layer(
                tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """Source (S, N, d_model) and target (T, N, d_model) to (T, N, d_model)."""

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: Activation = "relu",
        custom_encoder: Any = None, custom_decoder: Any = None, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        settings = (
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias, device,
            dtype,
        )  # fmt: skip

        def norm() -> LayerNorm:
            return LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)

        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*settings), num_encoder_layers, norm()
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*settings), num_decoder_layers, norm()
        )
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None, tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        axis = 0 if self.batch_first else 1
        batched = len(src.shape) == 3
        if batched and len(tgt.shape) == 3 and int(src.shape[axis]) != int(tgt.shape[axis]):
            raise ShapeError(
                f"source and target have batches of {int(src.shape[axis])} and {int(tgt.shape[axis])}",
                operands=(src, tgt),
                notes=(f"they are {shape_text(src.shape)} and {shape_text(tgt.shape)}",),
                code="LZ201",
            )
        for what, tensor in (("source", src), ("target", tgt)):
            if int(tensor.shape[-1]) != int(self.d_model):
                raise ShapeError(
                    f"Transformer has d_model {int(self.d_model)}, but its {what} has {int(tensor.shape[-1])} features",
                    operands=(tensor,),
                    notes=(f"the {what} is {shape_text(tensor.shape)}",),
                    code="LZ210",
                )
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(  # type: ignore[no-any-return]
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )  # fmt: skip

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """(sz, sz), minus infinity above the diagonal and 0 below."""
        count = int(sz)
        values = [float("-inf") if column > row else 0.0 for row in range(count) for column in range(count)]
        return Tensor((sz, sz), dtype or dtypes.DEFAULT_DTYPE[-1], placed(device), values)
