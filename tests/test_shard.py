"""`--shard`: a function beside the model that FSDP2 runs, on two processes, with the results of the plain model."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import apart
import pytest
import torch
import two_processes

BLOCKS = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.LazyLinear(width)

    def forward(self, x):
        return torch.relu(self.fc(self.norm(x))) + x


class Deep(nn.Module):
    def __init__(self, width=16, depth=3):
        super().__init__()
        self.stem = nn.LazyLinear(width)
        self.blocks = nn.ModuleList([Block(width) for _ in range(depth)])
        self.tails = nn.ModuleList(nn.LazyLinear(width) for _ in range(2))
        self.head = nn.LazyLinear(10)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        for tail in self.tails:
            x = tail(x)
        return self.head(x)
"""


def shard_of(source: str, **settings: object) -> str:
    """The statements of the function below its docstring."""
    conversion = apart.convert(dedent(source), input_shape="4,12", shard=True, **settings)
    assert conversion.code is not None, conversion.diagnostics
    return dedent(conversion.code[conversion.code.index("def shard") :].split('    """\n')[1].rsplit("\n\n\n")[0])


def refusal(source: str) -> tuple[str, str]:
    conversion = apart.convert(dedent(source), input_shape="4,12", shard=True)
    assert conversion.code is None
    return conversion.diagnostics[0].code, conversion.diagnostics[0].message


def test_blocks_of_one_class_and_layers_in_lists_come_first() -> None:
    assert shard_of(BLOCKS) == dedent(
        """\
        for module in model.modules():
            if isinstance(module, Block):
                fully_shard(module, mesh=mesh)
        for layer in model.tails:
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
        return model
        """
    )


def test_a_model_without_repeated_blocks_is_one_shard() -> None:
    source = "from torch import nn\n\nmodel = nn.Sequential(nn.LazyLinear(8), nn.ReLU(), nn.LazyLinear(3))\n"
    assert shard_of(source) == "fully_shard(model, mesh=mesh)\nreturn model\n"


NESTED = """
from torch import nn


class Inner(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.LazyLinear(width)

    def forward(self, x):
        return self.fc(x)


class Outer(nn.Module):
    def __init__(self, width, inside=None):
        super().__init__()
        self.one, self.two = Inner(width), Inner(width)
        self.inside = inside

    def forward(self, x):
        x = self.two(self.one(x))
        return x if self.inside is None else self.inside(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Outer(8)
        self.second = Outer(8{inside})

    def forward(self, x):
        return self.second(self.first(x))
"""


def test_blocks_inside_of_blocks_are_a_part_of_these() -> None:
    text = shard_of(NESTED.format(inside=""))
    assert "isinstance(module, Outer)" in text
    assert "Inner" not in text
    assert "reversed" not in text


def test_a_block_inside_of_one_of_its_kind_comes_before_it() -> None:
    assert "for module in reversed(list(model.modules())):" in shard_of(NESTED.format(inside=", Outer(8)"))


def test_a_model_on_a_device_is_refused() -> None:
    source = 'from torch import nn\n\nmodel = nn.Sequential(nn.LazyLinear(8, device="cuda:0"))\n'
    code, message = refusal(source)
    assert code == "LZ527"
    assert message == "0.weight is on cuda:0, but where the shards of a model are, its mesh says"


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch without torch.distributed")
def test_two_processes_compute_what_the_plain_model_computes(tmp_path: Path) -> None:
    code = apart.convert(BLOCKS, input_shape="4,12", shard=True).code
    assert code is not None
    printed = two_processes.run(
        tmp_path,
        code,
        """
        import copy

        from made import Deep, shard
        from torch.distributed.device_mesh import init_device_mesh

        torch.manual_seed(0)
        plain = Deep()
        model = shard(copy.deepcopy(plain), init_device_mesh("cpu", (2,)))
        units = [name for name, module in model.named_modules() if hasattr(module, "unshard")]
        x = torch.randn(4, 12)
        result, expected = model(x), plain(x)
        result.sum().backward()
        expected.sum().backward()
        pairs = zip(model.parameters(), plain.parameters(), strict=True)
        gradients = all(torch.allclose(one.grad.full_tensor(), other.grad) for one, other in pairs)
        print(rank, torch.equal(result, expected), gradients, [*model.state_dict()] == [*plain.state_dict()], units)
        """,
    )
    units = "['', 'blocks.0', 'blocks.1', 'blocks.2', 'tails.0', 'tails.1']"
    assert printed == [f"0 True True True {units}", f"1 True True True {units}"]
