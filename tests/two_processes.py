"""Runs a function in two processes that talk by gloo on the CPU, as torchrun would start them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

_SCRIPT = """\
import sys
import warnings

import torch
import torch.distributed as dist

warnings.filterwarnings("ignore")


def work(rank, meeting):
    dist.init_process_group("gloo", init_method=f"file://{{meeting}}", rank=rank, world_size=2)
{body}
    dist.destroy_process_group()


if __name__ == "__main__":
    sys.path.insert(0, {folder!r})
    torch.multiprocessing.spawn(work, args=({meeting!r},), nprocs=2)
"""


def run(folder: Path, code: str, body: str) -> list[str]:
    """What the two print, in the order of their lines: `body` sees `rank`, and `code` as the module `made`."""
    (folder / "made.py").write_text(code, encoding="utf-8")
    script = folder / "script.py"
    text = _SCRIPT.format(body=indent(dedent(body).strip("\n"), "    "), folder=str(folder), meeting=str(folder / "m"))
    script.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr[-3000:]
    return sorted(done.stdout.splitlines())
