"""One comparison in a process of its own: builds both models of each entry under torch, and asks the checks."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from lazygen.diagnostics import Diagnostic
from lazygen.trace.entry import EntryError
from lazygen.trace.inputs import InputError
from lazygen.verify import pair, stages, world
from lazygen.verify.checks import checks_of
from lazygen.verify.compare import changed, described
from lazygen.verify.devices import brought, mapping_mode
from lazygen.verify.pair import Calls, Pair
from lazygen.verify.subject import Check, Model, Outcomes, Subject, Verified


def compare(subject: Subject) -> Outcomes:
    """What came of the subject.  This is the work of a child process: it puts other things in place of modules."""
    torch = world.enter(subject)
    before, texts = set(sys.modules), (subject.source, subject.output)
    seen = Calls(torch)
    try:
        world.seed(torch)
        with world.default_dtype(torch, subject.dtype), seen.watched():
            lazy = world.run(subject.source)
        world.forget_project(before)
    except BaseException as error:
        return Outcomes((), (world.fails("the source does not run under torch", error, texts, bool(subject.devices)),))
    try:
        world.seed(torch)
        explicit = world.run(subject.output, _name_beside(subject))
    except BaseException as error:
        return Outcomes((), (world.fails("the output does not run under torch", error, texts, bool(subject.devices)),))
    models: list[Verified] = []
    findings: list[Diagnostic] = []
    for model in subject.models:
        outcome = _one(torch, subject, model, lazy, explicit, seen)
        if isinstance(outcome, Diagnostic):
            findings.append(outcome)
        else:
            models.append(outcome)
    return Outcomes(tuple(models), tuple(findings))


def _one(
    torch: Any, subject: Subject, model: Model, lazy: dict[str, Any], explicit: dict[str, Any], seen: Calls
) -> Verified | Diagnostic:
    """What came of one model, or why the source's cannot be had."""
    texts, entry = (subject.source, subject.output), model.entry
    try:
        with world.default_dtype(torch, subject.dtype), seen.watched():
            source = pair.build(torch, subject.source, entry, lazy)
        args, kwargs, has_inputs = pair.inputs_for(torch, source, model, subject.source, seen)
        args, kwargs = (changed(torch, part, lambda t: _cast(torch, t, subject.dtype)) for part in (args, kwargs))
        brings = bool(subject.devices or subject.dtype or "device_scope" in subject.source.text)
        with brought(torch, brings), world.default_dtype(torch, subject.dtype):
            if has_inputs:
                pair.dry_run(torch, source, *changed(torch, [args, kwargs], lambda tensor: tensor.clone()))
        if type(source).__module__.startswith(("torch.", "lazygen.")):  # nothing of the author's could cast them
            kind = next((str(p.dtype) for p in source.parameters() if p.is_floating_point()), "").removeprefix("torch.")
            args, kwargs = (changed(torch, part, lambda t: _cast(torch, t, kind)) for part in (args, kwargs))
    except (InputError, EntryError) as error:
        code = "LZ110" if isinstance(error, InputError) else "LZ111"
        return Diagnostic(code, error.message, None, helps=error.helps)
    except BaseException as error:
        return world.fails(f"{entry} of the source does not run under torch", error, texts, bool(subject.devices))
    named = (f"{name}={described(torch, value)}" for name, value in kwargs.items())
    inputs = ", ".join([*(described(torch, value) for value in args), *named])
    try:
        output = pair.build(torch, subject.output, entry, explicit)
    except BaseException as error:
        place = world.place_of(error, (subject.output,))
        where = f" at line {place.line}" if place else ""
        return Verified(entry, inputs, (Check("build", "differs", f"the output raises {_words(error)}{where}"),))
    names, by_order = _names(model, source, output)
    both = Pair(torch, source, output, names, args, kwargs, has_inputs, by_order, model.renamed, subject.devices)
    both.places, both.brings = dict(model.places), brings
    if subject.staged:
        world.seed(torch)
        both.stages = stages.built(torch, subject.output, entry, explicit, output)
    if subject.devices:
        both.build_placed = cache(lambda: _placed(torch, subject, entry))
    return Verified(entry, inputs, (Check("build", "same"), *checks_of(both)))


def _placed(torch: Any, subject: Subject, entry: str) -> Any:
    """The output's model where the devices are that stand for others."""
    with mapping_mode(torch, subject.devices):
        world.seed(torch)
        namespace = world.run(subject.output, f"{_name_beside(subject)}_placed")
        return pair.build(torch, subject.output, entry, namespace)


def _cast(torch: Any, tensor: Any, dtype: str) -> Any:
    return tensor.to(getattr(torch, dtype)) if dtype and tensor.is_floating_point() else tensor


def _words(error: BaseException) -> str:
    return error.message if isinstance(error, EntryError) else world.words_of(error)


def _names(model: Model, source: Any, output: Any) -> tuple[dict[str, str], bool]:
    """The names that the output gives to the source's parameters, and whether they are matched by order alone.

    That is done only for sources whose names do not stay, and where all sizes agree in that order.
    """
    wanted, there = source.state_dict(), output.state_dict()
    renamed = dict(model.names)
    names = {key: renamed.get(key, key) for key in wanted}
    if not model.renamed or set(names.values()) == set(there):
        return names, False
    sizes = [[getattr(value, "shape", None) for value in state.values()] for state in (wanted, there)]
    return (dict(zip(wanted, there, strict=True)), True) if sizes[0] == sizes[1] else (names, False)


def _name_beside(subject: Subject) -> str:
    """A module name for the output that the source does not have."""
    name = world.module_name(subject.output)
    return f"{name}_explicit" if name == world.module_name(subject.source) else name
