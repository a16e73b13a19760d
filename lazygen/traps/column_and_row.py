"""A column and a row that broadcast to a square: (N, 1) and (N,) give (N, N).

self.value(x) + bonus                 (N, 1) + (N,)           a warning
self.value(x).squeeze(1) + bonus      (N,) + (N,)             one number for each sample
"""

from __future__ import annotations

from collections.abc import Iterator

from lazygen.diagnostics import Diagnostic, Note
from lazygen.symbolic.dim import expr_of
from lazygen.symbolic.tensor import shape_text
from lazygen.traps.seen import Seen, hangs_on_batch


def found(seen: Seen) -> Iterator[Diagnostic]:
    for left, right, at in seen.spread:
        column, row = (left, right) if len(left) == 2 else (right, left)
        if len(row) != 1 or int(column[1]) != 1 or int(row[0]) == 1:
            continue
        if expr_of(column[0]) == expr_of(row[0]) and hangs_on_batch(row[0]):
            count = int(row[0])
            yield Diagnostic(
                "LZ265",
                f"a column and a row of the batch spread to {shape_text((count, count))}: each sample meets all others",
                seen.at(at),
                (Note(f"the shapes are {shape_text(left)} and {shape_text(right)}"),),
                ("drop the last dim of the column with .squeeze(1), or give the row one with .unsqueeze(1)",),
                severity="warning",
            )
