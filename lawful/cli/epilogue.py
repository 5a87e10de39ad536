"""What the demo says in the end: totals, one blocked action explained, three questions in SQL."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.panel import Panel

from lawful.cli.audit_verify import coloured
from lawful.cli.board import event_words
from lawful.cli.console import out, put, table
from lawful.schemas.verdict import Decision

if TYPE_CHECKING:
    from lawful.infra.clickhouse.query import Officer
    from lawful.infra.fleet.run import Played

QUESTIONS = {
    "What was decided, trade by trade?": """
        SELECT policy_id, countIf(decision = 'forward') AS forward, countIf(decision = 'warn') AS warn,
            countIf(decision = 'redact') AS redact, countIf(decision = 'block') AS block
        FROM verdicts GROUP BY policy_id ORDER BY policy_id
    """,
    "Why were actions blocked, and by which law?": """
        SELECT violations.reason AS reason, violations.article AS article, count() AS times
        FROM verdicts ARRAY JOIN violations WHERE decision = 'block'
        GROUP BY reason, article ORDER BY times DESC, reason LIMIT 8
    """,
    "Which data was used for which purpose, about how many people?": """
        SELECT purpose, arrayJoin(categories) AS category, uniqExact(subject) AS people,
            countIf(decision = 'block') AS blocked
        FROM per_purpose GROUP BY purpose, category ORDER BY people DESC, purpose, category LIMIT 8
    """,
}
_TELLING = ("consent_withdrawn", "subject_erased", "consent_missing")


def tell(played: "list[Played]", summary: dict[str, Any], officer: "Officer", folder: Path) -> None:
    """Print it all."""
    _totals(summary)
    blocked = _example(played)
    if blocked is not None:
        out.print(Panel(_explained(blocked, played), title="one blocked action, explained", title_align="left"))
    for question, text in QUESTIONS.items():
        sql = " ".join(text.split())
        answer = officer.ask(sql)
        out.print(f"\n[bold]{question}[/]")
        out.print(f'lawful audit sql "{sql}"', style="dim", markup=False, soft_wrap=True)
        out.print(table("", answer.columns, answer.rows))
    chain = coloured(summary["chain"]["words"], ok=summary["chain"]["ok"])
    put(f"\n{chain}   [dim]lawful audit verify[/]")
    _next(blocked, folder)


def _totals(summary: dict[str, Any]) -> None:
    latency = summary["latency_ms"]
    put(
        f"\n[bold]{summary['events']} events[/] in {summary['sessions']} sessions: {summary['verdicts']} verdicts, "
        f"{summary['audit_rows']} audit rows, {summary['unanswered']} unanswered; {summary['as_scripted']} as the "
        f"script expects; verdict after {latency['p50']} ms (p50), {latency['p99']} ms (p99)"
    )
    out.print(table("", tuple(summary["decisions"]), [tuple(summary["decisions"].values())]))
    names = {"P1": "P1 consent", "P2": "P2 purpose", "P3": "P3 minimisation", "P4": "P4 erasure"}
    predicates: dict[str, int] = summary["predicates"]
    columns = [names.get(rule, rule) for rule in predicates]
    out.print(table("", columns, [tuple(predicates.values())]))


def _example(played: "list[Played]") -> "Played | None":
    """A blocked action that tells something, with evidence where there is one."""
    blocked = [each for each in played if each.verdict.decision is Decision.BLOCK]
    return min(blocked, key=_dullness, default=None)


def _dullness(played: "Played") -> int:
    reasons = [violation.reason for violation in played.verdict.violations]
    return next((rank for rank, reason in enumerate(_TELLING) if reason in reasons), len(_TELLING))


def _explained(blocked: "Played", played: "list[Played]") -> str:
    verdict = blocked.verdict
    known = {each.event.event_id: each for each in played}
    lines = [f"{blocked.story.agent_id} wanted: {event_words(blocked)} (session {blocked.story.session_id})"]
    for violation in verdict.violations:
        lines.append(f"{violation.rule} {violation.reason}, {violation.article}: {violation.message}")
        lines += [f"  evidence: {_evidence(known[event_id])}" for event_id in violation.evidence if event_id in known]
    at = ", ".join(f"{each.topic}/{each.partition} at offset {each.offset}" for each in verdict.decided_on)
    lines.append(
        f"policy {verdict.policy_id} {verdict.policy_version}, digest {verdict.policy_digest[:16]}…, decided on {at}"
    )
    lines.append(f"event {verdict.event_id}")
    return "\n".join(line.replace("[", r"\[") for line in lines)


def _evidence(played: "Played") -> str:
    moment = datetime.fromtimestamp(played.verdict.recorded_at / 1_000_000, UTC)
    where = f"session {played.story.session_id}, event {played.event.event_id}"
    return f"{event_words(played)} of {moment:%H:%M:%S.%f}, {where}"


def _next(blocked: "Played | None", folder: Path) -> None:
    put("\n[bold]explore further[/] (the demo's data stays in its folder until the next demo)")
    out.print(f"  lawful up --data-dir {folder}    # brings broker, audit and workers back", markup=False)
    if blocked is not None and blocked.event.principal is not None:
        who = blocked.event.principal
        out.print(f"  lawful audit subject {who.scheme}={who.value} --tenant demo", markup=False)
    out.print('  lawful audit sql "SELECT * FROM latest_consent LIMIT 5"', markup=False)
    out.print("  lawful ingest traces.json --policy shopper    # your own agents' traces", markup=False)
