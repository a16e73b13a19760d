"""docs/coverage.md says what there is."""

from __future__ import annotations

import re

import torch

from lazygen.symbolic import make_coverage
from lazygen.symbolic.index import FAMILIES


def test_the_page_is_current() -> None:
    text = make_coverage.PAGE.read_text(encoding="utf-8")
    assert text == make_coverage.render(), "run python -m lazygen.symbolic.make_coverage"


def test_four_hundred_functions_and_methods_have_a_rule() -> None:
    operations = {name.rpartition(".")[2] for name in FAMILIES}
    assert len(operations) >= 400


def test_every_function_of_nn_functional_is_accounted_for() -> None:
    """Either a rule, or a name on the page."""
    page = make_coverage.PAGE.read_text(encoding="utf-8")
    public = [
        name
        for name, value in vars(torch.nn.functional).items()
        if callable(value)
        and not isinstance(value, type)
        and not name.startswith("_")
        and not hasattr(value, "__origin__")
    ]
    unknown = [
        name
        for name in public
        if not {f"F.{name}", f"torch.{name}", f"F.{name.removesuffix('_')}"} & set(FAMILIES)
        and not re.search(rf"`{name}`", page)
        and not make_coverage._NO_OPERATION.match(name)
    ]
    assert len(public) > 100 and unknown == []
