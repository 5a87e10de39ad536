"""`lawful doctor`: what is wrong with this installation, and how to mend it."""

import os

from lawful.cli import common
from lawful.cli.console import out, put_json, say, table
from lawful.cli.exits import Exit

FIRST = "on a laptop, start `lawful up` in another terminal: it brings what is missing below; elsewhere, set addresses"


def doctor(config: common.Config = None, json: common.Json = False) -> int:
    """Look at packages, model, keys, policies, disk, Kafka, topics, ClickHouse. Exit status 1 if something is wrong."""
    from lawful.infra.findings import Finding, State
    from lawful.infra.health import examine

    settings = common.settings_of(config, user="owner")
    found = common.running()
    if found is not None and not json:
        say(f"`lawful up` runs here (process {found.pid}): embedded engines, for laptops and tests only")
    nothing = (
        [] if found or common.says_where(config) else [Finding("installation", State.WRONG, common.NOTHING_RUNS, FIRST)]
    )
    users = () if found is None or common.says_where(config) else ("owner", "writer", "officer")
    logins = [common.settings_of(config, user=user).clickhouse for user in users]
    environment = {**(found.environment("officer") if users and found else {}), **os.environ}
    findings = [*nothing, *examine(settings, environment, logins)]
    wrong = [finding for finding in findings if finding.state is State.WRONG]
    if json:
        rows = [
            {"what": each.what, "state": each.state.value, "words": each.words, "hint": each.hint} for each in findings
        ]
        put_json({"findings": rows, "wrong": len(wrong)})
    else:
        lines = [(each.state.value, each.what, each.words, each.hint) for each in findings]
        out.print(table("", ("state", "what", "found", "what to do"), lines))
    return Exit.FAULT if wrong else Exit.FINE
