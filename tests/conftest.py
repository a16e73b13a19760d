"""What the tests share: `--update-golden`, and the fixtures folder."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected outputs of fixtures/")


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten; refused where CI is set."""
    wanted = bool(request.config.getoption("--update-golden"))
    if wanted and os.environ.get("CI"):
        pytest.exit("--update-golden is refused when CI is set", returncode=2)
    return wanted
