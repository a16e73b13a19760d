"""New parameters of a function, in the layout of its signature.

def __init__(self, width: int = 8):     →     def __init__(self, in_channels: int, width: int = 8):
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from lazygen.emit.arguments import expression
from lazygen.emit.docstrings import Entry
from lazygen.emit.layout import Gap, Separated
from lazygen.emit.work import Contradiction
from lazygen.lift.plan import AddParameter

Item = cst.Param | cst.ParamSlash | cst.ParamStar

_NOTHING = cst.SimpleWhitespace("")
_SPACE = cst.SimpleWhitespace(" ")


def add_parameters(function: cst.FunctionDef, edits: Sequence[AddParameter], in_class: bool) -> cst.FunctionDef:
    """The function with the parameters in its signature.

    Raises `Contradiction` for a name that is there already, and for one without a default behind one that has it.
    """
    items = _items(function.params)
    known = [item for item in items if isinstance(item, cst.Param)]
    closing = _closing(items[-1]) if items else _NOTHING
    if items:
        items[-1] = _closed(items[-1], _NOTHING)
    separated = Separated.read(items, function.whitespace_before_params, closing)
    start = 1 if in_class and not _is_static(function) else 0
    new: list[cst.Param] = []
    for edit in edits:
        if edit.name in {item.name.value for item in (*known, *new)}:
            raise Contradiction(edit.function)
        parameter = _parameter(edit, known[start:], function)
        _insert(separated, parameter, edit, start, new)
        new.append(parameter)
    if not _in_order(separated.items):
        raise Contradiction(edits[0].function)
    built, opening, closing = separated.built()
    built[-1] = _closed(built[-1], closing)
    return function.with_changes(params=_parameters(built), whitespace_before_params=opening)


def entries(after: cst.FunctionDef, edits: Sequence[AddParameter]) -> list[Entry]:
    """What the docstring is to say about the new parameters of `after`."""
    names = [item.name.value for item in _items(after.params) if isinstance(item, cst.Param)]
    found = []
    for edit in edits:
        place = names.index(edit.name)
        kind = edit.kind or edit.annotation or "int"
        found.append(
            Entry(edit.name, kind, edit.doc, edit.default is not None, tuple(names[:place]), tuple(names[place + 1 :]))
        )
    return found


def _items(parameters: cst.Parameters) -> list[Item]:
    slash, star, rest = parameters.posonly_ind, parameters.star_arg, parameters.star_kwarg
    return [
        *parameters.posonly_params,
        *([slash] if isinstance(slash, cst.ParamSlash) else []),
        *parameters.params,
        *([star] if isinstance(star, (cst.Param, cst.ParamStar)) else []),
        *parameters.kwonly_params,
        *([rest] if rest is not None else []),
    ]


def _parameters(items: Sequence[Item]) -> cst.Parameters:
    slash = next((number for number, item in enumerate(items) if isinstance(item, cst.ParamSlash)), -1)
    star = next((number for number, item in enumerate(items) if _star(item) == "*"), None)
    rest = items[-1] if _star(items[-1]) == "**" else None
    end = len(items) - (rest is not None)
    middle = end if star is None else star
    return cst.Parameters(
        posonly_params=items[: max(slash, 0)],  # type: ignore[arg-type]
        posonly_ind=items[slash] if slash >= 0 else cst.MaybeSentinel.DEFAULT,  # type: ignore[arg-type]
        params=items[slash + 1 : middle],  # type: ignore[arg-type]
        star_arg=cst.MaybeSentinel.DEFAULT if star is None else items[star],  # type: ignore[arg-type]
        kwonly_params=items[middle + 1 : end],  # type: ignore[arg-type]
        star_kwarg=rest,  # type: ignore[arg-type]
    )


def _star(item: Item) -> str:
    if isinstance(item, cst.ParamStar):
        return "*"
    return item.star if isinstance(item, cst.Param) and isinstance(item.star, str) else ""


def _insert(
    separated: Separated[Item], parameter: cst.Param, edit: AddParameter, start: int, new: Sequence[cst.Param]
) -> None:
    items = separated.items
    rest = next((number for number, item in enumerate(items) if _star(item) == "**"), len(items))
    if edit.keyword_only:
        if not any(_star(item) == "*" for item in items):
            separated.insert(rest, cst.ParamStar())
            rest += 1
        separated.insert(rest, parameter)
        return
    star = next((number for number, item in enumerate(items) if _star(item) == "*"), rest)
    positional = [number for number, item in enumerate(items[:star]) if isinstance(item, cst.Param)]
    wanted = start + edit.index
    while wanted < len(positional) and any(items[positional[wanted]] is other for other in new):
        wanted += 1
    # At the end, and behind a slash: what comes after `self, /` can be given by keyword.
    place = positional[wanted] if wanted < len(positional) else star
    separated.insert(place, parameter)


def _parameter(edit: AddParameter, others: Sequence[cst.Param], function: cst.FunctionDef) -> cst.Param:
    text = edit.annotation
    if text is None:
        annotated = [other.annotation is not None for other in others] or [function.returns is not None]
        text = (edit.kind or "int") if any(annotated) else ""
    annotation = cst.Annotation(expression(text), _NOTHING, _SPACE) if text else None
    equal: cst.AssignEqual | cst.MaybeSentinel = cst.MaybeSentinel.DEFAULT
    if edit.default is not None:
        beside = [o.equal for o in others if o.default is not None and (o.annotation is None) == (annotation is None)]
        gap = _SPACE if annotation else _NOTHING
        equal = next((e for e in beside if isinstance(e, cst.AssignEqual)), cst.AssignEqual(gap, gap))
    default = None if edit.default is None else expression(edit.default)
    return cst.Param(cst.Name(edit.name), annotation=annotation, equal=equal, default=default, star="")


def _in_order(items: Sequence[Item]) -> bool:
    """Whether no parameter without a default stands behind one with a default, as far as both are positional."""
    star = next((number for number, item in enumerate(items) if _star(item)), len(items))
    defaults = [item.default is not None for item in items[:star] if isinstance(item, cst.Param)]
    return defaults == sorted(defaults)


def _is_static(function: cst.FunctionDef) -> bool:
    names = (decorator.decorator for decorator in function.decorators)
    return any(isinstance(name, cst.Name) and name.value == "staticmethod" for name in names)


def _closing(item: Item) -> Gap:
    if isinstance(item, cst.Param):
        return item.whitespace_after_param
    return item.whitespace_after if isinstance(item, cst.ParamSlash) else _NOTHING


def _closed(item: Item, gap: Gap) -> Item:
    if isinstance(item, cst.Param):
        return item.with_changes(whitespace_after_param=gap)
    if isinstance(item, cst.ParamSlash) and not isinstance(item.comma, cst.Comma):
        return item.with_changes(whitespace_after=gap)
    if gap.empty and not isinstance(gap, cst.ParenthesizedWhitespace):
        return item
    assert isinstance(item.comma, cst.Comma)
    return item.with_changes(comma=item.comma.with_changes(whitespace_after=gap))
