"""What README.md shows is what lazygen does."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from architecture import ROOT
from fixture_files import FOLDER, fixtures

from lazygen import convert_source
from lazygen.cli import main
from lazygen.render import render

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def pair(name: str) -> tuple[str, str]:
    """A fixture and its expected output."""
    fixture = next(fixture for fixture in fixtures("convert") if fixture.name == name)
    return fixture.text, fixture.path.with_suffix(".expected.py").read_text(encoding="utf-8")


def test_before_and_after_are_a_fixture_and_its_expected_output() -> None:
    fixture, expected = pair("torchx_cnn")
    options, _, before = fixture.partition("\n")
    first, _, after = expected.partition("\n")
    assert blocks("python")[:2] == [before, after]
    assert options == first
    assert f"`{options.removeprefix('# lazygen convert ')}`" in README


def test_the_second_before_and_after_are_a_part_of_another_fixture() -> None:
    lines = blocks("diff")[0].splitlines()
    for signs, text in zip((" -", " +"), pair("cnn"), strict=True):
        assert "\n".join(line[1:] for line in lines if line[:1] in signs) in text


def test_the_first_command_converts_that_fixture(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    install, _, command = blocks("sh")[0].strip().partition(" && ")
    assert install == "pip install ."
    program, *words = shlex.split(command)
    monkeypatch.chdir(ROOT)
    assert program == "lazygen"
    assert main(words) == 0
    assert capsys.readouterr().out.endswith(pair("torchx_cnn")[1])


def test_the_examples_of_blocks_and_loops_are_in_a_fixture() -> None:
    paragraph = README.partition("**Blocks and loops.**")[2].partition("\n\n")[0]
    before, *after = re.findall(r"`([^`]+\))`", paragraph)
    assert len(after) == 2
    assert before in (FOLDER / "convert" / "blocks.py").read_text(encoding="utf-8")
    assert all(text in (FOLDER / "convert" / "blocks.expected.py").read_text(encoding="utf-8") for text in after)


@pytest.mark.parametrize("place", ["comment", "pyproject"])
def test_settings_in_the_source_are_read_as_it_says(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, comment = blocks("python")[0], blocks("python")[2]
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "model.py").write_text((comment if place == "comment" else "") + before, encoding="utf-8")
    if place == "pyproject":
        (tmp_path / "models" / "pyproject.toml").write_text(blocks("toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "--check", "models/"]) == 1
    assert main(["convert", "models/"]) == 0
    assert main(["convert", "--check", "models/"]) == 0
    assert (tmp_path / "models" / "model_explicit.py").read_text(encoding="utf-8").endswith(blocks("python")[1])


def test_the_sizes_follow_the_arguments_as_it_says() -> None:
    pytest.importorskip("torch")
    namespace: dict[str, Any] = {}
    exec(pair("cnn")[1], namespace)
    head = list(namespace["Classifier"](width=32).modules())[-1]
    assert f"`nn.Linear({head.in_features}, {head.out_features})`" in README


def test_the_example_of_a_refusal_is_what_is_said() -> None:
    source, message = blocks("python")[3], blocks("text")[0]
    conversion = convert_source(source, input_shape="4,3,16,16", path="model.py")
    assert conversion.code is None
    assert render(conversion.diagnostics, {"model.py": source}) == message


def test_the_python_session_gives_what_it_shows() -> None:
    session = doctest.DocTestParser().get_doctest(blocks("pycon")[0], {}, "README.md", "README.md", 0)
    assert len(session.examples) == 4
    assert doctest.DocTestRunner(verbose=False).run(session).failed == 0


def test_explain_says_the_arithmetic_of_the_first_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model.py").write_text(blocks("python")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, arithmetic = re.findall(r"`(lazygen explain [^`]+|\d+ channels[^`]+)`", README)
    assert main(shlex.split(command)[1:]) == 0
    assert arithmetic in capsys.readouterr().out


def test_the_spec_can_be_converted() -> None:
    conversion = convert_source(blocks("yaml")[0], input_shape="8,3,32,32", path="net.yaml")
    assert conversion.code is not None
    assert "nn.Linear(3920, 10)" in conversion.code


def test_every_shape_of_the_table_can_be_read() -> None:
    from lazygen.config import Written, parse_inputs

    table = README.partition("| written | means |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`([^`]+)`", line.split(" | ")[0]) for line in table.splitlines()[2:]]
    assert len(rows) == 9
    for row in rows:
        assert parse_inputs([Written(text, path="README.md", line=1, column=0) for text in row])


def test_its_links_and_flags_exist() -> None:
    from lazygen.cli import commands

    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
    in_blocks = [command for text in blocks("sh") for command in re.split(r" && | [|] |\n", text)]
    lines = [*re.findall(r"`([^`\n]+)`", README), *in_blocks]
    written = [line.split("#")[0].split()[1:] for line in lines if line.startswith("lazygen ")]
    assert {name for name, *_ in written} == set(commands.commands) - {"hook"}
    for name, *words in written:
        flags = {word for word in words if re.match(r"--?[a-z]", word)}
        known = {option for parameter in commands.commands[name].params for option in parameter.opts}
        assert flags <= known | {"--help"}
