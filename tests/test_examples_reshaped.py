"""Every rule's examples again with other shapes: torch has to agree on results and on complaints.

One round by default; `LAZYGEN_NIGHTLY=1` makes it many, each with other shapes.
"""

from __future__ import annotations

import os
import random
import re

import pytest
from oracle import compare
from values_oracle import compare_on_cpu

from lazygen.symbolic import make_index
from lazygen.symbolic.rules import EXAMPLES

FAMILIES = make_index.families()
ROUNDS = 60 if os.environ.get("LAZYGEN_NIGHTLY") else 1
INPUT = re.compile(r"\b(f32|f64|i64|b8|c64)\(([\d, ]*)\)")
# What the first two say hangs on numbers; torch crashes on recurrent weights that do not fit.
LEFT_OUT = {"embedding_bag", "random", "recurrent"}
# Lengths that are numbers; parameters of a shape that no layer has, which torch takes or refuses at some later point.
NAMES_LEFT_OUT = {
    "torch.ctc_loss",
    "F.ctc_loss",
    "torch.instance_norm",
    "F.instance_norm",
    "F.multi_head_attention_forward",
}


def reshaped(example: str, chance: random.Random) -> str:
    """The example with some sizes changed, everywhere alike or in one place, and now and then a dim more or less."""
    same = {size: chance.choice([size, size, size + 1, max(1, size - 1), 1]) for size in range(100)}
    odd = chance.random() < 0.3
    dims = chance.choice([0] * 6 + [1, -1])

    def change(match: re.Match[str]) -> str:
        sizes = [same[int(size) % 100] for size in match[2].split(",") if size.strip()]
        if odd and sizes and chance.random() < 0.5:
            sizes[chance.randrange(len(sizes))] += chance.choice([1, 2])
        if dims > 0:
            sizes.insert(0, chance.choice([1, 2]))
        elif dims < 0 and sizes:
            del sizes[0]
        return f"{match[1]}({', '.join(map(str, sizes))})"

    return INPUT.sub(change, example)


@pytest.mark.parametrize("family", sorted(set(FAMILIES.values()) - LEFT_OUT))
def test_other_shapes(family: str) -> None:
    problems = []
    for number in range(ROUNDS):
        chance = random.Random(f"{family} {number}")
        for name, examples in sorted(EXAMPLES.items()):
            for example in examples if FAMILIES[name] == family and name not in NAMES_LEFT_OUT else ():
                text = reshaped(example, chance)
                problem = compare(text)
                # As in test_ops_examples.py: the meta device or the CPU has to agree.
                if problem is not None and (problem := compare_on_cpu(text)) is not None:
                    problems.append(problem)
    assert problems == []
