"""torch's factory convention: which calls get a device, which definitions take one, and what is left alone."""

from __future__ import annotations

import ast
import inspect
from textwrap import dedent

import pytest
import torch

from lazygen.emit import emit
from lazygen.lift.placement.convention import Convention, Where
from lazygen.lift.placement.takers import takes
from lazygen.lift.plan import Plan
from lazygen.lift.syntax import Syntax
from lazygen.symbolic.index import LAYERS

HEAD = "import math\nfrom functools import partial\n\nimport torch\nfrom torch import nn\n\n\n"


def given(source: str, *names: str, line_length: int = 120) -> str:
    """The text with the convention for the definitions of these names, without the imports above it."""
    text = HEAD + dedent(source).lstrip("\n")
    syntax = Syntax(ast.parse(text), text, "model.py")
    convention = Convention(syntax)
    for statement in syntax.tree.body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)) and statement.name in names:
            convention.give(statement)
    assert convention.problems == []
    return emit(text, Plan(tuple(convention.edits())), line_length=line_length).removeprefix(HEAD)


def placed(source: str, where: Where) -> str:
    """The text whose statements are placed."""
    text = HEAD + dedent(source).lstrip("\n")
    syntax = Syntax(ast.parse(text), text, "model.py")
    convention = Convention(syntax)
    convention.place(syntax.tree.body, where)
    return emit(text, Plan(tuple(convention.edits())), line_length=120).removeprefix(HEAD)


def body_of(text: str) -> str:
    """What the constructor of the first class does behind `super().__init__()`."""
    owner = next(s for s in ast.parse(HEAD + text).body if isinstance(s, ast.ClassDef))
    (constructor,) = (s for s in owner.body if isinstance(s, ast.FunctionDef) and s.name == "__init__")
    return "\n".join(map(ast.unparse, constructor.body[1:]))


MAKES = [
    ("nn.Linear(3, 4)", "nn.Linear(3, 4, device=device, dtype=dtype)"),
    ("nn.Linear(3, 4, bias=False)", "nn.Linear(3, 4, bias=False, device=device, dtype=dtype)"),
    ("nn.LazyConv2d(8, 3)", "nn.LazyConv2d(8, 3, device=device, dtype=dtype)"),
    ("nn.LSTM(3, 4)", "nn.LSTM(3, 4, device=device, dtype=dtype)"),
    ("torch.ones(3)", "torch.ones(3, dtype=dtype, device=device)"),
    ("torch.arange(3)", "torch.arange(3, device=device)"),
    ("torch.arange(0.0, 1.0, 0.1)", "torch.arange(0.0, 1.0, 0.1, dtype=dtype, device=device)"),
    ("torch.randint(0, 9, (3,))", "torch.randint(0, 9, (3,), device=device)"),
    ("torch.zeros(3, dtype=torch.long)", "torch.zeros(3, dtype=torch.long, device=device)"),
    ("torch.tensor([1, 2])", "torch.tensor([1, 2], device=device)"),
    ("torch.tensor([1.0, 2])", "torch.tensor([1.0, 2], dtype=dtype, device=device)"),
    ("torch.full((3,), math.pi)", "torch.full((3,), math.pi, dtype=dtype, device=device)"),
    ("torch.full((3,), 1)", "torch.full((3,), 1, device=device)"),
    ("nn.Parameter(torch.randn(3) * 0.1)", "nn.Parameter(torch.randn(3, dtype=dtype, device=device) * 0.1)"),
    ("torch.Tensor(3, 4)", "torch.Tensor(3, 4).to(device=device, dtype=dtype)"),
    ("torch.from_numpy(a)", "torch.from_numpy(a).to(device=device)"),
    ("nn.Linear(3, 4, device='cpu')", "nn.Linear(3, 4, device='cpu', dtype=dtype)"),
    (
        "nn.Sequential(nn.Linear(3, 4), nn.ReLU())",
        "nn.Sequential(nn.Linear(3, 4, device=device, dtype=dtype), nn.ReLU())",
    ),
    ("[nn.Linear(w, 4) for w in ws]", "[nn.Linear(w, 4, device=device, dtype=dtype) for w in ws]"),
    ("(lambda w: nn.Linear(w, w))(3)", "(lambda w: nn.Linear(w, w, device=device, dtype=dtype))(3)"),
    ("(nn.Linear if a else nn.Identity)(3, 4)", "(nn.Linear if a else nn.Identity)(3, 4, device=device, dtype=dtype)"),
    ("{'a': nn.ReLU, 'b': nn.PReLU}[a]()", "{'a': nn.ReLU, 'b': nn.PReLU}[a]().to(device=device, dtype=dtype)"),
    ("partial(nn.GroupNorm, 4)(8)", "partial(nn.GroupNorm, 4)(8, device=device, dtype=dtype)"),
]


@pytest.mark.parametrize(("made", "expected"), MAKES)
def test_what_a_constructor_makes(made: str, expected: str) -> None:
    source = f"""
        class Net(nn.Module):
            def __init__(self, a, ws):
                super().__init__()
                self.made = {made}
                self.always = nn.Linear(1, 1)
        """
    text = given(source, "Net")
    assert body_of(text).splitlines()[0] == f"self.made = {expected}"
    assert "def __init__(self, a, ws, device=None, dtype=None):" in text


NOTHING = [
    "nn.ReLU()",
    "nn.Identity()",
    "nn.Sequential(nn.Flatten())",
    "torch.zeros_like(w)",
    "w.new_zeros(3)",
    "[r.item() for r in torch.linspace(0, a, 4)]",
    "torch.linspace(0, a, 4).tolist()",
    "float(torch.ones(3).sum())",
    "math.sqrt(a)",
    "make(3)",
    "copy.deepcopy(w)",
    "nn.Linear(3, 4, device='cpu', dtype=torch.half)",
    "torch.Tensor(3).to('cpu')",
]


@pytest.mark.parametrize("made", NOTHING)
def test_what_takes_no_device_is_left_alone(made: str) -> None:
    source = f"""
        class Net(nn.Module):
            def __init__(self, a, w, make):
                super().__init__()
                self.made = {made}
        """
    assert given(source, "Net") == dedent(source).lstrip("\n")


def test_tensors_that_are_only_read_by_a_variable_are_left_alone() -> None:
    source = """
        class Net(nn.Module):
            def __init__(self, depth):
                super().__init__()
                rates = torch.linspace(0, 0.1, depth)
                self.drops = [nn.Dropout(rates[i].item()) for i in range(depth)]
                steps = torch.linspace(0, 1, depth)
                self.register_buffer("steps", steps)
        """
    lines = body_of(given(source, "Net")).splitlines()
    assert lines[0] == "rates = torch.linspace(0, 0.1, depth)"
    assert lines[2] == "steps = torch.linspace(0, 1, depth, dtype=dtype, device=device)"


def test_a_tensor_that_is_bound_to_a_part_of_itself_is_only_read_if_that_is() -> None:
    source = """
        class Net(nn.Module):
            def __init__(self, depth):
                super().__init__()
                rates = torch.linspace(0, 0.1, depth)
                rates = rates[1:]
                self.drops = [nn.Dropout(rate.item()) for rate in rates]
                steps = torch.linspace(0, 1, depth)
                steps = steps[1:]
                self.register_buffer("steps", steps)
        """
    lines = body_of(given(source, "Net")).splitlines()
    assert lines[0] == "rates = torch.linspace(0, 0.1, depth)"
    assert lines[3] == "steps = torch.linspace(0, 1, depth, dtype=dtype, device=device)"


DICTS = [
    ("kw = dict(device=a)", "nn.Linear(1, 2, dtype=dtype, **kw)"),
    ("kw = dict(device=a); kw['dtype'] = b", "nn.Linear(1, 2, **kw)"),
    ("kw = {'device': a}; kw = {**kw, 'dtype': b}", "nn.Linear(1, 2, **kw)"),
    ("kw = {'device': a}; kw = kw | dict(dtype=b)", "nn.Linear(1, 2, **kw)"),
    ("kw: dict = {'bias': a}; kw['dtype'] = b", "nn.Linear(1, 2, device=device, **kw)"),
    ("kw = dict({'dtype': a}, **{'bias': b})", "nn.Linear(1, 2, device=device, **kw)"),
]


@pytest.mark.parametrize(("bound", "expected"), DICTS)
def test_what_a_dict_gives_is_not_given_again(bound: str, expected: str) -> None:
    source = f"""
        class Net(nn.Module):
            def __init__(self, a, b):
                super().__init__()
                self.always = nn.Linear(1, 1)
                {bound}
                self.made = nn.Linear(1, 2, **kw)
        """
    assert body_of(given(source, "Net")).splitlines()[-1] == f"self.made = {expected}"


def test_many_layers_share_their_arguments() -> None:
    source = """
        class Net(nn.Module):
            def __init__(self, w, **kw):
                super().__init__()
                self.a = nn.Linear(w, w)
                self.b = nn.Linear(w, w, **kw)
                self.c = nn.Linear(w, w, bias=False)
                self.d = nn.Linear(w, w)
        """
    assert given(source, "Net") == dedent(
        """\
        class Net(nn.Module):
            def __init__(self, w, device=None, dtype=None, **kw):
                factory_kwargs = {"device": device, "dtype": dtype}
                super().__init__()
                self.a = nn.Linear(w, w, **factory_kwargs)
                self.b = nn.Linear(w, w, **factory_kwargs, **kw)
                self.c = nn.Linear(w, w, bias=False, **factory_kwargs)
                self.d = nn.Linear(w, w, **factory_kwargs)
        """
    )


CALLS = """
def head(width):
    return nn.Linear(width, 10)


class Block(nn.Module):
    def __init__(self, width, norm=nn.LayerNorm):
        super().__init__()
        self.norm = norm(width)


class Own(nn.Conv2d):
    def __init__(self, width):
        super().__init__(width, width, 3)


class Passing(Block):
    def __init__(self, **kw):
        super().__init__(8, **kw)


class Base(nn.Module):
    def __init__(self, width):
        super(Base, self).__init__()
        self.build(width)

    def build(self, width):
        self.fc = nn.Linear(width, width)


class Below(Base):
    def __init__(self, width):
        Base.__init__(self, width)

    def build(self, width):
        pass


class Plain(nn.Linear):
    pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [head(3), Block(4), Own(2), Passing(), Below(3), Plain(1, 2)]
"""


def test_definitions_of_the_file_pass_it_on() -> None:
    text = given(CALLS, "Net")
    for line in (
        "def head(width, device=None, dtype=None):",
        "def __init__(self, width, norm=nn.LayerNorm, device=None, dtype=None):",
        "self.norm = norm(width, device=device, dtype=dtype)",
        "super().__init__(width, width, 3, device=device, dtype=dtype)",
        "        super().__init__(8, **kw)",  # passes on what it is given
        "Base.__init__(self, width, device=device, dtype=dtype)",
        "self.build(width, device=device, dtype=dtype)",
        "        pass",
        "Passing(**factory_kwargs)",
        "Plain(1, 2, **factory_kwargs)",
    ):
        assert line in text, line
    assert text.count("def build(self, width, device=None, dtype=None):") == 2, "an override takes what it is given"
    names: dict[str, object] = {}
    exec(HEAD + text, names)
    net = names["Net"]
    assert callable(net)
    held = [p for part in net(device="meta", dtype=torch.float64).parts for p in part.parameters()]
    assert held and all(p.device.type == "meta" and p.dtype == torch.float64 for p in held)
    assert all(p.device.type == "cpu" and p.dtype == torch.float32 for part in net().parts for p in part.parameters())


def test_definitions_that_nothing_given_calls_stay() -> None:
    text = given(CALLS, "Own")
    assert "def head(width):" in text
    assert "def __init__(self, width, device=None, dtype=None):\n        super().__init__(width" in text


def test_a_device_that_is_there_is_used() -> None:
    source = """
        class Net(nn.Module):
            def __init__(self, width, *, device="cpu"):
                super().__init__()
                self.fc = nn.Linear(width, width)
        """
    text = given(source, "Net")
    assert 'def __init__(self, width, *, device="cpu", dtype=None):' in text
    assert "nn.Linear(width, width, device=device, dtype=dtype)" in text


def test_annotations_and_docstrings_follow_the_file() -> None:
    source = '''
        class Net(nn.Module):
            """A net.

            Args:
                width (int): The width.
            """

            def __init__(self, width: int = 3) -> None:
                super().__init__()
                self.fc = nn.Linear(width, width)
        '''
    assert given(source, "Net") == dedent(
        '''\
        class Net(nn.Module):
            """A net.

            Args:
                width (int): The width.
                device (torch.device): Device of parameters and buffers.
                dtype (torch.dtype): Dtype of parameters and buffers.
            """

            def __init__(
                self, width: int = 3, device: torch.device | str | None = None, dtype: torch.dtype | None = None
            ) -> None:
                super().__init__()
                self.fc = nn.Linear(width, width, device=device, dtype=dtype)
        '''
    )


def test_a_dataclass_gets_fields() -> None:
    source = """
        @dataclass(eq=False)
        class Block(nn.Module):
            width: int

            def __post_init__(self):
                super().__init__()
                self.fc = nn.Linear(self.width, self.width)
        """
    text = given(source, "Block")
    assert (
        "    width: int\n    device: torch.device | str | None = None\n    dtype: torch.dtype | None = None\n" in text
    )
    assert "nn.Linear(self.width, self.width, device=self.device, dtype=self.dtype)" in text


def test_a_dataclass_with_inherited_fields_is_refused() -> None:
    text = HEAD + dedent(
        """
        @dataclass
        class Base(nn.Module):
            width: int

        @dataclass
        class Block(Base):
            def __post_init__(self):
                self.fc = nn.Linear(self.width, self.width)
        """
    )
    syntax = Syntax(ast.parse(text), text, "model.py")
    convention = Convention(syntax)
    convention.give(syntax.classes["Block"])
    assert [problem.code for problem in convention.problems] == ["LZ520"]


def test_statements_are_placed_with_any_text() -> None:
    source = """
        a = nn.Linear(3, 4)
        b = torch.ones(3)
        with scope:
            c = b.new_zeros(3)

        class Inner(nn.Module):
            def __init__(self):
                self.fc = nn.Linear(3, 4)
        """
    text = placed(source, Where('"cuda:1"', "torch.half", likes=True))
    assert 'a = nn.Linear(3, 4, device="cuda:1", dtype=torch.half)' in text
    assert 'b = torch.ones(3, dtype=torch.half, device="cuda:1")' in text
    assert 'c = b.new_zeros(3, dtype=torch.half, device="cuda:1")' in text
    assert "self.fc = nn.Linear(3, 4)\n" in text
    assert "new_zeros(3)" in placed(source, Where("device", None))


def test_names_are_those_of_the_imports() -> None:
    text = "from torch.nn import Linear as Dense, LazyLinear\n\nnet = [Dense(3, 4), LazyLinear(5)]\n"
    syntax = Syntax(ast.parse(text), text, "model.py")
    convention = Convention(syntax)
    convention.place(syntax.tree.body, Where('"cuda:0"'))
    code = emit(text, Plan(tuple(convention.edits())), line_length=88)
    assert 'net = [Dense(3, 4, device="cuda:0"), LazyLinear(5, device="cuda:0")]' in code


@pytest.mark.parametrize(
    "name", sorted(set(LAYERS) - {"Recorder", "Unbuilt", "UninitializedParameter", "UninitializedBuffer"})
)
def test_layers_take_a_device_if_those_of_torch_do(name: str) -> None:
    layer = getattr(torch.nn, name, None)
    if layer is None:
        pytest.skip("torch.nn does not hand it out")
    parameters = inspect.signature(layer.__init__).parameters
    wanted = "device" in parameters or ("kwargs" in parameters and issubclass(layer, torch.nn.RNNBase))
    told = takes(f"torch.nn.{name}")
    assert told is not None
    assert (told.device, told.dtype) == (wanted, wanted)
