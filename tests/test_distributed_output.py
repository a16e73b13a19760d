"""Scripts of one process a device: the source launches its processes itself, the output is launched by torchrun."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from fixture_files import Fixture, read

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="runs source and output under torch")

ROOT = Path(__file__).parent.parent
FIXTURE = read(ROOT / "fixtures" / "convert" / "placing_distributed.py")
ALIAS = """\
import sys
import lazygen, lazygen.layers, lazygen.nn
sys.modules.update({"torchx": lazygen, "torchx.layers": lazygen.layers, "torchx.nn": lazygen.nn})
"""


def output_of(fixture: Fixture) -> str:
    code = fixture.convert().code
    assert code is not None
    return code


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def started(command: list[str], folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **streams)


def sums(process: subprocess.Popen[str]) -> set[str]:
    """What the two processes of a script say of their models in the end."""
    output, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    told = dict(re.findall(r"rank (\d): (-?\d+\.\d+)", output))
    assert sorted(told) == ["0", "1"], output
    return set(told.values())


def test_both_train_alike_in_two_processes(tmp_path: Path) -> None:
    """One sum for all processes, whose inputs differ: the gradients were added up."""
    port = free_port()
    source = FIXTURE.text.replace("num_procs=2", f"num_procs=2, master_port={port}")
    (tmp_path / "source.py").write_text(ALIAS + source, encoding="utf-8")
    (tmp_path / "output.py").write_text(output_of(FIXTURE), encoding="utf-8")
    launch = re.search(r"# Launched by: torchrun (.*) placing_distributed\.py", output_of(FIXTURE))
    assert launch is not None
    torchrun = [sys.executable, "-m", "torch.distributed.run", f"--master-port={free_port()}", *launch[1].split()]
    both = [started([sys.executable, "source.py"], tmp_path), started([*torchrun, "output.py"], tmp_path)]
    wanted, found = map(sums, both)
    assert len(wanted) == 1
    assert found == wanted
