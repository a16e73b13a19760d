"""What the tests share: `--update-golden`, and a process for conversions."""

from __future__ import annotations

import importlib.util
import os

import apart
import pytest

import lazygen


def pytest_configure() -> None:
    """Let tests convert in a process that holds no torch, where there is one to hold."""
    if importlib.util.find_spec("torch") is not None:
        lazygen.convert_source = apart.convert


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected outputs of fixtures/")


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten; refused where CI is set."""
    wanted = bool(request.config.getoption("--update-golden"))
    if wanted and os.environ.get("CI"):
        pytest.exit("--update-golden is refused when CI is set", returncode=2)
    return wanted
