"""From text to a `Placement`: what stands behind `--device`, `--dtype`, `--data-parallel` and the switches beside them.

--device cuda:1          all parameters and buffers on this device
--dtype bfloat16         and in this dtype
--device-argument        classes take `device=None, dtype=None` instead
--data-parallel 0,3      the models of the module run on these GPUs; `all` on all that there are
--pipeline, --shard      for several machines
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lazygen.settings import Placement
from lazygen.written import PLACING, SWITCHES, Given, Written, refuse

_DEVICE = re.compile(r"(cpu|cuda|mps|xpu|hpu|xla|mtia|meta)(:(0|[1-9]\d{0,3}))?\Z")
_DTYPES = ("float32", "float64", "float16", "bfloat16")
_MEANT = {"float": "float32", "double": "float64", "half": "float16", "bf16": "bfloat16", "fp16": "float16"}
_WITHOUT_INDEX = ("meta", "mps")

# Settings that say different things about one place.
_AGAINST = (
    ("device-argument", "device", "the caller says the device"),
    ("device-argument", "dtype", "the caller says the dtype"),
    ("device-argument", "data-parallel", "DataParallel needs its module on a certain GPU"),
    ("data-parallel", "pipeline", "both spread one model over several GPUs"),
    ("data-parallel", "shard", "both spread one model over several GPUs"),
    ("pipeline", "shard", "choose the one that the model is to run with"),
    ("shard", "device", "a mesh says where the shards are"),
    ("pipeline", "device", "a pipeline is cut where the device changes"),
    ("pipeline", "device-argument", "a pipeline is cut where the device changes"),
)


def placement_of(models: Sequence[Given], truth: Callable[[Written], bool]) -> Placement:
    """The placement of what goes into one output.  Raises Refused (usage).

    `truth` reads a switch.  A file has one placement, so all its models have to say the same.
    """
    said = [_said(model, truth) for model in models]
    for model, one in zip(models, said, strict=True):
        if one != said[0]:
            key = next((key for key in PLACING if key in model), None)
            place = model[key][0].place() if key else next((w.place() for ws in model.values() for w in ws), None)
            problem = "the models of one output are placed in different ways"
            refuse("LZ069", problem, place, "say the same for each of them, or give this one another output")
    return said[0] if said else Placement()


def _said(model: Given, truth: Callable[[Written], bool]) -> Placement:
    written = {key: model[key][0] for key in PLACING if key in model}
    if not written:
        return Placement()
    on: dict[str, bool] = {key: truth(written[key]) for key in SWITCHES if key in written}
    for one, other, why in _AGAINST:
        if one in written and other in written and on.get(one, True) and on.get(other, True):
            refuse("LZ069", f"{one} and {other} exclude each other: {why}", written[other].place(), f"leave {one} out")
    device = _device(written["device"]) if "device" in written else ""
    parallel = _parallel(written["data-parallel"]) if "data-parallel" in written else None
    if parallel is not None:
        first = f"cuda:{parallel[0]}" if parallel else "cuda:0"
        if device and device != first:
            problem = f"DataParallel has its module on its first GPU, {first}, not on {device}"
            refuse("LZ069", problem, written["device"].place(), "leave the device out")
        device = first
    return Placement(
        device,
        _dtype(written["dtype"]) if "dtype" in written else "",
        on.get("device-argument", False),
        parallel,
        on.get("pipeline", False),
        on.get("shard", False),
    )


def _device(written: Written) -> str:
    text = written.text.strip()
    found = _DEVICE.match(text)
    if found and not (found[2] and found[1] in _WITHOUT_INDEX and found[3] != "0"):
        return text
    helps = [f"a device is what torch.device takes: {written.before}cuda:1"]
    number = re.fullmatch(r"(?:gpu:?|cuda)?(\d+)", text.lower())
    if text == "cuda:all" or "," in text:
        helps = ["several GPUs are given to DataParallel: data-parallel=0,1, on the command line --data-parallel 0,1"]
    elif text.lower() in ("gpu", "cuda") or number:
        helps = [f"did you mean {written.before}cuda{f':{int(number[1])}' if number else ''}?"]
    refuse("LZ068", f'"{text}" is not a device' if text else "the device is missing", written.place(), *helps)


def _dtype(written: Written) -> str:
    text = written.text.strip()
    if text in _DTYPES:
        return text
    meant = _MEANT.get(text.removeprefix("torch."), text.removeprefix("torch."))
    helps = [f"did you mean {written.before}{meant}?"] if meant in _DTYPES else []
    helps.append(f"parameters are in one of {', '.join(_DTYPES)}")
    refuse("LZ068", f'"{text}" is not a dtype for parameters', written.place(), *helps)


def _parallel(written: Written) -> tuple[int, ...]:
    text = written.text.strip()
    if text == "all":
        return ()
    parts = [part.strip() for part in text.split(",")]
    example = f"for example: {written.before}0,1, or {written.before}all"
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        refuse("LZ068", f'"{text}" is not a list of GPUs', written.place(), "GPUs are numbers with commas", example)
    numbers = tuple(int(part) for part in parts)
    if len(set(numbers)) < len(numbers):
        refuse("LZ068", f'"{text}" names a GPU twice', written.place(), example)
    return numbers
