"""`clew worker` and `clew jobs`: work that is done later, by whom, and what became of it."""

from __future__ import annotations

import signal
from typing import Any

import click

from clew.engine.jobs import Ran, Worker, retry
from clew.errors import NotFound
from clew.faces.cli.options import opened, writer_options
from clew.faces.cli.out import echo, to_json
from clew.model.canonical import iso, plain
from clew.model.job import Job, JobKind, JobStatus

_DB = click.option(
    "--db", metavar="URL", help="sqlite:///path or postgresql://… (default: your data folder, or CLEW_DB)."
)
_POLICY = click.option(
    "--policy", "policy_file", metavar="FILE", help="A TOML file laid over the shipped policy (or CLEW_POLICY)."
)
_SHOWN = 60


@click.command()
@_DB
@_POLICY
@writer_options
@click.option("--once", is_flag=True, help="Do what is due now, then end.")
@click.option("--quiet", is_flag=True, help="Say nothing of each job.")
def worker(
    db: str | None, policy_file: str | None, writer: str, model: str | None, no_embed: bool, once: bool, quiet: bool
) -> int:
    """Do jobs: reminders, the hourly look at who may be written to, deliveries, decay, upkeep.

    Any number of workers may run on one database; each job is done by one of them.
    """
    failed = 0

    def told(ran: Ran) -> None:
        nonlocal failed
        failed += ran.job.status is JobStatus.FAILED
        if not quiet:
            echo(_line(ran.job))

    with opened(db, policy_file, writer=writer, model=model, embed=not no_embed) as parts:
        doing = Worker(parts)
        if once:
            while (ran := doing.run_one()) is not None:
                told(ran)
            return 1 if failed else 0
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: doing.stop.set())
        echo("Working; Ctrl-C ends after the job under way.")
        doing.forever(told)
    return 0


@click.group(invoke_without_command=True)
@click.pass_context
@_DB
@click.option("--failed", is_flag=True, help="Only what failed for good.")
@click.option("--kind", type=click.Choice([k.value for k in JobKind]), help="Only this kind.")
@click.option("--most", default=20, show_default=True, type=click.IntRange(1, 1000))
@click.option("--json", "as_json", is_flag=True, help="One JSON object per job.")
def jobs(ctx: click.Context, db: str | None, failed: bool, kind: str | None, most: int, as_json: bool) -> int:
    """Show jobs, the newest first, and how many stand where."""
    if ctx.invoked_subcommand:
        return 0
    with opened(db, None, embed=False) as parts, parts.store.read() as session:
        wanted = (JobStatus.FAILED,) if failed else ()
        found = session.jobs(wanted, JobKind(kind) if kind else None, most)
        counts = session.job_counts()
    for job in found:
        echo(to_json(_fields(job)) if as_json else _line(job))
    if not as_json:
        echo(", ".join(f"{counts.get(s.value, 0)} {s.value}" for s in JobStatus))
    return 0


@jobs.command("retry")
@_DB
@click.argument("job_id", metavar="ID")
def retry_(db: str | None, job_id: str) -> int:
    """Try the failed job ID again."""
    with opened(db, None, embed=False) as parts:
        if not retry(parts, job_id):
            raise NotFound(f"no job {job_id!r} that failed", pointer="ID")
    echo(f"{job_id} is due again.")
    return 0


def _line(job: Job) -> str:
    told = job.error or ", ".join(f"{k} {_told(v)}" for k, v in job.result.items())
    return f"{iso(job.due_at)}  {job.status.value:<7}  {job.job_id[:_SHOWN]}  {told}".rstrip()


def _told(value: Any) -> str:
    return " ".join(f"{k}={v}" for k, v in value.items()) or "none" if isinstance(value, dict) else str(value)


def _fields(job: Job) -> dict[str, Any]:
    return {name: plain(getattr(job, name)) for name in job.__dataclass_fields__}
