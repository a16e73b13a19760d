"""The plan: what to write where.  Lifting makes it, emission carries it out; neither needs to know how the other works.

Spans are positions in the source as `ast` has them, but with columns in code points: lines from 1, columns from 0, the
end exclusive.  Every edit names the node it changes by its span; `emit` finds it in the tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lazygen.values import value


class Span(NamedTuple):
    """Where a node stands in the source."""

    line: int
    column: int
    end_line: int
    end_column: int


@value
class NewArgument:
    """An argument to write into a call.

    `index` is the place of the parameter in the signature of what is now called: the argument is written there as a
    positional one if all parameters before it are given by position in the call, else as the keyword `name`.  An
    `index` of None always gives a keyword, after the arguments the author wrote (before `**kwargs`).  The name `**`
    unpacks a dict there.
    """

    name: str
    text: str
    index: int | None = 0


@value
class AddArguments:
    """Write arguments into the call at `call`."""

    call: Span
    arguments: tuple[NewArgument, ...]


@value
class DropArgument:
    """Take an argument of the call at `call` away: the keyword `name`, or the one at the place `index`, if it is
    given.
    """

    call: Span
    name: str
    index: int


@value
class ReplaceName:
    """Let the expression at `reference` (a name or a dotted name) say `name` of the module `module` instead.

    `nn.LazyLinear` becomes `nn.Linear`, `torch.nn.LazyLinear` becomes `torch.nn.Linear`; for a bare name
    (`from torch.nn import LazyLinear as LL`) the plain class is imported in the file's style.
    """

    reference: Span
    module: str
    name: str


@value
class AddParameter:
    """Give the function whose `def` statement is at `function` a parameter.

    `index` is its place in the new signature after `self` or `cls`; several at one index follow each other in the
    order of the plan.  `keyword_only` puts it last behind `*`.  An `annotation` of None follows the function's style:
    `int` if its others are annotated; an empty one writes none.  `doc` is the sentence for a docstring that lists the
    parameters, made from the name if None, and `kind` the type that it names: the annotation, or `int`, if None.
    """

    function: Span
    name: str
    index: int = 0
    annotation: str | None = None
    default: str | None = None
    keyword_only: bool = False
    doc: str | None = None
    kind: str | None = None


@value
class ReplaceExpression:
    """Let the expression at `span` be `text`: a loop's target or iterable, an arm of a conditional, any other.

    It gets parentheses where it needs them.  Edits inside the expression are made where `text` repeats what they are
    about.
    """

    span: Span
    text: str


@value
class InsertStatements:
    r"""Write statements before or behind the statement at `anchor`, in its block.

    `text` begins without indentation and has four spaces a level and `\n` line ends; comments may stand in it.
    """

    anchor: Span
    text: str
    before: bool = True


@value
class DeleteStatement:
    """Take the statement at `span` away, with the comment behind it and the edits inside it.

    With `comments` those that stand directly above it go too.
    """

    span: Span
    comments: bool = False


@value
class UnwrapWith:
    """Take the `with` statement at `span` away and leave its body; with `items`, take only these of its items away."""

    span: Span
    items: tuple[int, ...] = ()


@value
class GraphClass:
    """A class to be written: its layers and the lines of `forward`, each line by itself, and the variable that takes
    the model.

    `parameters` are those of the constructor, `given` what the variable's model is made with, `above` comments above
    the class, `behind` one behind the variable.
    """

    name: str
    variable: str
    base: str
    docstring: str
    arguments: tuple[str, ...]
    layers: tuple[str, ...]
    lines: tuple[str, ...]
    result: str
    behind: str = ""
    parameters: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    above: tuple[str, ...] = ()


@value
class WriteGraph:
    """Write a class and the variable that takes a model of it before the statement at `anchor`."""

    anchor: Span
    graph: GraphClass


@value
class ModuleClass:
    """A class of modules to be written, by lines: what its constructor does after torch's, and `forward`.

    A line may go on over several of the text, of which only the first is moved.  `parameters` are those of the
    constructor, `arguments` those of `forward`.
    """

    name: str
    base: str
    docstring: str
    parameters: tuple[str, ...]
    constructor: tuple[str, ...]
    arguments: tuple[str, ...]
    lines: tuple[str, ...]


@value
class WriteClass:
    """Write a class before the statement at `anchor`."""

    anchor: Span
    written: ModuleClass


@value
class SmallModule:
    """A module that torch lacks, to be written by a template; `nn` and `torch` are what the file calls those."""

    name: str
    template: str
    nn: str
    torch: str
    values: tuple[tuple[str, str], ...] = ()


@value
class WriteModules:
    """Write classes before or behind the statement at `anchor`."""

    anchor: Span
    modules: tuple[SmallModule, ...]
    before: bool = True


@value
class WriteTemplate:
    """Write what a template makes of some values behind or before the statement at `anchor`."""

    anchor: Span
    template: str
    values: tuple[tuple[str, Any], ...]
    before: bool = False


Edit = (
    AddArguments
    | AddParameter
    | DeleteStatement
    | DropArgument
    | InsertStatements
    | ReplaceExpression
    | ReplaceName
    | UnwrapWith
    | WriteClass
    | WriteGraph
    | WriteModules
    | WriteTemplate
)


@value
class Plan:
    """All edits of one file, in the order of their spans, and the lines that `-v` prints about them.

    `unneeded` are packages whose imports go where nothing uses them any longer; of these star imports go in any case.
    """

    edits: tuple[Edit, ...] = ()
    remarks: tuple[str, ...] = ()
    unneeded: tuple[str, ...] = ()
