"""Every fixture of fixtures/convert, as `fixture_files.py` describes them."""

from __future__ import annotations

import black
import pytest
import under_torch
from fixture_files import PLACING, Fixture, fixtures, orphans

from lazygen.frontend import roots
from lazygen.frontend.parse import parse

CONVERT = fixtures("convert")
each = pytest.mark.parametrize("fixture", CONVERT, ids=lambda fixture: fixture.name)


def expected_of(fixture: Fixture) -> str:
    return fixture.path.with_suffix(".expected.py").read_bytes().decode("utf-8-sig")


def test_no_expected_output_is_without_its_source() -> None:
    assert orphans("convert", ".py") == []


@each
def test_the_output_is_the_expected_one(fixture: Fixture, update_golden: bool) -> None:
    conversion = fixture.convert()
    assert [d for d in conversion.diagnostics if d.severity == "error"] == []
    assert conversion.code is not None
    if update_golden:
        fixture.path.with_suffix(".expected.py").write_bytes(conversion.code.encode())
    assert conversion.code == expected_of(fixture)


@each
def test_converting_the_output_changes_nothing(fixture: Fixture) -> None:
    expected = expected_of(fixture)
    again = fixture.convert(expected)
    assert again.code == expected


@each
def test_black_has_nothing_to_do_where_it_had_nothing_to_do_before(fixture: Fixture) -> None:
    lengths = [
        n for n in (88, 100, 120) if black.format_str(fixture.text, mode=black.Mode(line_length=n)) == fixture.text
    ]
    if lengths:
        expected = expected_of(fixture)
        assert black.format_str(expected, mode=black.Mode(line_length=lengths[0])) == expected


@each
def test_the_output_is_the_lazy_model_under_torch(fixture: Fixture) -> None:
    if "_not_installed" in fixture.text or "--partial" in dict(fixture.options):
        pytest.skip("its base class is not there")
    if fixture.name.startswith("torchx_"):
        pytest.skip("test_convert_torchx.py runs these, whose parameters have other names in the output")
    if fixture.name.startswith(("devices_", "placing_")):
        pytest.skip("test_placed_fixtures.py runs these, on devices that stand for those they name")
    if any(flag in PLACING for flag, _ in fixture.options):
        pytest.skip("test_placing_flags.py runs these, whose parameters are elsewhere in the output")
    lazy = under_torch.module(fixture.text, fixture.path, f"lazy_{fixture.name}")
    explicit = under_torch.module(expected_of(fixture), fixture.path, f"explicit_{fixture.name}")
    entries = fixture.all("--entry") or [root.name for root in roots.find(parse(fixture.text, fixture.path.name))]
    args, kwargs = under_torch.arguments(fixture.all("--input-shape"), fixture.all("--arg"))
    assert entries
    for entry in [*entries, *fixture.also]:
        under_torch.compare(under_torch.model(lazy, entry), under_torch.model(explicit, entry), args, kwargs)
