"""New arguments of a call, in the place torch's signature gives them and in the layout of the call."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from lazygen.emit.layout import Separated
from lazygen.lift.plan import DropArgument, NewArgument


def add_arguments(call: cst.Call, arguments: Iterable[NewArgument]) -> cst.Call:
    """The call with the arguments written into it, one after the other."""
    for argument in arguments:
        call = _add(call, argument)
    return call


def drop_arguments(call: cst.Call, dropped: Iterable[DropArgument]) -> cst.Call:
    """The call without some of its arguments; one that is not given is none to drop."""
    for drop in dropped:
        args = [arg for number, arg in enumerate(call.args) if not _is_dropped(arg, number, drop)]
        if len(args) == len(call.args):
            continue
        last = call.args[-1]
        if args:
            args[-1] = args[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg)
        else:
            call = call.with_changes(whitespace_before_args=cst.SimpleWhitespace(""))
        call = call.with_changes(args=args)
    return call


def _is_dropped(argument: cst.Arg, number: int, drop: DropArgument) -> bool:
    if argument.keyword is not None:
        return argument.keyword.value == drop.name
    return number == drop.index and not argument.star


def expression(text: str) -> cst.BaseExpression:
    """The tree of an expression, in parentheses if it could not stand as an argument without them."""
    try:
        node = cst.parse_expression(text)
    except cst.ParserSyntaxError:
        return cst.parse_expression(f"({text})")
    if isinstance(node, (cst.NamedExpr, cst.Tuple, cst.Yield)) and not node.lpar:
        return _in_parentheses(node)
    return node


def _add(call: cst.Call, argument: NewArgument) -> cst.Call:
    positional = _positional_count(call)
    as_keyword = argument.index is None or argument.index > positional
    position = _keyword_position(call, argument.index) if as_keyword else argument.index or 0
    new = _argument(argument, as_keyword)
    closing = call.args[-1].whitespace_after_arg if call.args else cst.SimpleWhitespace("")
    bare = [_alone(arg).with_changes(whitespace_after_arg=cst.SimpleWhitespace("")) for arg in call.args]
    separated = Separated.read(bare, call.whitespace_before_args, closing)
    separated.insert(position, new)
    args, opening, closing = separated.built()
    args[-1] = args[-1].with_changes(whitespace_after_arg=closing)
    return call.with_changes(args=args, whitespace_before_args=opening)


def _argument(argument: NewArgument, as_keyword: bool) -> cst.Arg:
    value = expression(argument.text)
    if not as_keyword:
        return cst.Arg(value)
    if argument.name == "**":
        return cst.Arg(value, star="**")
    nothing = cst.SimpleWhitespace("")
    return cst.Arg(value, keyword=cst.Name(argument.name), equal=cst.AssignEqual(nothing, nothing))


def _alone(argument: cst.Arg) -> cst.Arg:
    """A generator expression may go without parentheses only as long as it is the only argument."""
    value = argument.value
    if isinstance(value, cst.GeneratorExp) and not value.lpar:
        return argument.with_changes(value=_in_parentheses(value))
    return argument


def _in_parentheses(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _positional_count(call: cst.Call) -> int:
    """How many parameters the call is known to give by position: a star before one leaves it unknown."""
    count = 0
    for argument in call.args:
        if argument.keyword is not None or argument.star:
            break
        count += 1
    return count


def _keyword_position(call: cst.Call, index: int | None) -> int:
    """Where a keyword goes: in the order of the signature as far as it is known, behind all positional arguments."""
    end = next((i for i, argument in enumerate(call.args) if argument.star == "**"), len(call.args))
    if index is None:
        return end
    behind = max((i + 1 for i, a in enumerate(call.args) if a.keyword is None and a.star != "**"), default=0)
    return min(max(index, behind), max(end, behind))
