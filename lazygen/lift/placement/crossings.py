"""Moves of tensors between devices and dtypes, written where a trace saw them cross.

return self.head(h) + self.skip(h)      ->      return self.head(h.to("cuda:1")) + self.skip(h).to("cuda:1")
torch.cat([a, b], 1)                            torch.cat([a, b.to("cuda:0")], 1)
x = layer(x)                                    x = layer(x.to(layer.weight.device))
self.lstm(x, state)                             self.lstm(x, tuple(part.to("cuda:1") for part in state))
nn.Sequential(a, b)                             PlacedSequential(a, b), whose members have different devices
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from lazygen.diagnostics import Diagnostic, Note, Place, Refused
from lazygen.lift.bindings import names_used
from lazygen.lift.placement.insertions import Insertions
from lazygen.lift.plan import Edit, Plan, ReplaceExpression, SmallModule, WriteModules
from lazygen.lift.syntax import Syntax
from lazygen.trace.model import Crossing
from lazygen.values import replace

_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Dict, ast.ListComp, ast.DictComp)
_REASONS = {
    "unsaid": ("LZ510", "nothing that can be said here names that device in every run"),
    "indirect": ("LZ511", "it is called from elsewhere than this line's own text"),
    "unclear": ("LZ511", "this line does not say by itself which tensor it is"),
    "row": ("LZ511", "it crosses among the members of a class of the file's own that derives from Sequential"),
    "row of several": ("LZ511", "it crosses among the members of a Sequential, and is not the only one"),
    "elsewhere": ("LZ512", "the line is in another file than the one that is converted"),
}


def crossed(syntax: Syntax, text: str, crossings: Sequence[Crossing], source: Syntax | None = None) -> Plan:
    """The moves for the crossings of a text.

    Raises Refused for those that cannot be written; they are told at their place in `source`, from which the text was
    made, if it stands there as it does here.
    """
    crossings = [crossing for crossing in crossings if crossing.moves or crossing.casts]
    wrong = [crossing for crossing in crossings if crossing.problem or not said(crossing)]
    if wrong:
        raise Refused(*(_refusal(crossing, syntax, source, crossing.problem or "unsaid") for crossing in wrong))
    rows = [crossing for crossing in crossings if crossing.form == "row"]
    edits = [*_rows(syntax, rows), *_moves(syntax, text, [c for c in crossings if c.form != "row"])]
    return Plan(tuple(edits))


def unmoved(crossing: Crossing, syntax: Syntax, source: Syntax) -> Diagnostic:
    """What to say of a crossing that is there whatever is written."""
    return _refusal(crossing, syntax, source, "unsaid")


def merged(traces: Iterable[Sequence[Crossing]]) -> list[Crossing]:
    """What several traces of one text say of each place."""
    found: dict[tuple[Place, str], Crossing] = {}
    for crossing in (crossing for trace in traces for crossing in trace):
        key = (crossing.operand, crossing.form)
        found[key] = _both(found[key], crossing) if key in found else crossing
    return list(found.values())


def _both(one: Crossing, other: Crossing) -> Crossing:
    changed = one if one.moves or one.casts else other
    return replace(
        changed,
        moves=one.moves or other.moves,
        casts=one.casts or other.casts,
        devices=tuple(text for text in one.devices if text in other.devices),
        likes=tuple(text for text in one.likes if text in other.likes),
        kinds=tuple(text for text in one.kinds if text in other.kinds),
        optional=one.optional or other.optional,
        problem=one.problem or other.problem,
    )


def said(crossing: Crossing) -> bool:
    """Whether there is a text for the move, or none is needed."""
    return crossing.form == "row" or bool(_to(crossing))


def _to(crossing: Crossing) -> str:
    """What stands between the parentheses of `.to(...)`; empty if no text is right in all runs."""
    device, like, kind = (next(iter(texts), "") for texts in (crossing.devices, crossing.likes, crossing.kinds))
    if not crossing.casts:
        return device
    if not crossing.moves:
        return kind or like
    if like and (not device or not kind or device == f"{like}.device"):
        return like
    return f"{device}, {kind}" if device and kind else ""


def _moves(syntax: Syntax, text: str, crossings: Sequence[Crossing]) -> Iterator[Edit]:
    nodes = {syntax.place(node): node for node in ast.walk(syntax.tree) if isinstance(node, ast.expr)}
    insertions = Insertions(syntax, text)
    changed: list[ast.expr] = []
    for crossing in crossings:
        node = nodes[crossing.operand]
        insertions.around(node, *_written(crossing, node, syntax))
        alone = syntax.parent(node)
        changed.append(alone if crossing.form == "sum" and isinstance(alone, ast.Call) else node)
    for node in dict.fromkeys(changed):
        around = syntax.parent(node)
        while around is not None and around not in changed:
            around = syntax.parent(around)
        if around is None:
            yield ReplaceExpression(syntax.span(node), insertions.text(node))


def _written(crossing: Crossing, node: ast.expr, syntax: Syntax) -> tuple[str, str]:
    """What stands before and behind an operand that is moved."""
    move = f".to({_to(crossing)})"
    if crossing.form == "one":
        before, behind = ("", move) if isinstance(node, _ATOMS) else ("(", f"){move}")
        return _unless_none(crossing, node, syntax, before, behind)
    if crossing.form == "dict":
        return "{name: tensor" + move + " for name, tensor in ", ".items()}"
    item = _item(node, _to(crossing))
    each = f"{item}{move} for {item} in "
    opening, closing = {"list": ("[", "]"), "tuple": ("tuple(", ")"), "star": ("(", ")"), "sum": ("", "")}[
        crossing.form
    ]
    alone = syntax.parent(node)
    if crossing.form == "sum" and isinstance(alone, ast.Call) and len(alone.args) + len(alone.keywords) > 1:
        opening, closing = "(", ")"
    return _unless_none(crossing, node, syntax, f"{opening}{each}", closing)


def _unless_none(crossing: Crossing, node: ast.expr, syntax: Syntax, before: str, behind: str) -> tuple[str, str]:
    if not crossing.optional:
        return before, behind
    name = syntax.segment(node)
    bare = isinstance(syntax.parent(node), (ast.Call, ast.keyword, ast.Tuple, ast.List, ast.Assign, ast.Return))
    opening, closing = ("", "") if bare else ("(", ")")
    return f"{opening}None if {name} is None else {before}", f"{behind}{closing}"


def _item(node: ast.expr, to: str) -> str:
    """A name for one of several: `skip` of `skips`."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    single = name[:-1] if name.endswith("s") and not name.endswith("ss") and len(name) > 2 else "tensor"
    taken = {part.id for part in ast.walk(ast.parse(f"f({to})")) if isinstance(part, ast.Name)}
    return single if single not in taken and single.isidentifier() else "tensor"


def _rows(syntax: Syntax, crossings: Sequence[Crossing]) -> Iterator[Edit]:
    """A class that moves what its members give each other, in the place of `Sequential`."""
    made: list[ast.Call] = []
    for crossing in crossings:
        call = syntax.calls.get(crossing.operand)
        if call is None or not _is_imported(call.func, syntax.tree):
            raise Refused(_refusal(crossing, syntax, None, "row"))
        made.append(call)
    if not made:
        return
    taken = names_used(syntax.tree) | set(syntax.classes)
    names = ("PlacedSequential", *(f"PlacedSequential{number}" for number in range(2, len(taken) + 3)))
    name = next(name for name in names if name not in taken)
    yield from (ReplaceExpression(syntax.span(call.func), name) for call in made)
    base = ast.unparse(made[0].func)
    moved = "parameter.device" + (", parameter.dtype" if any(crossing.casts for crossing in crossings) else "")
    first = min((_top(call, syntax) for call in made), key=lambda statement: statement.lineno)
    values = (("base", base), ("moved", moved))
    yield WriteModules(syntax.span(first), (SmallModule(name, "placed_sequential", "", "", values),))


def _is_imported(function: ast.expr, tree: ast.Module) -> bool:
    """Whether a dotted name begins with one that an import of the module binds."""
    root = function
    while isinstance(root, ast.Attribute):
        root = root.value
    imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {(alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names}
    return isinstance(root, ast.Name) and (root.id in names or "*" in names)


def _top(node: ast.AST, syntax: Syntax) -> ast.stmt:
    while not isinstance(syntax.parent(node), ast.Module):
        above = syntax.parent(node)
        assert above is not None
        node = above
    assert isinstance(node, ast.stmt)
    return node


def _refusal(crossing: Crossing, syntax: Syntax, source: Syntax | None, problem: str) -> Diagnostic:
    code, reason = _REASONS[problem]
    what = "becomes" if crossing.casts else "goes to"
    message = f"a tensor {what} {crossing.after} for {crossing.met}, and the move cannot be written here"
    place = crossing.call if code == "LZ512" else _in_source(crossing.call, syntax, source)
    helps = (f"move it yourself, on a line of its own: tensor = tensor.to({_named(crossing)})",)
    return Diagnostic(code, message, place, (Note(f"it is {crossing.before} before; {reason}"),), helps)


def _named(crossing: Crossing) -> str:
    return _to(crossing) or (f'"{crossing.after}"' if not crossing.casts else "...")


def _in_source(place: Place, syntax: Syntax, source: Syntax | None) -> Place:
    """The place of what stands there in the text that this one was made from, if it stands there once."""
    if source is None:
        return place
    said = {ast.unparse(node) for node in _expressions(syntax) if syntax.place(node) == place}
    same = [node for node in _expressions(source) if ast.unparse(node) in said]
    return source.place(same[0]) if len(same) == 1 else Place(place.path, 1, 0, 1, 0)


def _expressions(syntax: Syntax) -> Iterator[ast.expr | ast.AugAssign]:
    yield from (node for node in ast.walk(syntax.tree) if isinstance(node, (ast.expr, ast.AugAssign)))
