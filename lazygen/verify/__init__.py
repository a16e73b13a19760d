"""`lazygen verify`: builds the lazy model and the explicit one under real torch, and compares them check by check.

prepare.py       from a job to both texts, their models and the names of parameters
run.py           the comparison of one source, in a process of its own
world.py         that process: real torch, the project's modules, the TorchX style, errors with their places
pair.py          both models with the same weights, and what they are called with
checks.py        the checks in their order
weights.py places.py stages.py results.py gradients.py compiled.py     the checks
both.py compare.py      the same done with both; two results compared
devices.py       devices that stand for others
table.py         what is printed
subject.py       what goes to the process, and what comes back
"""

from __future__ import annotations

from collections.abc import Sequence

from lazygen import arguments
from lazygen.diagnostics import Diagnostic, Refused
from lazygen.driver import Run, print_bytes
from lazygen.jobs import Job, Options
from lazygen.report import Color, Report, wants_color
from lazygen.trace import child
from lazygen.verify import prepare, table
from lazygen.verify.devices import parse_devices
from lazygen.verify.subject import Outcomes, Subject, Verified

TIME_LIMIT = 300.0  # seconds for all models of a file, if no other limit is given


def verify_files(
    files: Sequence[str],
    options: Options,
    report: Report,
    *,
    devices: str | None = None,
    as_json: bool = False,
    color: Color = "auto",
) -> int:
    """Compare every source with its output, print the tables on stdout, and return the exit code.

    `options.output` names an output that is there already; without it, the source is converted, and nothing is written.
    """
    run = Run(options, report)
    stand_ins: tuple[tuple[str, str], ...] = ()
    with run.reporting("reading the command line"):
        _need_torch()
        if options.output == "-":
            raise Refused(Diagnostic("LZ404", "-o - names no output to compare", helps=("name a file",)), usage=True)
        arguments.check(files, options)
        stand_ins = parse_devices(devices) if devices else ()
    if report.exit_code:
        return report.exit_code
    run.plan(files)
    compared: list[table.Compared] = []
    for job in run.jobs:
        with run.reporting(f"verifying {job.name}", job.name, job.content):
            subject, fresh = prepare.subject_of(job, options, stand_ins)
            outcomes = _outcomes(subject, _limit(options))
            compared.append(table.Compared(subject.source.shown, subject.output.shown, fresh, outcomes.models))
            if not as_json and outcomes.models:
                print_bytes(table.text(compared[-1], wants_color(color, "stdout")).encode())
            _tell(job, fresh, outcomes, run)
    if as_json:
        print_bytes(table.json_text(compared).encode())
    report.files = 1  # the tables are the summary
    return report.finish()


def _need_torch() -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        helps = ("install it: pip install 'lazygen[torch]'",)
        raise Refused(Diagnostic("LZ601", "verifying needs torch, which is not installed", helps=helps), usage=True)


def _limit(options: Options) -> float:
    given = [float(text) for key, text in options.flags if key == "timeout"]
    return given[0] if given else TIME_LIMIT


def _outcomes(subject: Subject, limit: float) -> Outcomes:
    def work() -> Outcomes:
        from lazygen.verify.run import compare

        return compare(subject)

    outcome = child.run_in_child(work, limit, name=subject.source.shown)
    if isinstance(outcome, Outcomes):
        return outcome
    if outcome.cause == "raised":
        raise RuntimeError(f"the comparison failed: {outcome.message}\n{outcome.detail}")
    helps = ("give it more time: --timeout SECONDS",) if outcome.cause == "timeout" else ()
    message = outcome.message
    if outcome.cause == "timeout":
        message = f"the comparison did not come to an end in {limit:g} s"
    return Outcomes((), (Diagnostic("LZ603", message, helps=helps),))


def _tell(job: Job, fresh: bool, outcomes: Outcomes, run: Run) -> None:
    """Say what kept models from being compared, and which models differ."""
    findings = [*outcomes.findings, *(_difference(job, fresh, model) for model in outcomes.models if model.differing)]
    if findings:
        raise Refused(*findings)


def _difference(job: Job, fresh: bool, model: Verified) -> Diagnostic:
    output = f"the explicit form of {job.name}" if fresh else str(job.output)
    message = f"{model.entry} of {output} is not the model of the source: {', '.join(model.differing)}"
    help_ = "this is a bug of lazygen's, please report it" if fresh else f"convert {job.name} again"
    return Diagnostic("LZ604", message, helps=(help_,))
