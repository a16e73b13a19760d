"""`--pipeline`: where `forward` is cut, what is refused, and that torch's own engine runs the stages."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent, indent

import apart
import pytest
import torch
import two_processes

from lazygen.diagnostics import Refused
from lazygen.lift.placement.cutting import Cutter, Held
from lazygen.lift.placement.stages import Stage
from lazygen.lift.syntax import Syntax

FIRST, SECOND, THIRD = Held(("cuda:0",)), Held(("cuda:1",)), Held(("cuda:2",))


def cut(forward: str, **held: Held) -> list[Stage]:
    text = f"class Net:\n{indent(dedent(forward).strip(), '    ')}\n"
    tree = ast.parse(text)
    (owner,) = tree.body
    assert isinstance(owner, ast.ClassDef)
    function = owner.body[0]
    assert isinstance(function, ast.FunctionDef)
    return Cutter(function, held, Syntax(tree, text, "model.py"), text).cut()


def shown(stages: list[Stage]) -> str:
    parts = []
    for stage in stages:
        parts.append(f"{stage.device}: {', '.join(stage.inputs)} -> {', '.join(stage.outputs) or 'result'}")
        parts += [indent(line, "    ") for line in stage.lines]
    return "\n".join(parts) + "\n"


def test_a_part_of_a_statement_is_done_where_its_layer_is() -> None:
    stages = cut(
        """
        def forward(self, x):
            h = torch.relu(self.stem(x))
            return self.head(h) + self.skip(h)
        """,
        stem=FIRST,
        skip=FIRST,
        head=SECOND,
    )
    assert shown(stages) == dedent(
        """\
        cuda:0: x -> h, skip
            h = torch.relu(self.stem(x))
            skip = self.skip(h)
        cuda:1: h, skip -> result
            return self.head(h) + skip
        """
    )
    assert [stage.attributes for stage in stages] == [{"stem", "skip"}, {"head"}]


def test_what_a_later_stage_reads_is_not_overwritten_before() -> None:
    stages = cut(
        """
        def forward(self, x):
            h = self.a(x)
            y = self.c(h)
            h = self.b(x)
            return torch.cat([y, h], dim=1)
        """,
        a=FIRST,
        b=FIRST,
        c=SECOND,
    )
    assert shown(stages) == dedent(
        """\
        cuda:0: x -> h, b
            h = self.a(x)
            b = self.b(x)
        cuda:1: h, b -> result
            y = self.c(h)
            h = b
            return torch.cat([y, h], dim=1)
        """
    )


def test_a_skip_travels_through_the_stages_between() -> None:
    stages = cut(
        """
        def forward(self, x):
            skip = self.a(x)
            return self.c(self.b(skip)) + skip
        """,
        a=FIRST,
        b=SECOND,
        c=THIRD,
    )
    assert [(stage.inputs, stage.outputs) for stage in stages] == [
        (["x"], ["skip"]),
        (["skip"], ["skip", "b"]),
        (["skip", "b"], []),
    ]


def test_a_loop_becomes_one_in_each_stage() -> None:
    stages = cut(
        """
        def forward(self, x):
            for block in self.blocks:
                # a residual
                x = block(x) + x
            return self.head(x)
        """,
        blocks=Held(("cuda:0", "cuda:0", "cuda:1"), "list"),
        head=SECOND,
    )
    assert [stage.children for stage in stages] == [{"blocks": (0, 2)}, {"blocks": (2, 3)}]
    loop = "for block in self.blocks.values():\n    # a residual\n    x = block(x) + x"
    assert [stage.lines[0] for stage in stages] == [loop, loop]
    assert stages[1].inputs == ["x"]


def test_a_sequential_on_several_devices_becomes_loops() -> None:
    stages = cut(
        """
        def forward(self, x):
            return self.head(self.body(x))
        """,
        body=Held(("cuda:0", "cuda:1"), "sequential"),
        head=SECOND,
    )
    assert stages[0].lines == ["body = x", "for layer in self.body.values():\n    body = layer(body)"]
    assert stages[1].lines[-1] == "return self.head(body)"


def test_what_comes_before_the_first_layer_is_done_with_it() -> None:
    stages = cut(
        """
        def forward(self, x):
            if x.dim() == 3:
                x = x.flatten(1)
            return self.a(self.b(x))
        """,
        a=FIRST,
        b=SECOND,
    )
    assert [stage.device for stage in stages] == ["cuda:1", "cuda:0"]
    assert stages[0].lines == ["if x.dim() == 3:\n    x = x.flatten(1)", "b = self.b(x)"]


def test_sizes_are_read_again_where_they_are_needed() -> None:
    stages = cut(
        """
        def forward(self, x):
            batch, steps, width = x.shape
            count = batch * steps
            h = self.a(x.view(count, width))
            return self.b(h).view(x.size(0), count // batch, -1)
        """,
        a=FIRST,
        b=SECOND,
    )
    assert stages[0].outputs == ["x", "h"]
    assert stages[1].lines == [
        "batch, steps, width = x.shape",
        "count = batch * steps",
        "return self.b(h).view(x.size(0), count // batch, -1)",
    ]


def test_a_statement_that_is_done_whole_is_done_with_its_layers() -> None:
    stages = cut(
        """
        def forward(self, x):
            x = self.a(x)
            if self.training:
                x = self.b(x)
            return x
        """,
        a=FIRST,
        b=SECOND,
    )
    assert [stage.lines[0] for stage in stages] == ["x = self.a(x)", "if self.training:\n    x = self.b(x)"]
    assert stages[1].inputs == ["x"]


@pytest.mark.parametrize(
    ("forward", "why"),
    [
        (
            """
            def forward(self, x):
                batch = x.shape[0]
                x = self.a(x)
                return self.b(x).view(batch, -1)
            """,
            "batch would have to go from one stage to the next, and is no tensor",
        ),
        (
            """
            def forward(self, x):
                return self.a(self.b(self.a(x)))
            """,
            "self.a would be in two stages, each with its own weights",
        ),
        (
            """
            def forward(self, x):
                if x.mean() > 0:
                    x = self.a(x)
                else:
                    x = self.b(x)
                return x
            """,
            "layers on several devices are called inside this statement",
        ),
        (
            """
            def forward(self, x):
                if x is None:
                    return self.a(x)
                return self.b(x)
            """,
            "a forward that is cut has one return, at its end",
        ),
        (
            """
            def forward(self, *xs):
                return self.b(self.a(xs[0]))
            """,
            "a stage gets tensors by position, and this forward takes others",
        ),
        (
            """
            def forward(self, x):
                h = self.a(x)
                skip = h.view(8, 3)
                h += self.b(h)
                return h, skip
            """,
            "h is changed in place, and another name may stand for it, too",
        ),
        (
            """
            def forward(self, x):
                self.last = self.a(x)
                return self.b(self.last)
            """,
            "an attribute that forward sets is not there in the other stages",
        ),
    ],
)
def test_what_cannot_be_cut_is_refused(forward: str, why: str) -> None:
    with pytest.raises(Refused) as caught:
        cut(forward, a=FIRST, b=SECOND)
    (finding,) = caught.value.diagnostics
    assert finding.code == "LZ525"
    assert finding.message == f"this cannot be cut into stages: {why}"
    assert finding.place is not None and finding.place.path == "model.py"


SKIPS = """
import torch
import torchx as tx
import torchx.layers as L
import torchx.nn as nnx


class Block(nnx.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = L.Linear(width)
        self.register_buffer("scale", torch.ones(width))

    def forward(self, x):
        return torch.relu(self.fc(x)) * self.scale


class Net(nnx.Module):
    def __init__(self, width=16, depth=4):
        super().__init__()
        with tx.device_scope(0):
            self.stem = L.Linear(width)
            self.skip = L.Linear(10)
        self.blocks = torch.nn.ModuleList()
        for index in range(depth):
            with tx.device_scope(index // 2):
                self.blocks.append(Block(width))
        with tx.device_scope("cuda:1"):
            self.head = L.Linear(10)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        skip = self.skip(h)
        for block in self.blocks:
            h = block(h) + h
        return self.head(h) + skip
"""

SEQUENTIAL = """
from torch import nn

model = nn.Sequential(
    nn.LazyLinear(64, device="cuda:0"),
    nn.ReLU(),
    nn.LazyLinear(32).to("cuda:1"),
    nn.Dropout(0.1),
    nn.LazyLinear(10, device="cuda:1"),
)
"""


def code_of(source: str) -> str:
    conversion = apart.convert(dedent(source), input_shape="8,12", pipeline=True)
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def test_devices_go_and_stages_stand_behind_the_class() -> None:
    code = code_of(SKIPS)
    assert "cuda" not in code
    assert "device_scope" not in code
    assert "class NetStage0(Net):" in code
    assert "del self.head" in code
    assert "del self.stem, self.skip" in code
    assert "for index in range(2, len(self.blocks))" in code, "another depth keeps all its layers"
    assert "return h, skip" in code


def test_layers_of_a_sequential_keep_their_names() -> None:
    code = code_of(SEQUENTIAL)
    assert "STAGES = (slice(0, 2), slice(2, None))" in code
    names: dict[str, object] = {}
    exec(code, names)
    model, slices = names["model"], names["STAGES"]
    assert isinstance(model, torch.nn.Sequential) and isinstance(slices, tuple)
    children = [[name for name, _ in list(model.named_children())[part]] for part in slices]
    assert children == [["0", "1"], ["2", "3", "4"]]


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_stages_do_what_the_model_does_with_other_arguments(depth: int) -> None:
    names: dict[str, object] = {}
    exec(code_of(SKIPS), names)
    net, stages = names["Net"], names["STAGES"]
    assert callable(net) and isinstance(stages, tuple)
    torch.manual_seed(0)
    model = net(depth=depth)
    if depth < 2:
        with pytest.raises(IndexError):
            stages[0](depth=depth)
        return
    parts = [stage(depth=depth) for stage in stages]
    held = [name for part in parts for name in part.state_dict()]
    assert sorted(held) == sorted(model.state_dict())
    for part in parts:
        part.load_state_dict({name: model.state_dict()[name] for name in part.state_dict()})
    x = torch.randn(8, 12)
    assert torch.equal(parts[1](*parts[0](x)), model(x))


def test_a_model_on_one_device_is_no_pipeline() -> None:
    conversion = apart.convert("from torch import nn\n\nmodel = nn.LazyLinear(3)\n", input_shape="8,12", pipeline=True)
    assert conversion.code is None
    assert [finding.code for finding in conversion.diagnostics] == ["LZ524"]


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch without torch.distributed")
def test_two_processes_compute_what_the_plain_model_computes(tmp_path: Path) -> None:
    printed = two_processes.run(
        tmp_path,
        code_of(SKIPS),
        """
        from made import Net, build_stage
        from torch.distributed.pipelining import ScheduleGPipe

        torch.manual_seed(0)
        model = Net(width=24)
        torch.manual_seed(0)
        stage = build_stage(rank, torch.device("cpu"), width=24)
        x, target = torch.randn(8, 12), torch.randn(8, 10)
        loss = torch.nn.functional.mse_loss
        schedule = ScheduleGPipe(stage, n_microbatches=2, loss_fn=loss)
        result = schedule.step(x) if rank == 0 else schedule.step(target=target)
        expected = model(x)
        if rank == 1:
            print("result", torch.allclose(result, expected))
        sum(loss(a, b) for a, b in zip(expected.chunk(2), target.chunk(2))).div(2).backward()
        parameters = dict(model.named_parameters())
        pairs = [(p.grad, parameters[name].grad) for name, p in stage.submod.named_parameters()]
        print("gradients", rank, len(pairs), all(torch.allclose(one, other, atol=1e-6) for one, other in pairs))
        """,
    )
    assert printed == ["gradients 0 8 True", "gradients 1 6 True", "result True"]
