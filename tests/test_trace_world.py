"""The stand-in under torch's names, as sources use it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sources import cases
from test_trace_stubs import run

from lazygen.symbolic.torch_names import NAMES
from lazygen.trace import world
from lazygen.trace.child import Died, run_in_child

HOLDS = cases("""
## spellings of a layer
import torch, torch.nn as nn
from torch.nn import Linear as A
from torch.nn.modules import Linear as B
from torch.nn.modules.linear import Linear as C
import torch.nn.modules.linear as m
result = nn.Linear is A is B is C is m.Linear is torch.nn.modules.Linear
## parameters
from torch import nn
from torch.nn.parameter import Parameter, UninitializedParameter
result = Parameter is nn.Parameter and issubclass(UninitializedParameter, nn.Parameter)
## functions
import torch, torch.nn.functional as F
from torch.nn.functional import conv2d
result = F.conv2d is conv2d and torch.cat is torch.concat or callable(torch.cat)
## what is not there
import torch
result = not any(hasattr(m, 'nonsense') for m in (torch, torch.nn, torch.nn.functional, torch.cuda, torch.Tensor))
## no device
import torch
name = 'cuda' if torch.cuda.is_available() else 'mps' if torch.backends.mps.is_available() else 'cpu'
result = torch.device(name).type == 'cpu'
## number of devices
import torch
result = torch.cuda.device_count() == 0 and torch.distributed.is_initialized() is False and torch.version.cuda is None
## version
import torch
result = torch.__version__ == '2.13.0' and torch.__version__ >= (2, 0) and not torch.__version__ < '1.9'
## version with two digits
import torch
result = torch.__version__ > '2.9' and torch.__version__.split('.')[0] == '2'
## spec
import importlib.util, torch
result = importlib.util.find_spec('torch.nn') is not None and torch.__spec__.name == 'torch' and bool(torch.nn.__file__)
## modes as context managers
import torch
with torch.no_grad(), torch.inference_mode(), torch.autocast('cuda', dtype=torch.float16):
    with torch.set_grad_enabled(False):
        result = True
## modes as decorators
import torch
@torch.no_grad()
def f(x): return x
@torch.inference_mode
def g(x): return x
@torch.cuda.amp.autocast(enabled=False)
def h(x): return x
result = f(1) + g(1) + h(1) == 3
## seeds
import torch
torch.manual_seed(0); torch.cuda.manual_seed_all(0); torch.set_num_threads(1); torch.use_deterministic_algorithms(True)
torch.backends.cudnn.benchmark = True
torch.backends.cuda.matmul.allow_tf32 = True
torch.set_float32_matmul_precision('high')
torch.set_rng_state(torch.get_rng_state())
result = isinstance(torch.Generator(device='cpu').manual_seed(0), torch.Generator)
## default dtype
import torch
torch.set_default_dtype(torch.float64)
result = torch.get_default_dtype() is torch.double and torch.Tensor(2, 3).dtype is torch.float64
## compiled
import torch
net = torch.nn.Linear(2, 3)
@torch.compile(fullgraph=True)
def f(): return 1
result = torch.compile(net) is net and torch.jit.script(net) is net and torch.jit.trace(net, 1) is net and f() == 1
## scripting
import torch
@torch.jit.ignore
def f(): return 1
@torch.jit.unused
def g(): return 1
result = f() + g() == 2 and not torch.jit.is_scripting() and torch.jit.annotate(int, 3) == 3
## checkpoint
import torch
from torch.utils.checkpoint import checkpoint
assert checkpoint(lambda a, b: a + b, 1, 2, use_reentrant=False) == 3
result = torch.utils.checkpoint.checkpoint(max, 1, 2) == 2
## dtypes
import torch
assert torch.float is torch.float32
assert torch.long is torch.int64
assert isinstance(torch.int8, torch.dtype)
result = torch.quint8.itemsize == 1
## limits
import torch
f, i = torch.finfo(torch.float32), torch.iinfo(torch.int64)
assert (f.eps, f.max, f.tiny, i.max) == (2**-23, 3.4028234663852886e38, 2.0**-126, 2**63 - 1)
result = torch.finfo(torch.float16).min == -65504
## constants
import torch, math
assert torch.pi == math.pi
assert torch.inf == math.inf
assert torch.channels_last is not torch.contiguous_format
result = torch.strided is torch.strided
## old constructors
import torch
made = (torch.Tensor(2, 3), torch.Tensor([2, 3]), torch.FloatTensor(4), torch.Tensor([[1., 2.]]), torch.Tensor())
result = [tuple(t.shape) for t in made] == [(2, 3), (2,), (4,), (1, 2), (0,)]
## old constructors keep values
import torch
assert torch.LongTensor([2, 3]).values == [2, 3]
assert torch.LongTensor([1]).dtype is torch.int64
result = isinstance(torch.Tensor(1), torch.FloatTensor)
## old variables
from torch.autograd import Variable
import torch
x = torch.Tensor(2)
result = Variable(x) is x and isinstance(x, Variable)
## optimizers
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR
optimizer = torch.optim.AdamW(torch.nn.Linear(2, 3).parameters(), lr=0.1)
optimizer.zero_grad(); optimizer.step(); scheduler = CosineAnnealingLR(optimizer, T_max=3); scheduler.step()
assert optimizer.param_groups[0]['lr'] == 0.1
assert isinstance(optimizer, torch.optim.Optimizer)
result = scheduler.get_last_lr() == [0.1]
## parameter groups
import torch
optimizer = torch.optim.SGD([{'params': [], 'lr': 2}, {'params': []}], 3)
result = [group['lr'] for group in optimizer.param_groups] == [2, 3]
## data
from torch.utils.data import Dataset, DataLoader
class D(Dataset[int]):
    def __len__(self): return 10
loader = DataLoader(D(), batch_size=4, shuffle=True)
result = len(loader) == 3 and loader.shuffle and isinstance(D(), Dataset)
## custom gradient
import torch
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x); ctx.k = 2
        return x * ctx.k
result = Double.apply(4) == 8
## custom gradient with a context of its own
import torch
class Double(torch.autograd.Function):
    @staticmethod
    def forward(x): return x * 2
    @staticmethod
    def setup_context(ctx, inputs, output): ctx.save_for_backward(*inputs)
result = Double.apply(4) == 8
## initialisation
import torch
from torch import nn
from torch.nn import init
net = nn.Linear(3, 5)
init.xavier_uniform_(net.weight, gain=init.calculate_gain('relu'))
nn.init.zeros_(net.bias)
nn.init.trunc_normal_(net.weight, std=.02)
result = init._calculate_fan_in_and_fan_out(net.weight) == (3, 5) and init.constant_(net.weight, 0) is net.weight
## utilities
import torch
from torch import nn
from torch.nn.utils import weight_norm, spectral_norm, clip_grad_norm_, parameters_to_vector
from torch.nn.utils.parametrizations import weight_norm as new
net = nn.Linear(3, 5)
clip_grad_norm_(net.parameters(), 1.0)
assert parameters_to_vector(net.parameters()).shape == (20,)
assert new(net) is net and parameters_to_vector(net.parameters()).shape == (25,)
assert list(net.state_dict()) == ["bias", "parametrizations.weight.original0", "parametrizations.weight.original1"]
assert isinstance(net, nn.Linear) and net(torch.zeros(2, 3)).shape == (2, 5)
other = nn.Linear(3, 5)
result = weight_norm(other, dim=0) is other and spectral_norm(nn.Linear(2, 3)) is not None
## private names that sources use
import torch
from torch.nn.modules.utils import _pair, _triple, _ntuple
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd
from torch.optim.lr_scheduler import _LRScheduler
assert _pair(3) == (3, 3)
assert _triple((1, 2, 3)) == (1, 2, 3)
assert _ntuple(4)(1) == (1,) * 4
result = not isinstance(torch.nn.Linear(1, 1), _ConvNd)
## types
from torch import Tensor, Size
from torch.types import _size, Device, Number
from torch.nn.common_types import _size_2_t
from typing import Optional, get_type_hints
def f(a: Tensor, b: _size_2_t, c: Optional[Tensor] = None, d: Tensor | None = None) -> Size: ...
result = get_type_hints(f)['a'] is Tensor
## parallel
import torch
net = torch.nn.Linear(2, 3)
assert torch.nn.DataParallel(net).module is net
result = list(torch.nn.parallel.DistributedDataParallel(net).state_dict()) == ['module.weight', 'module.bias']
## everything else imports
import torch.distributed as dist, torch.utils.tensorboard, torch.utils.cpp_extension
import torch.fx, torch.profiler, torch.multiprocessing
import torch.distributed.algorithms.ddp_comm_hooks.default_hooks, torch._dynamo, torch.onnx
import torch.testing, torch.hub, torch._C
from torch.utils.tensorboard import SummaryWriter
from torch.cuda.amp import GradScaler
from torch.nn.attention import SDPBackend, sdpa_kernel
torch._dynamo.config.suppress_errors = True
with sdpa_kernel(SDPBackend.MATH): SummaryWriter('x').add_scalar('a', 1)
GradScaler().scale(1)
result = dist.get_world_size() == 1
## exceptions
import torch
try:
    raise torch.cuda.OutOfMemoryError('x')
except torch.OutOfMemoryError as error:
    result = isinstance(error, RuntimeError)
## star
from torch.nn import *
from torch.nn.functional import *
result = Linear.__name__ == 'Linear' and callable(relu)
## dataclasses, pickle, copies
import torch, pickle, copy, dataclasses, functools, inspect
from torch import nn
@dataclasses.dataclass
class C:
    act: type[nn.Module] = nn.Identity
    kind: torch.dtype = torch.float32
class Net(nn.Module):
    def __init__(self): super().__init__(); self.l = nn.Linear(2, 3)
@functools.singledispatch
def f(x): return 0
@f.register
def _(x: torch.Tensor): return 1
kept = pickle.loads(pickle.dumps(C()))
assert kept.kind is torch.float32
assert len(list(copy.deepcopy(Net()).parameters())) == 2
assert f(torch.Tensor(2)) == 1
result = 'super' in inspect.getsource(Net)
## mixins
import abc, typing, enum
from torch import nn
T = typing.TypeVar('T')
class P(typing.Protocol):
    def run(self): ...
class A(nn.Module, abc.ABC):
    @abc.abstractmethod
    def run(self): ...
class B(A, typing.Generic[T]):
    def run(self): return 3
result = B().run() == 3
## directory
import torch
result = 'nn' in dir(torch) and 'Linear' in dir(torch.nn) and 'relu' in torch.nn.functional.__dir__()
## mapped
import torch
result = torch.vmap(lambda a: (a, a))(torch.Tensor(4, 2))[1].shape == (4, 2)
""")


@pytest.mark.parametrize("source", HOLDS.values(), ids=HOLDS)
def test_sources(source: str) -> None:
    assert run(source) is True


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("import torch; torch.save({}, 'x.pt')", "PermissionError", "torch.save"),
        ("import torch; torch.load('x.pt')", "UnknownValue", "torch.load reads data"),
        ("from torch.utils.data import DataLoader; next(iter(DataLoader([1, 2])))", "UnknownValue", "real data"),
        ("import torch; int(torch.utils.data.get_worker_info().id)", "NoRule|AttributeError|MissingValue", ""),
        ("import torch; torch.cuda.Stream().priority + 1", "MissingValue", "no part in shapes"),
    ],
)
def test_what_cannot_be_had(source: str, kind: str, words: str) -> None:
    outcome = run(source)
    assert outcome[0] in kind.split("|") and words in outcome[1], outcome


def test_every_public_name_stands_for_something() -> None:
    def look() -> list[str]:
        world.install_torch()
        wrong = []
        for module in NAMES:
            for name in world.kinds_of(module) if module != "torch.Tensor" else ():
                try:
                    getattr(__import__(module, fromlist=["x"]), name)
                except Exception as error:
                    wrong.append(f"{module}.{name}: {error!r}")
        return wrong

    outcome = run_in_child(look, 60)
    assert not isinstance(outcome, Died), outcome.detail
    assert outcome == []


BUILD = """
import sys
from lazygen.trace import world
world.install_torch()
import torch, torch.nn.functional as F
from torch import nn
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), {layer})
net(torch.zeros(2, 4))
print(*sorted(name.rpartition('.')[2] for name in sys.modules if name.startswith('lazygen.symbolic.')))
print('numpy' in sys.modules, 'sympy' in sys.modules, type(sys.modules['torch']).__name__)
"""


def loaded_for(layer: str) -> list[str]:
    script = BUILD.format(layer=layer)
    root = str(Path(world.__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=root)
    return done.stdout.splitlines()


def test_an_mlp_loads_no_rules_of_convolution_or_recurrence() -> None:
    names, rest = loaded_for("nn.Linear(8, 2)")
    assert not [
        name for name in names.split() if "conv" in name or "recurrent" in name or "rnn" in name or "pool" in name
    ]
    assert rest == "False False StandIn"


def test_that_test_can_fail() -> None:
    names, _ = loaded_for("nn.Sequential(nn.Unflatten(1, (2, 2, 2)), nn.Conv2d(2, 3, 1))")
    assert "conv" in names


def test_real_torch_is_put_aside_for_the_child_only() -> None:
    held = sys.modules.get("torch")

    def look() -> Any:
        world.install_torch()
        return type(sys.modules["torch"]).__name__

    assert run_in_child(look, 10) == "StandIn"
    assert sys.modules.get("torch") is held
