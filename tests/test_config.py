"""Settings from text: what is accepted, and where a finding points when something is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazygen import config
from lazygen.config import ConfigError
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.flags import flags_of, given_by, text_of
from lazygen.project import Projects
from lazygen.settings import Argument, Input, Settings, Size
from lazygen.written import Written


def settings_of(**flags: Any) -> Settings:
    return config.read_settings([given_by(flags_of(**flags))])


def read(*shapes: str, arg: tuple[str, ...] = ()) -> tuple[Input, ...]:
    return settings_of(input_shape=shapes, arg=arg).targets[0].inputs


def finding(*shapes: str, arg: tuple[str, ...] = (), entry: str | None = None) -> tuple[Diagnostic, str]:
    """The one finding about these flags, and the text that it points at."""
    flags = flags_of(entry=entry, input_shape=shapes, arg=arg)
    with pytest.raises(ConfigError) as caught:
        config.read_settings([given_by(flags)])
    assert caught.value.usage
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.place is not None
    line = text_of(flags).splitlines()[diagnostic.place.line - 1]
    return diagnostic, line[diagnostic.place.column : diagnostic.place.end_column]


def sizes(*values: int) -> tuple[Size, ...]:
    return tuple(Size(value) for value in values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8,3,32,32", Input(sizes(8, 3, 32, 32))),
        ("8", Input(sizes(8))),
        (" 8, 3 ", Input(sizes(8, 3))),
        ("0,3", Input(sizes(0, 3))),
        ("2,16:int64", Input(sizes(2, 16), "int64")),
        ("2,16 : int64", Input(sizes(2, 16), "int64")),
        ("x=4,2,50", Input(sizes(4, 2, 50), name="x")),
        ("x = 4,2", Input(sizes(4, 2), name="x")),
        ("x=4:bool", Input(sizes(4), "bool", "x")),
        ("N,3,H=32,W=48", Input((Size(None, "N"), Size(3), Size(32, "H"), Size(48, "W")))),
        ("x=N=2,3", Input((Size(2, "N"), Size(3)), name="x")),
        ("x=N,3", Input((Size(None, "N"), Size(3)), name="x")),
        ("N=2,3", Input(sizes(2, 3), name="N")),
        ("3,N=2", Input((Size(3), Size(2, "N")))),
        ("None,3", Input((Size(None, "free_1"), Size(3)))),
        ("x=:float32", Input((), name="x")),
        (":int64", Input((), "int64")),
        ("obs.camera=8,3,84,84", Input(sizes(8, 3, 84, 84), name="obs.camera")),
        ("levels.0=8,3", Input(sizes(8, 3), name="levels.0")),
        ("größe=2,3", Input(sizes(2, 3), name="größe")),
    ],
)
def test_shapes(text: str, expected: Input) -> None:
    assert read(text) == (expected,)


@pytest.mark.parametrize(
    ("text", "code", "marked", "message", "help_text"),
    [
        ("8,3O,32", "LZ050", "3O", '"3O" is not a size', "an integer, a name"),
        ("8,,3", "LZ050", "", "a size is missing here", "8,3"),
        ("8,3,", "LZ050", "", "a size is missing here", "8,3"),
        ("", "LZ050", "", "the sizes are missing", "x=:float32"),
        ("x=", "LZ050", "", "the sizes are missing", "x=:float32"),
        ("8,-1,4", "LZ050", "-1", "a size cannot be negative, as -1 is", "None"),
        ("8,3.5", "LZ050", "3.5", '"3.5" is not a size', "integer"),
        ("8x3x32", "LZ050", "8x3x32", '"8x3x32" is not a size', "--input-shape 8,3,32"),
        ("(8, 3)", "LZ050", "(8", '"(8" is not a size', "--input-shape 8,3"),
        ("8 3", "LZ050", "8 3", '"8 3" is not a size', "--input-shape 8,3"),
        ("8,N=big", "LZ050", "N=big", '"big" is not a sample value for the size "N"', "N=4"),
        ("8,for", "LZ050", "for", '"for" is not a size', "a name"),
        ("8,N=M=2", "LZ050", "N=M=2", '"M=2" is not a sample value', "N=4"),
        ("8,٣", "LZ050", "٣", '"٣" is not a size', "integer"),
        ("9" * 19, "LZ050", "9" * 19, "no tensor is that large", "64 bits"),
        ("9" * 5000, "LZ050", "9" * 5000, "no tensor is that large", "64 bits"),
        ("8,3:i64", "LZ051", "i64", '"i64" is not a dtype', "--input-shape 8,3:int64"),
        ("8,3:long", "LZ051", "long", '"long" is not a dtype', "--input-shape 8,3:int64"),
        ("x=8,3:torch.int64", "LZ051", "torch.int64", "is not a dtype", "--input-shape x=8,3:int64"),
        ("8,3:flaot32", "LZ051", "flaot32", "is not a dtype", "--input-shape 8,3:float32"),
        ("8,3:", "LZ051", "", 'the dtype after ":" is missing', "float32, float64"),
        ("x:int64=8,3", "LZ051", "int64=8,3", "is not a dtype", "--input-shape x=8,3:int64"),
        ("2x=8,3", "LZ052", "2x", '"2x" cannot be the name of an argument', "forward"),
        ("class=8,3", "LZ052", "class", "cannot be the name", "forward"),
        ("x.=8,3", "LZ052", "x.", "cannot be the name", "obs.camera"),
        ("=8,3", "LZ052", "", 'the name before "=" is missing', "forward"),
    ],
)
def test_malformed_shapes(text: str, code: str, marked: str, message: str, help_text: str) -> None:
    diagnostic, pointed_at = finding(text)
    assert diagnostic.code == code
    assert pointed_at == marked
    assert message in diagnostic.message
    assert any(help_text in sentence for sentence in diagnostic.helps)


def test_free_sizes_are_one_size_wherever_they_stand() -> None:
    left, right, other = read("x=N=2,T=5", "y=T,N,None", "z=None,free_1")
    assert left.sizes == (Size(2, "N"), Size(5, "T"))
    assert right.sizes == (Size(5, "T"), Size(2, "N"), Size(None, "free_2"))
    assert other.sizes == (Size(None, "free_3"), Size(None, "free_1"))


def test_two_sample_values_for_one_size() -> None:
    diagnostic, pointed_at = finding("x=N=2,3", "y=3,N=4")
    assert diagnostic.code == "LZ054"
    assert pointed_at == "y=3,N=4"
    assert "2 and 4" in diagnostic.message
    assert "x=N=2,3" in diagnostic.notes[0].message


@pytest.mark.parametrize(
    ("shapes", "arg", "message"),
    [
        (("x=2,3", "x=4"), (), '"x" is given twice'),
        (("x=2,3",), ("x=None",), '"x" is given twice'),
        (("x=2,3",), ("y=1", "y=2"), '"y" is given twice'),
        (("x=2,3", "x.a=4"), (), '"x" is given as a value and by its parts'),
        (("x.a=4",), ("x=None",), '"x" is given as a value and by its parts'),
        (("x.a.b=4", "x.a=4"), (), '"x.a" is given as a value and by its parts'),
        (("x.0=4", "x.2=4"), (), '"x.1" is missing'),
        (("x.1=4",), (), '"x.0" is missing'),
        (("x.0=4", "x.b=4"), (), '"x" has both indices and names'),
    ],
)
def test_names_that_do_not_go_together(shapes: tuple[str, ...], arg: tuple[str, ...], message: str) -> None:
    diagnostic, _ = finding(*shapes, arg=arg)
    assert diagnostic.code == "LZ053"
    assert message in diagnostic.message


def test_names_that_do_go_together() -> None:
    names = [item.name for item in read("2,3", "4", "x.a.0=1", "x.b=2", "x.a.1=3", "y=2", arg=("z=1",))]
    assert names == [None, None, "x.a.0", "x.b", "x.a.1", "y"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mask=None", Argument("mask", "None")),
        ("scale = -0.5", Argument("scale", "-0.5")),
        ("mode='a=b'", Argument("mode", "'a=b'")),
        ("sizes=[(1, 2), {'a': 3}]", Argument("sizes", "[(1, 2), {'a': 3}]")),
    ],
)
def test_arguments(text: str, expected: Argument) -> None:
    assert settings_of(arg=[text]).targets[0].arguments == (expected,)


@pytest.mark.parametrize(
    ("text", "marked", "help_text"),
    [
        ("mode=train", "train", "\"mode='train'\""),
        ("mask=torch.zeros(2)", "torch.zeros(2)", "--input-shape mask=8,3"),
        ("n=1+", "1+", "a number"),
        ("n=", "", "a number"),
        ("n=f(1)", "f(1)", "a number"),
        ("mask", "mask", "--arg mask=None"),
        ("a.b=1", "a.b", "forward"),
        ("=1", "", "forward"),
        ("n=" + "(" * 5000, "(" * 5000, "a number"),
    ],
)
def test_malformed_arguments(text: str, marked: str, help_text: str) -> None:
    diagnostic, pointed_at = finding(arg=(text,))
    assert pointed_at == marked
    assert any(help_text in sentence for sentence in diagnostic.helps)


@pytest.mark.parametrize("text", ["Net", "Net(8)", "models.Net", "build('x').head", "NETS[0]", "Net(\n8)"])
def test_entries(text: str) -> None:
    assert settings_of(entry=text).targets[0].entry == text.replace("\n", " ")


@pytest.mark.parametrize("text", ["", "1", "Net(", "a + b", "lambda: 3", "x = 3", "net.py:Net", "(" * 5000])
def test_malformed_entries(text: str) -> None:
    diagnostic, pointed_at = finding(entry=text)
    assert diagnostic.code == "LZ056"
    assert pointed_at == text


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_time_limits_that_are_none(seconds: float) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_of(timeout=seconds)
    assert caught.value.diagnostics[0].code == "LZ057"


def test_places_point_into_whatever_file_a_setting_stands_in() -> None:
    with pytest.raises(ConfigError) as caught:
        config.parse_input(Written("8,3O", path="model.py", line=3, column=24, before="input-shape="))
    diagnostic = caught.value.diagnostics[0]
    place = diagnostic.place
    assert place is not None
    assert (place.path, place.line, place.column, place.end_column) == ("model.py", 3, 26, 28)
    assert "for example: input-shape=8,3,32,32" in diagnostic.helps


@given(st.text(alphabet="xN0123456789=,:.- Noneit64\n\tä", max_size=14))
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    flags = flags_of(input_shape=[text])
    try:
        (item,) = config.read_settings([given_by(flags)]).targets[0].inputs
    except ConfigError as error:
        place = error.diagnostics[0].place
        assert place is not None
        line = text_of(flags).splitlines()[place.line - 1]
        assert len("--input-shape ") <= place.column <= place.end_column <= len(line)
        assert error.diagnostics[0].helps
    else:
        assert all(size.name or size.value is not None for size in item.sizes)


def test_dtypes_are_ones_the_engine_knows() -> None:
    from lazygen.symbolic.dtypes import DTYPES

    assert set(config.DTYPES) <= set(DTYPES)
    assert set(config.DTYPE_SPELLINGS.values()) <= set(config.DTYPES)
    assert not set(config.DTYPE_SPELLINGS) & set(config.DTYPES)


def test_line_length_of_the_nearest_black_table(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    assert Projects().line_length(str(inner)) is None
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 100\n")
    assert Projects().line_length(str(inner)) == 100
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'a'\n")
    assert Projects().line_length(str(inner)) == 100
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.black]\nline-length = 79\n")
    assert Projects().line_length(str(inner)) == 79
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.black]\npreview = true\n")
    assert Projects().line_length(str(inner)) is None


def test_line_length_is_not_looked_up_outside_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repository"
    (inner / ".git").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 100\n")
    assert Projects().line_length(str(inner)) is None


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (b"[tool.black\n", "is not TOML", 1),
        (b"[tool.lazygen]\nx = \n", "is not TOML", 2),
        (b"[tool.black]\n\xff\xfe", "is not TOML", None),
        (b"[tool.black]\nline-length = true\n", "not a number of columns", None),
        (b"[tool.black]\nline-length = 'wide'\n", "not a number of columns", None),
        (b"[tool.black]\nline-length = 0\n", "not a number of columns", None),
    ],
)
def test_a_broken_pyproject_is_named(tmp_path: Path, content: bytes, message: str, line: int | None) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    with pytest.raises(Refused) as caught:
        Projects().line_length(str(tmp_path))
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert str(tmp_path / "pyproject.toml") in diagnostic.message
    assert (diagnostic.place.line if diagnostic.place else None) == line
