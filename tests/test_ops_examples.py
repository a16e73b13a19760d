"""Every rule's examples, against torch; and what holds for all rules together."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from oracle import compare
from values_oracle import compare_on_cpu

from lazygen.symbolic import index, make_index, ops
from lazygen.symbolic.rules import EXAMPLES, RULES

FAMILIES = make_index.families()
ALL = [(name, example) for name, examples in sorted(EXAMPLES.items()) for example in examples]


@pytest.mark.parametrize("family", sorted(set(FAMILIES.values())))
def test_examples_agree_with_torch(family: str) -> None:
    problems = []
    for name, example in ALL:
        if FAMILIES[name] == family:
            # The meta device refuses what needs numbers, the CPU what it has no kernel for: one of the two must agree.
            problem = compare(example)
            if problem is not None and (problem := compare_on_cpu(example)) is not None:
                problems.append(problem)
    assert problems == []


@pytest.mark.parametrize("family", sorted(set(FAMILIES.values())))
def test_every_family_shows_its_rules(family: str) -> None:
    """Most rules carry examples; those without give what no oracle can compare, as sizes that only data can tell."""
    first_named = [name for name in EXAMPLES if FAMILIES[name] == family]
    shown = [name for name in first_named if EXAMPLES[name]]
    assert len(shown) >= 0.5 * len(first_named), sorted(set(first_named) - set(shown))


def test_an_example_speaks_of_its_rule() -> None:
    wrong = [
        (name, example)
        for name, example in ALL
        if not any(alias.rpartition(".")[2] in example for alias in RULES if RULES[alias] is RULES[name])
        and not name.endswith("__")
    ]
    assert wrong == []


def test_the_index_is_up_to_date() -> None:
    text = Path(index.__file__).read_text(encoding="utf-8")
    assert text == make_index.render(), "run python -m lazygen.symbolic.make_index"


def test_every_name_is_declared_once() -> None:
    """A name that two files declare would mean one thing or the other by the order of imports."""
    places: dict[str, list[str]] = {}
    for path in sorted(Path(ops.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                for argument in node.args:
                    if isinstance(argument, ast.Constant):
                        places.setdefault(argument.value, []).append(path.name)
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_names_have_a_known_space() -> None:
    spaces = {name.rpartition(".")[0] for name in RULES}
    known = {"torch", "Tensor", "F", "torch.linalg", "torch.fft", "torch.special"}
    assert {space for space in spaces if space not in known and not space.startswith(("torch.", "F"))} == set()
