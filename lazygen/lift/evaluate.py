"""What a piece of source text gives in a traced frame: candidates are tried on every execution that was seen."""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

from lazygen.lift.demands import Occurrence
from lazygen.trace.model import Frame

_BUILTINS: dict[str, Any] = {
    made.__name__: made
    for made in (
        *(abs, divmod, len, max, min, round, sorted, sum),
        *(dict, enumerate, float, int, list, range, reversed, tuple, zip),
    )
}
_PRODUCTS = ("np.prod", "numpy.prod")


class _Numpy:
    """What candidates use of numpy, without numpy."""

    prod = math.prod


class Unknown:
    """The value of a text that speaks of something no trace keeps."""


UNKNOWN = Unknown()


def evaluate(text: str, frame: Frame) -> Any:
    """The value of an expression in a frame; UNKNOWN if it hangs on more than numbers, texts and sequences of such."""
    code, paths = _compiled(text)
    names = dict(frame.values)
    if paths:
        texts = _texts(frame)
        for path, placeholder in paths:
            if path in texts:
                names[placeholder] = texts[path]
    try:
        return eval(code, {"math": math, "np": _Numpy, "numpy": _Numpy, **names, "__builtins__": _BUILTINS})
    except (NameError, AttributeError):
        return UNKNOWN
    except Exception:
        return None


@functools.lru_cache(maxsize=4096)
def _compiled(text: str) -> tuple[CodeType, tuple[tuple[str, str], ...]]:
    """The text with each dotted path replaced by a name, and which path each name stands for."""
    paths: dict[str, str] = {}

    class Replacer(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            path = ast.unparse(node)
            if path.startswith("math.") or path in _PRODUCTS:
                return node
            if node.attr in ("values", "keys", "items"):
                return self.generic_visit(node)
            paths[path] = f"_path_{len(paths)}"
            return ast.copy_location(ast.Name(paths[path], ast.Load()), node)

    tree = Replacer().visit(ast.parse(text, mode="eval"))
    return compile(ast.fix_missing_locations(tree), "<candidate>", "eval"), tuple(paths.items())


def _texts(frame: Frame) -> Mapping[str, Any]:
    """Attributes of a frame by their text: sizes, and sequences of sizes."""
    found: dict[str, Any] = {}
    for entry in frame.reachable:
        if entry.expr is None or "." not in entry.text:
            continue
        base, bracket, index = entry.text.partition("[")
        if not bracket:
            found[entry.text] = entry.expr.value
        elif index[:-1].isdigit():
            sequence = found.setdefault(base, [])
            if isinstance(sequence, list) and len(sequence) == int(index[:-1]):
                sequence.append(entry.expr.value)
        else:
            found.setdefault(base, {})[ast.literal_eval(index[:-1])] = entry.expr.value
    return found


def agrees(text: str, occurrences: Sequence[Occurrence], surely: bool = False) -> bool:
    """Whether a text gives every execution's size; what no trace can evaluate counts as giving it, unless it has to
    `surely`.

    What only some executions can evaluate does not give it, if it has no attributes: a name is None in the others.
    """
    known = unknown = False
    for occurrence in occurrences:
        value = evaluate(text, occurrence.frame)
        if value is UNKNOWN:
            unknown = True
        elif value != occurrence.size.value or isinstance(value, float):
            return False
        else:
            known = True
    return not unknown or not (surely or (known and "." not in text))
