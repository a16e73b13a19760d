"""Specs as sources: the grammar, what is said of mistakes, and the way from code back to a spec."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from schema_check import problems

from lazygen import cli, convert_source
from lazygen.pipeline import Conversion
from lazygen.spec.source import written
from lazygen.spec.text import as_json, as_yaml

SCHEMA = json.loads((Path(cli.__file__).parent / "spec" / "schema.json").read_text())

CNN = """\
type: sequential
layers:
  - {type: Conv2d, null: [12, 3], padding: 1}
  - {type: BATCHNORM2D}
  - {type: leakyrelu, null: 0.2}
  - type: Sequential
    layer_list:
      - {type: Flatten}
      - {type: Dense, out_features: 30}
      - {type: PReLU, shared: false}
  - {type: Linear, null: 4}
"""
RECURRENT = """\
type: Sequential
layers:
  - type: TimeDistributed
    layers:
      - {type: Conv2d, null: [6, 3], dilation: 2}
      - {type: Flatten}
  - {type: GRU, null: 20, return_sequences: true, return_state: true}
  - {type: GetRNNOutput}
  - {type: LayerNorm, null: 1}
  - {type: LSTM, null: 12, num_layers: 2, return_state: true}
  - {type: GetRNNState}
  - {type: Linear, null: 3}
"""
GRAPH = """\
type: Functional
placeholders:
  left: [null, 40]
  right: [null, 60]
layers:
  tower: {type: Linear, null: 16}
nodes:
  - {name: a, layer: {type: Linear, null: 32}, inputs: [left]}
  - {name: b, layer: {type: Linear, null: 32}, inputs: [right]}
  - {name: tower_1, layer: tower, inputs: [a]}
  - {name: tower_2, layer: tower, inputs: [b]}
  - {name: relu_1, layer: {type: ReLU}, inputs: [tower_1]}
  - {name: relu_2, method: relu, inputs: [tower_2]}
  - {name: maximum_1, function: torch.maximum, inputs: [relu_1, relu_2]}
  - {name: sub_1, operator: sub, inputs: [maximum_1, relu_1]}
  - {name: cat_1, function: torch.cat, inputs: [[relu_1, sub_1]], arguments: {dim: -1}}
  - {name: getitem_1, operator: getitem, inputs: [cat_1, [{slice: []}, {slice: [8, null]}]]}
  - {name: score, layer: {type: Linear, null: 1}, inputs: [getitem_1]}
inputs: {left: left, right: right}
outputs: {score: score, gap: sub_1}
"""


def convert(text: str, shape: str | None = "2,3,10,10", path: str = "net.yaml") -> Conversion:
    return convert_source(text, input_shape=[shape] if shape else [], path=path)


def code_of(text: str, shape: str | None = "2,3,10,10", path: str = "net.yaml") -> str:
    conversion = convert(text, shape, path)
    assert conversion.code is not None, conversion.diagnostics
    return conversion.code


def spec_of(name: str, capfd: pytest.CaptureFixture[str], *words: str) -> str:
    capfd.readouterr()
    code = cli.main(["spec", name, *words])
    printed, said = capfd.readouterr()
    assert code == 0, said
    return printed


def test_the_source_of_a_spec_is_laid_out_as_black_lays_it_out() -> None:
    import black

    for text in (CNN, RECURRENT, GRAPH):
        made = written(text, "net.yaml", 88).text
        assert black.format_str(made, mode=black.Mode()) == made


def test_a_spec_becomes_the_model_of_a_module() -> None:
    code = code_of(CNN)
    assert code.startswith("from torch import nn\n\nmodel = nn.Sequential(\n    nn.Conv2d(3, 12, 3, padding=1),\n")
    assert "        nn.Linear(1200, out_features=30),\n        nn.PReLU(30),\n" in code


def test_json_says_the_same() -> None:
    layers = [{"type": "Conv2d", "null": [12, 3], "bias": False}, {"type": "Flatten"}, {"type": "linear", "null": 4}]
    text = json.dumps({"type": "Sequential", "null": layers}, indent="\t")
    yaml = "type: Sequential\n~:\n  - {type: Conv2d, ~: [12, 3], bias: no}\n  - type: flatten\n"
    assert code_of(text, path="net.json") == code_of(f"{yaml}  - {{type: Linear, None: 4}}\n")


def test_numbers_of_json_are_numbers_in_yaml_too() -> None:
    assert "nn.BatchNorm2d(3, eps=1e-06)" in code_of("{type: BatchNorm2d, eps: 1e-6}")


def test_a_graph_becomes_a_class() -> None:
    code = code_of(GRAPH, None)
    assert "class Model(nn.Module):" in code
    assert "def forward(self, left, right):" in code
    assert "self.tower = nn.Linear(32, 16)" in code
    assert 'return {"score": score, "gap": sub_1}' in code


@pytest.mark.parametrize(
    ("text", "code", "line", "message", "help_"),
    [
        ("type: sequential\nlayers:\n  - {type: Linar, null: 4}\n", "LZ072", 3,
         "layers[0].type: there is no layer Linar", "did you mean Linear?"),
        ("type: sequential\nlayers:\n  - {type: Conv2d, null: [4, 3], pading: 1}\n", "LZ073", 3,
         "layers[0].pading: Conv2d has no argument pading", "did you mean padding?"),
        ("type: Linear\nnull: 4\nin_features: 3\n", "LZ073", 3,
         "in_features: Linear has no argument in_features", "leave it out: it is read off the input"),
        ("type: Linear\n", "LZ073", 1, "Linear needs out_features", None),
        ("type: Linear\nnull: 4\nout_features: 3\n", "LZ073", 3,
         "out_features: Linear gets out_features twice: under null, and by name", None),
        ("type: ReLU\nnull: [true, 1]\n", "LZ073", 2, "null: ReLU takes 1 argument, and 2 are given", None),
        ("- {type: Linear}\n", "LZ071", 1, "a layer is a mapping with a type",
         "for example: {type: Linear, out_features: 10}"),
        ("layers: []\n", "LZ071", 1, "this layer has no type", "name its class: type: Linear"),
        ("type: sequential\nlayers: []\nnull: []\n", "LZ071", 3, "the layers are given twice", "leave null out"),
        ("type: sequential\nlayer: []\n", "LZ073", 2,
         "layer: Sequential has no argument layer", "did you mean layers?"),
        ("type: sequential\nlayers:\n  - {type: Lambda}\n", "LZ072", 3,
         "layers[0].type: there is no layer Lambda", "a spec holds no code; write the model in Python"),
        ("type: Linear\nnull: 4\nnull: 5\n", "LZ071", 3, "null is given twice", None),
        ("type: !!python/name:os.system\n", "LZ071", 1, "type: a spec holds no python/name:os.system", None),
        ("type: sequential\nlayers: &a [*a]\n", "LZ071", 2, "layers[0]: this part holds itself", None),
        ("type: *a\n", "LZ070", 1, "this cannot be read: found undefined alias 'a'", None),
        ("type: [a\n", "LZ070", 2, "this cannot be read: expected ',' or ']', but got '<stream end>'", None),
        ("", "LZ070", 1, "there is nothing in this file", None),
        ("type: Functional\nplaceholders: {x: [null, 4]}\noutputs: y\n", "LZ074", 3,
         "outputs: nothing before has the name y", "a text that is no name is written {text: ...}"),
        ("type: Functional\nplaceholders: {x: 4}\noutputs: x\n", "LZ071", 2,
         "placeholders.x: the shape of a placeholder is a list of sizes",
         "for example: x: [null, 3, 32, 32]; null is a free size"),
        ("type: Functional\nplaceholders: {x: [4]}\nnodes:\n  - {name: y, layer: twer, inputs: x}\noutputs: y\n",
         "LZ072", 4, "nodes[0].layer: the graph has no layer twer", "define it under layers"),
        ("type: Functional\nplaceholders: {x: [4]}\nnodes:\n  - {name: y, operator: plus, inputs: x}\noutputs: y\n",
         "LZ072", 4, "nodes[0].operator: there is no operator plus", None),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_path_and_its_line(
    text: str, code: str, line: int, message: str, help_: str | None
) -> None:
    conversion = convert(text)
    assert conversion.code is None
    (finding,) = conversion.diagnostics
    assert (finding.code, finding.message) == (code, message)
    assert finding.place is not None
    assert (finding.place.path, finding.place.line) == ("net.yaml", line)
    if help_ is not None:
        assert finding.helps[0] == help_


def test_what_the_model_does_wrong_is_told_of_the_layer() -> None:
    text = "type: sequential\nlayers:\n  - {type: Conv2d, null: [4, 3]}\n  - {type: Conv2d, null: [4, 30]}\n"
    (finding,) = convert(text).diagnostics
    assert finding.message.startswith("layers[1]: the kernel (30) is larger")
    assert finding.place is not None
    assert (finding.place.path, finding.place.line, finding.place.column) == ("net.yaml", 4, 4)


def test_json_that_is_none_is_told_with_its_line() -> None:
    (finding,) = convert('{\n  "type": "Linear"\n  "null": 4\n}\n', path="net.json").diagnostics
    assert finding.message == "this is no JSON: expecting ',' delimiter"
    assert finding.place is not None
    assert finding.place.line == 3


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        (CNN, ["2,3,10,10"]),
        (RECURRENT, ["5,7,3,20,16"]),
        (GRAPH, ["left=N,40", "right=N,60"]),
    ],
    ids=["cnn", "recurrent", "graph"],
)
def test_a_spec_comes_back_from_the_code_and_then_stays(
    text: str, shapes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = [word for shape in shapes for word in ("--input-shape", shape)]
    graph = text is GRAPH
    Path("net.yaml").write_text(text)
    assert cli.main(["convert", "net.yaml", "-q", *([] if graph else flags)]) == 0
    first = spec_of("net_explicit.py", capfd, *(flags if graph else []))
    if text is RECURRENT:
        assert first == text
    Path("again.yaml").write_text(first)
    assert cli.main(["convert", "again.yaml", "-q", *([] if graph else flags)]) == 0
    assert spec_of("again_explicit.py", capfd, *(flags if graph else [])) == first
    if not graph:
        assert spec_of("again.yaml", capfd) == first
    else:
        assert first == text
    Path("net.json").write_text(spec_of("net_explicit.py", capfd, "--json", *(flags if graph else [])))
    assert problems(json.loads(Path("net.json").read_text()), SCHEMA) == []
    assert cli.main(["convert", "net.json", "-q", *([] if graph else flags)]) == 0
    code = [Path(f"{name}_explicit.py").read_text().split("\n", 2)[2] for name in ("again", "net")]
    assert code[0] == code[1]


def test_the_spec_of_a_lazy_source_needs_no_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text(
        "import torchx.layers as L\nfrom torch import nn\n\n"
        "model = L.Sequential([L.Conv2d(4, kernel_size=3), nn.MaxPool2d(2), nn.Dropout(0.1), "
        "L.Linear(3, bias=False)])\n"
    )
    assert spec_of("a.py", capfd).splitlines()[2:] == [
        "  - {type: Conv2d, null: [4, 3]}",
        "  - {type: MaxPool2d, null: 2}",
        "  - {type: Dropout, p: 0.1}",
        "  - {type: Linear, null: 3, bias: false}",
    ]


def test_what_a_spec_cannot_say_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("import torchx.layers as L\n\nmodel = L.Sequential(L.Lambda(lambda x: x))\n")
    assert cli.main(["spec", "a.py"]) == 1
    assert "a spec cannot say what Lambda is" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ({"type": 3}, 1),
        ({"layers": []}, 1),
        ({"type": "Sequential", "layers": [{"type": "ReLU"}], "bias": 1}, 1),
        ({"type": "functional", "placeholders": {"x": [None, 0]}, "outputs": "x"}, 1),
        ({"type": "functional", "placeholders": {"x": [None, 1]}, "outputs": "x", "nodes": [{"name": "a"}]}, 1),
    ],
)
def test_the_schema_refuses_what_is_no_spec(spec: object, wrong: int) -> None:
    assert len(problems(spec, SCHEMA)) >= wrong


def test_the_schema_takes_all_that_is_read() -> None:
    import yaml

    for text in (CNN, RECURRENT, GRAPH):
        spec = json.loads(json.dumps(yaml.safe_load(text)))
        assert problems(spec, SCHEMA) == []


def test_texts_are_quoted_where_yaml_would_take_them_for_something_else() -> None:
    spec = {"type": "Upsample", "mode": "no", "size": None, "scale_factor": 1e-05}
    assert as_yaml(spec) == "type: Upsample\nmode: 'no'\nsize: null\nscale_factor: 1e-05\n"
    assert json.loads(as_json({"type": "Linear", None: 4})) == {"type": "Linear", "null": 4}
