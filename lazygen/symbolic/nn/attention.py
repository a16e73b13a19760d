"""Multi-head attention."""

from __future__ import annotations

from typing import Any

from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.build import register
from lazygen.symbolic.nn.linear import NonDynamicallyQuantizableLinear
from lazygen.symbolic.nn.module import Module, fit
from lazygen.symbolic.ops.attention import head_size, multi_head_attention_forward
from lazygen.symbolic.tensor import Tensor


class MultiheadAttention(Module):
    """Query (L, N, embed_dim), key (S, N, kdim) and value (S, N, vdim) to (L, N, embed_dim) and weights (N, L, S)."""

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if int(embed_dim) <= 0 or int(num_heads) <= 0 or int(embed_dim) % int(num_heads):
            raise ShapeError(
                f"MultiheadAttention cannot split embed_dim {int(embed_dim)} into num_heads {int(num_heads)}",
                helps=("choose an embed_dim that num_heads divides",),
                code="LZ202",
            )
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self._qkv_same_embed_dim = int(self.kdim) == int(embed_dim) == int(self.vdim)
        self.head_dim = head_size(embed_dim, num_heads)
        same = self._qkv_same_embed_dim
        separate = {"q_proj_weight": embed_dim, "k_proj_weight": self.kdim, "v_proj_weight": self.vdim}
        for name, size in separate.items():
            register(self, name, None if same else (embed_dim, size), dtype, device)
        register(self, "in_proj_weight", (3 * embed_dim, embed_dim) if same else None, dtype, device)
        register(self, "in_proj_bias", (3 * embed_dim,) if bias else None, dtype, device)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        for name in ("bias_k", "bias_v"):
            register(self, name, (1, 1, embed_dim) if add_bias_kv else None, dtype, device)
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        return None

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
        need_weights: bool = True, attn_mask: Tensor | None = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        named = (("embed_dim", query), ("kdim", key), ("vdim", value))
        for name, tensor in named:
            if tensor.shape:
                fit(self, name, getattr(self, name), tensor.shape[-1], tensor)
        swap = self.batch_first and len(query.shape) == 3
        if swap:
            query, key, value = (_swapped(tensor) for tensor in (query, key, value))
        output, weights = multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias,
            self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            training=self.training, key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim, q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights, is_causal=is_causal,
        )  # fmt: skip
        return (_swapped(output) if swap else output), weights


def _swapped(tensor: Tensor) -> Tensor:
    if len(tensor.shape) != 3:
        return tensor
    first, second, last = tensor.shape
    return Tensor((second, first, last), tensor.dtype, tensor.device)
