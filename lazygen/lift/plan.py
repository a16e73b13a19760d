"""The plan: what to write where.  Lifting makes it, emission carries it out; neither needs to know how the other works.

Spans are positions in the source as `ast` has them, but with columns in code points: lines from 1, columns from 0, the
end exclusive.  Every edit names the node it changes by its span; `emit` finds it in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where a node stands in the source."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class NewArgument:
    """An argument to write into a call.

    `index` is the place of the parameter in the signature of what is now called: the argument is written there as a
    positional one if all parameters before it are given by position in the call, else as the keyword `name`.  An `index` of
    None always gives a keyword, after the arguments the author wrote (before `**kwargs`).
    """

    name: str
    text: str
    index: int | None = 0


@dataclass(frozen=True, slots=True)
class AddArguments:
    """Write arguments into the call at `call`."""

    call: Span
    arguments: tuple[NewArgument, ...]


@dataclass(frozen=True, slots=True)
class ReplaceName:
    """Let the expression at `reference` (a name or a dotted name) say `name` of the module `module` instead.

    `nn.LazyLinear` becomes `nn.Linear`, `torch.nn.LazyLinear` becomes `torch.nn.Linear`; for a bare name
    (`from torch.nn import LazyLinear as LL`) the plain class is imported in the file's style.
    """

    reference: Span
    module: str
    name: str


@dataclass(frozen=True, slots=True)
class AddParameter:
    """Give the function whose `def` statement is at `function` a parameter.

    `index` is its place in the new signature after `self` or `cls`; several at one index follow each other in the order of the plan.  An
    `annotation` of None follows the function's style: `int` if its others are annotated; an empty one writes none.  `doc` is the sentence for a docstring's Args section, made from the name if None.
    """

    function: Span
    name: str
    index: int = 0
    annotation: str | None = None
    default: str | None = None
    keyword_only: bool = False
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class ReplaceExpression:
    """Let the expression at `span` be `text`: a loop's target or iterable, an arm of a conditional, any other.

    It gets parentheses where it needs them.  Edits inside the expression are made where `text` repeats what they are about.
    """

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class InsertStatements:
    r"""Write statements before or behind the statement at `anchor`, in its block.

    `text` begins without indentation and has four spaces a level and `\n` line ends; comments may stand in it.
    """

    anchor: Span
    text: str
    before: bool = True


@dataclass(frozen=True, slots=True)
class DeleteStatement:
    """Take the statement at `span` away, with the comment behind it and the edits inside it."""

    span: Span


@dataclass(frozen=True, slots=True)
class UnwrapWith:
    """Take the `with` statement at `span` away and leave its body; with `items`, take only these of its items away."""

    span: Span
    items: tuple[int, ...] = ()


Edit = AddArguments | AddParameter | DeleteStatement | InsertStatements | ReplaceExpression | ReplaceName | UnwrapWith


@dataclass(frozen=True, slots=True)
class Plan:
    """All edits of one file, in the order of their spans, and the lines that `-v` prints about them."""

    edits: tuple[Edit, ...] = ()
    remarks: tuple[str, ...] = ()
