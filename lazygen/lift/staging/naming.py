"""What the layers of a graph are called: after the variable that took the result, else after what they are.

score = L.Linear(1)(x)                self.score                x = L.Linear(80)(x)          self.linear_1
for w in widths: x = L.Conv2d(w, 3)(x)         self.convs, and each of them conv
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection

from lazygen.frontend import torchx
from lazygen.lift.graph_layers import _MEMBERS as MEMBERS
from lazygen.lift.graph_source import GraphSource
from lazygen.lift.staging.times import Times

_FAMILIES = (
    (r"conv_?transpose\dd", "deconv"),
    (r"conv\dd", "conv"),
    (r"(batch|instance|layer|group)_?norm(\dd)?", "norm"),
    (r"(adaptive)?(max|avg)pool\dd", "pool"),
    (r"(alpha|feature)?dropout(\dd)?", "dropout"),
    (r"dense", "linear"),
    (r"simplernn", "rnn"),
    (r"sequential", "block"),
)


class Naming:
    """Gives every layer of a class a name that nothing else has there.

    `given` are names that mean something before any statement of the graph runs.
    """

    def __init__(self, source: GraphSource, times: Times, given: Collection[str]) -> None:
        self.source, self.times = source, times
        self._given = set(given)
        self._taken = self._given | set(times.bound)
        self._counts: dict[str, int] = {}

    def alone(self, made: ast.expr, variable: str) -> str:
        """The attribute for a layer that is made once."""
        once = len(self.times.bound.get(variable, ())) == 1 and variable not in self._given
        if once and may_be(variable):
            return variable
        kind = re.sub("^dense$", "linear", self._kind(made))
        while True:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            if f"{kind}_{self._counts[kind]}" not in self._taken:
                return f"{kind}_{self._counts[kind]}"

    def held(self, variable: str) -> str:
        """The attribute for what a variable holds."""
        return variable if may_be(variable) else self.free(f"{variable.strip('_')}_layer")

    def one_of_many(self, made: ast.expr, variable: str, held: bool) -> tuple[str, str]:
        """The attribute for the layers of a loop, and what one of them is called.

        `variable` holds the layer itself, or takes what it gives.
        """
        single = variable if held else self._family(self._kind(made))
        plural = plural_of(variable if held or self._is_telling(variable) else single)
        names = self.free(plural)
        return names, single if held else self._free_of(single, "")

    def free(self, name: str) -> str:
        """A name for an attribute that is free, the given one if it is."""
        return self._free_of(name if may_be(name) else f"{name}_1", name)

    def _free_of(self, name: str, stem: str) -> str:
        found, number = name, 1
        while found in self._taken:
            number += 1
            found = f"{stem or name}_{number}"
        self._taken.add(found)
        return found

    def kind(self, made: ast.expr) -> str:
        """What a layer is, by which those of two branches may have one name."""
        return self._kind(made)

    def fork(self) -> Naming:
        """Another one that knows the same names."""
        other = copy.copy(self)
        other._taken, other._counts = set(self._taken), dict(self._counts)
        return other

    def _is_telling(self, variable: str) -> bool:
        return len(variable) > 2 and len(self.times.bound.get(variable, ())) == 1 and not variable.startswith("_")

    def _kind(self, made: ast.expr) -> str:
        """What a layer is: its class, or the function that makes it."""
        call = next((part for part in ast.walk(made) if isinstance(part, ast.Call)), None)
        if call is None:
            return "layer"
        known = self.source.meaning(call.func)[1]
        name = known or (call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func))
        if known:
            return torchx.plain(known.removeprefix("Lazy")).lower()
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        return re.sub(r"\W+", "_", re.sub("^(make|build|create|get)_", "", words)) or "layer"

    @staticmethod
    def _family(kind: str) -> str:
        return next((short for pattern, short in _FAMILIES if re.fullmatch(pattern, kind)), kind)


def may_be(name: str) -> bool:
    """Whether a name may be that of an attribute of a module."""
    return name not in MEMBERS and not name.startswith("_")


def plural_of(name: str) -> str:
    """Several of something: `conv` and `convs`, `query` and `queries`, `branch` and `branches`."""
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("ch", "sh", "x")) else f"{name}s"
