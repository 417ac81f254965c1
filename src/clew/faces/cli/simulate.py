"""`clew simulate`: months of synthetic users in minutes, as a table and as a page with plots."""

from __future__ import annotations

import html
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from clew import policy as policies
from clew.engine import bootstrap
from clew.engine.simulate import Day, Simulated, SimulatedClock, simulate
from clew.faces.cli.out import echo
from clew.model.relationship import Stage

_COLOURS = ("#4063d8", "#389826", "#cb3c33", "#9558b2", "#d98200", "#00a2b3", "#7a7a7a", "#b35806", "#542788")
_WIDTH, _HEIGHT, _PAD = 900, 220, 40


@click.command("simulate")
@click.option("--days", default=90, show_default=True, type=click.IntRange(1, 3650))
@click.option("--users", default=500, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=1, show_default=True, type=int)
@click.option("--policy", "policy_file", metavar="FILE", help="A TOML file laid over the shipped policy.")
@click.option("--plot", metavar="FILE.html", help="Write plots to this file.")
@click.option("--db", metavar="URL", help="Keep the simulated database here (default: a temporary file).")
@click.option("--quiet", is_flag=True, help="Only the totals.")
def simulate_(
    days: int, users: int, seed: int, policy_file: str | None, plot: str | None, db: str | None, quiet: bool
) -> int:
    """Run synthetic users on a simulated clock through the real engine; exit status 1 when a cap is violated."""
    with tempfile.TemporaryDirectory() as folder:
        parts = bootstrap.simulated(
            db or f"sqlite:///{folder}/simulated.db", policies.load(policy_file), SimulatedClock(), seed
        )
        try:
            if not quiet:
                echo(_HEAD)
            done = simulate(parts, days, users, seed, None if quiet else lambda d: echo(_row(d)))
        finally:
            parts.store.close()
    for line in summary(done):
        echo(line)
    if plot:
        Path(plot).write_text(page(done), encoding="utf-8")
        echo(f"Wrote {plot}.")
    return 1 if done.violations else 0


_STAGES = "stages (stranger, acquaintance, friend, close)"
_HEAD = f"{'day':>4} {'turns':>6} {'sent':>5} {'rapport':>8}  {_STAGES}  skipped most"


def _row(day: Day) -> str:
    stages = " ".join(f"{day.stages.get(s.value, 0):>4}" for s in Stage)
    most = ", ".join(f"{why} {count}" for why, count in day.skipped.most_common(3))
    return f"{day.number:>4} {day.turns:>6} {day.sent['sent']:>5} {day.rapport:>8.1f}  {stages}  {most}"


def summary(done: Simulated) -> list[str]:
    skipped: Counter[str] = Counter()
    for day in done.days:
        skipped.update(day.skipped)
    sent = sum(d.sent["sent"] for d in done.days)
    lines = [
        f"{done.user_days:,} user-days, {done.evaluations:,} hourly looks, {sum(d.turns for d in done.days):,} turns",
        f"{sent:,} sent: " + ", ".join(f"{n} {s.lower()}" for s, n in sorted(done.outcomes.items())),
        "not sent because: " + ", ".join(f"{why} {count:,}" for why, count in skipped.most_common()),
        f"{len(done.violations)} violations of a cap, a gap, a window or an opener",
    ]
    return lines + [f"  {v}" for v in done.violations[:20]]


def page(done: Simulated) -> str:
    """One self-contained page: what was sent a day, why not, the stages and the rapport."""
    skipped: Counter[str] = Counter()
    for day in done.days:
        skipped.update(day.skipped)
    reasons = [why for why, _ in skipped.most_common(len(_COLOURS))]
    plots = [
        lines("sent a day", {"sent": [d.sent["sent"] for d in done.days]}),
        lines("looks that sent nothing, by reason", {w: [d.skipped.get(w, 0) for d in done.days] for w in reasons}),
        lines("users by stage", {s.value: [d.stages.get(s.value, 0) for d in done.days] for s in Stage}),
        lines("mean rapport", {"rapport": [d.rapport for d in done.days]}),
    ]
    told = "".join(f"<p>{html.escape(line)}</p>" for line in summary(done))
    return (
        "<!doctype html><meta charset='utf-8'><title>clew simulate</title>"
        "<style>body{font:14px sans-serif;max-width:960px;margin:2em auto}svg{width:100%}</style>"
        f"<h1>clew simulate</h1>{told}{''.join(plots)}"
    )


def lines(title: str, series: dict[str, Sequence[float]]) -> str:
    """An SVG with one line for each series over the days."""
    top = max((max(v, default=0) for v in series.values()), default=0) or 1
    drawn = []
    for number, (name, values) in enumerate(series.items()):
        step = (_WIDTH - 2 * _PAD) / max(1, len(values) - 1)
        points = " ".join(
            f"{_PAD + i * step:.1f},{_HEIGHT - _PAD - v / top * (_HEIGHT - 2 * _PAD):.1f}" for i, v in enumerate(values)
        )
        colour = _COLOURS[number % len(_COLOURS)]
        drawn.append(f"<polyline fill='none' stroke='{colour}' stroke-width='1.5' points='{points}'/>")
        x, y = _PAD + number % 5 * 170, _HEIGHT + 12 + number // 5 * 16
        drawn.append(f"<text x='{x}' y='{y}' fill='{colour}' font-size='12'>{html.escape(name)}</text>")
    return (
        f"<h2>{html.escape(title)}</h2><svg viewBox='0 0 {_WIDTH} {_HEIGHT + 36}'>"
        f"<text x='0' y='{_PAD}' font-size='12'>{top:,.0f}</text>"
        f"<line x1='{_PAD}' y1='{_HEIGHT - _PAD}' x2='{_WIDTH - _PAD}' y2='{_HEIGHT - _PAD}' stroke='#999'/>"
        f"{''.join(drawn)}</svg>"
    )
