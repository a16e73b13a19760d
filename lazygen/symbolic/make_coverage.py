"""Writes `docs/coverage.md`: run `python -m lazygen.symbolic.make_coverage` after adding a rule or a layer.

What counts is said by torch's own public names (`torch_names.py`), so the page needs no torch.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from lazygen.symbolic.index import FAMILIES, LAYERS
from lazygen.symbolic.torch_names import NAMES, VERSION

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"

SPACES = {
    "torch": "torch",
    "Tensor": "torch.Tensor",
    "F": "torch.nn.functional",
    "torch.fft": "torch.fft",
    "torch.linalg": "torch.linalg",
    "torch.special": "torch.special",
    "torch.signal.windows": "torch.signal.windows",
}

# Functions of torch that compute no shapes: they look at, set or serve something else.
_NO_OPERATION = re.compile(
    r"^(set_|get_|is_|init_|import_ir|parse_|autocast_|clear_autocast|has_torch|handle_torch|assert_|boolean_|unify_"
    r"|merge_type|compile|prepare_multi|profiler_|thread_safe|sym_|use_deterministic|are_deterministic)"
    r"|^(load|save|seed|fork|wait|manual_seed|initial_seed|classproperty|typename|from_file|vmap|cond|while_loop|Optional"
    r"|to_dlpack|from_dlpack|record_stream|const_data_ptr|storage|untyped_storage|storage_type|module_load|reinforce"
    r"|apply_|map_|map2_|as_subclass|dim_order)$"
)
# What lazygen has no rule for on purpose.
MISSING = {
    "quantized and fused kernels": r"quantiz|^q_|qscheme|qparams|^fbgemm|fake_quant|int_repr|^cudnn|^miopen|mkldnn"
    r"|scaled_(mm|grouped)|grouped_mm|^(scaled|native)_|batch_norm_|channel_shuffle",
    "sparse and padded layouts": r"sparse|^(smm|hsmm|hspmm|spmm|dsmm|saddmm|sspaddmm)|(col|row)_indices|^indices"
    r"|^values"
    r"|dense_dim|is_coalesced|to_padded_tensor",
    "forms without aliasing, and resizing of memory": r"_copy$|as_strided_|^set_$|^resize|is_set_to|slice_inverse",
    "removed from torch or empty there": r"^(solve|lstsq|eig|symeig|matrix_rank|lu_solve|ipu|xpu|mtia|is_distributed)$",
}

LIBRARIES = "[libraries.md](libraries.md) says what becomes of libraries over torch, and which were tried."


def render() -> str:
    """The text of the page."""
    layers, others = _layers()
    functions = {space: _functions(space) for space in SPACES}
    with_rule = sum(len(found) for found, _, _ in functions.values())
    lines = [
        "# What has a shape rule",
        "",
        f"Written by `python -m lazygen.symbolic.make_coverage` from the names of torch {VERSION}; a test compares.",
        "",
        f"- {len(layers)} of {len(layers) + len(others)} module classes of `torch.nn` have a stand-in of their own"
        + (f"; real torch runs {_listed(others)}." if others else "."),
        f"- {with_rule} functions and methods have a rule. In-place forms (`add_`) follow from the plain ones.",
        "- What has no rule is evaluated by real torch on its meta device, if torch is installed: sizes of the result",
        "  that follow those of the operands keep their terms, others are plain numbers. Without torch it is an error",
        "  that names the operation (LZ240).",
        "",
        "## Functions and methods",
        "",
        "| names of | with a rule | by real torch | knowingly missing |",
        "|---|---|---|---|",
    ]
    for space, (found, falling, missing) in functions.items():
        lines.append(f"| `{SPACES[space]}` | {len(found)} | {len(falling)} | {sum(map(len, missing.values()))} |")
    lines += ["", "### By family", ""]
    by_family: dict[str, list[str]] = {}
    for name, family in FAMILIES.items():
        by_family.setdefault(family, []).append(name)
    for family, names in sorted(by_family.items()):
        lines += _wrapped(f"**{family.replace('_', ' ')}** ({len(names)}): {_listed(sorted(names))}")
    lines += ["### Without a rule, evaluated by real torch", ""]
    for space, (_, falling, _) in functions.items():
        if falling:
            lines += _wrapped(f"**`{SPACES[space]}`** ({len(falling)}): {_listed(falling)}")
    lines += [
        "### Knowingly missing",
        "",
        "Real torch is asked for these too, and often cannot say on its meta device.",
        "",
    ]
    for reason in MISSING:
        names = sorted({name for _, _, missing in functions.values() for name in missing.get(reason, ())})
        lines += _wrapped(f"**{reason}** ({len(names)}): {_listed(names)}")
    lines += ["## Layers", "", *_wrapped(_listed(layers)), "## Libraries", "", LIBRARIES, ""]
    return "\n".join(lines)


def _layers() -> tuple[list[str], list[str]]:
    """The module classes of `torch.nn` with and without a stand-in of their own."""
    names = sorted({*_words("torch.nn", "layer"), *(name for name in _words("torch.nn", "alias") if name in LAYERS)})
    known = {*LAYERS, "Module"}
    return [name for name in names if name in known], [name for name in names if name not in known]


def _functions(space: str) -> tuple[list[str], list[str], dict[str, list[str]]]:
    """Of a namespace the names with a rule, those that real torch evaluates, and those that are missing by reason."""
    module = SPACES[space]
    names = {
        *_words(module, "function"),
        *_words(module, "method"),
        *(n for n in _words(module, "alias") if f"{space}.{n}" in FAMILIES),
    }
    found: list[str] = []
    falling: list[str] = []
    missing: dict[str, list[str]] = {}
    for name in sorted(names):
        if f"{space}.{name}" in FAMILIES:
            found.append(name)
        elif _follows(space, name) or name.startswith("_") or _NO_OPERATION.match(name):
            continue
        else:
            reason = next((reason for reason, pattern in MISSING.items() if re.search(pattern, name)), None)
            (falling if reason is None else missing.setdefault(reason, [])).append(name)
    return found, falling, missing


def _follows(space: str, name: str) -> bool:
    """Whether a name stands for one that has a rule: the in-place form, or torch's name for a function of F."""
    plain = name.removesuffix("_")
    return (
        (name.endswith("_") and f"Tensor.{plain}" in FAMILIES) or f"torch.{name}" in FAMILIES or f"F.{name}" in FAMILIES
    )


def _words(module: str, kind: str) -> Iterable[str]:
    names = NAMES.get(module, {}).get(kind, "")
    return names.split() if isinstance(names, str) else names


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)
    yield ""


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
