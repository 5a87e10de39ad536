"""Who must be told of an erasure, who was, and what survives it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from lawful.infra.erasure.report import recipients, surviving
from tests.streams.kit import POLICY

ERASED = datetime(2026, 1, 1, tzinfo=UTC)
DUE = timedelta(days=30)


def row(
    recipient: str, *, tool: str = "", events: int = 1, told: datetime | None = None, **more: Any
) -> dict[str, Any]:
    """What the trail says of one recipient."""
    return {
        "subject": "",
        "erased_at": ERASED.replace(tzinfo=None),
        "kind": "third_party",
        "id": recipient,
        "tool": tool,
        "first": ERASED,
        "last": ERASED,
        "events": events,
        "categories": ["user.name"],
        "notices": int(told is not None),
        "told_at": told or datetime(1970, 1, 1, tzinfo=UTC),
        **more,
    }


def test_a_recipient_is_overdue_once_the_time_is_over() -> None:
    """Not on the last day, and not once it was told, however late."""
    late = ERASED + timedelta(days=31)
    for rows, now, expected in (
        ([row("crm")], ERASED + DUE, [False]),
        ([row("crm")], late, [True]),
        ([row("crm", told=late)], late, [False]),
    ):
        assert [each.overdue for each in recipients(rows, DUE, now)] == expected


def test_a_notice_counts_if_it_went_to_the_recipient_or_by_its_tool() -> None:
    """Other tools tell too; what told somebody else tells nobody here."""
    told = ERASED + timedelta(days=1)
    rows = [
        row("crm", tool="share"),
        row("crm", tool="notify", events=0, told=told),
        row("mailer", tool="send"),
        row("another address of it", tool="send", events=0, told=told),
        row("shop", tool=""),
        row("bank", tool="", events=0, told=told),
        row("crm", tool="share", subject="somebody else"),
    ]
    found = recipients(rows, DUE, told)
    assert [(each.id, each.subject, each.told_at) for each in found] == [
        ("crm", "", told),
        ("mailer", "", told),
        ("shop", "", None),
        ("crm", "somebody else", None),
    ]


def test_what_survives_is_what_policies_say_and_what_did() -> None:
    """A purpose of a policy that is not loaded any more still shows with what it was used for."""
    used = [{"policy": "shop", "purpose": "tax", "events": 2}, {"policy": "gone", "purpose": "archive", "events": 1}]
    found = [(each.policy, each.purpose, each.legal_basis, each.events) for each in surviving([POLICY], used)]
    assert found == [("gone", "archive", "", 1), ("shop", "tax", "legal_obligation", 2)]
