"""`torch.nn.utils` and `torch.nn.utils.rnn`: norms of weights, gradients (there are none), packed sequences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.nn.module import Module
from lazygen.symbolic.nn.parameter import Parameter, UninitializedParameter
from lazygen.symbolic.ops.recurrent import PackedSequence
from lazygen.symbolic.shapes import free_size, wrap_dim
from lazygen.symbolic.tensor import Tensor, new, numel, shape_text

AnyModule = TypeVar("AnyModule", bound=Module)

# Norms of weights


def weight_norm(module: AnyModule, name: str = "weight", dim: int | None = 0) -> AnyModule:
    """Put `weight_g`, one number for each place along `dim`, and `weight_v` in the place of a parameter."""
    weight = _taken(module, name, "weight_norm")
    whole = dim is None or dim == -1
    at = -1 if whole else wrap_dim(dim or 0, len(weight.shape), weight)
    shape = () if whole else tuple(size if i == at else 1 for i, size in enumerate(weight.shape))
    module.register_parameter(f"{name}_g", Parameter(new(shape, weight)))
    module.register_parameter(f"{name}_v", weight)
    setattr(module, name, new(weight.shape, weight))
    return module


def remove_weight_norm(module: AnyModule, name: str = "weight") -> AnyModule:
    """Put the parameter back in the place of what `weight_norm` made of it."""
    return _put_back(module, name, f"{name}_v", [f"{name}_g"], "weight_norm")


def spectral_norm(
    module: AnyModule, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> AnyModule:
    """Put `weight_orig` and the buffers `weight_u` and `weight_v` in the place of a parameter."""
    transposed = type(module).__name__.startswith(("ConvTranspose", "LazyConvTranspose"))
    weight = _taken(module, name, "spectral_norm")
    at = wrap_dim((1 if transposed else 0) if dim is None else dim, len(weight.shape), weight)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, new(weight.shape, weight))
    others = numel(size for i, size in enumerate(weight.shape) if i != at)
    module.register_buffer(f"{name}_u", new((weight.shape[at],), weight))
    module.register_buffer(f"{name}_v", new((others,), weight))
    return module


def remove_spectral_norm(module: AnyModule, name: str = "weight") -> AnyModule:
    """Put the parameter back in the place of what `spectral_norm` made of it."""
    return _put_back(module, name, f"{name}_orig", [f"{name}_u", f"{name}_v"], "spectral_norm")


def _taken(module: Module, name: str, norm: str) -> Parameter:
    """The parameter, removed from the module."""
    weight = module._parameters.get(name)
    if weight is None:
        raise ShapeError(f"{norm} finds no parameter {name!r} in {type(module).__name__}")
    if isinstance(weight, UninitializedParameter):
        raise ShapeError(
            f"{norm} cannot be applied to {type(module).__name__}, whose {name} has no shape before its first call",
            helps=("write the layer with its sizes here, or apply the norm after a first call",),
        )
    delattr(module, name)
    return weight  # type: ignore[no-any-return]


def _put_back(module: AnyModule, name: str, kept: str, others: Sequence[str], norm: str) -> AnyModule:
    if kept not in module._parameters:
        raise ShapeError(f"there is no {norm} of {name!r} in {type(module).__name__}")
    weight = module._parameters[kept]
    for key in (kept, *others):
        delattr(module, key)
    delattr(module, name)
    module.register_parameter(name, weight)
    return module


# Gradients and flat vectors


def clip_grad_norm_(parameters: Any, max_norm: float, *args: Any, **kwargs: Any) -> Tensor:
    """The norm of the gradients, ()."""
    return Tensor(())


clip_grad_norm = clip_grad_norm_


def get_total_norm(tensors: Any, *args: Any, **kwargs: Any) -> Tensor:
    """The norm of all tensors, ()."""
    return Tensor(())


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    return None


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All numbers in one row."""
    tensors = list(parameters)
    return new((sum((numel(tensor.shape) for tensor in tensors), 0),), tensors[0])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Raises ShapeError if the row has fewer numbers than the parameters."""
    wanted = sum(int(numel(tensor.shape)) for tensor in parameters)
    if int(numel(vec.shape)) < wanted:
        raise ShapeError(
            f"a vector of {int(numel(vec.shape))} numbers cannot fill parameters of {wanted}",
            operands=(vec,),
            code="LZ201",
        )


# Packed sequences


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """(T, B, *), or (B, T, *) with batch_first, to the packed sequence of (sum of the lengths, *)."""
    if len(input.shape) < 2:
        raise ShapeError("pack_padded_sequence needs an input of 2 dims or more", operands=(input,), code="LZ202")
    length, batch = input.shape[1 if batch_first else 0], input.shape[0 if batch_first else 1]
    known: list[Any] | None = lengths.values if isinstance(lengths, Tensor) else [_length(item) for item in lengths]
    count = lengths.shape[0] if isinstance(lengths, Tensor) else len(lengths)
    if int(count) != int(batch):
        raise ShapeError(
            f"pack_padded_sequence got {int(count)} lengths for a batch of {int(batch)}",
            operands=(input,),
            notes=(f"the input is {shape_text(input.shape)}",),
            code="LZ201",
        )
    known = None if known is None or None in known else known
    steps = length if known is None else max(known)
    sizes = None if known is None else [sum(1 for item in known if item > step) for step in range(int(steps))]
    rows = length * batch if known is None else sum(known)
    packed = PackedSequence(
        new((rows, *input.shape[2:]), input),
        Tensor((steps,), dtypes.int64, values=sizes),
        None if enforce_sorted else Tensor((batch,), dtypes.int64),
        None if enforce_sorted else Tensor((batch,), dtypes.int64),
    )
    packed.batch, packed.length = batch, steps
    return packed


def _length(item: Any) -> int | None:
    """A length as a number, None for one that only real data has."""
    if isinstance(item, Tensor):
        item = item.number()
    return item if isinstance(item, int) else None


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The padded sequence (T, B, *), or (B, T, *) with batch_first, and the lengths (B,)."""
    length = sequence.length
    if total_length is not None:
        if int(total_length) < int(length):
            raise ShapeError(f"total_length {int(total_length)} is less than the longest sequence, {int(length)}")
        length = total_length
    first = (sequence.batch, length) if batch_first else (length, sequence.batch)
    return new((*first, *sequence.data.shape[1:]), sequence.data), Tensor((sequence.batch,), dtypes.int64)


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Tensors (L, *) to (longest, count, *), or (count, longest, *) with batch_first."""
    tensors = list(sequences)
    if not tensors or padding_side not in ("left", "right"):
        raise ShapeError("pad_sequence needs one tensor or more, and a side 'left' or 'right'")
    if any(list(map(int, t.shape[1:])) != list(map(int, tensors[0].shape[1:])) or not t.shape for t in tensors):
        shapes = ", ".join(shape_text(tensor.shape) for tensor in tensors)
        raise ShapeError(
            "the tensors of pad_sequence differ in more than their first size",
            operands=tuple(tensors),
            notes=(f"they are {shapes}",),
            code="LZ201",
        )
    longest = max((tensor.shape[0] for tensor in tensors), key=int)
    first = (len(tensors), longest) if batch_first else (longest, len(tensors))
    return new((*first, *tensors[0].shape[1:]), tensors[0])


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Tensors (L, *) to the packed sequence of (sum of the lengths, *)."""
    lengths = [tensor.shape[0] for tensor in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpad_sequence(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> list[Tensor]:
    """The padded sequences (T, B, *), or (B, T, *) with batch_first, each of its own length."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    known = lengths.values if isinstance(lengths, Tensor) else [_length(item) for item in lengths]
    rows: list[Tensor] = padded_sequences.unbind(0)
    sizes = [free_size("unpad_sequence", int(row.shape[0])) for row in rows] if known is None else known
    return [
        new((free_size("unpad_sequence", int(row.shape[0])) if size is None else size, *row.shape[1:]), row)
        for row, size in zip(rows, sizes, strict=False)
    ]


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a packed one, each of its own length."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, _lengths(packed_sequences) or lengths, batch_first=True)


def _lengths(packed: PackedSequence) -> list[int] | None:
    """The lengths in falling order, from how many sequences take part in each step, if that is known."""
    counts = packed.batch_sizes.values
    if counts is None or packed.sorted_indices is not None:
        return None
    return [sum(1 for count in counts if count > place) for place in range(int(packed.batch))]
