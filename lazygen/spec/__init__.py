"""Specs: models written as YAML or JSON, read as sources of the TorchX style.

type: sequential                       import lazygen.layers as L
layers:
  - {type: Conv2d, null: [12, 3]}  ->  model = L.Sequential(
  - {type: Flatten}                        L.Conv2d(12, 3),
  - {type: Linear, null: 4}                L.Flatten(),
                                           L.Linear(4),
                                       )

document.py   YAML and JSON with the place of everything
names.py      the layers that a spec may name, and their arguments
grammar.py    layers and graphs out of a document
source.py     their text, and which part of the text comes from where
schema.json   the form of specs, for editors
"""

from __future__ import annotations

from lazygen.folders import SPECS


def is_spec(path: str) -> bool:
    """Whether the source by this name is a spec."""
    return path.lower().endswith(SPECS)
