"""Which parameter of a source is which of the text that stands for it: layers are called in the same order.

A layer that is never called itself, as those inside of an attention layer are, goes with the one around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.trace.model import ModelTrace, Trace
from lazygen.values import replace


def renamed(source: Trace, output: Trace) -> Trace:
    """A trace of the source with the names that the output gives to the same layers.

    A model in which layers do not pair keeps its names.
    """
    outputs = {model.entry: model for model in output.models}
    return replace(
        source,
        models=tuple(_renamed(m, outputs[m.entry]) if m.entry in outputs else m for m in source.models),
    )


def _renamed(source: ModelTrace, output: ModelTrace) -> ModelTrace:
    ours, theirs = _units(source), _units(output)
    if [sorted(parts) for parts in ours] != [sorted(parts) for parts in theirs]:
        return source
    names: dict[str, str] = {}
    for old, new in zip(ours, theirs, strict=True):
        for part in old:
            names.update(zip(old[part], new[part], strict=False))
            if len(old[part]) != len(new[part]):
                return source
    return replace(source, state=tuple(entry._replace(name=names[entry.name]) for entry in source.state))


def _units(model: ModelTrace) -> list[dict[str, list[str]]]:
    """The parameters of each layer, by their names in it, in the order in which layers were called first."""
    numbers = dict(model.called)
    found: dict[int, dict[str, list[str]]] = {}
    for name in (entry.name for entry in model.state):
        owner = next((prefix for prefix in _prefixes(name) if prefix in numbers), "")
        part = name.removeprefix(f"{owner}.") if owner else name
        found.setdefault(numbers.get(owner, -1), {}).setdefault(part, []).append(name)
    return [found[number] for number in sorted(found)]


def _prefixes(name: str) -> Iterator[str]:
    """`a.b` and `a` of `a.b.weight`."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
