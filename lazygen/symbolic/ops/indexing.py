"""`tensor[key]`, `tensor[key] = value`, and lookups in tables.

A key is read as torch does: ints, slices, None and `...` first, from left to right; index tensors, lists and masks are
collected on the way and looked up together at the end.  Where they stand side by side, the looked-up dims take their
place, where something stands between them, the front.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from lazygen.symbolic import dtypes
from lazygen.symbolic.errors import ShapeError
from lazygen.symbolic.rules import rule
from lazygen.symbolic.shapes import as_size, broadcast, number_type
from lazygen.symbolic.strides import picked, strided, strides_of
from lazygen.symbolic.tensor import Size, Tensor, new, numel, shape_text, view_of
from lazygen.symbolic.unknown import Unknown
from lazygen.symbolic.values import cast_all
from lazygen.values import record


@record
class Lookup:
    """How an index tensor looks up one of the dims that ints and slices leave."""

    indices: Tensor
    axis: int | None = None  # the dim of the input
    masked: bool = False
    counted: bool = True  # False for a mask that only data has: its count is free


class Selection:
    """What a key picks: sizes and steps of the dims that ints and slices leave, and what is looked up in which of them.

    `offset` is the flat place of the first element, `known` whether all that the key picks by is known.  Steps and
    offset mean something only where the input is a constant.
    """

    offset = 0
    known = True
    masks = 0

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.strides: list[int] = []
        self.lookups: dict[int, Lookup] = {}

    def look_up(self, size: int, stride: int, lookup: Lookup) -> None:
        """A further dim, which is looked up."""
        self.lookups[len(self.sizes)] = lookup
        self.sizes.append(size)
        self.strides.append(stride)


@rule("Tensor.__getitem__", examples=["f32(2, 3, 4)[:, None, 1:, ..., -1]", "f32(4, 3)[i64(2, 5)]"])
def getitem(input: Tensor, key: Any) -> Tensor:
    return _selected(input, select_all(input, key))


def _selected(input: Tensor, selection: Selection) -> Tensor:
    if selection.lookups:
        return _looked_up(input, selection)
    if input.values is None or not selection.known:
        return view_of(input, selection.sizes, None)
    values = strided(input, selection.sizes, selection.strides, selection.offset)
    return view_of(input, selection.sizes, values)


@rule("Tensor.__setitem__")
def setitem(input: Tensor, key: Any, value: Any) -> None:
    if key is False:
        return
    known = None if input.values is None else list(input.values)
    places = Tensor(input.shape, dtypes.int64, input.device, None if known is None else list(range(len(known))))
    selection = select_all(places, key)
    target = _selected(places, selection)
    source = value if isinstance(value, Tensor) else _from_python(value, input)
    _check_written(input, target.shape, source)
    _check_dtype(input, key, value, selection)
    input.values = None
    if known is not None and target.values is not None and source is not None and source.values is not None:
        shape = source.shape[max(source.ndim - target.ndim, 0) :]
        steps = [0] * (target.ndim - len(shape)) + [
            0 if int(size) == 1 else step for size, step in zip(shape, strides_of(shape), strict=True)
        ]
        written = strided(source, target.shape, steps)
        for place, number in zip(target.values, cast_all(written, input.dtype) or (), strict=True):
            known[place] = number
        input.values = known


def _check_dtype(input: Tensor, key: Any, value: Any, selection: Selection) -> None:
    """Writing by index tensors casts nothing; a single number through a single mask is a fill, which does."""
    lookups = selection.lookups.values()
    if not lookups or key is True or not isinstance(value, Tensor) or value.dtype is input.dtype:
        return
    if int(numel(value.shape)) != 1 or selection.masks != 1 or not all(found.masked for found in lookups):
        raise ShapeError(
            f"an index tensor writes {value.dtype.name} into {input.dtype.name}", operands=(input, value), code="LZ230"
        )


def _check_written(input: Tensor, shape: Sequence[int], source: Tensor | None) -> None:
    """What is written must spread to what the key picks; dims of one element in front of it do not count."""
    given = list(source.shape) if source is not None else []
    while len(given) > len(shape) and int(given[0]) == 1:
        given.pop(0)
    offset = len(shape) - len(given)
    if offset < 0 or any(int(size) not in (1, int(shape[offset + at])) for at, size in enumerate(given)):
        raise ShapeError(
            f"a value of {shape_text(given)} does not spread to {shape_text(shape)}, which the index picks",
            operands=(input,) if source is None else (input, source),
            code="LZ201",
        )


def _from_python(value: Any, input: Tensor) -> Tensor | None:
    """A number or nested sequence that is written, as a tensor; None if its numbers are not known."""
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        return _index_tensor(value, input)
    return Tensor((), number_type(value), input.device, [value])


def select_all(input: Tensor, key: Any) -> Selection:
    """Read a key against a tensor."""
    items = list(key) if isinstance(key, tuple) or _stands_for_tuple(key) else [key]
    shape = list(input.shape)
    strides = [0] * len(shape) if input.values is None else strides_of(shape)
    open_dims, ellipses = len(shape), 0
    for place, item in enumerate(items):
        if type(item) is slice or type(item) is int:
            open_dims -= 1
        elif item is Ellipsis:
            ellipses += 1
        elif item is not None:
            items[place] = item = _index_tensor(item, input) if _is_array(item) else item
            open_dims -= _dims_taken(item)
    if open_dims < 0:
        consumed = len(shape) - open_dims
        raise ShapeError(f"{consumed} indices for a tensor of {len(shape)} dims", operands=(input,), code="LZ203")
    if ellipses > 1 and open_dims:
        _check_ellipses(items, input)
    items.append(Ellipsis)  # what no `...` has taken comes last
    selection, at = Selection(), 0
    sizes, steps = selection.sizes, selection.strides
    for item in items:
        if item is Ellipsis:
            sizes += shape[at : at + open_dims]
            steps += strides[at : at + open_dims]
            at, open_dims = at + open_dims, 0
        elif item is None:
            sizes.append(1)
            steps.append(0)
        elif isinstance(item, slice):
            start, size, step = sliced(shape[at], item, input)
            selection.offset += start * strides[at]
            sizes.append(size)
            steps.append(strides[at] * step)
            at += 1
        elif isinstance(item, bool) or (isinstance(item, Tensor) and (item.shape or item.dtype.category == 0)):
            at += _collect(input, item, selection, at, strides)
        else:
            picked_at = _one(input, at, item)
            selection.known = selection.known and picked_at is not None
            selection.offset += (picked_at or 0) * strides[at]
            at += 1
    return selection


def _check_ellipses(items: list[Any], input: Tensor) -> None:
    """A second `...` leads past the last dim, where nothing may follow."""
    places = [at for at, item in enumerate(items) if item is Ellipsis]
    if any(not _takes_whole(item) for item in items[places[1] :]):
        raise ShapeError("an index has more than one ellipsis", operands=(input,), code="LZ203")


def _takes_whole(item: Any) -> bool:
    return item is Ellipsis or (isinstance(item, slice) and item == slice(None))


def _stands_for_tuple(key: Any) -> bool:
    """A short list that holds more than numbers is read as if it were a tuple: `x[[[0], [1]]]` is `x[[0], [1]]`."""
    return (
        isinstance(key, list)
        and len(key) < 32
        and any(
            item is None or item is Ellipsis or isinstance(item, (Tensor, slice, list, tuple, range)) for item in key
        )
    )


def _is_array(item: Any) -> bool:
    return isinstance(item, (list, tuple, range)) or (hasattr(item, "tolist") and not isinstance(item, Tensor))


def _dims_taken(item: Any) -> int:
    if isinstance(item, bool):
        return 0
    if isinstance(item, Tensor) and item.dtype in (dtypes.bool_, dtypes.uint8):
        return item.ndim
    return 1


def _one(input: Tensor, at: int, item: Any) -> int | None:
    """The place an int picks in a dim; None if only data has it."""
    size = int(input.shape[at])
    if isinstance(item, Tensor):
        if item.dtype.category > 1 or (item.values is None and item.dtype.category != 1):
            raise _not_an_index(item)
        if item.values is None:
            return None
        item = item.number()
    elif isinstance(item, Unknown):
        return None
    elif isinstance(item, float):
        raise _not_an_index(item)
    number = int(as_size(item))
    if not -size <= number < size:
        raise ShapeError(
            f"index {number} is out of range for dim {at}, whose size is {size}", operands=(input,), code="LZ202"
        )
    return number % size


def _not_an_index(item: Any) -> ShapeError:
    kind = item.dtype.name if isinstance(item, Tensor) else type(item).__name__
    operands = (item,) if isinstance(item, Tensor) else ()
    return ShapeError(f"an index must be of ints or bools, not of {kind}", operands=operands, code="LZ230")


def sliced(size: int, item: slice, operand: Tensor | None = None) -> tuple[int, int, int]:
    """The first place, the size and the step of a slice over a dim; the size by exact arithmetic.

    `n - 1` for `[1:]`, `-(-n // 2)` for `[::2]`.
    """
    if item.start is item.stop is item.step is None:
        return 0, size, 1
    step = 1 if item.step is None else as_size(item.step)
    if step <= 0:
        raise ShapeError(
            f"a slice by {int(step)}: steps must be positive",
            operands=() if operand is None else (operand,),
            code="LZ202",
        )
    start, stop = _bound(size, item.start, 0), _bound(size, item.stop, size)
    if stop <= start:
        return min(int(start), int(size)), 0, int(step)
    length = stop - start if start else stop
    return int(start), length if step == 1 else -(-length // step), int(step)


def _bound(size: int, bound: Any, default: int) -> int:
    if bound is None:
        return default
    place = as_size(bound)
    if place < 0:
        place = size + place
    if place < 0:
        return 0
    return size if place > size else place


def _index_tensor(item: Any, input: Tensor) -> Tensor:
    """A list, or an array of numpy's, as a tensor."""
    nested = item.tolist() if hasattr(item, "tolist") else item
    shape, leaves = _unnested(nested)
    if any(isinstance(leaf, Tensor) for leaf in leaves):
        leaves = [leaf.number() if isinstance(leaf, Tensor) else leaf for leaf in leaves]
    kinds = [number_type(leaf) for leaf in leaves]
    kind = dtypes.int64
    if kinds:
        kind = kinds[0]
        for other in kinds[1:]:
            kind = dtypes.promote(kind, other)
    return Tensor(shape, kind, input.device, leaves)


def _unnested(nested: Any) -> tuple[tuple[int, ...], list[Any]]:
    if not isinstance(nested, (list, tuple, range)):
        return (), [nested]
    if not nested:
        return (0,), []
    parts = [_unnested(item) for item in nested]
    if any(shape != parts[0][0] for shape, _ in parts):
        raise ShapeError("a nested list used as an index has rows of different lengths", code="LZ202")
    return (len(nested), *parts[0][0]), [leaf for _, leaves in parts for leaf in leaves]


def _collect(input: Tensor, item: Any, selection: Selection, at: int, strides: list[int]) -> int:
    """Note an index tensor or a mask for the lookup; returns how many dims of the input it takes."""
    if isinstance(item, bool) or (not item.shape and item.dtype.category == 0):
        truth = item if isinstance(item, bool) else None if item.values is None else bool(item.values[0])
        count = _free("a mask", 1) if truth is None else int(truth)
        place = _lookup((count,), None if truth is None else [0] * count, input)
        selection.look_up(1, 0, Lookup(place, counted=truth is not None))
        return 0
    if item.dtype.category > 1:
        raise _not_an_index(item)
    if item.dtype not in (dtypes.bool_, dtypes.uint8):
        selection.look_up(input.shape[at], strides[at], Lookup(item, axis=at))
        return 1
    selection.masks += 1
    for offset, (own, theirs) in enumerate(zip(item.shape, input.shape[at:], strict=False)):
        if int(own) != int(theirs):
            raise ShapeError(
                f"a mask of {shape_text(item.shape)} does not fit a tensor of {shape_text(input.shape)}",
                operands=(input, item),
                notes=(f"dim {at + offset} is {int(theirs)} and {int(own)}",),
                code="LZ201",
            )
    for offset, index in enumerate(nonzero_of(item)):
        lookup = Lookup(index, masked=True, counted=item.values is not None)
        selection.look_up(input.shape[at + offset], strides[at + offset], lookup)
    return len(item.shape)


def _check_range(input: Tensor, selection: Selection) -> None:
    for place, lookup in selection.lookups.items():
        size = int(selection.sizes[place])
        wrong = next((n for n in lookup.indices.values or () if not -size <= int(n) < size), None)
        if wrong is not None and lookup.axis is not None:
            raise ShapeError(
                f"index {int(wrong)} is out of range for dim {lookup.axis}, whose size is {size}",
                operands=(input,),
                code="LZ202",
            )
        if size == 0:
            raise ShapeError("an index tensor picks from a dim of size 0", operands=(input,), code="LZ202")


def nonzero_of(mask: Tensor) -> list[Tensor]:
    """One index tensor a dim, (count,) each; the count is free where only data knows it."""
    if mask.values is None:
        count = _free("a mask", int(numel(mask.shape)))
        return [_lookup((count,), None, mask) for _ in mask.shape]
    places = [at for at, number in enumerate(mask.values) if number]
    steps = strides_of(mask.shape)
    return [
        _lookup((len(places),), [place // step % int(size) for place in places], mask)
        for size, step in zip(mask.shape, steps, strict=True)
    ]


def _free(name: str, sample: int) -> int:
    from lazygen.symbolic.shapes import free_size

    return free_size(name, sample)


def _lookup(shape: Sequence[int], values: list[Any] | None, like: Tensor) -> Tensor:
    return Tensor(shape, dtypes.int64, like.device, values)


def _looked_up(input: Tensor, selection: Selection) -> Tensor:
    lookups = list(selection.lookups)  # in their order
    found = _found(selection.lookups.values())
    together = lookups == list(range(lookups[0], lookups[-1] + 1))
    first = lookups[0] if together else 0
    kept = [size for at, size in enumerate(selection.sizes) if at not in selection.lookups]
    shape = [*kept[:first], *found, *kept[first:]]
    if 0 not in shape:
        _check_range(input, selection)
    return new(shape, input, values=_values(input, selection, shape, found, first) if selection.known else None)


def _found(lookups: Collection[Lookup]) -> Size:
    """The shape that the index tensors spread to; a free count spreads like the size it must turn out to be."""
    tensors = tuple(lookup.indices for lookup in lookups if lookup.counted)
    found = broadcast(*(t.shape for t in tensors), operands=tensors, name="an index")
    free = next((lookup.indices.shape for lookup in lookups if not lookup.counted), None)
    if free is None or (found and int(found[-1]) != 1):
        return found
    return Size((*found[:-1], *free))


def _values(input: Tensor, selection: Selection, shape: Sequence[int], found: Size, first: int) -> list[Any] | None:
    if input.values is None or any(lookup.indices.values is None for lookup in selection.lookups.values()):
        return None
    kept = [step for at, step in enumerate(selection.strides) if at not in selection.lookups]
    columns = []
    for at, lookup in selection.lookups.items():
        own = lookup.indices.shape
        steps = [0] * (len(found) - len(own)) + [
            0 if size == 1 else step for size, step in zip(own, strides_of(own), strict=True)
        ]
        size = max(int(selection.sizes[at]), 1)
        columns.append((lookup.indices.values or [], steps, size, selection.strides[at]))

    def position(index: tuple[int, ...]) -> int:
        looked, rest = index[first : first + len(found)], index[:first] + index[first + len(found) :]
        place = selection.offset + sum(i * step for i, step in zip(rest, kept, strict=True))
        for numbers, steps, size, stride in columns:
            number = numbers[sum(i * s for i, s in zip(looked, steps, strict=True))]
            place += int(number) % size * stride
        return place

    return picked(input, shape, position)
