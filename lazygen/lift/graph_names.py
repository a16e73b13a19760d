"""What the values of a graph are called in `forward`: as in the source, unless another value has the name too soon.

In the source a name means what the statement above gave to it.  In a class some of those statements are elsewhere, and
a name of the module must not be hidden by a value that has the same one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence

from lazygen.lift.bindings import loads
from lazygen.lift.graph_body import Body, Bound
from lazygen.lift.splices import Splices
from lazygen.values import record

Change = tuple[int, int, str]


@record
class Step:
    """A line of `forward`: the values that it reads, and those that it gives."""

    reads: list[Bound]
    gives: list[Bound]


class Names:
    """The names of the values in one `forward`.

    `given` are arguments with theirs, `others` the names that are read off the module, `taken` all that the file has.
    """

    def __init__(
        self, body: Body, given: Mapping[Bound, str], steps: Sequence[Step], others: Collection[str], taken: set[str]
    ) -> None:
        self._body, self._given, self._taken = body, given, taken
        values = dict.fromkeys(body.root(bound) for step in steps for bound in (*step.reads, *step.gives))
        self._names = {bound: given.get(bound, bound.name) for bound in (*given, *values)}
        for bound in values:
            if bound.name in others and bound not in given:
                self._rename(bound)
        while (hidden := self._hidden(steps)) is not None:
            self._rename(hidden)

    def of(self, bound: Bound) -> str | None:
        """The name of a value; None for what is none of this `forward`."""
        return self._names.get(self._body.root(bound))

    def all(self) -> set[str]:
        """The names of all values."""
        return set(self._names.values())

    def count(self, name: str) -> int:
        """How many values have a name, one after the other."""
        return list(self._names.values()).count(name)

    def free(self, name: str) -> str:
        """A name that nothing in the file has."""
        candidates = [name, *(f"{name}_{number}" for number in range(2, len(self._taken) + 3))]
        found = next(candidate for candidate in candidates if candidate not in self._taken)
        self._taken.add(found)
        return found

    def changes(self, node: ast.stmt | ast.expr, splices: Splices) -> list[Change]:
        """What changes in the text of a part of the source, where values have other names now."""
        found: list[Change] = []
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and isinstance(node, ast.stmt):
                found += self._change(part, Bound(node, part.id), splices)
        for name in loads(node):
            if name in self._body.meant:
                found += self._change(name, self._body.meant[name], splices)
        return found

    def _change(self, name: ast.Name, bound: Bound, splices: Splices) -> list[Change]:
        wanted = self.of(bound)
        return [] if wanted in (None, name.id) else [(*splices.span(name), str(wanted))]

    def _rename(self, bound: Bound) -> None:
        self._names[bound] = self.free(bound.name)

    def _hidden(self, steps: Sequence[Step]) -> Bound | None:
        """A value whose name means another one where it is read, or the other one if it is an argument."""
        now = {name: bound for bound, name in self._names.items() if bound in self._given}
        for step in steps:
            for bound in step.reads:
                root = self._body.root(bound)
                found = now.get(self._names[root])
                if found is None or found == bound:
                    continue
                if self._body.root(found) == root:  # one list, which has changed in between
                    continue
                return self._body.root(found) if root in self._given else root
            now.update({self._names[self._body.root(bound)]: bound for bound in step.gives})
        return None
