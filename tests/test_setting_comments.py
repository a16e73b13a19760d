"""Settings that stand in the source and in pyproject.toml: what is read, which counts, where a finding points."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import lazygen
from lazygen import config
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.flags import flags_in, flags_of, given_by, words_of
from lazygen.jobs import Job, Options, jobs_for, merged
from lazygen.project import Projects
from lazygen.setting_lines import settings_in, without_settings
from lazygen.settings import Argument, Input, Size
from lazygen.written import Given

Plain = dict[str, list[str]]


def plain(models: list[Given]) -> list[Plain]:
    return [{key: [written.text for written in values] for key, values in model.items()} for model in models]


def refusal(text: str, path: str = "model.py") -> Diagnostic:
    with pytest.raises(Refused) as caught:
        settings_in(text, path)
    assert caught.value.usage
    (finding,) = caught.value.diagnostics
    return finding


READ: list[tuple[str, Plain]] = [
    ("input-shape=8,3,32,32", {"input-shape": ["8,3,32,32"]}),
    (
        "entry=ResNet(7) input-shape=8,3,224,224 output=resnet.py",
        {"entry": ["ResNet(7)"], "input-shape": ["8,3,224,224"], "output": ["resnet.py"]},
    ),
    ("input-shape=x=8,3 input-shape=y=2,16:int64", {"input-shape": ["x=8,3", "y=2,16:int64"]}),
    ("arg=mask=None arg=sizes=[1, 2]", {"arg": ["mask=None", "sizes=[1, 2]"]}),
    ("entry=Net(classes=7, act='a b') partial", {"entry": ["Net(classes=7, act='a b')"], "partial": ["true"]}),
    ("entry='Net(8)' timeout=30", {"entry": ["Net(8)"], "timeout": ["30"]}),
    ("arg=mode='a b'", {"arg": ["mode='a b'"]}),
    ("arg=\"mode='a b'\"", {"arg": ["mode='a b'"]}),
    ('output="my net.py"', {"output": ["my net.py"]}),
    ("entry=NETS[')'] partial=false", {"entry": ["NETS[')']"], "partial": ["false"]}),
    (r"arg=mode='it\'s here'", {"arg": [r"mode='it\'s here'"]}),
    ("entry='a'+'b'", {"entry": ["'a'+'b'"]}),
    ("", {}),
]


@pytest.mark.parametrize(("words", "expected"), READ)
def test_settings_of_a_line(words: str, expected: Plain) -> None:
    assert plain(settings_in(f"# lazygen: {words}\nimport torch\n", "model.py")) == [expected]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("#!/usr/bin/env python\n# coding: utf-8\n# about\n# lazygen: entry=A\n\n#lazygen: entry=B\nx = 1\n", 2),
        ('"""Doc."""\n\n# lazygen: entry=A\n\nimport torch\n', 1),
        ("# lazygen: entry=A\r\nimport torch\r\n", 1),
        ("# lazygen: entry=A", 1),
        ("# lazygen: entry=A\n", 1),
        ("", 0),
        ("# lazygen makes this\n# nolazygen: no\nx = '# lazygen: entry=A'\n", 0),
        ('x = """\n# lazygen: entry=A\n"""\n', 0),
        ("x = 1  # lazygen: entry=A\n", 0),
        ("# lazygen: rev=1 source=00 body=00\nx = 1\n", 0),
        ("# lazygen: entry=A\nx = (\n", 1),
        ("x = (\n# lazygen\n", 0),
    ],
)
def test_where_settings_stand(text: str, count: int) -> None:
    assert len(settings_in(text, "model.py")) == count


@pytest.mark.parametrize(
    ("words", "code", "marked", "help_text"),
    [
        ("inptu-shape=8,3", "LZ058", "inptu-shape", "did you mean input-shape?"),
        ("input_shape=8,3", "LZ058", "input_shape", "did you mean input-shape?"),
        ("--input-shape=8,3", "LZ058", "--input-shape", "did you mean input-shape?"),
        ("shape=8,3", "LZ058", "shape", "did you mean input-shape?"),
        ("Entry=Net", "LZ058", "Entry", "did you mean entry?"),
        ("outptu=a.py", "LZ058", "outptu", "did you mean output?"),
        (
            "colour=blue",
            "LZ058",
            "colour",
            "the settings are entry, input-shape, arg, output, partial, timeout, engine, device, dtype",
        ),
        ("input-shape=8, 3, 32", "LZ058", "3,", "joined by commas, without spaces"),
        ("entry", "LZ058", "entry", "entry=Net(8)"),
        ("entry=A entry=B", "LZ058", "entry", "a line of its own"),
        ("entry=Net(8", "LZ059", "(", 'close it with ")"'),
        ("entry='Net(8)", "LZ059", "'", "close it"),
    ],
)
def test_what_is_no_setting_is_shown_at_its_place(words: str, code: str, marked: str, help_text: str) -> None:
    text = f"# ä\n# lazygen: timeout=3 {words}\nimport torch\n"
    finding = refusal(text)
    assert finding.code == code
    assert any(help_text in sentence for sentence in finding.helps), finding.helps
    place = finding.place
    assert place is not None and (place.path, place.line) == ("model.py", 2)
    assert text.splitlines()[1][place.column : place.end_column] == marked


@pytest.mark.parametrize("above", ["import torch", "x = '''\n'''", "'''Doc.'''; x = 1", "class A:\n    pass"])
def test_a_line_below_the_first_statement_is_not_silently_ignored(above: str) -> None:
    finding = refusal(f"{above}\n\n# lazygen: entry=A\ny = 2\n")
    assert finding.code == "LZ061"
    assert finding.place is not None and finding.place.line == above.count("\n") + 3


def test_values_that_cannot_be_read_point_into_the_comment() -> None:
    text = "# lazygen: entry=Net input-shape=x=8,3O timeout=soon partial=maybe\n"
    (model,) = settings_in(text, "model.py")
    for key, marked in (("input-shape", "3O"), ("timeout", "soon"), ("partial", "maybe")):
        with pytest.raises(Refused) as caught:
            config.read_settings([{key: model[key]}])
        place = caught.value.diagnostics[0].place
        assert place is not None
        assert (place.path, place.line, text[place.column : place.end_column]) == ("model.py", 1, marked)
    quoted = "# lazygen: entry='1 + 1'\n"
    with pytest.raises(Refused) as caught:
        config.read_settings(settings_in(quoted, "model.py"))
    place = caught.value.diagnostics[0].place
    assert place is not None and quoted[place.column : place.end_column] == "1 + 1"


DROPPED = [
    ("# lazygen: partial\nimport torch\n", "import torch\n"),
    ("# lazygen: partial\n\nimport torch\n", "\nimport torch\n"),
    ("# about\n# lazygen: partial\n# more\nimport torch\n", "# about\n# more\nimport torch\n"),
    ('"""Doc."""\n\n# lazygen: entry=A\n# lazygen: entry=B\n\nimport torch\n', '"""Doc."""\n\nimport torch\n'),
    ('"""Doc."""\n# lazygen: entry=A\n\nimport torch\n', '"""Doc."""\n\nimport torch\n'),
    ('"""Doc."""\n\n# lazygen: entry=A\nimport torch\n', '"""Doc."""\n\nimport torch\n'),
    ("# a\n\n# lazygen: entry=A\n\n\n# b\n\n\nx = 1", "# a\n\n# b\n\n\nx = 1"),
    ("# a\r\n# lazygen: partial\r\n\r\nx = '''\n\r\n'''\r\n", "# a\r\n\r\nx = '''\n\r\n'''\r\n"),
    ("# lazygen: partial\nx = '''\n# lazygen: partial\n'''\n", "x = '''\n# lazygen: partial\n'''\n"),
    ("x = 1\n\f\n\n", "x = 1\n\f\n\n"),
]


@pytest.mark.parametrize(("source", "expected"), DROPPED)
def test_settings_are_not_copied_and_nothing_else_is_lost(source: str, expected: str) -> None:
    assert without_settings(source, source) == expected


def test_settings_go_from_below_an_import_that_was_put_above_them() -> None:
    source = "# lazygen: partial\nfrom torch import nn\n"
    assert without_settings("import torch\n" + source, source) == "import torch\nfrom torch import nn\n"


# Which one counts


def model(**settings: str) -> Given:
    text = " ".join(f"{key.replace('_', '-')}={value}" for key, value in settings.items())
    return settings_in(f"# lazygen: {text}\n", "model.py")[0]


def test_the_order_is_flag_comment_target_defaults() -> None:
    flags = given_by(flags_of(entry="Flag"))
    comment = model(entry="Comment", input_shape="1")
    target = model(entry="Comment", input_shape="2", arg="a=2")
    defaults = model(input_shape="3", arg="a=3", timeout="3")
    (found,) = plain(merged(flags, [comment], [target], defaults))
    assert found == {"entry": ["Flag"], "input-shape": ["1"], "arg": ["a=2"], "timeout": ["3"]}
    (found,) = plain(merged({}, [comment], [target], defaults))
    assert found["entry"] == ["Comment"]
    (found,) = plain(merged({}, [], [target], defaults))
    assert found["input-shape"] == ["2"]
    assert plain(merged({}, [], [], defaults)) == [{"input-shape": ["3"], "arg": ["a=3"], "timeout": ["3"]}]


def test_a_flag_holds_for_all_models_and_entry_chooses_one() -> None:
    comments = [model(entry="A", input_shape="1"), model(entry="B", input_shape="2")]
    shape = given_by(flags_of(input_shape=["9"]))
    assert [found["input-shape"] for found in plain(merged(shape, comments, [], {}))] == [["9"], ["9"]]
    assert plain(merged(given_by(flags_of(entry="B")), comments, [], {})) == [{"entry": ["B"], "input-shape": ["2"]}]
    assert plain(merged(given_by(flags_of(entry="C")), comments, [], {})) == [{"entry": ["C"]}]


def test_targets_of_other_entries_do_not_mix() -> None:
    targets = [model(entry="A", timeout="1"), model(entry="B", timeout="2")]
    comments = [model(entry="B"), model(entry="C")]
    assert plain(merged({}, comments, targets, {})) == [{"timeout": ["2"], "entry": ["B"]}, {"entry": ["C"]}]


def jobs_of(folder: Path, text: str, options: Options | None = None) -> list[Job]:
    (folder / "model.py").write_text(text)
    return jobs_for(str(folder / "model.py"), text.encode(), options or Options(), Projects())


def test_models_without_an_output_share_the_default_one(tmp_path: Path) -> None:
    text = dedent("""\
        # lazygen: entry=A input-shape=8,3
        # lazygen: entry=B input-shape=x=8,4 arg=n=2 output=b.py
        # lazygen: entry=C(2) input-shape=8,5 timeout=30 partial
        # lazygen: entry=D output=./b.py
        """)
    first, second = jobs_of(tmp_path, text)
    assert (first.output, second.output) == (str(tmp_path / "model_explicit.py"), str(tmp_path / "b.py"))
    settings = config.read_settings(first.models)
    assert [(target.entry, target.inputs[0].sizes) for target in settings.targets] == [
        ("A", (Size(8), Size(3))),
        ("C(2)", (Size(8), Size(5))),
    ]
    assert (settings.partial, settings.timeout, settings.entries) == (True, 30.0, ("A", "C(2)"))
    assert settings.target_for("C(2)").inputs == (Input((Size(8), Size(5))),)
    other = config.read_settings(second.models)
    assert other.target_for("B").arguments == (Argument("n", "2"),) and other.target_for("D").inputs == ()
    (printed,) = jobs_of(tmp_path, text, Options(output="-"))
    assert printed.output is None and len(printed.models) == 4
    (chosen,) = jobs_of(tmp_path, text, Options(flags_of(entry="B")))
    assert chosen.output == str(tmp_path / "b.py")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# lazygen: entry=A\n# lazygen: input-shape=8,3\n", "LZ062"),
        ("# lazygen: entry=A\n# lazygen: entry=A\n", "LZ062"),
    ],
)
def test_models_of_one_output_are_told_apart_by_their_entries(tmp_path: Path, text: str, code: str) -> None:
    (job,) = jobs_of(tmp_path, text)
    with pytest.raises(Refused) as caught:
        config.read_settings(job.models)
    assert caught.value.diagnostics[0].code == code
    place = caught.value.diagnostics[0].place
    assert place is not None and place.line == 2


@pytest.mark.parametrize("output", ["-", "''"])
def test_an_output_in_a_source_is_a_file(tmp_path: Path, output: str) -> None:
    with pytest.raises(Refused) as caught:
        jobs_of(tmp_path, f"# lazygen: output={output}\n")
    assert caught.value.diagnostics[0].code == "LZ064"


# pyproject.toml

PYPROJECT = """\
[project]
name = "shapes"

[tool.lazygen]
timeout = 30
partial = true

[[tool.lazygen.targets]]
source = "models/a.py"
entry = "A(7)"
input-shape = ["x=8,3", "y=2,16:int64"]
output = "out/a.py"

[[tool.lazygen.targets]]
source = "models/../models/a.py"
entry = "B"
input-shape = "8,3O"
"""


def test_targets_and_defaults_of_a_pyproject(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "models" / "a.py").write_text("x = 1\n")
    (tmp_path / "models" / "other.py").write_text("x = 1\n")
    first, second = jobs_for(str(tmp_path / "models" / "a.py"), b"x = 1\n", Options(), Projects())
    assert first.output == str(tmp_path / "out" / "a.py")
    assert second.output == str(tmp_path / "models" / "a_explicit.py")
    assert first.configured and second.configured
    assert plain(first.models) == [
        {
            "timeout": ["30"],
            "partial": ["true"],
            "entry": ["A(7)"],
            "input-shape": ["x=8,3", "y=2,16:int64"],
            "output": ["out/a.py"],
        }
    ]
    with pytest.raises(Refused) as caught:
        config.read_settings(second.models)
    place = caught.value.diagnostics[0].place
    assert place is not None
    assert (place.path, place.line) == (str(tmp_path / "pyproject.toml"), 17)
    assert PYPROJECT.splitlines()[16][place.column : place.end_column] == "3O"
    (other,) = jobs_for(str(tmp_path / "models" / "other.py"), b"x = 1\n", Options(), Projects())
    assert not other.configured
    assert plain(other.models) == [{"timeout": ["30"], "partial": ["true"]}]


@pytest.mark.parametrize(
    ("table", "marked", "help_text"),
    [
        ("[tool.lazygen]\ntimout = 3\n", "timout", "did you mean timeout?"),
        ("[tool.lazygen]\noutput = 'a.py'\n", "output", "entry, input-shape, arg, partial, timeout, engine"),
        ("[tool.lazygen]\ncolour = 'blue'\n", "colour", "the settings are"),
        ("[tool.lazygen]\npartial = 'yes'\n", "partial", "partial = true"),
        ("[tool.lazygen]\ninput-shape = [8, 3]\n", "input-shape", "a list of such"),
        ("[[tool.lazygen.targets]]\nentry = 'A'\n", "[[tool.lazygen.targets]]", "source ="),
        ("[[tool.lazygen.targets]]\nsource = 'a.py'\n[[tool.lazygen.targets]]\nsorce = 'b.py'\n", "sorce", "source?"),
        ("[[tool.lazygen.targets]]\nsource = ['a.py']\n", "source", 'source = "models/resnet.py"'),
    ],
)
def test_what_is_no_setting_in_a_pyproject(tmp_path: Path, table: str, marked: str, help_text: str) -> None:
    text = f"[project]\nname = 'x'\n\n{table}"
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(Refused) as caught:
        Projects().of(str(tmp_path))
    assert caught.value.usage
    (finding,) = caught.value.diagnostics
    assert any(help_text in sentence for sentence in finding.helps), finding.helps
    place = finding.place
    assert place is not None and place.path == str(tmp_path / "pyproject.toml")
    assert text.splitlines()[place.line - 1][place.column : place.end_column] == marked


def test_only_the_project_of_the_repository_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.lazygen]\ntimeout = 3\n")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    assert "timeout" in Projects().of(str(tmp_path)).defaults
    assert Projects().of(str(tmp_path / "repository")).defaults == {}


# Flags


def test_flags_come_back_from_the_command_of_a_header() -> None:
    import shlex

    flags = flags_of(entry="Net('a b')", input_shape=["x=8,3", "y=2"], arg=["m=None"], partial=True)
    assert flags_in(shlex.join(["lazygen", "convert", "m.py", *words_of(flags)])) == flags
    for rest in ("", "--entry", "'open", "--made-up 3"):
        assert flags_in(f"lazygen convert m.py {rest}") == []


# Through the whole pipeline

TWO_MODELS = """\
# lazygen: entry=Small(4) input-shape=8,3
# lazygen: entry=Big input-shape=x=2,5 arg=flag=True
from torch import nn


class Small(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.LazyLinear(width)

    def forward(self, x):
        return self.layer(x)


class Big(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LazyLinear(7)

    def forward(self, x, flag=False):
        return self.layer(x) if flag else x
"""


def test_models_of_one_output_have_inputs_of_their_own() -> None:
    conversion = lazygen.convert_source(TWO_MODELS, path="nets.py")
    assert conversion.diagnostics == ()
    expected = TWO_MODELS.replace("LazyLinear(width)", "Linear(3, width)").replace("LazyLinear(7)", "Linear(5, 7)")
    assert conversion.code == "".join(expected.splitlines(keepends=True)[2:])


def test_an_argument_of_the_function_stands_above_the_comment() -> None:
    text = TWO_MODELS.replace("# lazygen: entry=Big input-shape=x=2,5 arg=flag=True\n", "")
    conversion = lazygen.convert_source(text, entry="Small(2)", input_shape="4,9", path="nets.py", partial=True)
    assert conversion.code is not None and "nn.Linear(9, width)" in conversion.code
    refused = lazygen.convert_source(text.replace("input-shape", "shape"), path="nets.py")
    assert refused.usage and refused.code is None and refused.diagnostics[0].code == "LZ058"
