"""Random models (`random_models.py`): under torch the output is the lazy model, with other arguments too.

LAZYGEN_RANDOM_MODELS sets how many seeds are tried: 200 if it is not set, 2,000 in a nightly run.
"""

from __future__ import annotations

import os
from pathlib import Path

import apart
import pytest
import random_models
import torch
import under_torch

SEEDS = int(os.environ.get("LAZYGEN_RANDOM_MODELS", "200"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_output_of_a_random_model_is_the_model(seed: int) -> None:
    torch.set_num_threads(1)
    model = random_models.write(seed)
    conversion = apart.convert(model.text, input_shape=model.shape)
    assert conversion.code is not None, conversion.diagnostics
    assert "Lazy" not in conversion.code
    lazy = under_torch.module(model.text, Path("model.py"), f"lazy_{seed}")
    explicit = under_torch.module(conversion.code, Path("model.py"), f"explicit_{seed}")
    args, kwargs = under_torch.arguments([model.shape], [])
    for entry in ("Net()", *model.others):
        under_torch.compare(under_torch.model(lazy, entry), under_torch.model(explicit, entry), args, kwargs)


def test_a_seed_always_gives_the_same_model() -> None:
    assert random_models.write(7) == random_models.write(7)
    assert len({random_models.write(seed).text for seed in range(50)}) > 45
