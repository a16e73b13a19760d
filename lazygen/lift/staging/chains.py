"""Graphs in which each layer feeds the next and nothing else: they stay where they are, as `Sequential`.

x = image = L.Placeholder((None, 3, 32, 32))       layers = []
for width in widths:                               for width in widths:
    x = L.ReLU()(L.Conv2d(width, 3)(x))                layers.append(L.Conv2d(width, 3))
                                                       layers.append(L.ReLU())
return L.Functional(image, x)                      return nn.Sequential(*layers)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from lazygen.frontend import torchx
from lazygen.lift.bindings import names_read
from lazygen.lift.graph_source import GraphSource
from lazygen.lift.plan import DeleteStatement, Edit, InsertStatements, ReplaceExpression
from lazygen.lift.staging.regions import Region
from lazygen.lift.staging.times import Times, binds, leaves
from lazygen.values import value

_TAKING_ONE = torchx.AS_FUNCTIONS.keys() | {
    "Flatten",
    "View",
    "Slice",
    "GetRNNOutput",
    "GetRNNState",
    "TimeDistributed",
}


class NoChain(Exception):
    """A graph that is no chain."""


@value
class Chain:
    """A chain: by statement the layers that it appends, those of the output, and the shape of the input."""

    links: tuple[tuple[ast.stmt, tuple[ast.expr, ...]], ...]
    last: tuple[ast.expr, ...]
    shape: ast.expr


def chain_of(region: Region, times: Times) -> Chain | None:
    """The graph of a region as a chain; None if it is none."""
    try:
        return _Reader(region, times).chain()
    except NoChain:
        return None


class _Reader:
    """Follows the one value of a chain; `now` are the names that hold it."""

    def __init__(self, region: Region, times: Times) -> None:
        self.region, self.times, self.source = region, times, region.source
        self.now: set[str] = set()
        self.links: list[tuple[ast.stmt, tuple[ast.expr, ...]]] = []
        self._applied: set[str] = set()

    def chain(self) -> Chain:
        region = self.region
        if region.is_module_level or not isinstance(region.inputs, ast.Name):
            raise NoChain
        made = [s for s in region.moved if self.times.makes_placeholder(s)]
        call = getattr(made[0], "value", None) if len(made) == 1 else None
        if not isinstance(call, ast.Call) or len(call.args) + len(call.keywords) != 1:
            raise NoChain
        self.now = binds(made[0])
        self._block([s for s in region.moved if s is not made[0]])
        last = self._layers(region.outputs)
        if not self.links and not last:
            raise NoChain
        return Chain(tuple(self.links), tuple(last), [*call.args, *(k.value for k in call.keywords)][0])

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if statement in self.region.dropped:
                continue
            if isinstance(statement, (ast.For, ast.While, ast.If)):
                self._inside(statement)
            elif self.times.is_running(statement):
                self._link(statement)
            elif not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Pass)):
                raise NoChain

    def _inside(self, statement: ast.For | ast.While | ast.If) -> None:
        head = statement.iter if isinstance(statement, ast.For) else statement.test
        if self.times.runs(head):
            raise NoChain
        before, links, applied = set(self.now), list(self.links), set(self._applied)
        self._block(statement.body)
        if not isinstance(statement, ast.If):
            # The names that hold the value at the beginning of every round.
            self.now, self.links, self._applied = before & self.now, links, applied
            self._block(statement.body)
        after, self.now = self.now, before
        self._block(statement.orelse)
        self.now &= after
        if not self.now:
            raise NoChain

    def _link(self, statement: ast.stmt) -> None:
        value = getattr(statement, "value", None)
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or value is None:
            raise NoChain
        layers = self._layers(value)
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if not all(isinstance(target, ast.Name) for target in targets):
            raise NoChain
        self.now = {target.id for target in targets if isinstance(target, ast.Name)}
        self.links.append((statement, tuple(layers)))

    def _layers(self, node: ast.expr) -> list[ast.expr]:
        """The layers that an expression applies to the value, in order."""
        found: list[ast.expr] = []
        while isinstance(node, ast.Call):
            if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
                raise NoChain
            if not self._is_layer(node.func, node):
                raise NoChain
            found.insert(0, node.func)
            node = node.args[0]
        if not isinstance(node, ast.Name) or node.id not in self.now:
            raise NoChain
        return found

    def _is_layer(self, function: ast.expr, call: ast.Call) -> bool:
        if self._is_model(function):
            return self._is_once(ast.unparse(function), call)
        if isinstance(function, ast.Name) and function.id in self.times.layers:
            if function.id in self._applied or not self._is_beside(function.id, call):
                return False  # one layer at two places
            self._applied.add(function.id)
            return True
        if self.times.runs(function) or not isinstance(function, ast.Call) or not self.times.makes(function):
            return False
        module, name = self.source.meaning(function.func)
        return module not in torchx.MODULES or name not in torchx.WITHOUT_TWIN or name in _TAKING_ONE

    def _is_model(self, function: ast.expr) -> bool:
        """Whether a statement of the same block made another graph's model of this name."""
        said = ast.unparse(function)
        made = [s for s in self.region.prefix if said in map(ast.unparse, getattr(s, "targets", ()))]
        return len(made) == 1 and self.times.makes_model(made[0]) and isinstance(function, (ast.Name, ast.Attribute))

    def _is_once(self, model: str, call: ast.Call) -> bool:
        """Whether a model is applied here alone, and whatever is asked."""
        statements = (*self.region.moved, self.region.statement)
        if model in self._applied or self.source.syntax.statement(call) not in statements:
            return False
        self._applied.add(model)
        return True

    def _is_beside(self, name: str, call: ast.Call) -> bool:
        """Whether a layer is made as often as it is applied."""
        syntax = self.source.syntax
        applied = syntax.statement(call)
        return all(syntax.parent(made) is syntax.parent(applied or made) for made in self.times.bound[name])


class ChainWriter:
    """Writes a chain where it stands; `sequential` is how the file says the class of TorchX.

    `lists` are names of lists of layers that others in the same place have.
    """

    def __init__(
        self, region: Region, times: Times, chain: Chain, sequential: str, lists: Collection[str] = ()
    ) -> None:
        self.lists, self.name = lists, ""
        self.region, self.times, self.chain, self.source = region, times, chain, region.source
        self.sequential = sequential

    def edits(self, dead: Sequence[ast.stmt]) -> list[Edit]:
        """The edits; `dead` are statements that go as well."""
        syntax, splices = self.source.syntax, self.source.splices
        shape = splices.text(self.chain.shape)
        placeholder = next(s for s in self.region.moved if self.times.makes_placeholder(s))
        edits: list[Edit] = []
        gone = [placeholder, *(statement for statement, _ in self.chain.links), *dead, *self.region.dropped]
        straight = self._is_straight()
        if straight:
            inside = self._straight_text()
        else:
            name = self.name = self._free_name()
            first = min(
                (s for s in self.region.moved if self._holds_link(s)),
                key=lambda s: s.lineno,
                default=self.region.statement,
            )
            edits.append(InsertStatements(syntax.span(first), f"{name} = []\n"))
            for statement, layers in self.chain.links:
                if layers:
                    text = "".join(f"{name}.append({self._text(layer)})\n" for layer in layers)
                    comment = self.source.trailing(statement)
                    text = f"{text[:-1]}{comment}\n" if comment else text
                    leading = [line for line in self.source.leading(statement) if line]
                    edits.append(InsertStatements(syntax.span(statement), "\n".join([*leading, text])))
            last = "".join(f", {self._text(layer)}" for layer in self.chain.last)
            inside = f"*{name}{last}"
        edits += [DeleteStatement(syntax.span(statement), comments=True) for statement in gone]
        text = f"{self.sequential}({inside}).build({shape})"
        edits.append(ReplaceExpression(syntax.span(self.region.call), text))
        return edits

    def _is_straight(self) -> bool:
        """Whether all layers can stand in one call, and mean there what they mean where they are."""
        if any(isinstance(s, (ast.For, ast.While, ast.If)) and self._holds_link(s) for s in self.region.moved):
            return False
        for statement, layers in self.chain.links:
            read = {name for layer in layers for name in names_read(layer)}
            behind = [leaf for leaf in leaves(self.region.prefix) if leaf.lineno > statement.lineno]
            if any(read & binds(leaf) for leaf in behind):
                return False
        return True

    def _straight_text(self) -> str:
        lines: list[str] = []
        commented = False
        for statement, layers in self.chain.links:
            leading = [line for line in self.source.leading(statement) if line]
            trailing = self.source.trailing(statement)
            commented = commented or bool(leading or trailing)
            texts = [f"{self._text(layer)}," for layer in layers]
            if texts:
                texts[-1] += trailing
                lines += [*leading, *texts]
        lines += [f"{self._text(layer)}," for layer in self.chain.last]
        if commented:
            return "\n" + "\n".join(f"    {line}" for line in lines) + "\n"
        return " ".join(lines).removesuffix(",")

    def _text(self, layer: ast.expr) -> str:
        return self.source.splices.text(layer)

    def _holds_link(self, statement: ast.stmt) -> bool:
        inside = set(leaves([statement]))
        return any(link in inside for link, _ in self.chain.links)

    def _free_name(self) -> str:
        taken = {name for s in self.region.functions for leaf in leaves(s.body) for name in binds(leaf)}
        taken |= self.region.own() | set(self.lists)
        return next(name for name in ("layers", "steps", *(f"layers_{n}" for n in range(2, 99))) if name not in taken)


def sequential_of(source: GraphSource, call: ast.Call) -> tuple[str, str]:
    """How the file says TorchX's `Sequential`, and the import that it needs for it; that is empty if it needs none."""
    if isinstance(call.func, ast.Attribute):
        return f"{ast.unparse(call.func.value)}.Sequential", ""
    module = source.meaning(call.func)[0]
    known = source.names.meaning(ast.Name("Sequential", ast.Load()))
    if known == f"{module}.Sequential":
        return "Sequential", ""
    return "Sequential", f"from {module} import Sequential"
