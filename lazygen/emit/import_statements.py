"""Import statements with other names in them."""

from __future__ import annotations

import libcst as cst

from lazygen.emit.layout import Separated

Statement = cst.Import | cst.ImportFrom


def with_names(statement: Statement, names: tuple[str | int, ...]) -> Statement:
    """The statement with `names`: new ones as text, old ones as their number.  At least one is needed."""
    if isinstance(statement.names, cst.ImportStar):
        return statement
    nothing = cst.SimpleWhitespace("")
    left, right = getattr(statement, "lpar", None), getattr(statement, "rpar", None)
    separated = Separated.read(
        statement.names,
        left.whitespace_after if left else nothing,
        right.whitespace_before if right else nothing,
    )
    _rewrite(separated, names)
    separated.trailing_comma = separated.trailing_comma and left is not None
    aliases, opening, closing = separated.built()
    if left is None or right is None:
        return statement.with_changes(names=aliases)
    return statement.with_changes(
        names=aliases,
        lpar=left.with_changes(whitespace_after=opening),
        rpar=right.with_changes(whitespace_before=closing),
    )


def _rewrite(separated: Separated[cst.ImportAlias], names: tuple[str | int, ...]) -> None:
    """Old names leave or are replaced where they stand, so that the layout around them stays."""
    kept = {name for name in names if isinstance(name, int)}
    gone = [number for number in range(len(separated.items)) if number not in kept]
    numbers: list[int | None] = list(range(len(separated.items)))
    for place, name in enumerate(names):
        if isinstance(name, int):
            # What stands here and was not replaced by a new name has to go.
            while numbers[place] != name:
                separated.remove(place)
                del numbers[place]
        elif place < len(numbers) and numbers[place] in gone:
            separated.items[place] = _alias(name)
            numbers[place] = None
        else:
            separated.insert(place, _alias(name))
            numbers.insert(place, None)
    while len(numbers) > len(names):
        separated.remove(len(names))
        del numbers[len(names)]


def _alias(text: str) -> cst.ImportAlias:
    name, _, bound = text.partition(" as ")
    asname = cst.AsName(cst.Name(bound)) if bound else None
    return cst.ImportAlias(cst.Name(name), asname)
