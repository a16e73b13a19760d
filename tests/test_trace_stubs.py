"""Packages that are not there."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path
from typing import Any

import pytest
from sources import cases

from lazygen.symbolic.tensor import TRACED
from lazygen.trace import world
from lazygen.trace.child import Died, run_in_child
from lazygen.trace.finder import locate
from lazygen.trace.stubs import MissingValue


def run(source: str, folder: Path | None = None) -> Any:
    """Runs a source in the traced world; gives its variable `result`, or the name and words of what it raised."""

    def work() -> Any:
        path = str((folder or Path("/nowhere")) / "model.py")
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        TRACED.add(path)
        world.install(locate(Path(path)), lambda text, name: compile(text, name, "exec", dont_inherit=True))
        names: dict[str, Any] = {"__name__": "model", "__file__": path}
        sys.modules["model"] = type(sys)("model")
        sys.modules["model"].__dict__.update(names)
        names = sys.modules["model"].__dict__
        try:
            exec(compile(source, path, "exec", dont_inherit=True), names)
        except BaseException as error:
            extra = (error.name, error.source.module, error.source.line) if isinstance(error, MissingValue) else ()
            return (type(error).__name__, str(error), *extra)
        return names.get("result")

    outcome = run_in_child(work, 20)
    assert not isinstance(outcome, Died), outcome.detail or outcome
    return outcome


HOLDS = cases("""
## attributes and calls
import missing.sub as m
result = repr(m.a.b(1).c) != ''
## identity
import missing
result = missing.x is missing.x
## from
from missing.deep.er import X, helper
result = X is not helper
## subscript
import missing
result = missing.REGISTRY['x'] is missing.REGISTRY['x']
## stored
import missing
missing.config.width = 3
missing.TABLE['a'] = 4
result = missing.config.width + missing.TABLE['a'] == 7
## bare decorator
import missing
@missing.jit
def f(): return 3
result = f() == 3
## decorator with arguments
import missing
@missing.register('x')
class A: pass
result = type(A()) is A
## decorator of a method
import missing
class A:
    @missing.typed
    def f(self): return 4
result = A().f() == 4
## property
import missing
class A:
    @missing.cached_property
    def f(self): return 4
result = A().f == 4
## annotations
from typing import *
from missing import X, Float
def f(a: X | None, b: None | X, c: Optional[X], d: Float['b c'], e: list[X], g: Union[X, int]) -> X: ...
result = get_type_hints(f)['a'] is not None
## isinstance
import missing
result = not isinstance(3, missing.X) and not isinstance(3, (str, missing.X))
## isinstance of its own
import missing
class A(missing.Base): pass
result = isinstance(A(), missing.Base) and issubclass(A, missing.Base)
## with
import missing
with missing.scope('x') as s: result = s is not None
## except
import missing
try:
    1 // 0
except missing.SomeError: result = False
except ZeroDivisionError: result = True
## raise
from missing import FooError
try:
    raise FooError('x')
except FooError as e: result = str(e) == 'x'
## unpacking
import missing
a, b = missing.pair()
result = a is not b
## starred unpacking
import missing
a, *b, c = missing.items()
result = len(b) == 0 and a is not c
## None
import missing
result = missing.x is not None and missing.x != None and not missing.x == None
## copies
import missing, copy
result = copy.deepcopy([missing.x])[0] is missing.x
## hash
import missing
result = {missing.a: 1}[missing.a] == 1
## standard library of another system
import winreg
from msvcrt import getch
result = callable(getch)
## find_spec tells the truth
import importlib.util
result = importlib.util.find_spec('missing') is None
## import_module
import importlib
m = importlib.import_module('missing.sub')
result = m.X is m.X
## inside a function
def f():
    import missing
    return missing.x
result = f() is not None
## generic alias base
from missing import Base
class A(Base[int]): width = 3
result = A().width == 3
""")


@pytest.mark.parametrize("source", HOLDS.values(), ids=HOLDS)
def test_stubs_can_be(source: str) -> None:
    assert run(source) is True


USES = """
for i in x: pass
x == 3
x != 3
x < 3
x + 1
1 + x
x * 2
2 ** x
-x
x // 2
bool(x)
len(x)
int(x)
float(x)
[*x]
f(*x)
f(**x)
3 in x
range(x)
abs(x)
if x: pass
x | 3
[0] * x
[1, 2][x]
divmod(x, 2)
round(x)
hasattr(x, '__index__')
nn.Linear(x, 3)
nn.Linear(3, 4)(torch.zeros(2, 3)) + x
""".strip().splitlines()


@pytest.mark.parametrize("use", USES)
def test_needing_the_value_names_the_import(use: str) -> None:
    outcome = run(f"import torch; from torch import nn; f = print\nfrom missing.config import x\n{use}")
    assert outcome[0] == "MissingValue", outcome
    assert outcome[3:] == ("missing.config", 2) and outcome[2].startswith("missing.config.x")


OPTIONAL = cases("""
## flag
try:
    import missing
    HAVE = True
except ImportError:
    HAVE = False
result = HAVE is False
## module not found
try:
    import missing
    a = 1
except ModuleNotFoundError:
    missing = None
result = missing is None
## bare
try:
    import missing
except:
    missing = None
result = missing is None
## tuple
try:
    from missing import x
except (AttributeError, ImportError):
    x = 4
result = x == 4
## set before
HAVE = False
try:
    import missing
    HAVE = True
except ImportError:
    pass
result = HAVE is False
## other way
try:
    from missing import Norm
except ImportError:
    from torch.nn import LayerNorm as Norm
result = Norm.__name__ == 'LayerNorm'
## suppress
import contextlib
x = 1
with contextlib.suppress(ImportError):
    import missing
    x = 2
result = x == 1
## complaint
try:
    import missing
except ImportError:
    print('install it')
result = missing.x is not None
## raised on
try:
    import missing
except ImportError as e:
    raise RuntimeError('install it') from e
result = missing.x is not None
## other error
try:
    import missing
except ValueError:
    result = False
else:
    result = True
## in the handler
try:
    import missing
except ImportError:
    import missing2 as missing
result = missing.__name__ == 'missing2'
## in a function
def f():
    try:
        import missing
        return 1
    except ImportError:
        return 2
result = f() == 2
""")


@pytest.mark.parametrize("source", OPTIONAL.values(), ids=OPTIONAL)
def test_optional_imports(source: str) -> None:
    assert run(source) is True


MODULES = cases("""
## forward
class Net(m.Base):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 3)
    def forward(self, x): return x
result = isinstance(Net(), nn.Module) and len(list(Net().parameters())) == 2
## uses what only a module has
class Net(m.Base):
    def count(self): return sum(1 for _ in self.parameters())
result = isinstance(Net(), nn.Module)
## a subclass has a forward
class A(m.Base):
    x = 1
class B(A):
    def forward(self): ...
result = isinstance(B(), nn.Module)
## beside a module
class Net(m.Mixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 3)
result = len(list(Net().parameters())) == 2
## behind a module
class Net(nn.Module, m.Mixin):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 3)
result = len(list(Net().parameters())) == 2
## two missing bases
class Net(m.A, m.B):
    def forward(self): ...
result = isinstance(Net(), nn.Module)
## decorated over lines
@m.register(
    'x',
)
class Net(
    m.Base,
):
    def forward(self): ...
result = isinstance(Net(), nn.Module)
## lightning
class Net(m.LightningModule):
    def __init__(self, width=24, lr=1e-3, *, extra=3, **kw):
        super().__init__()
        self.save_hyperparameters(ignore=['lr'])
    def forward(self, x): self.log('a', 1); return self.device
n = Net(8, more=4)
result = dict(n.hparams) == {'width': 8, 'extra': 3, 'more': 4} and n.hparams.width == 8 and str(n(1)) == 'cpu'
## config by position
class C: width = 5
class Net(m.PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.post_init()
    def forward(self): ...
result = Net(C()).config.width == 5
## hasattr is told the truth
class Net(m.Base):
    def forward(self): ...
result = not hasattr(Net(), 'proj') and getattr(Net(), 'proj', 3) == 3
## attributes of the base
class Net(m.Base):
    def forward(self): ...
result = Net().trainer.world_size is not None
## abc
import abc
class Net(m.Base, abc.ABC):
    def forward(self): ...
result = isinstance(Net(), nn.Module)
## enum
import enum
class E(str, enum.Enum): A = 'a'
class Net(m.Base):
    kind = E.A
result = Net().kind is E.A
""")


@pytest.mark.parametrize("source", MODULES.values(), ids=MODULES)
def test_missing_bases_of_modules(source: str) -> None:
    assert run("import missing as m\nfrom torch import nn\n" + source) is True


CONFIGS = cases("""
## keyword
class C(m.BaseModel):
    width: int = 8
    depth: int = 2
c = C(width=16)
result = (c.width, c.depth)
## inherited
class B(m.BaseModel):
    width: int = 8
class C(B):
    depth: int = 2
c = C(width=16)
result = (c.width, c.depth)
## own constructor
class C(m.Base):
    def __init__(self, width): self.width = width; self.depth = 2
c = C(16)
result = (c.width, c.depth)
## dataclass by a stub
@m.dataclasses.dataclass
class C:
    width: int = 8
    depth: int = 2
c = C(16)
result = (c.width, c.depth)
## dataclass with arguments
@m.define(frozen=True)
class C:
    width: int
    depth: int = 2
c = C(16)
result = (c.width, c.depth)
## namespace
class C(m.Base):
    width = 16
    depth = 2
result = (C.width, C().depth)
""")


@pytest.mark.parametrize("source", CONFIGS.values(), ids=CONFIGS)
def test_missing_bases_of_settings(source: str) -> None:
    assert run("import missing as m\n" + source) == (16, 2)


UNSURE = cases("""
## by position
c = C(16)
result = c.width
## another name
c = C(Width=16)
result = c.width
## class method
c = C.parse('x')
result = c.width + 1
## a field of a stub
class D(m.BaseModel):
    width: int = m.Field(8)
result = D().width + 1
## validator
class D(m.BaseModel):
    width: int = 8
    @m.field_validator('width')
    def even(cls, v): return v * 2
result = D(width=3).width
## what the base would have
result = C().extra * 2
""")


@pytest.mark.parametrize("source", UNSURE.values(), ids=UNSURE)
def test_settings_are_never_silently_wrong(source: str) -> None:
    outcome = run("import missing as m\nclass C(m.BaseModel):\n    width: int = 8\n" + source)
    assert outcome[0] == "MissingValue" and outcome[3] == "missing", outcome


def test_the_message() -> None:
    outcome = run("from missing import cfg\nwidth = cfg.width * 2")
    assert outcome[1] == "* needs the value of missing.cfg.width, but missing is not installed"
