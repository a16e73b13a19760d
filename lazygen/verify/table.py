"""What `verify` prints: for each model a row a check, for a person or as JSON.

model.py: Net(classes=7), called with (8, 3, 32, 32), beside its explicit form
  keys              same            10
  results           differs         the result differs by up to 0.31
  channels_last     not applicable  no input has four dimensions
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lazygen.values import value
from lazygen.verify.subject import Check, Verified

_COLORS = {"same": "32", "differs": "1;31", "not applicable": "2", "not run": "33"}
_WIDEST = 180  # characters of a detail that are shown


@value
class Compared:
    """A source with its output and what came of its models; `fresh` says that the output is in no file."""

    source: str
    output: str
    fresh: bool
    models: tuple[Verified, ...]


def text(compared: Compared, color: bool) -> str:
    """The tables of a source, one a model."""
    return "\n".join("\n".join([*_model(compared, model, color), ""]) for model in compared.models)


def json_text(all_compared: Sequence[Compared]) -> str:
    """The same for a program: a list of sources, each with its models and their checks."""
    import json

    sources = [
        {
            "source": compared.source,
            "output": None if compared.fresh else compared.output,
            "models": [_as_dict(model) for model in compared.models],
        }
        for compared in all_compared
    ]
    return json.dumps(sources, indent=2, ensure_ascii=False) + "\n"


def _model(compared: Compared, model: Verified, color: bool) -> Iterator[str]:
    beside = "its explicit form" if compared.fresh else compared.output
    called = f", called with {model.inputs}" if model.inputs else ""
    yield _painted(f"{compared.source}: {model.entry}{called}, beside {beside}", "1", color)
    widths = [max(map(len, ["check", *(check.name for check in model.checks)])), len("not applicable")]
    for check in model.checks:
        yield _row(check, widths, color)
    counts = Counter(check.outcome for check in model.checks)
    yield "  " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


def _row(check: Check, widths: Sequence[int], color: bool) -> str:
    detail = check.detail if len(check.detail) <= _WIDEST else f"{check.detail[: _WIDEST - 3]}..."
    outcome = _painted(check.outcome, _COLORS[check.outcome], color)
    gap = " " * (widths[1] - len(check.outcome) + 2) if detail else ""
    return f"  {check.name.ljust(widths[0])}  {outcome}{gap}{detail}"


def _as_dict(model: Verified) -> dict[str, object]:
    checks = [{"check": check.name, "outcome": check.outcome, "detail": check.detail} for check in model.checks]
    return {"entry": model.entry, "inputs": model.inputs, "same": not model.differing, "checks": checks}


def _painted(words: str, codes: str, color: bool) -> str:
    return f"\x1b[{codes}m{words}\x1b[0m" if color else words
