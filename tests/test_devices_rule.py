"""Which tensors may meet, against torch: every example of every rule with its inputs spread over the CPU and meta."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from oracle import KINDS, Layers, Namespace

from lazygen.symbolic import dtypes, placement, rules
from lazygen.symbolic.dtypes import Devices, Unplaced
from lazygen.symbolic.errors import Mismatch, ShapeError
from lazygen.symbolic.index import FAMILIES
from lazygen.symbolic.placement import Policy
from lazygen.symbolic.tensor import Tensor

# Torch's meta device lets these pass where a GPU does not: their kernels look at the device, and meta has none.
ONLY_ON_A_GPU = """
__getitem__ addbmm addmm baddbmm bilinear bmm bucketize cdist conv1d conv2d conv3d conv_tbc conv_transpose1d
conv_transpose2d conv_transpose3d cross einsum embedding embedding_bag floor_divide gather gru_cell index_put
index_reduce index_select isin ldl_solve linear linear_cross_entropy lstm_cell lu_solve lu_unpack masked_scatter
matmul mm multi_head_attention_forward normal prelu put rnn_relu_cell rnn_tanh_cell scatter scatter_add
scatter_reduce searchsorted solve_ex solve_triangular take tensordot
"""

# Refused by the meta device alone, which makes no number of a tensor for this kernel.
KERNELS_APART = {("torch.floor_divide", 0, True)}


@pytest.fixture(scope="module", autouse=True)
def guarded() -> Iterator[None]:
    """The rules with an eye on their operands, and without it again."""
    for family in sorted(set(FAMILIES.values())):
        importlib.import_module(f"lazygen.symbolic.ops.{family}")
    before = dict(rules.RULES)
    methods = dict(vars(Tensor))
    placement.guard_rules(Policy())
    Devices.mixed = True
    yield
    Devices.mixed, Devices.policy, rules.Guard.around = False, None, None
    rules.RULES.clear()
    rules.RULES.update(before)
    for name, method in methods.items():
        if vars(Tensor).get(name) is not method:
            setattr(Tensor, name, method)
    for name in set(vars(Tensor)) - set(methods):
        delattr(Tensor, name)


class Spread:
    """Makes the inputs of an example, the one of a number on `odd` and the others on `rest`."""

    def __init__(self, number: int, odd: str, rest: str, scalar: bool) -> None:
        self.number, self.odd, self.rest, self.scalar, self.made = number, odd, rest, scalar, 0

    def next(self, shape: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
        is_odd = self.made == self.number
        self.made += 1
        return (() if is_odd and self.scalar else shape), self.odd if is_odd else self.rest


def ours(spread: Spread) -> dict[str, Any]:
    own = {**dtypes.DTYPES, **dtypes.ALIASES, **{p: Namespace(f"torch.{p}") for p in ("fft", "linalg", "special")}}
    world = {"torch": Namespace("torch", **own), "F": Namespace("F"), "nn": Layers(), "math": math}
    for short, name in KINDS.items():

        def make(*shape: int, _name: str = name) -> Tensor:
            sizes, place = spread.next(shape)
            return Tensor(sizes, dtypes.DTYPES[_name], dtypes.located(place), None)

        world[short] = make
    return world


def theirs(spread: Spread) -> dict[str, Any]:
    world = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "math": math}
    for short, name in KINDS.items():

        def make(*shape: int, _name: str = name) -> torch.Tensor:
            sizes, place = spread.next(shape)
            return torch.ones(sizes, dtype=getattr(torch, _name)).to(place)

        world[short] = make
    return world


def refuses(example: str, world: dict[str, Any]) -> bool | None:
    """Whether a world refuses the devices of an example; None if it has another complaint."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(example, world)
        except Mismatch:
            return True
        except (ShapeError, LookupError):
            return None
        except Exception as error:
            said = str(error)
            if "Cannot copy out of meta tensor" in said:
                return None
            return True if "device" in said or "meta" in said else None
    return False


def examples() -> list[tuple[str, str, int]]:
    """Examples with two inputs or more, and how many they have."""
    for family in sorted(set(FAMILIES.values())):
        importlib.import_module(f"lazygen.symbolic.ops.{family}")
    found = []
    for name, texts in sorted(rules.EXAMPLES.items()):
        for text in texts:
            counter = Spread(-1, "cpu", "cpu", False)
            if refuses(text, theirs(counter)) is False and counter.made > 1:
                found.append((name, text, counter.made))
    return found


ALL = examples()


def test_there_are_many() -> None:
    assert len(ALL) > 200


@pytest.mark.parametrize("scalar", [False, True], ids=["tensor", "number"])
@pytest.mark.parametrize("odd", ["cpu", "meta"])
def test_the_same_operands_may_meet_as_under_torch(odd: str, scalar: bool) -> None:
    rest = "meta" if odd == "cpu" else "cpu"
    wrong = []
    for name, text, count in ALL:
        for number in range(count):
            if scalar and refuses(text, theirs(Spread(number, "cpu", "cpu", True))) is not False:
                continue  # no number may stand there at all
            mine = refuses(text, ours(Spread(number, odd, rest, scalar)))
            torch_ = refuses(text, theirs(Spread(number, odd, rest, scalar)))
            if mine is None or torch_ is None or mine == torch_ or (name, number, scalar) in KERNELS_APART:
                continue
            if mine and name.rpartition(".")[2] in ONLY_ON_A_GPU.split():
                continue
            wrong.append(f"{text}, input {number} on {odd}: lazygen {mine}, torch {torch_}")
    assert not wrong, "\n".join(wrong)


def test_layers_want_their_inputs_where_they_are() -> None:
    world = {**ours(Spread(-1, "cpu", "cpu", False))}
    layers = ["nn.Linear(3, 4", "nn.Conv1d(3, 4, 1", "nn.LSTM(3, 4", "nn.LayerNorm(3", "nn.PReLU(1", "nn.GRUCell(3, 4"]
    for layer in layers:
        for own, other in (("meta", "cpu"), ("cpu", "meta")):
            made = eval(f'{layer}, device="{own}")', world)
            shape = (2, 3) if "Cell" in layer else (2, 3, 3)
            assert tuple(made(Tensor(shape, None, dtypes.located(own)))[0].shape)
            with pytest.raises(Mismatch):
                made(Tensor(shape, None, dtypes.located(other)))


def test_what_nobody_placed_is_where_it_meets_the_first() -> None:
    place = Unplaced(settles=True)
    x, y = Tensor((2,), None, place), Tensor((2,), None, Unplaced(settles=True))
    total = x + y
    assert (place.is_open, str(total.device)) == (True, "cpu")
    z = total * Tensor((2,), None, dtypes.located("cuda"))
    assert [str(t.device) for t in (x, y, total, z)] == ["cuda:0"] * 4
    with pytest.raises(Mismatch):
        x + Tensor((2,), None, dtypes.located("cpu"))
