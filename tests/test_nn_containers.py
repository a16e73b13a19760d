"""Containers, initialization and `torch.nn.utils`: the same lines run in both worlds and must give the same."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import Any

import oracle
import pytest
import torch
from oracle_layers import COMPLAINTS, state

from lazygen.symbolic import init, utils
from lazygen.symbolic.nn import linear
from lazygen.symbolic.nn.module import Module


def seen(value: Any) -> Any:
    """What can be compared of a value: for a module its type, its children by name and its parameters."""
    if isinstance(value, (Module, torch.nn.Module)):
        children = [(name, type(child).__name__) for name, child in value.named_modules(remove_duplicate=False)]
        return [type(value).__name__, children, state(value)]
    if isinstance(value, (list, tuple)) and not hasattr(value, "numel") and not hasattr(value, "batch_sizes"):
        return [seen(item) for item in value]
    if hasattr(value, "batch_sizes"):
        return ["packed", oracle.described(value.data), oracle.described(value.batch_sizes)]
    return oracle.described(value)


def run(lines: str, world: dict[str, Any], **more: Any) -> Any:
    """The variable `result` after the lines, or "error"."""
    names = {**world, **more, "OrderedDict": OrderedDict}
    try:
        exec(lines, names)
    except (*COMPLAINTS, LookupError) as error:
        return (
            f"{type(error).__name__}"
            if not isinstance(error, LookupError) or isinstance(error, (IndexError, KeyError))
            else error
        )
    return seen(names["result"])


def both(lines: str) -> tuple[Any, Any]:
    lines = "\n".join(line.strip() for line in lines.split(";"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _both(lines)


def _both(lines: str) -> tuple[Any, Any]:
    ours = run(lines, oracle.SYMBOLIC, init=init, utils=utils, rnn=utils)
    world = {**oracle.META, "nn": torch.nn}
    with torch.device("meta"):
        theirs = run(lines, world, init=torch.nn.init, utils=torch.nn.utils, rnn=torch.nn.utils.rnn)
    if isinstance(ours, str) and isinstance(theirs, str):
        return "error", "error"
    return ours, theirs


THREE = "s = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 4)); "
LIST = "s = nn.ModuleList([nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 4)]); "


@pytest.mark.parametrize("start", [THREE, LIST])
@pytest.mark.parametrize("lines", [
    "result = s", "result = s[0]", "result = s[-1]", "result = s[3]", "result = s[-4]", "result = s[1:]",
    "result = s[::2]", "result = s[:-1]", "result = len(s)", "result = [m for m in s]", "del s[1]; result = s",
    "del s[0:2]; result = s", "del s[5]; result = s", "s[1] = nn.Tanh(); result = s", "s[-1] = nn.Tanh(); result = s",
    "s[7] = nn.Tanh(); result = s", "s[0] = 3; result = s", "result = s.append(nn.Tanh())", "s.append(4); result = s",
    "s.insert(1, nn.Tanh()); result = s", "s.insert(0, nn.Tanh()); result = s", "s.insert(-1, nn.Tanh()); result = s",
    "s.insert(3, nn.Tanh()); result = s", "result = s.extend([nn.Tanh(), nn.ReLU()])", "s.extend(3); result = s",
    "result = [s.pop(1), s]", "result = [s.pop(-1), s]", "s += s; result = len(s)", "s += 3; result = s",
    "s *= 2; result = s", "result = s * 2", "result = 2 * s", "result = s * 0", "result = s * 1.5",
    "result = s + nn.Sequential(nn.Tanh())", "result = s + [nn.Tanh()]", "result = s + 3",
    "result = nn.Linear(1, 2) in s", "s.add_module('last', nn.Tanh()); result = s", "result = s(f32(5, 2))",
    "result = s(f32(5, 3))", "s.reverse(); result = s", "result = '0' in dir(s)",
])  # fmt: skip
def test_sequences(start: str, lines: str) -> None:
    ours, theirs = both(start + lines)
    assert ours == theirs


@pytest.mark.parametrize("lines", [
    "result = nn.Sequential(OrderedDict([('a', nn.Linear(2, 3)), ('b', nn.ReLU())]))", "result = nn.Sequential()",
    "result = nn.Sequential()(3)",
    "result = nn.Sequential(OrderedDict([('a', nn.Linear(2, 3)), ('b', nn.ReLU())]))[1:]", "result = nn.Sequential(3)",
    "result = nn.Sequential([nn.ReLU()])",
    "s = nn.Sequential(OrderedDict(a=nn.Linear(2, 3), b=nn.ReLU())); s[0] = nn.Tanh(); s.append(nn.ReLU()); result = s",
    "s = nn.Sequential(OrderedDict(a=nn.Linear(2, 3), b=nn.ReLU())); del s[0]; result = s",
    "result = nn.Sequential(OrderedDict(a=nn.Linear(2, 3))).a", "result = nn.Sequential(*[nn.Linear(2, 2)] * 3)",
    "result = nn.ModuleList(nn.Linear(i, 2) for i in range(3))", "result = nn.ModuleList()",
    "result = nn.ModuleList([nn.ModuleList([nn.ReLU()])])",
    "result = nn.ModuleList(nn.Sequential(nn.ReLU(), nn.Tanh()))", "result = nn.ModuleList([None])",
])  # fmt: skip
def test_construction(lines: str) -> None:
    ours, theirs = both(lines)
    assert ours == theirs


DICT = "d = nn.ModuleDict({'b': nn.Linear(2, 3), 'a': nn.ReLU()}); "


@pytest.mark.parametrize("lines", [
    "result = d", "result = d['a']", "result = d['c']", "d['c'] = nn.Tanh(); result = d", "del d['a']; result = d",
    "result = [len(d), list(d)]", "result = [list(d.keys()), list(d.values()), list(d.items())]",
    "result = ['a' in d, 'z' in d]", "result = [d.pop('b'), d]", "d.clear(); result = d",
    "d.update({'z': nn.Tanh(), 'y': nn.ReLU()}); result = d",
    "d.update([('z', nn.Tanh()), ('a', nn.Tanh())]); result = d",
    "d.update(nn.ModuleDict({'q': nn.ReLU()})); result = d", "d.update([('z',)]); result = d",
    "d.update(3); result = d", "d['keys'] = nn.ReLU(); result = d", "d['x.y'] = nn.ReLU(); result = d",
    "d[3] = nn.ReLU(); result = d", "result = d.a", "result = d(3)", "d['a'] = 3; result = d",
])  # fmt: skip
def test_dict(lines: str) -> None:
    ours, theirs = both(DICT + lines)
    assert ours == theirs


PARAMETERS = "p = nn.ParameterList([nn.Parameter(f32(2, 3)), f32(4)]); "
PARAMETERS += "q = nn.ParameterDict({'b': nn.Parameter(f32(2)), 'a': f32(3)}); "


@pytest.mark.parametrize("lines", [
    "result = [p, q]", "result = [p[0], p[-1], len(p), list(p)]", "result = p[1:]", "result = p[2]",
    "p[0] = f32(7); result = p", "p += [f32(1), 3]; result = [p, p[3]]", "result = p.append(f32(1))",
    "result = p.extend([f32(1)])", "p.extend(f32(1)); result = p", "p.extend(3); result = p", "result = p()",
    "result = q['a']", "q['c'] = f32(1); result = [q, list(q)]", "q[3] = f32(1); result = q", "del q['a']; result = q",
    "result = [len(q), list(q), list(reversed(q)), 'a' in q]", "result = q.copy()",
    "result = [q.setdefault('z', f32(5)), q]", "q.clear(); result = q", "result = [q.pop('b'), q]",
    "result = [list(q.popitem()), q]", "result = [q.get('a'), q.get('x', 4)]",
    "result = q.fromkeys(['x', 'y'], f32(2))", "result = [list(q.keys()), list(q.values()), list(q.items())]",
    "q.update([('z', f32(1))]); result = q", "q.update(3); result = q", "result = q | nn.ParameterDict({'x': f32(9)})",
    "q |= nn.ParameterDict({'x': f32(9)}); result = q", "result = q(3)", "result = q['nothing']",
    "result = nn.ParameterDict(OrderedDict(z=f32(1), y=f32(2)))",
])  # fmt: skip
def test_parameters(lines: str) -> None:
    ours, theirs = both(PARAMETERS + lines)
    assert ours == theirs


FILL = ["uniform_", "normal_", "trunc_normal_", "ones_", "zeros_", "eye_", "orthogonal_"]
SCALED = ["xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"]


@pytest.mark.parametrize("lines", [
    *(f"w = f32(4, 5); result = [init.{name}(w) is w, w]" for name in FILL),
    *(f"w = f32(4); result = init.{name}(w)" for name in [*FILL, *SCALED, "dirac_"]),
    *(f"w = f32(4, 3, 3, 3); result = init.{name}(w)" for name in [*SCALED, "eye_", "dirac_"]),
    "result = init.constant_(f32(3), 0.5)",
    "result = init.kaiming_normal_(nn.Linear(2, 3).weight, mode='fan_out', nonlinearity='relu')",
    *(f"result = init.calculate_gain('{name}')" for name in ("relu", "tanh", "leaky_relu", "selu", "conv2d", "other")),
    "result = init.calculate_gain('leaky_relu', 0.2)", "result = init._calculate_fan_in_and_fan_out(f32(4, 3, 5, 5))",
    "result = init._calculate_fan_in_and_fan_out(f32(4))",
    "result = init._calculate_correct_fan(f32(4, 3), 'fan_out')",
])  # fmt: skip
def test_init(lines: str) -> None:
    ours, theirs = both(lines)
    assert ours == theirs


def test_init_of_what_waits() -> None:
    weight = linear.LazyLinear(3).weight
    assert init.xavier_uniform_(weight, gain=2.0) is weight


@pytest.mark.parametrize("lines", [
    "m = utils.weight_norm(nn.Linear(3, 4)); result = [m, m(f32(2, 3))]",
    "result = utils.weight_norm(nn.Conv2d(3, 4, 5), dim=1)", "result = utils.weight_norm(nn.Linear(3, 4), dim=None)",
    "result = utils.remove_weight_norm(utils.weight_norm(nn.Linear(3, 4)))",
    "result = utils.weight_norm(nn.Linear(3, 4), 'other')", "result = utils.weight_norm(nn.LazyLinear(4))",
    "result = utils.spectral_norm(nn.Linear(3, 4))", "result = utils.spectral_norm(nn.ConvTranspose2d(3, 4, 5))",
    "result = utils.spectral_norm(nn.Conv1d(3, 4, 5), dim=1)", "result = utils.remove_weight_norm(nn.Linear(3, 4))",
    "result = utils.parameters_to_vector(nn.Linear(3, 4).parameters())",
    "result = utils.vector_to_parameters(f32(16), nn.Linear(3, 4).parameters())",
    "result = utils.vector_to_parameters(f32(15), nn.Linear(3, 4).parameters())",
    "result = rnn.pad_sequence([f32(4, 3), f32(2, 3)])",
    "result = rnn.pad_sequence([f32(4, 3), f32(2, 3)], batch_first=True)",
    "result = rnn.pad_sequence([f32(4, 3), f32(2, 4)])",
])  # fmt: skip
def test_utils(lines: str) -> None:
    ours, theirs = both(lines)
    assert ours == theirs


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_packed_sequences(first: bool, kind: str) -> None:
    given = "f32(2, 5, 3)" if first else "f32(5, 2, 3)"
    lines = f"p = rnn.pack_padded_sequence({given}, [4, 2], {first}); "
    lines += f"out, h = nn.{kind}(3, 6, bidirectional=True, batch_first={first})(p); "
    lines += f"padded = [list(rnn.pad_packed_sequence(out, {first}, 0.0, total)) for total in (None, 7)]; "
    lines += "result = [p, out, h, padded]"
    ours = run(lines.replace("; ", "\n"), oracle.SYMBOLIC, rnn=utils)
    theirs = run(lines.replace("; ", "\n"), {**oracle.META, "f32": torch.zeros}, rnn=torch.nn.utils.rnn)
    assert ours == theirs


def test_packed_sequence_of_unknown_lengths() -> None:
    from lazygen.symbolic.nn.recurrent import GRU
    from lazygen.symbolic.tensor import Tensor

    packed = utils.pack_padded_sequence(Tensor((5, 2, 3)), Tensor((2,)), enforce_sorted=False)
    output, state_ = GRU(3, 6)(packed)
    padded, lengths = utils.pad_packed_sequence(output)
    assert [tuple(t.shape) for t in (padded, lengths, state_)] == [(5, 2, 6), (2,), (1, 2, 6)]
