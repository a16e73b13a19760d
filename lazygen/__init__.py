"""lazygen turns lazy PyTorch modules into plain explicit ones, in source.

`lazygen convert FILE` is the command; `lazygen.convert_source` is the same for a program.  Importing this package costs
nothing: what a conversion needs is imported by the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lazygen.diagnostics import Diagnostic as Diagnostic
    from lazygen.pipeline import Conversion as Conversion

__version__ = "0.1.0"
__all__ = ["Conversion", "Diagnostic", "__version__", "convert_source"]


def convert_source(
    source: str,
    *,
    input_shape: str | Sequence[str] = (),
    arg: str | Sequence[str] = (),
    entry: str | None = None,
    partial: bool = False,
    timeout: float | None = None,
    engine: str | None = None,
    device: str | None = None,
    dtype: str | None = None,
    device_argument: bool = False,
    data_parallel: str | None = None,
    pipeline: bool = False,
    shard: bool = False,
    path: str = "<string>",
    folder: Path | None = None,
    line_length: int | None = None,
) -> Conversion:
    """Convert the text of a module.  Nothing is read from or written to disk but the project's modules in `folder`.

    The settings are the texts that the command takes: `input_shape=["x=4,2,50", "tokens=4,16:int64"]`, or one string
    for one input; `arg="mask=None"`; `entry="Net(8)"`.  `timeout` is in seconds; `engine="torch"` runs the source on
    torch instead of the stand-in for it; `device="cuda:1"`, `dtype="float64"`, `data_parallel="0,1"` and the switches
    beside them place the models.  What they leave open, the `# lazygen:` comments of the source say.  `path` is the
    name that findings give the source, `folder` is where the modules that it imports are looked up (none if not given),
    `line_length` the width for black (found out from the source if not given).

    Whatever is wrong with the source or the settings comes back as `diagnostics`, never as an exception; `code` is None
    if nothing came out.  The code has no header, and none of those comments.
    """
    from lazygen import config, flags, jobs
    from lazygen import pipeline as passes
    from lazygen.diagnostics import Refused
    from lazygen.setting_lines import settings_in, without_settings
    from lazygen.values import replace

    given = flags.flags_of(
        entry=entry,
        input_shape=[input_shape] if isinstance(input_shape, str) else input_shape,
        arg=[arg] if isinstance(arg, str) else arg,
        partial=partial,
        timeout=timeout,
        engine=engine,
        placing={
            "device": device,
            "dtype": dtype,
            "device-argument": device_argument,
            "data-parallel": data_parallel,
            "pipeline": pipeline,
            "shard": shard,
        },
    )
    try:
        models = jobs.merged(flags.given_by(given), settings_in(source, path), [], {})
        settings = config.read_settings(models)
    except Refused as error:
        return passes.Conversion(code=None, diagnostics=error.diagnostics, remarks=(), usage=True)
    conversion = passes.convert_source(source, settings, path=path, folder=folder, line_length=line_length)
    if conversion.code is None:
        return conversion
    return replace(conversion, code=without_settings(conversion.code, source))


def __getattr__(name: str) -> Any:
    if name == "Conversion":
        from lazygen.pipeline import Conversion

        return Conversion
    if name == "Diagnostic":
        from lazygen.diagnostics import Diagnostic

        return Diagnostic
    if name in ("layers", "nn", "devices"):
        from importlib import import_module

        return import_module(f"lazygen.{name}")
    if name in ("device_scope", "new_tensor", "DataParallel", "DistributedDataParallel", "DistributedManager"):
        from importlib import import_module

        return getattr(import_module("lazygen.devices"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
