"""The Typer application: which commands there are, and how their failures end."""

import typer

from lawful import __version__
from lawful.cli import (
    audit,
    audit_retain,
    audit_users,
    audit_verify,
    audit_writer,
    auditors,
    bench,
    bench_extract,
    bench_running,
    bench_texts,
    capacity,
    chaos,
    crosscheck,
    demo,
    doctor,
    erasure,
    evaluate,
    evaluate_extraction,
    evaluate_results,
    extract,
    firewall,
    firewall_learn,
    gateway,
    ingest,
    mfotl,
    migrate,
    policy,
    policy_actions,
    policy_diff,
    policy_explain,
    policy_import,
    policy_lint,
    policy_new,
    topics,
    up,
    worker,
)
from lawful.cli.exits import Exit, epilog

app = typer.Typer(
    name="lawful",
    help="Runtime GDPR verdicts for fleets of AI agents, on Kafka.",
    epilog=epilog(),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("demo")(demo.demo)
app.command("up")(up.up)
app.command("worker")(worker.worker)
app.command("audit-writer")(audit_writer.audit_writer)
app.command("gateway")(gateway.gateway)
app.add_typer(topics.app, name="topics")
app.command("migrate")(migrate.migrate)
policy.app.command("draft-actions")(policy_actions.draft_actions)
policy.app.command("diff")(policy_diff.diff)
policy.app.command("explain")(policy_explain.explain)
policy.app.command("lint")(policy_lint.lint)
policy.app.command("new")(policy_new.new)
policy.app.command("import-ag2")(policy_import.import_ag2)
app.add_typer(policy.app, name="policy")
audit.app.command("verify")(audit_verify.verify)
audit.app.command("retain")(audit_retain.retain)
audit.app.command("users")(audit_users.users)
audit.app.command("public-key")(audit_verify.public_key)
app.add_typer(audit.app, name="audit")
app.add_typer(auditors.app, name="auditors")
app.add_typer(erasure.app, name="erasure")
app.command("extract")(extract.extract)
firewall.app.command("learn")(firewall_learn.learn)
firewall.app.command("demonstrations")(firewall_learn.demonstrations)
app.add_typer(firewall.app, name="firewall")
app.command("ingest")(ingest.ingest)
app.command("crosscheck")(crosscheck.crosscheck)
app.add_typer(mfotl.app, name="mfotl")
bench.app.command("recovery")(bench_running.recovery)
bench.app.command("soak")(bench_running.soak)
bench.app.command("extract")(bench_extract.extract)
bench.app.command("hostile")(bench_texts.hostile)
bench.app.command("patterns")(bench_texts.patterns)
app.add_typer(bench.app, name="bench")
app.command("chaos")(chaos.chaos)
evaluate.app.command("extraction")(evaluate_extraction.extraction)
evaluate.app.command("results")(evaluate_results.results)
app.add_typer(evaluate.app, name="evaluate")
app.command("capacity")(capacity.capacity)
app.command("doctor")(doctor.doctor)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"lawful {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Runtime GDPR verdicts for fleets of AI agents, on Kafka."""


def call(arguments: list[str]) -> int:
    """Run a command; a usage error shows itself and gives its status, all else is raised to the caller."""
    try:
        outcome = app(arguments, prog_name="lawful", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort as abort:
        raise KeyboardInterrupt from abort
    except Exception as error:
        # Typer's own errors show themselves; their class has moved between Typer's versions.
        show, status = getattr(error, "show", None), getattr(error, "exit_code", None)
        if not callable(show) or not isinstance(status, int):
            raise
        show()
        return status
    status = outcome if isinstance(outcome, int) else 0
    if status == Exit.INTERRUPTED:  # some versions of Typer swallow it
        raise KeyboardInterrupt
    return status
